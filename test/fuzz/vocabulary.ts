/** TABLE: what the fields of requests are filled with where their schema says no more than that they are texts. */
import fc from "fast-check";
import { chains } from "../support/rails.ts";
import { type JsonNode, nodeOf } from "./json-nodes.ts";

const CURRENCIES = ["BRL", "MXN", "USDT", "USDC", "BTC", "ETH", "SOL", "BNB"];
const NETWORKS = ["PIX", "SPEI", "TRC20", "ERC20", "BEP20"];
const AMOUNTS = ["10.00", "150.00", "12.34", "1", "0.01", "25", "50.5", "0.5", "1000000.00", "1000000.01", "10000000"];
const KEYS = [
  ...["52998224725", "12345678909", "11222333000181", "maria@example.com", "+5511999998888", "032180000118359719"],
  ...["123e4567-e89b-42d3-a456-426614174000", "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t"],
  ...["0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", "1BoatSLRHtKNngkdXEeobR76b53LETtpyT"],
];
const PLACES = ["sandbox://inbox", "http://127.0.0.1:1/hook", "http://localhost:1/", null];
const INSTANTS = [
  "2026-01-01T12:00:00Z",
  "2026-01-01T12:30:00.000Z",
  "2026-01-02T00:00:00-03:00",
  "2026-01-09T12:00:00Z",
];
const DURATIONS = ["1s", "5s", "31m", "1h", "1d", "8d", "500ms", "PT5S", "0s"];

const texts = (...values: readonly (string | number | boolean | null)[]) => fc.constantFrom(...values).map(nodeOf);

/** A place where the id of something that is there goes, or one that is made up. */
export const idOf = (kind: string): fc.Arbitrary<string> =>
  fc.oneof(
    { arbitrary: fc.nat(30).map((number) => `~{${kind}:${number}}~`), weight: 12 },
    {
      arbitrary: fc.constantFrom("nowhere", "0".repeat(32), "1", "0", "-1", "99999999999999999999", "__proto__"),
      weight: 1,
    },
  );

const id = (kind: string) => idOf(kind).map(nodeOf);

/** An amount may be a text or a number. */
const amount: fc.Arbitrary<JsonNode> = fc
  .tuple(fc.constantFrom(...AMOUNTS), fc.boolean())
  .map(([text, isNumber]) => (isNumber ? { literal: text } : nodeOf(text)));

export const vocabulary: Readonly<Record<string, fc.Arbitrary<JsonNode>>> = {
  currency: texts(...CURRENCIES),
  base_currency: texts(...CURRENCIES),
  destination_currency: texts(...CURRENCIES),
  amount,
  percentage: texts(10, 50, 0.5, 95),
  chain: texts(...chains, null),
  network: texts(...NETWORKS, null),
  key: texts(...KEYS),
  key_type: texts("cpf", "cnpj", "email", "phone", "evp", "clabe", "tron", null),
  document: texts("52998224725", "11222333000181", "12345678909"),
  username: fc.oneof(
    { arbitrary: texts("acme", "globex", "initech-2", "initech-3"), weight: 5 },
    { arbitrary: id("username"), weight: 1 },
  ),
  external_id: texts("order-0", "order-1", "order-2", "payout-0", "swap-0", null),
  client_id: texts("~{client:0}~", "~{client:0}~", "~{client:1}~"),
  client_secret: texts("~{secret:0}~", "~{secret:0}~", "~{secret:1}~"),
  transaction_id: id("transaction"),
  infraction_id: id("dispute"),
  postback_url: texts(...PLACES),
  created_from: texts(...INSTANTS, null),
  created_to: texts(...INSTANTS, null),
  page: texts(1, 2, 1_000_000),
  cursor: texts("0", "1", "5", "0-0", "1767268800000-1"),
  limit: texts("1", "10", "1000"),
  // Of the control interface.
  id: texts("fuzzed-2", "fuzzed-3"),
  name: texts("before", "after", "Ana Souza", "happy-path", "receiver-down"),
  source: texts("127.0.0.66", "10.0.0.1", "::1"),
  by: texts(...DURATIONS),
  to: texts(...INSTANTS),
  now: texts(...INSTANTS),
  start: texts(...INSTANTS),
  ttl: texts("1d", "31m"),
  for: texts(...DURATIONS),
  after: texts(...DURATIONS),
  // In real time: a rule that holds answers back for hours proves nothing.
  latency: texts("0s", "1ms", "5ms"),
  delay: texts(...DURATIONS),
  speed: texts(1, 60, 0.5, 1_000_000),
  seed: texts(0, 1, 7, 9_007_199_254_740_991),
  tx_hash: texts("9f86d081884c7d65".repeat(4), `0x${"ab".repeat(32)}`),
  per_operation_min: texts("0", "1.00", "20"),
  per_operation_max: texts("100", "5000.00", "0"),
};
