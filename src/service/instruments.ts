/** Which chain money moves on (`D05`), and what a payer pays to: a PIX text, a CLABE or an address, from the world's seed. */
import type { Chain, Currency } from "../domain/currencies.ts";
import { DomainError } from "../domain/errors.ts";
import { makeAddress } from "../domain/identifiers/chain-address.ts";
import { makeClabe } from "../domain/identifiers/clabe.ts";
import { dynamicPixCode } from "../domain/identifiers/pix-code.ts";
import { LONGEST_AMOUNT } from "../domain/identifiers/pix-code-rules.ts";
import { formatAmount, type MinorUnits } from "../domain/money.ts";
import { required } from "../domain/required.ts";
import type { Transaction, TransactionDetails } from "../store/transactions.ts";
import type { World } from "../world/world.ts";

/**
 * The chain of a request; undefined for fiat, where `chain` and `network` are ignored (`D05`).
 * @throws {DomainError} INVALID_REQUEST when `chain` and `network` contradict each other; UNSUPPORTED_CHAIN when they
 * name no chain of the currency, or do not narrow its chains down to one, and for a label as `chain`.
 */
export function chosenChain(
  world: World,
  currency: Currency,
  input: { chain?: string | null | undefined; network?: string | null | undefined },
): Chain | undefined {
  if (currency.currency_type === "fiat") return undefined;
  const named = [input.chain, input.network].filter((text) => text !== undefined && text !== null);
  if (contradict(world, currency, named)) {
    throw new DomainError("INVALID_REQUEST", "chain and network contradict each other.");
  }
  const { chain: name, network } = input;
  const meant = [
    ...(name == null ? [] : [[chainCalled(world, currency, name, name.toLowerCase())]]),
    ...(network == null ? [] : [chainsNamed(world, currency, network)]),
  ];
  const chains = world.currencies.chainsOf(currency).filter((chain) => meant.every((some) => some.includes(chain)));
  return onlyChain(currency, chains);
}

/** Whether both texts name chains, of this currency or of any, but no chain in common. */
function contradict({ currencies }: World, currency: Currency, named: readonly string[]): boolean {
  const meant = named.map((text) => {
    const own = currencies.chainsNamed(text, currency);
    return own.length > 0 ? own : currencies.chainsNamed(text);
  });
  const [first = [], second = []] = meant;
  return first.length > 0 && second.length > 0 && !first.some((chain) => second.includes(chain));
}

/** The network label and, for crypto, the chain, as resources store them (`D04`). */
export function railOf(currency: Currency, chain: Chain | undefined): Pick<Transaction, "network" | "chain"> {
  return {
    network: chain?.network ?? required(currency.method, "The method of a fiat currency"),
    chain: chain?.chain ?? null,
  };
}

/**
 * What the payer of a charge pays to: an address, a CLABE or a PIX code.
 * @throws {DomainError} LIMIT_EXCEEDED when the amount is too long for a PIX code.
 */
export function depositInstruments(
  world: World,
  charge: { transactionId: string; currency: Currency; chain: Chain | undefined; amount: MinorUnits },
): Pick<TransactionDetails, "qr_code" | "address" | "clabe"> {
  const { transactionId, currency, chain, amount } = charge;
  // Not drawn for a PIX, the most frequent of all: its text is that of the id.
  const entropy = () => world.random.entropy("instrument", transactionId);
  if (chain) return { address: makeAddress(chain.address_format, entropy()) };
  const { pix, spei } = world.fixtures.banks;
  if (currency.method === "SPEI")
    return { clabe: makeClabe({ bank: spei.bank, plaza: spei.plaza, entropy: entropy() }) };
  const text = formatAmount(amount, currency.scale);
  if (text.length > LONGEST_AMOUNT) throw new DomainError("LIMIT_EXCEEDED", "The amount is more than a PIX QR holds.");
  return {
    qr_code: dynamicPixCode({
      location: `${pix.location}/${transactionId}`,
      amount: text,
      merchantName: pix.merchant_name,
      merchantCity: pix.merchant_city,
    }),
  };
}

/**
 * The chain of a currency by its exact name: only cash-ins and cash-outs accept capitals, and labels as `network` (`D05`).
 * @throws {DomainError} UNSUPPORTED_CHAIN.
 */
export function exactChain(world: World, currency: Currency, text: string): Chain {
  return chainCalled(world, currency, text, text);
}

/** The chain of a currency by its name, which a text gives. @throws {DomainError} UNSUPPORTED_CHAIN, for a label too. */
function chainCalled(world: World, currency: Currency, text: string, name: string): Chain {
  const chains = chainsNamed(world, currency, text);
  const named = chains.find(({ chain }) => chain === name);
  if (named) return named;
  const meant = chains.map(({ chain }) => chain).join(" or ");
  throw new DomainError("UNSUPPORTED_CHAIN", `${currency.currency} has no chain ${text}; it is ${meant} here.`);
}

function chainsNamed(world: World, currency: Currency, text: string): Chain[] {
  const chains = world.currencies.chainsNamed(text, currency);
  if (chains.length > 0) return chains;
  throw new DomainError(
    "UNSUPPORTED_CHAIN",
    `${currency.currency} has no chain ${text}; it has ${currency.chains.join(", ")}.`,
  );
}

function onlyChain({ currency }: Currency, chains: readonly Chain[]): Chain {
  const [only, ...others] = chains;
  if (only && others.length === 0) return only;
  const names = chains.map(({ chain }) => chain).join(", ");
  throw new DomainError("UNSUPPORTED_CHAIN", `Name a chain for ${currency}: ${names}.`);
}
