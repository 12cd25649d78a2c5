/** Commands of merchants that ask for a rate, simulate and convert. */
import fc from "fast-check";
import { agree } from "./agreement.ts";
import { perform } from "./calls.ts";
import { appOf, command, which } from "./commands.ts";
import { isWorthIt, pairOf, pairRefusals } from "./conversion-call.ts";
import { simulate, spotRate } from "./conversions.ts";
import { decimalText } from "./decimals.ts";
import { conversionFigures, scaleOf } from "./facts.ts";
import { type Body, sendMoney } from "./money-calls.ts";
import { moveTo } from "./moving.ts";
import { amount, currency, externalId, written } from "./requests.ts";
import { instantText } from "./state.ts";

/** Pairs that come again, so that quotes are met. */
const pair = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(["BRL", "USDT"], ["BRL", "BTC"], ["BTC", "BRL"], ["USDT", "ETH"]) },
  { weight: 1, arbitrary: fc.tuple(currency, currency) },
);
const pairAmount = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(1, 0.5, 20, 33.33) },
  { weight: 1, arbitrary: amount.map((given) => written(given, "BRL")) },
);
const conversionInput = fc.record({ by: which, pair, amount: pairAmount });
type ConversionInput = { readonly pair: readonly string[]; readonly amount: string | number };

function pairBody({ pair: [base_currency, destination_currency], amount: units }: ConversionInput): Body {
  return { amount: units, base_currency, destination_currency };
}

/** What is drawn, or what was simulated last: now, or when that quote ends, or a millisecond before. */
const convert = command(
  9,
  fc.record({
    drawn: conversionInput,
    external_id: externalId,
    simulated: fc.boolean(),
    ends: fc.option(fc.constantFrom(-1, 0), { nil: undefined, freq: 2 }),
  }),
  async (scene, { drawn, external_id, simulated, ends }) => {
    const quote = simulated ? scene.branch.state.quotes.at(-1) : undefined;
    const app = scene.branch.apps.find(({ username }) => username === quote?.username) ?? appOf(scene, drawn.by);
    const units = quote && Number(decimalText(quote.amount, scaleOf(quote.from)));
    if (quote && ends !== undefined) await moveTo(scene, quote.expiresAt + ends);
    const pairing = quote && { amount: units, base_currency: quote.from, destination_currency: quote.to };
    const body = { ...(pairing ?? pairBody(drawn)), ...(external_id === undefined ? {} : { external_id }) };
    return sendMoney(scene, "conversion", app, body);
  },
);

const rate = command(2, conversionInput, async (scene, input) => {
  const { state } = scene.branch;
  const body = pairBody(input);
  const path = "/v2/conversions/rate";
  const outcome = await perform(scene.branch, appOf(scene, input.by), {
    method: "POST",
    path,
    send: ({ merchant }) => merchant.call("POST", path, body),
    refusals: () => pairRefusals(body),
  });
  const quoted = pairOf(body);
  if (outcome.kind === "done" && outcome.data && quoted) {
    const spot = spotRate(state, quoted);
    const { estimate } = conversionFigures(quoted.from, quoted.amount, quoted.to, spot);
    const estimated_amount = decimalText(estimate, scaleOf(quoted.to));
    agree(path, { rate: spot, estimated_amount, timestamp: instantText(state.now) }, outcome.data);
  }
  return outcome.label;
});

const quote = command(5, conversionInput, async (scene, input) => {
  const { state } = scene.branch;
  const body = pairBody(input);
  const path = "/v2/conversions/simulate";
  const app = appOf(scene, input.by);
  const wanted = pairOf(body);
  const outcome = await perform(scene.branch, app, {
    method: "POST",
    path,
    send: ({ merchant }) => merchant.call("POST", path, body),
    refusals: () => {
      const codes = pairRefusals(body);
      const isEmpty = codes.length === 0 && wanted && !isWorthIt(wanted, spotRate(state, wanted));
      return isEmpty ? ["INVALID_REQUEST"] : codes;
    },
  });
  if (outcome.kind === "not done" || !wanted) return outcome.label;
  const { rate: spot, expiresAt } = simulate(state, app.username, wanted);
  const { spread, fee, amountTo } = conversionFigures(wanted.from, wanted.amount, wanted.to, spot);
  const text = (units: bigint) => decimalText(units, scaleOf(wanted.to));
  const figures = { to_amount: text(amountTo), rate: spot, spread: text(spread), fee: text(fee) };
  if (outcome.data) agree(path, { ...figures, expires_at: instantText(expiresAt) }, outcome.data);
  return outcome.label;
});

export const conversionCommands = { convert, rate, quote };
