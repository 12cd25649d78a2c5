/** Currencies, chains and methods: the schema of `fixtures/currencies.json` and `fixtures/chains.json`. */
import { z } from "zod";
import { formatAmount, type MinorUnits } from "./money.ts";
import { onFirstUse } from "./on-first-use.ts";

/** The operations that the service may offer for a currency. */
const currencyOperations = ["cashin", "cashout", "wallet", "conversion"] as const;

/** The most decimals that a currency has (`D01`). */
export const MAX_SCALE = 8;

/** Payment methods of fiat currencies. */
export const methods = ["PIX", "SPEI"] as const;

/**
 * A chain; `network` is its label (`D04`). A payment settles after `confirmations` × `ms_per_confirmation` milliseconds
 * (`D06`).
 */
export const chainSchema = onFirstUse(() =>
  z.strictObject({
    chain: z.string().regex(/^[a-z]+$/, { error: "must be a name of lower-case letters, such as tron" }),
    network: z.string().regex(/^[A-Z0-9]+$/, { error: "must be a label of capital letters and digits, such as TRC20" }),
    address_format: z.enum(["evm", "tron", "bitcoin", "solana"]),
    confirmations: z.int().nonnegative(),
    ms_per_confirmation: z.int().nonnegative(),
  }),
);

/**
 * A currency; `scale` is how many decimals its minor unit has (`D01`), `settlement_ms` how long a fiat payment takes to
 * settle (`D06`).
 */
export const currencySchema = onFirstUse(() =>
  z
    .strictObject({
      currency: z
        .string()
        .regex(/^[A-Z]{3,4}$/, { error: "must be a code of three or four capital letters, such as BRL" }),
      currency_type: z.enum(["fiat", "crypto"]),
      scale: z.int().min(0).max(MAX_SCALE),
      /** The method of a fiat currency; crypto currencies have chains instead. */
      method: z.enum(methods).nullable(),
      settlement_ms: z.int().nonnegative(),
      chains: z.array(z.string()),
      operations: z.array(z.enum(currencyOperations)),
      /** Whether worlds have it with `currencies: extended` only (`D02`). */
      extended: z.boolean().default(false),
      extended_chains: z.array(z.string()).default([]),
    })
    .refine(({ method, scale }) => method !== "PIX" || scale === 2, {
      path: ["scale"],
      error: "must be 2 where the method is PIX, whose texts have two decimals",
    })
    .refine(({ currency_type, method }) => currency_type === "crypto" || method !== null, {
      path: ["method"],
      error: "must be PIX or SPEI where the currency is fiat",
    })
    .refine(({ currency_type, chains }) => currency_type === "fiat" || chains.length > 0, {
      path: ["chains"],
      error: "must have a chain where the currency is crypto",
    }),
);

/** A blockchain that crypto currencies are on. */
export type Chain = z.infer<ReturnType<typeof chainSchema>>;

/** A currency as in the data, before the setting `currencies` of a world is applied (`D02`). */
export type Currency = z.infer<ReturnType<typeof currencySchema>>;
type CurrencyOperation = (typeof currencyOperations)[number];

/** The currencies and chains of one world, after its `currencies` setting has been applied (`D02`). */
export class CurrencyTable {
  readonly currencies: ReadonlyMap<string, Currency>;
  readonly chains: ReadonlyMap<string, Chain>;

  constructor(currencies: readonly Currency[], chains: readonly Chain[], variant: "table" | "extended") {
    this.chains = new Map(chains.map((chain) => [chain.chain, chain]));
    const offered = currencies.filter((currency) => variant === "extended" || !currency.extended);
    this.currencies = new Map(offered.map((currency) => [currency.currency, withChains(currency, variant)]));
  }

  /** The chain that a resource is on; undefined if it has none, as with fiat currencies. */
  chainOf({ chain }: { readonly chain: string | null }): Chain | undefined {
    return chain === null ? undefined : this.chains.get(chain);
  }

  /** Milliseconds until a payment settles: the time of its chain's confirmations, else its currency's (`D06`). */
  settlementMs({ chain, currency }: { readonly chain: string | null; readonly currency: string }): number {
    const on = this.chainOf({ chain });
    return on ? on.confirmations * on.ms_per_confirmation : (this.currencies.get(currency)?.settlement_ms ?? 0);
  }

  /** The currency, or undefined where the service does not offer `operation` for it. */
  find(code: string, operation: CurrencyOperation): Currency | undefined {
    const currency = this.currencies.get(code);
    return currency?.operations.includes(operation) ? currency : undefined;
  }

  /** The currency of an existing resource. @throws {Error} if this world lacks it, which is a bug of the sandbox. */
  known(code: string): Currency {
    const currency = this.currencies.get(code);
    if (!currency) throw new Error(`No currency ${code} in this world.`);
    return currency;
  }

  /** Number of decimals of a currency. @throws {Error} as {@link known}. */
  scale(code: string): number {
    return this.known(code).scale;
  }

  /** An amount as text with all decimals of its currency (`D01`). @throws {Error} as {@link known}. */
  format(amount: MinorUnits, code: string): string {
    return formatAmount(amount, this.scale(code));
  }

  /** The chains that a currency is on. */
  chainsOf(currency: Currency): Chain[] {
    return currency.chains.flatMap((name) => this.chains.get(name) ?? []);
  }

  /**
   * The chains that a name or, failing that, a label matches, in any case; several may share a label (`D05`).
   * @param currency limits the search to the chains of this currency.
   */
  chainsNamed(text: string, currency?: Currency): Chain[] {
    const wanted = text.toLowerCase();
    const chains = currency ? this.chainsOf(currency) : [...this.chains.values()];
    const named = chains.filter(({ chain }) => chain === wanted);
    return named.length > 0 ? named : chains.filter(({ network }) => network.toLowerCase() === wanted);
  }
}

/** The currency with the chains that its variant has; a chain that the data repeats is listed once. */
function withChains(currency: Currency, variant: "table" | "extended"): Currency {
  const further = variant === "extended" ? currency.extended_chains : [];
  return { ...currency, chains: [...new Set([...currency.chains, ...further])] };
}
