/** `POST /v2/transactions/wallet`: permanent addresses, PIX keys and CLABEs (`D42`, `D43`). */
import { z } from "zod";
import type { Chain, Currency } from "../domain/currencies.ts";
import { DomainError } from "../domain/errors.ts";
import { makeAddress } from "../domain/identifiers/chain-address.ts";
import { makeClabe } from "../domain/identifiers/clabe.ts";
import { staticPixCode } from "../domain/identifiers/pix-code.ts";
import { makeEvp } from "../domain/identifiers/pix-key.ts";
import { onFirstUse } from "../domain/on-first-use.ts";
import { counted } from "../domain/words/counted.ts";
import type { Credential } from "../store/accounts.ts";
import type { Wallet } from "../store/wallets.ts";
import { formatInstant } from "../world/instants.ts";
import type { Operation } from "../world/operation.ts";
import type { World } from "../world/world.ts";
import { currencyType } from "./amounts.ts";
import { nameField, remarkField } from "./input.ts";
import { exactChain, railOf } from "./instruments.ts";
import { applyTransition } from "./transition.ts";

/** The body of a wallet request; `chain` is used for crypto only. */
export const walletRequest = onFirstUse(() =>
  z.object({
    currency: nameField,
    // May be empty: a form for all currencies sends an empty one for fiat.
    chain: remarkField(200)
      .nullish()
      .meta({ description: "Blockchain, lower case. Needed for a crypto currency, left out for BRL and MXN." }),
  }),
);
type WalletRequest = z.infer<ReturnType<typeof walletRequest>>;

/** The id of the first wallet; later ones count up from it. */
const FIRST_WALLET_ID = 1001;

/**
 * Provisions a permanent wallet.
 * @throws {DomainError} INVALID_CURRENCY, UNSUPPORTED_CURRENCY, UNSUPPORTED_CHAIN, INVALID_REQUEST,
 * WALLET_LIMIT_REACHED.
 */
export function provisionWallet(operation: Operation, credential: Credential, input: WalletRequest) {
  const { world } = operation;
  const currency = offeredCurrency(world, input.currency);
  const chain = walletChain(world, currency, input.chain ?? null);
  const { wallets_per_credential: most } = world.fixtures.terms;
  if (world.wallets.countOf(credential.client_id) >= most) {
    throw new DomainError(
      "WALLET_LIMIT_REACHED",
      `The credential has reached its limit of ${counted(most, "fixed wallet")}.`,
    );
  }
  return walletAnswer(world, openWallet(operation, credential, { currency, chain }));
}

/** @throws {DomainError} `UNSUPPORTED_CURRENCY` for a code that the service names, else `INVALID_CURRENCY` (`D25`). */
function offeredCurrency(world: World, code: string): Currency {
  const currency = world.currencies.find(code, "wallet");
  if (currency) return currency;
  const isNamed = world.fixtures.currencies.some((row) => row.currency === code);
  throw new DomainError(isNamed ? "UNSUPPORTED_CURRENCY" : "INVALID_CURRENCY", `There is no fixed wallet in ${code}.`);
}

/** The chain of a wallet: missing for crypto is a fault, for BRL and MXN it is ignored (`D20`). */
function walletChain(world: World, currency: Currency, name: string | null): Chain | undefined {
  if (currency.currency_type === "fiat") return undefined;
  if (!name)
    throw new DomainError(
      "INVALID_REQUEST",
      `chain is missing; ${currency.currency} has ${currency.chains.join(", ")}.`,
    );
  return exactChain(world, currency, name);
}

/** What a wallet is for. */
interface Rail {
  readonly currency: Currency;
  /** Undefined for fiat. */
  readonly chain: Chain | undefined;
}

function openWallet(operation: Operation, credential: Credential, rail: Rail): Wallet {
  const { world } = operation;
  const walletId = FIRST_WALLET_ID - 1 + world.random.next("wallet");
  const { client_id, username } = credential;
  return applyTransition(operation, {
    lifecycle: "wallet",
    id: String(walletId),
    state: null,
    trigger: "provision",
    currencies: { main: rail.currency.currency },
    parties: { username },
    figures: {},
    write: (status) => {
      const wallet = newWallet(operation, credential, { ...rail, walletId, status });
      world.wallets.insert(wallet);
      return wallet;
    },
    events: (_kind, wallet) => [
      {
        data: createdData(world, wallet),
        envelopeId: `wallet_${walletId}`,
        username,
        clientId: client_id,
        postbackUrl: null,
      },
    ],
  });
}

function newWallet(
  { world, now }: Operation,
  { username, client_id }: Credential,
  { currency, chain, walletId, status }: Rail & { walletId: number; status: Wallet["status"] },
): Wallet {
  return {
    wallet_id: walletId,
    username,
    client_id,
    currency: currency.currency,
    ...railOf(currency, chain),
    address: addressOf(world, { currency, chain }, walletId),
    min_confirmations: chain?.confirmations ?? 0,
    status,
    created_at: now,
  };
}

function addressOf(world: World, { currency, chain }: Rail, walletId: number): string {
  const entropy = world.random.entropy("wallet", walletId);
  if (chain) return makeAddress(chain.address_format, entropy);
  if (currency.method === "PIX") return makeEvp(entropy);
  const { bank, plaza } = world.fixtures.banks.spei;
  return makeClabe({ bank, plaza, entropy });
}

function createdData(world: World, wallet: Wallet): Record<string, unknown> {
  return {
    wallet_id: wallet.wallet_id,
    currency: wallet.currency,
    currency_type: currencyType(world, wallet.currency),
    chain: wallet.chain,
    network: wallet.network,
    address: wallet.address,
    min_confirmations: wallet.min_confirmations,
    created_at: formatInstant(wallet.created_at),
  };
}

/** The data of the answer; BRL and MXN as `D42` has it. */
export function walletAnswer(world: World, wallet: Wallet) {
  const { wallet_id, address, currency, chain, network, min_confirmations } = wallet;
  const created_at = formatInstant(wallet.created_at);
  if (chain) return { wallet_id, address, currency, chain, min_confirmations, created_at };
  const answer = { wallet_id, address, currency, network, min_confirmations, created_at };
  if (network !== "PIX") return answer;
  const { merchant_name: merchantName, merchant_city: merchantCity } = world.fixtures.banks.pix;
  return { ...answer, key_type: "evp", qr_code: staticPixCode({ key: address, merchantName, merchantCity }) };
}
