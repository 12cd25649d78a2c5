/**
 * Whether the merchant waits when it is told to. A call is held against a refusal only if its program must have known
 * of the refusal: it repeats the very order that was refused, or it was sent after the answer could be heard. Calls
 * that were under way already are not. Among several workers, nobody knows which one was told.
 */
import { ADDRESS_BLOCK_MS } from "../../domain/abuse-windows.ts";
import { counted } from "../../domain/words/counted.ts";
import type { World } from "../../world/world.ts";
import {
  type Call,
  Crowds,
  hasWaited,
  idsOf,
  isAfter,
  isAnswered,
  mustHaveHeard,
  waitedMs,
  wordingOf,
} from "./calls.ts";
import type { Evidence } from "./evidence.ts";
import { type Finding, unobserved } from "./finding.ts";
import { renamedIn } from "./idempotency-checks.ts";

/**
 * A call without an external_id that is repeated within this time, in milliseconds, is a retry, not a call of its own.
 */
const AT_ONCE_MS = 250;

/** On 502 and 503: 1 s, 2 s, 4 s, 8 s (Client guidance). */
const FIRST_BACKOFF_MS = 1_000;
const DOUBLINGS = 3;

/** After this time, in milliseconds, a new series of tries begins, whose first retry may come after 1 s again. */
const NEW_SERIES_MS = 30_000;

/** TABLE: codes that block, and how long a merchant should stay away, in milliseconds. */
const BLOCKS: Readonly<Record<string, number>> = {
  IP_BLOCKED_TEMPORARILY: ADDRESS_BLOCK_MS,
  IP_BLACKLISTED: 60_000,
  SECURITY_BLOCKED: 60_000,
};

/** Answered under review, too, so that its `status` can be seen (`D17`): that it is says nothing of a block. */
const PROFILE_PATH = "/v2/account/info/profile";

/** So many further calls in a block that only support lifts are more than a look whether it was lifted. */
const MANY_FURTHER = 3;

/** How a call relates to a refusal before it; a `doubtful` one may come from another worker. */
type Wait = "early" | "doubtful" | "patient";

/** Calls by how they waited. */
type Waits = Record<Wait, Call[]>;

const noWaits = (): Waits => ({ early: [], doubtful: [], patient: [] });

/** On 429 the merchant waits for as long as Retry-After says (ERR-17). */
export function judgeRetryAfter({ calls, world }: Evidence): Finding {
  const waits = noWaits();
  const crowds = new Crowds();
  const blocks = blocksIn(world, calls);
  /** The last 429, by caller and endpoint or, for a blocked credential, by caller alone (`D16`). */
  const refused = new Map<string, Call>();
  /** The last 429 of each order. */
  const refusedOrders = new Map<string, Call>();
  for (const call of calls) {
    const isCrowded = crowds.take(call.caller, call);
    const endpoint = `${call.caller} ${call.path}`;
    const order = call.external_id === null ? null : `${endpoint} ${call.external_id}`;
    const own = order === null ? undefined : refusedOrders.get(order);
    const wait = waitAfter(call, own, refused.get(call.caller) ?? refused.get(endpoint), isCrowded);
    if (wait) waits[wait].push(call);
    if (wait === "patient") for (const key of [call.caller, endpoint]) refused.delete(key);
    if (call.status !== 429 || !isAnswered(call)) continue;
    refused.set(isOfBlock(blocks, call) ? call.caller : endpoint, call);
    if (order !== null) refusedOrders.set(order, call);
  }
  return judged(waits, {
    early: (calls) => `${calls} came before Retry-After had passed.`,
    doubtful: (calls) => `${calls} came before Retry-After had passed, if not from other workers.`,
    patient: "Retry-After was waited for.",
    none: "No call is known to have been sent after a 429.",
  });
}

/** A block of a credential, and the instant at which it ends. */
interface Block {
  readonly client_id: string | null;
  readonly entry: number;
  /** The call that began it. */
  readonly cause: number | null;
  readonly until: number;
}

function blocksIn({ journal }: World, calls: readonly Call[]): Block[] {
  const [first, last] = [calls[0], calls.at(-1)];
  if (!first || !last) return [];
  const entries = journal.ofKind("credential.blocked", first.entry, Number.MAX_SAFE_INTEGER);
  return entries.map(({ subject, sequence, cause, data }) => {
    return { client_id: subject, entry: sequence, cause, until: Date.parse(String(data.until)) };
  });
}

function isOfBlock(blocks: readonly Block[], call: Call): boolean {
  const { client_id, entry, at, struck } = call;
  // The call that started the block was told of it, unless its own rate window lasts longer.
  const isTold = ({ until }: Block) => Math.ceil((until - at) / 1000) * 1000 === retryAfterMs(call);
  // While a block stands, no rule strikes: a call that was struck got the rule's 429.
  const isWithin = (block: Block) => struck === null && block.entry < entry && at < block.until;
  return blocks
    .filter((block) => block.client_id === client_id)
    .some((block) => (block.cause === entry ? isTold(block) : isWithin(block)));
}

/**
 * @param own the last 429 of the same order.
 * @param last that of the endpoint or blocked caller.
 * @returns null if neither applies.
 */
function waitAfter(call: Call, own: Call | undefined, last: Call | undefined, isCrowded: boolean): Wait | null {
  const comesEarly = (refusal: Call) => !hasWaited(refusal, call, retryAfterMs(refusal));
  if (own && comesEarly(own)) return "early";
  if (!last) return null;
  if (!comesEarly(last)) return "patient";
  if (!isAfter(call, last)) return null;
  return isCrowded ? "doubtful" : "early";
}

/**
 * On 502 and 503 the merchant backs off 1, 2, 4, 8 s (ERR-18). A repeated call without an external_id may be a call of
 * its own, unless it comes at once; so may one under a new external_id.
 */
export function judgeBackoff({ calls }: Evidence): Finding {
  const waits = noWaits();
  const crowds = new Crowds();
  const series = new Map<string, { readonly last: Call; readonly failures: number }>();
  const firsts = new Map([...renamedIn(calls)].map(([call, first]) => [orderOf(call), orderOf(first)]));
  for (const call of calls) {
    const isCrowded = crowds.take(call.caller, call);
    const failed = isAnswered(call) && (call.status === 502 || call.status === 503);
    if (series.size === 0 && !failed) continue;
    const order = orderOf(call);
    const key = call.external_id === null ? wordingBy(call.caller, call) : (firsts.get(order) ?? order);
    const { last, failures } = series.get(key) ?? { failures: 0 };
    const goesOn = last !== undefined && waitedMs(last, call) < NEW_SERIES_MS;
    const wait = last ? tryAfter(call, last, goesOn ? backoffMs(failures) : 0, isCrowded) : null;
    if (wait) waits[wait].push(call);
    // A call that was under way at the same time is no further try.
    const tries = goesOn ? failures + (wait ? 1 : 0) : 1;
    if (failed) series.set(key, { last: call, failures: tries });
    else series.delete(key);
  }
  return judged(waits, {
    early: (calls) => `${calls} came too soon after a 502 or 503.`,
    doubtful: (calls) => `${calls} came too soon after a 502 or 503, if not on their own account.`,
    patient: "Retries waited longer each time.",
    none: "No call is known to have been repeated after a 502 or 503.",
  });
}

/**
 * The same order again is a retry; under another external_id it may be an order of its own. A call without one may be
 * independent of the last, unless it comes at once.
 */
function tryAfter(call: Call, last: Call, neededMs: number, isCrowded: boolean): Wait | null {
  if (hasWaited(last, call, neededMs)) return "patient";
  if (call.external_id !== null) return call.external_id === last.external_id ? "early" : "doubtful";
  if (isCrowded || !isAfter(call, last)) return null;
  return waitedMs(last, call) < AT_ONCE_MS ? "early" : "doubtful";
}

/**
 * What is blocked is not tried again at once (ERR-14 to ERR-16): from a blocked address nothing, for an account under
 * review not the same call. Other calls for that account are only doubtful, as their senders may not have been told; so
 * are those that go on and on, however patiently, in a block that only support lifts.
 */
export function judgeBlocks({ calls, world }: Evidence): Finding {
  const waits = noWaits();
  const crowds = new Crowds();
  /** The last refusal of each program, for a review by its account, and of each call by its wording. */
  const refused = new Map<string, Call>();
  /** Calls that came long after a refusal, in a block that has not ended by itself. */
  const further: Call[] = [];
  for (const call of calls) {
    const program = `${call.ip} ${call.agent}`;
    const isCrowded = crowds.take(program, call);
    if (refused.size === 0 && !isBlocked(call)) continue;
    const wording = wordingBy(`${program} ${call.client_id}`, call);
    const account = `${program} ${call.username}`;
    const last = refused.get(program) ?? refused.get(account);
    const wait = goingOn(call, refused.get(wording), last, isCrowded);
    if (wait) waits[wait].push(call);
    else if (last && isStillBlocked(last, call) && mustHaveHeard(call, last, world)) further.push(call);
    if (isBlocked(call)) {
      waits.patient.push(call);
      refused.set(isOfAddress(call) ? program : account, call).set(wording, call);
    } else {
      refused.delete(wording);
      if (call.path !== PROFILE_PATH) refused.delete(account);
    }
    if (!isBlocked(call) || !isOfAddress(call)) refused.delete(program);
  }
  if (further.length >= MANY_FURTHER) waits.doubtful.push(...further);
  return judged(waits, {
    early: (calls) => `${calls} came again while it was blocked.`,
    doubtful: (calls) => `${calls} more came while it was blocked.`,
    patient: "After a block nothing was tried at once.",
    none: "No call was refused for a block.",
  });
}

/**
 * @param own the last refusal of the same call.
 * @param last that of the program.
 * @returns null if the call is allowed.
 */
function goingOn(call: Call, own: Call | undefined, last: Call | undefined, isCrowded: boolean): Wait | null {
  const wasTold = (refusal: Call) => !isCrowded && isAfter(call, refusal);
  if (own && waitsTooShort(own, call) && (call.external_id !== null || wasTold(own))) return "early";
  if (!last || !waitsTooShort(last, call) || !isAfter(call, last)) return null;
  return isOfAddress(last) && !isCrowded ? "early" : "doubtful";
}

interface Words {
  readonly early: (calls: string) => string;
  readonly doubtful?: (calls: string) => string;
  readonly patient: string;
  readonly none: string;
}

function judged({ early, doubtful, patient }: Waits, words: Words): Finding {
  const told = (verdict: "fail" | "warn", calls: readonly Call[], say: (calls: string) => string): Finding => {
    return { verdict, evidence: idsOf(calls), detail: say(counted(calls.length, "call")) };
  };
  if (early.length > 0) return told("fail", early, words.early);
  if (doubtful.length > 0 && words.doubtful) return told("warn", doubtful, words.doubtful);
  if (patient.length === 0) return unobserved(words.none);
  return { verdict: "pass", evidence: idsOf(patient), detail: words.patient };
}

function retryAfterMs({ retry_after }: Call): number {
  return Number(retry_after ?? 0) * 1000;
}

function backoffMs(failures: number): number {
  return FIRST_BACKOFF_MS * 2 ** Math.min(failures - 1, DOUBLINGS);
}

function orderOf({ username, path, external_id }: Call): string {
  return `${username} ${path} ${external_id}`;
}

function wordingBy(caller: string, call: Call): string {
  return `${caller} ${wordingOf(call)}`;
}

function isBlocked(call: Call): boolean {
  return isAnswered(call) && BLOCKS[call.error_code ?? ""] !== undefined;
}

function isOfAddress({ error_code }: Call): boolean {
  return error_code !== "SECURITY_BLOCKED";
}

/** Whether a call that was late enough was refused likewise, in a block that only support lifts. */
function isStillBlocked(refusal: Call, call: Call): boolean {
  const { error_code } = refusal;
  return error_code !== "IP_BLOCKED_TEMPORARILY" && error_code === call.error_code && !waitsTooShort(refusal, call);
}

/**
 * Whether a call came before a block should be over. One that is not refused likewise shows that the block was lifted,
 * unless a fault rule had injected the refusal: nobody knows how long such a block stands.
 */
function waitsTooShort(refusal: Call, call: Call): boolean {
  if (refusal.struck === null && call.error_code !== refusal.error_code) return false;
  return !hasWaited(refusal, call, BLOCKS[refusal.error_code ?? ""] ?? 0);
}
