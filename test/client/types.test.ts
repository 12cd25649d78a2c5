/** The types of the client are what users write and get; the compiler is the judge, in `npm run typecheck`. */
import { expect, expectTypeOf, test } from "vitest";
import type { z } from "zod";
import type { Input } from "../../src/client/wire.ts";
import type { worldInput } from "../../src/control/world-routes.ts";
import { serviceCalls } from "../../src/domain/service-calls.ts";
import { endpoints } from "../../src/http/endpoints.ts";
import type {
  AdvanceTarget,
  CashinAnswer,
  CashinRequest,
  CashoutRequest,
  ConversionInfo,
  ConversionRequest,
  DepositInput,
  DisputeInfo,
  ErrorCode,
  EventData,
  EventKind,
  FaultRule,
  InfractionListAnswer,
  ScenarioDocument,
  ScenarioInfo,
  ScenarioStep,
  ServiceAnswers,
  ServiceCall,
  ServiceCallError,
  ServiceFailure,
  ServiceRequests,
  ServiceResponse,
  TransactionListAnswer,
  TransactionListRequest,
  TransactionSummary,
  WalletAnswer,
  WebhookBody,
  WebhookInfo,
  WorldClient,
  WorldOptions,
} from "../../src/index.ts";
import { connectSandbox, startSandbox } from "../../src/index.ts";

test("the maps of requests and answers have every endpoint, and nothing else", () => {
  expectTypeOf<keyof ServiceRequests>().toEqualTypeOf<ServiceCall>();
  expectTypeOf<keyof ServiceAnswers>().toEqualTypeOf<ServiceCall>();
  expect(endpoints.map(({ method, path }) => `${method} ${path}`)).toEqual(serviceCalls);
});

test("amounts go in as numbers or texts, in conversions as numbers alone, and come out as texts", () => {
  expectTypeOf<CashinRequest["amount"]>().toEqualTypeOf<string | number>();
  expectTypeOf<CashoutRequest["amount"]>().toEqualTypeOf<string | number>();
  expectTypeOf<ConversionRequest["amount"]>().toEqualTypeOf<number>();
  expectTypeOf<DepositInput["amount"]>().toEqualTypeOf<string | number>();
  expectTypeOf<TransactionListRequest["page"]>().toEqualTypeOf<number | null | undefined>();
  expectTypeOf<CashinAnswer["amount"]>().toEqualTypeOf<string>();
  expectTypeOf<ServiceAnswers["POST /v2/conversions/new"]["amount_to"]>().toEqualTypeOf<number>();
  expectTypeOf<ConversionInfo["rate"]>().toEqualTypeOf<number>();
  expectTypeOf<{ currency: "BRL"; amount: 10 }>().toExtend<CashinRequest>();
  expectTypeOf<{ currency: "BRL" }>().not.toExtend<CashinRequest>();
  expectTypeOf<{ currency: "BRL"; amount: 10n }>().not.toExtend<CashinRequest>();
});

test("states are told one by one, and what a currency has by its network", () => {
  expectTypeOf<CashinAnswer["status"]>().toEqualTypeOf<
    "pending" | "confirmed" | "expired" | "canceled" | "failed" | "refunded"
  >();
  expectTypeOf<TransactionSummary["status"]>().toEqualTypeOf<CashinAnswer["status"]>();
  expectTypeOf<DisputeInfo["status"]>().toEqualTypeOf<InfractionListAnswer["items"][number]["status"]>();
  expectTypeOf<CashinAnswer["qr_code"]>().toEqualTypeOf<string | undefined>();
  expectTypeOf<WalletAnswer["chain"]>().toEqualTypeOf<string | undefined>();
  expectTypeOf<Extract<CashinAnswer, { network: "PIX" }>["qr_code"]>().toEqualTypeOf<string>();
  expectTypeOf<Extract<CashinAnswer, { network: "SPEI" }>["clabe"]>().toEqualTypeOf<string>();
  type Received = Extract<TransactionListAnswer["items"][number], { type: "cashin" }>;
  expectTypeOf<Received["source"]>().toEqualTypeOf<"dynamic_qr" | "static">();
});

test("an answer stands in its envelope, a refusal in the failure body", () => {
  type Own = { readonly request_id: string; readonly timestamp: string };
  expectTypeOf<ServiceResponse<"POST /v2/transactions/cashin">>().toExtend<Own & { data: CashinAnswer }>();
  expectTypeOf<ServiceResponse<"POST /v2/conversions/rate">>().not.toExtend<Own>();
  expectTypeOf<ServiceResponse<"POST /v2/oauth/token">>().toExtend<{ access_token: string; expires_in: 3600 }>();
  expectTypeOf<ServiceFailure["error"]["group"]>().toExtend<string>();
});

test("a webhook has the data of its event", () => {
  type Confirmed = WebhookInfo<"cashin.confirmed">;
  expectTypeOf<Confirmed["body"]["data"]>().toEqualTypeOf<EventData<"cashin.confirmed">>();
  expectTypeOf<Confirmed["event"]>().toEqualTypeOf<"cashin.confirmed">();
  expectTypeOf<WebhookBody<"wallet_deposit">>().toEqualTypeOf<EventData<"wallet_deposit">>();
  expectTypeOf<WebhookBody<"refund_responded">["data"]>().toEqualTypeOf<EventData<"chargeback.responded">>();
  expectTypeOf<Confirmed>().toExtend<WebhookInfo>();
  type Either = WebhookInfo<"cashin.confirmed" | "cashin.expired">;
  expectTypeOf<Extract<Either, { event: "cashin.expired" }>["body"]["data"]["expired_at"]>().toEqualTypeOf<string>();
  expectTypeOf<EventData<EventKind>>().toBeObject();
});

test("what is wrong is found by the compiler", () => {
  const wrong = async (world: WorldClient) => {
    // @ts-expect-error: there is no such event.
    await world.waitForWebhook("cashin.confirmd");
    // @ts-expect-error: nor can it be made to happen.
    await world.trigger("cashin.confirmd");
    // A name that comes from elsewhere is held to them when it is used.
    await world.trigger(String(process.argv[2]));
    // @ts-expect-error: nor webhooks of one.
    await world.webhooks({ event: "cashin.confirmd" });
    // @ts-expect-error: nor such a field of it.
    await world.waitForWebhook("cashin.confirmed", { external: "order-1" });
    // @ts-expect-error: a cash-out fails with a code of the catalogue.
    await world.transactions.fail("id", { error_code: "BROKE" });
    // @ts-expect-error: a charge needs an amount.
    await world.merchant().call("POST /v2/transactions/cashin", { currency: "BRL" });
    // @ts-expect-error: it takes a request.
    await world.merchant().call("POST /v2/transactions/wallet");
    // @ts-expect-error: a target has one aim.
    await world.advance({ until: { expiry: 5 } });
    // @ts-expect-error: what was found is of the event that was asked for.
    (await world.webhooks({ event: "cashin.expired" }))[0]?.body.data.payer;
    // @ts-expect-error: by its older name, too.
    (await world.webhooks({ event: "refund_confirmed" }))[0]?.body.data.payer;
  };
  expect(wrong).toBeTypeOf("function");
  expectTypeOf<ServiceCallError["code"]>().toEqualTypeOf<ErrorCode | "UNKNOWN">();
});

test("options and targets say what the control interface reads", () => {
  expectTypeOf<keyof WorldOptions | "replay">().toEqualTypeOf<keyof Input<ReturnType<typeof worldInput>>>();
  expectTypeOf<NonNullable<WorldOptions["clock"]>>().toExtend<
    NonNullable<Input<ReturnType<typeof worldInput>>["clock"]>
  >();
  expectTypeOf<z.infer<ReturnType<typeof worldInput>>["seed"]>().toEqualTypeOf<number | undefined>();
  expectTypeOf<{ until: "cashin.confirmed"; max_timers: 5 }>().toExtend<AdvanceTarget>();
  expectTypeOf<{ by: "5s"; to: string }>().not.toExtend<AdvanceTarget>();
  expectTypeOf<{
    scenario: "x";
    rules: [{ on: "cashin.created"; then: [{ pay: object }] }];
  }>().toExtend<ScenarioDocument>();
  expectTypeOf<{ delivery: "cashin.*"; inject: { duplicate: 1 } }>().toExtend<FaultRule>();
});

test("a document that was read from JSON is taken wherever a scenario is", () => {
  const document = { scenario: "x", rules: [{ on: "cashin.created" }], expect: [{ event: "cashin.expired" }] };
  const taken = async () => {
    const sandbox = await startSandbox({ scenarios: [document] });
    const world = await sandbox.createWorld({ scenarios: [document] });
    await world.scenarios.load(document);
  };
  expect(taken).toBeTypeOf("function");
});

test("what is written `as const` is taken, lists and all", () => {
  const body = { currency: "BRL", amount: 10, split: [{ username: "umbrella", percentage: 5 }] } as const;
  const scenario = {
    scenario: "x",
    merchant: [{ call: "POST /v2/transactions/cashin", body }],
    expect: [{ event: "cashin.confirmed" }],
  } as const satisfies ScenarioDocument;
  const limits = [{ currency: "BRL", operation: "cashin", daily_limit: "5.00" }] as const;
  const faults = [{ request: "POST /v2/transactions/cashout", inject: { status: 503 } }] as const;
  const taken = async (world: WorldClient) => {
    await world.merchant().call("POST /v2/transactions/cashin", body);
    await world.waitForRequest("POST /v2/transactions/cashin", { body });
    await world.scenarios.load(scenario);
    await world.accounts.updateCredential("acme", { limits });
    await world.faults.set(faults);
  };
  expect(taken).toBeTypeOf("function");
  type Rule = { readonly on: "cashin.created"; readonly then: readonly [{ readonly pay: object }] };
  expectTypeOf<{ readonly scenario: "x"; readonly rules: readonly [Rule] }>().toExtend<ScenarioDocument>();
  expectTypeOf<(typeof body)["split"]>().toExtend<CashinRequest["split"]>();
});

test("what may be left out may be undefined, as what a program reads from its environment is", () => {
  const from = async (given: string | undefined, count: number | undefined) => {
    const sandbox = await startSandbox({ data: given, port: count, controlToken: given, postbackUrl: given });
    await connectSandbox(sandbox.baseUrl, { controlToken: given });
    const world = await sandbox.createWorld({ id: given, seed: count, ttl: given, clock: { start: given } });
    await sandbox.createWorld({ clock: given === undefined ? undefined : { start: given } });
    await sandbox.replay(await world.export(), { id: given });
    await sandbox.worlds({ limit: count });
    await world.webhooks({ transaction_id: given });
    await world.requests({ client_id: given, limit: count });
    await world.advance({ until: { expiry: world.id, offset: given }, max_timers: count });
    await world.waitForRequest("POST /v2/transactions/cashin", {}, { timeoutMs: count });
    await world.waitForWebhook("cashin.confirmed", {}, { timeoutMs: count, status: undefined });
    await world.transactions.pay(world.id, { amount: given });
    await world.conversions.refund(world.id, { reason: given });
    await world.accounts.update("acme", { name: given });
    await world.merchant(given).call("POST /v2/account/transactions/list", { page: count });
    await world.trigger("cashin.confirmed", { on: given });
    await world.takeSnapshot(given);
    await world.probe({ username: given });
  };
  expect(from).toBeTypeOf("function");
  expectTypeOf<{ scenario: "x"; rules: undefined }>().toExtend<ScenarioDocument>();
  expectTypeOf<{ after: string | undefined; pay: object }>().toExtend<ScenarioStep>();
});

test("a rule of a loaded scenario has only one of what may set it off: all of it may be absent", () => {
  type Trigger = Pick<ScenarioInfo["rules"][number], "on" | "every" | "due" | "request" | "delivery">;
  expectTypeOf<Record<never, never>>().toExtend<Trigger>();
});
