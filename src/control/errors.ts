/** Refusals of the control interface: status, code, one sentence, and details for programs. */
import { asQuestion } from "../domain/words/near-name.ts";
import { BundleError, LargeBundle } from "../history/bundle.ts";
import { CreationError, ScenarioSourceError } from "../host/start-errors.ts";
import { WorldConflict } from "../host/world-conflict.ts";
import { ScenarioError } from "../scenarios/problems.ts";
import { StoreError } from "../store/store-error.ts";
import type { RefusalCode, RefusalStatus } from "./document/refusals.ts";

/** A refusal of a control call: a status, and a code that the table has for it. */
export class ControlError<Status extends RefusalStatus = RefusalStatus> extends Error {
  override readonly name = "ControlError";
  readonly status: RefusalStatus;
  readonly code: RefusalCode<RefusalStatus>;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(status: Status, code: RefusalCode<Status>, message: string, details: Record<string, unknown> = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.details = details;
  }
}

/** 404 for an id that does not exist. @param meant the id that was probably meant. */
export function notFound(what: string, id: string, meant: string | null = null): ControlError {
  return new ControlError(404, "NOT_FOUND", `There is no ${what} ${id}${asQuestion(meant) || "."}`);
}

type ErrorKind = abstract new (...given: never[]) => Error;
type MistakeRow = { [S in RefusalStatus]: readonly [kind: ErrorKind, status: S, code: RefusalCode<S>] }[RefusalStatus];

/** TABLE: mistakes of the caller, by the errors with which other rooms report them. */
const mistakes: readonly MistakeRow[] = [
  [ScenarioError, 422, "INVALID_SCENARIO"],
  [ScenarioSourceError, 422, "INVALID_REQUEST"],
  [CreationError, 422, "INVALID_REQUEST"],
  [BundleError, 422, "INVALID_BUNDLE"],
  [LargeBundle, 409, "BUNDLE_TOO_LARGE"],
  [StoreError, 409, "UNREADABLE"],
];

/** A mistake of the caller as a refusal; any other error unchanged. */
export function asControlError(error: unknown): unknown {
  if (error instanceof WorldConflict) return new ControlError(409, error.code, error.message);
  const [, status, code] = mistakes.find(([kind]) => error instanceof kind) ?? [];
  if (status === undefined || code === undefined) return error;
  const details = error instanceof ScenarioError ? { problems: error.problems } : {};
  return new ControlError(status, code, (error as Error).message, details);
}
