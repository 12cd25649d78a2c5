/** The overview's table of currencies and chains, written down once more: what tests hold the service to. */

/** TABLE: a currency on a chain, its label in payloads, the confirmations of a deposit and the time that they take. */
export const cryptoRails = [
  { currency: "USDT", chain: "tron", network: "TRC20", confirmations: 20, creditMs: 60_000 },
  { currency: "USDT", chain: "ethereum", network: "ERC20", confirmations: 12, creditMs: 144_000 },
  { currency: "USDT", chain: "bsc", network: "BEP20", confirmations: 15, creditMs: 45_000 },
  { currency: "USDT", chain: "polygon", network: "POLYGON", confirmations: 100, creditMs: 200_000 },
  { currency: "USDT", chain: "arbitrum", network: "ARBITRUM", confirmations: 20, creditMs: 5_000 },
  { currency: "USDC", chain: "ethereum", network: "ERC20", confirmations: 12, creditMs: 144_000 },
  { currency: "USDC", chain: "bsc", network: "BEP20", confirmations: 15, creditMs: 45_000 },
  { currency: "USDC", chain: "polygon", network: "POLYGON", confirmations: 100, creditMs: 200_000 },
  { currency: "USDC", chain: "arbitrum", network: "ARBITRUM", confirmations: 20, creditMs: 5_000 },
  { currency: "USDC", chain: "base", network: "BASE", confirmations: 32, creditMs: 64_000 },
  { currency: "USDC", chain: "optimism", network: "OPTIMISM", confirmations: 32, creditMs: 64_000 },
  { currency: "BTC", chain: "bitcoin", network: "BITCOIN", confirmations: 6, creditMs: 3_600_000 },
  { currency: "ETH", chain: "ethereum", network: "ERC20", confirmations: 12, creditMs: 144_000 },
  { currency: "ETH", chain: "arbitrum", network: "ARBITRUM", confirmations: 20, creditMs: 5_000 },
  { currency: "ETH", chain: "base", network: "BASE", confirmations: 32, creditMs: 64_000 },
  { currency: "ETH", chain: "optimism", network: "OPTIMISM", confirmations: 32, creditMs: 64_000 },
  { currency: "SOL", chain: "solana", network: "SOLANA", confirmations: 32, creditMs: 12_800 },
  { currency: "BNB", chain: "bsc", network: "BEP20", confirmations: 15, creditMs: 45_000 },
] as const;

export const chains = [...new Set(cryptoRails.map((rail) => rail.chain))];
export const cryptoCurrencies = [...new Set(cryptoRails.map((rail) => rail.currency))];

/** What an address of a chain looks like. */
export function addressForm(chain: string): RegExp {
  if (chain === "tron") return /^T[1-9A-HJ-NP-Za-km-z]{33}$/;
  if (chain === "bitcoin") return /^(bc1[02-9ac-hj-np-z]{39,59}|[13][1-9A-HJ-NP-Za-km-z]{25,34})$/;
  if (chain === "solana") return /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;
  return /^0x[0-9a-fA-F]{40}$/;
}

/** An amount that every operation of a currency takes. */
export const fairAmount: Readonly<Record<string, number>> = {
  BRL: 100,
  MXN: 100,
  USDT: 50,
  USDC: 50,
  BTC: 0.01,
  ETH: 0.1,
  SOL: 1,
  BNB: 1,
  POL: 50,
};
