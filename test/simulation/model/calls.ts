/** Calls of the service by a merchant's program, with what stands before every endpoint in its order (D15). */
import type { Answer } from "../../support/merchant.ts";
import { agree, Disagreement } from "./agreement.ts";
import { strike } from "./deliveries.ts";
import { TOKEN_LIFETIME } from "./facts.ts";
import { countFailure, countRefusal, isAddressBlocked, isCredentialBlocked, isOneTooMany } from "./protections.ts";
import type { Branch, MerchantApp } from "./stage.ts";
import type { FaultRule, State } from "./state.ts";

/** TABLE: the statuses of error codes (Errors; D20, D21, D23, D51). */
const statuses: Readonly<Record<string, number>> = {
  INVALID_REQUEST: 400,
  UNAUTHORIZED: 401,
  MISSING_SIGNATURE: 401,
  INVALID_SIGNATURE: 401,
  IP_BLACKLISTED: 403,
  IP_BLOCKED_TEMPORARILY: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  LIMIT_EXCEEDED: 409,
  RATE_EXPIRED: 409,
  WALLET_LIMIT_REACHED: 409,
  INFRACTION_NOT_OPEN: 409,
  UNSUPPORTED_MEDIA_TYPE: 415,
  INVALID_CURRENCY: 422,
  INSUFFICIENT_BALANCE: 422,
  UNSUPPORTED_CHAIN: 422,
  UNSUPPORTED_CURRENCY: 422,
  SECURITY_BLOCKED: 423,
  RATE_LIMIT_EXCEEDED: 429,
  PROVIDER_ERROR: 502,
  SERVICE_UNAVAILABLE: 503,
};

/** A call that a program makes. */
interface ServiceCall {
  readonly method: "GET" | "POST";
  readonly path: string;
  /** Any status but 200. */
  readonly status?: number;
  readonly send: (app: MerchantApp) => Promise<Answer>;
  /** Every code that the call may be refused with for what it says; none where it must succeed. */
  readonly refusals?: () => readonly string[];
  /** What is wrong with its signature, and whether that counts as a failure of the address (D18). */
  readonly unsigned?: { readonly code: string; readonly isFailure: boolean };
  /** Whether it is let through while the account is under review (D17). */
  readonly isOpenUnderReview?: boolean;
}

/** How a call ended. `data` is missing where it was executed and its answer got lost. */
type Outcome =
  | { readonly kind: "done"; readonly data: Record<string, unknown> | undefined; readonly label: string }
  | { readonly kind: "not done"; readonly label: string };

/** Makes a call and holds its answer against the model. @throws {Disagreement} */
export async function perform(branch: Branch, app: MerchantApp, call: ServiceCall): Promise<Outcome> {
  const { state } = branch;
  const name = `${call.method} ${call.path}`;
  const early = await refusedEarly(branch, app, call);
  if (early) return early;
  const { clientId: client } = app.merchant;
  const fault = strike(state, "request", name);
  const codes = call.refusals?.() ?? [];
  if (fault) return performStruck(branch, { fault, codes, client, call, send: () => call.send(app) });
  const answer = await call.send(app);
  if (codes.length === 0)
    return { kind: "done", data: succeeded(name, answer, call.status), label: String(answer.status) };
  countRefusal(state, client);
  return refusedWith(name, answer, codes, state.settings.duplicate_status);
}

/** What refuses a call before its body is looked at. @returns null where nothing does. */
async function refusedEarly(branch: Branch, app: MerchantApp, call: ServiceCall): Promise<Outcome | null> {
  const { state } = branch;
  const { clientId: client } = app.merchant;
  const refused = async (...codes: string[]) => refusedWith(`${call.method} ${call.path}`, await call.send(app), codes);
  const address = addressRefusal(state);
  if (address) return refused(address);
  if (state.now >= app.tokenEndsAt) {
    const outcome = await refused("UNAUTHORIZED");
    // No token at all is no failure of the address; one that has expired is (D18).
    if (app.merchant.token !== "") countFailure(state);
    await authenticate(branch, app);
    return state.now < app.tokenEndsAt ? refusedEarly(branch, app, call) : outcome;
  }
  if (isCredentialBlocked(state, client)) return refused("RATE_LIMIT_EXCEEDED");
  const late = lateRefusal(branch, app, call);
  if (!late) return null;
  countRefusal(state, client);
  if (call.unsigned?.isFailure && late === call.unsigned.code) countFailure(state);
  return refused(late);
}

/** Review, rate and signature, in this order. */
function lateRefusal({ state }: Branch, { username, merchant }: MerchantApp, call: ServiceCall): string | undefined {
  const account = state.accounts.find((each) => each.username === username);
  if (account?.underReview && !call.isOpenUnderReview) return "SECURITY_BLOCKED";
  if (isOneTooMany(state, call.path, merchant.clientId)) return "RATE_LIMIT_EXCEEDED";
  return call.unsigned?.code;
}

function addressRefusal(state: State): string | undefined {
  if (state.isBlocked) return "IP_BLACKLISTED";
  return isAddressBlocked(state) ? "IP_BLOCKED_TEMPORARILY" : undefined;
}

const TOKEN_PATH = "/v2/oauth/token";

/** A program asks for a token, with the right secret or another one. @returns how that ended. */
export async function authenticate({ state }: Branch, app: MerchantApp, secret?: string): Promise<string> {
  const { merchant } = app;
  const body = { client_id: merchant.clientId, client_secret: secret ?? merchant.clientSecret };
  const address = addressRefusal(state);
  const isTooMuch = isOneTooMany(state, TOKEN_PATH, null);
  const code = address ?? (isTooMuch ? "RATE_LIMIT_EXCEEDED" : secret === undefined ? undefined : "UNAUTHORIZED");
  const answer = await merchant.call("POST", TOKEN_PATH, body, { Authorization: undefined });
  if (code === "UNAUTHORIZED") countFailure(state);
  if (code) return refusedWith(TOKEN_PATH, answer, [code]).label;
  agree("the token", { status: 200, body: { data: { token_type: "Bearer", expires_in: 3600 } } }, answer);
  merchant.token = answer.body.data.access_token;
  app.tokenEndsAt = state.now + TOKEN_LIFETIME;
  return "200";
}

/** A fault rule struck: an answer is refused, spoilt or lost. */
async function performStruck(
  { state }: Branch,
  struck: {
    fault: FaultRule;
    codes: readonly string[];
    client: string;
    call: ServiceCall;
    send: () => Promise<Answer>;
  },
): Promise<Outcome> {
  const { fault, codes, client, call, send } = struck;
  const { inject } = fault;
  const name = `${call.method} ${call.path}`;
  const label = `struck by ${JSON.stringify(inject)}`;
  if (inject.error !== undefined || inject.status !== undefined) {
    refusedWith(name, await send(), [inject.status === 503 ? "SERVICE_UNAVAILABLE" : String(inject.error)]);
    return { kind: "not done", label };
  }
  const answer = await send().catch(lost);
  if (answer) throw new Disagreement(`${name}: the answer should have been lost, and was ${answer.text}`);
  if (inject.disconnect === "before") return { kind: "not done", label };
  if (codes.length === 0) return { kind: "done", data: undefined, label };
  countRefusal(state, client);
  return { kind: "not done", label };
}

/** An answer that never came, or that cannot be read. */
function lost(error: Error): null {
  if (error instanceof SyntaxError || error.message === "fetch failed") return null;
  throw error;
}

function succeeded(name: string, answer: Answer, status = 200): Record<string, unknown> {
  agree(`${name} ${answer.text}`, status, answer.status);
  return answer.body.data;
}

function refusedWith(name: string, answer: Answer, codes: readonly string[], duplicateStatus = 409): Outcome {
  const code = String(answer.body?.error?.code);
  if (!codes.includes(code)) {
    throw new Disagreement(
      `${name}: the model refuses it with ${codes.join(" or ")}, the sandbox answered ${answer.text}`,
    );
  }
  const status = code === "DUPLICATE_EXTERNAL_ID" ? duplicateStatus : statuses[code];
  agree(`${name} with ${code}: the status`, status, answer.status);
  return { kind: "not done", label: code };
}
