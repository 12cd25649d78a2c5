/** The four calls that move money: what refuses each, what it does, and what it answers when it comes again. */
import type { WorldClient } from "../../../src/index.ts";
import type { Answer } from "../../support/merchant.ts";
import { agree } from "./agreement.ts";
import { perform } from "./calls.ts";
import { cashinCall } from "./cashin-call.ts";
import { cashoutCall } from "./cashout-call.ts";
import type { Scene } from "./commands.ts";
import { conversionCall } from "./conversion-call.ts";
import type { Branch, MerchantApp } from "./stage.ts";
import type { State } from "./state.ts";
import { transferCall } from "./transfer-call.ts";

export type Body = Readonly<Record<string, unknown>>;

/** Who calls. */
export interface Caller {
  readonly username: string;
  readonly client: string;
}

/** A call that moves money. */
export interface MoneyCall {
  readonly path: string;
  readonly status: number;
  readonly send: (app: MerchantApp, body: Body) => Promise<Answer>;
  /** Every code that it may be refused with; the external id is not looked at. */
  readonly refusals: (state: State, caller: Caller, body: Body) => string[];
  /** The id of what it made last, for answers that were lost. */
  readonly latest: (world: WorldClient) => Promise<string>;
  readonly idOf: (data: Body) => string;
  readonly apply: (state: State, caller: Caller, body: Body, id: string) => void;
  /** What an answer says of what is there. */
  readonly answer: (state: State, id: string) => Body;
}

/** TABLE: the calls that an external id guards (D24). */
const moneyCalls = {
  cashin: cashinCall,
  cashout: cashoutCall,
  transfer: transferCall,
  conversion: conversionCall,
} as const satisfies Record<string, MoneyCall>;
export type MoneyKind = keyof typeof moneyCalls;

/** Sends a request and holds what comes of it against the model. @returns how it ended. */
export async function sendMoney(scene: Scene, kind: MoneyKind, app: MerchantApp, body: Body): Promise<string> {
  const { branch } = scene;
  const call: MoneyCall = moneyCalls[kind];
  const caller = { username: app.username, client: app.merchant.clientId };
  const used = usedBefore(branch.state, app.username, body);
  const isSame = used?.operation === kind && used.body === canonical(body);
  const outcome = await perform(branch, app, {
    method: "POST",
    path: call.path,
    status: call.status,
    send: (sender) => call.send(sender, body),
    refusals: () => {
      if (isSame) return [];
      const codes = refusalsOf(call, branch.state, caller, body);
      // What is no right request at all may be told first.
      return used ? ["DUPLICATE_EXTERNAL_ID", ...codes.filter((code) => code === "INVALID_REQUEST")] : codes;
    },
  });
  if (typeof body.external_id === "string") branch.sent.push({ kind, client: caller.client, body });
  if (outcome.kind === "not done") return outcome.label;
  const id = isSame ? used.id : outcome.data ? call.idOf(outcome.data) : await call.latest(branch.world);
  if (!isSame) {
    call.apply(branch.state, caller, body, id);
    remember(branch, { kind, caller, body, id });
  }
  if (outcome.data) agree(`the answer of ${call.path}`, call.answer(branch.state, id), outcome.data);
  return isSame ? `${outcome.label} again` : outcome.label;
}

function refusalsOf(call: MoneyCall, state: State, caller: Caller, body: Body): string[] {
  const isTooLong = String(body.external_id ?? "").length > 64;
  return [...call.refusals(state, caller, body), ...(isTooLong ? ["INVALID_REQUEST"] : [])];
}

function usedBefore({ externalIds }: State, username: string, { external_id }: Body) {
  return typeof external_id === "string" ? externalIds[`${username} ${external_id}`] : undefined;
}

function remember({ state }: Branch, of: { kind: MoneyKind; caller: Caller; body: Body; id: string }): void {
  const { kind, caller, body, id } = of;
  if (typeof body.external_id !== "string") return;
  state.externalIds[`${caller.username} ${body.external_id}`] = { operation: kind, body: canonical(body), id };
}

/** The same for bodies that are equal after parsing, whatever the order of their keys. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`);
  return `{${members.sort().join()}}`;
}
