/** Typed calls of the control interface of one world, over HTTP. */
import type {
  accountView,
  clockView,
  entryView,
  snapshotView,
  timerView,
  transactionDetail,
  webhookDetail,
  worldView,
} from "../control/views.ts";
import type { Bundle } from "../history/bundle.ts";
import type { ReplayOutcome } from "../history/replay.ts";
import type { AccountSpec } from "../host/creation.ts";
import type { Coverage } from "../insight/coverage.ts";
import type { Explanation } from "../insight/explain.ts";
import type { ReadinessReport } from "../insight/readiness/report.ts";
import type { checkLedger } from "../service/ledger-check.ts";

export type WorldInfo = ReturnType<typeof worldView>;
export type ClockInfo = ReturnType<typeof clockView>;
export type AccountInfo = ReturnType<typeof accountView>;
export type JournalEntryInfo = ReturnType<typeof entryView>;
export type TimerInfo = ReturnType<typeof timerView>;
export type SnapshotInfo = ReturnType<typeof snapshotView>;
export type WebhookInfo = ReturnType<typeof webhookDetail>;
export type TransactionInfo = ReturnType<typeof transactionDetail>;
export type LedgerCheckInfo = ReturnType<typeof checkLedger>;
export type ExplanationInfo = Explanation;
export type CoverageInfo = Coverage;
export type ReportInfo = ReadinessReport;
export type BundleInfo = Bundle;
export type ReplayInfo = ReplayOutcome;

/** What `POST /clock/advance` answers. */
export interface AdvanceInfo {
  readonly from: string;
  readonly to: string;
  readonly reached: boolean;
  readonly timers: number;
  readonly webhooks: { readonly delivered: number; readonly failed: number; readonly pending: number };
  readonly trace: readonly JournalEntryInfo[];
  readonly trace_truncated?: boolean;
}

/** The body of `POST /worlds`. */
export interface WorldOptions {
  readonly id?: string;
  readonly seed?: number;
  readonly clock?: { readonly mode?: "running" | "frozen"; readonly speed?: number; readonly start?: string };
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly scenarios?: readonly (string | object)[];
  readonly accounts?: readonly AccountSpec[];
  readonly postback_url?: string | null;
  /** A world's id to fork it, or a snapshot of one. */
  readonly from?: string | { readonly world: string; readonly snapshot: string };
  /** Deleted after so long in real time without a call, such as `"1h"`. */
  readonly ttl?: string;
}

/** What `POST /report/probe` takes. */
export interface ProbeOptions {
  /** The account whose receiver is probed; the default one unless named. */
  readonly username?: string;
  /** The wrong address that one probe comes from: one of this machine, 127.0.0.66 unless given. */
  readonly source?: string;
}

/** One page of a list. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly next_cursor: string | null;
}

/** A refusal of the control interface. */
export class ControlCallError extends Error {
  override readonly name = "ControlCallError";
  readonly status: number;
  readonly code: string;
  readonly details: unknown;

  constructor(status: number, code: string, message: string, details: unknown) {
    super(message);
    this.status = status;
    this.code = code;
    this.details = details;
  }
}

/** As much of a foreign answer as an error shows. */
const SHOWN_CHARACTERS = 200;

/** What a control call needs beside its path. */
export interface Connection {
  /** The world's base URL, without a slash at its end. */
  readonly baseUrl: string;
  readonly controlToken?: string | undefined;
  readonly fetch: typeof fetch;
}

/** Calls `{base}/_sandbox{path}`. @throws {ControlCallError} when it is refused. */
export async function callControl<Answer>(
  connection: Connection,
  method: string,
  path: string,
  body?: unknown,
): Promise<Answer> {
  const headers: Record<string, string> = {};
  if (connection.controlToken) headers.Authorization = `Bearer ${connection.controlToken}`;
  if (body !== undefined) headers["Content-Type"] = "application/json";
  const init: RequestInit = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
  const response = await connection.fetch(`${connection.baseUrl}/_sandbox${path}`, init);
  const text = await response.text();
  const answer = readAnswer(text);
  if (response.ok && (answer || text === "")) return answer as Answer;
  const { code = "UNKNOWN", message = text.slice(0, SHOWN_CHARACTERS), details = {} } = answer?.error ?? {};
  throw new ControlCallError(response.status, code, `${method} ${path}: ${message}`, details);
}

/** Undefined for what is no JSON: something else than a sandbox answers there. */
function readAnswer(text: string) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
