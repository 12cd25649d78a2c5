/** The answers of the control interface: JSON, files, refusals. */
import { FileReply, Reply } from "../control/call.ts";
import { asControlError, ControlError } from "../control/errors.ts";
import { DomainError } from "../domain/errors.ts";
import { InvalidTransition } from "../domain/machine.ts";
import { capitalized } from "../domain/words/capitalized.ts";
import { isStorageFault, storageFaultOf } from "../store/storage-fault.ts";
import type { AppOptions } from "./app-options.ts";
import { PRIVATE_HEADERS, refusalAnswer } from "./guard.ts";
import { jsonAnswer, QuickResponse } from "./quick-response.ts";

/** The answer of a route's result: {@link Reply} and {@link FileReply} say how, anything else is the body of a 200. */
export function answerOf(result: unknown): Response {
  if (result instanceof FileReply) return fileReply(result);
  return result instanceof Reply ? reply(result) : json(result);
}

function reply({ status, body }: Reply): Response {
  return status === 204 ? new QuickResponse(null, { status, headers: PRIVATE_HEADERS }) : json(body, status);
}

function json(body: unknown, status = 200): Response {
  return jsonAnswer(body, status, PRIVATE_HEADERS);
}

/**
 * A header gives this many characters of a file's name, the last ones: clients accept no more than some KiB of headers.
 */
const MOST_OF_NAME = 200;

/** Answers with a file that a caller uploaded: an attachment, so that no browser shows its bytes as a page of ours. */
function fileReply({ name, type, content }: FileReply): Response {
  const end = [...name].slice(-MOST_OF_NAME).join("");
  const headers = {
    ...PRIVATE_HEADERS,
    "Content-Type": type,
    "Content-Disposition": `attachment; filename*=UTF-8''${encodeURIComponent(end)}`,
  };
  return new QuickResponse(new Uint8Array(content), { headers });
}

/** The answer of a refusal. */
export function refuse(error: ControlError, more: Readonly<Record<string, string>> = {}): Response {
  return refusalAnswer(error, { ...PRIVATE_HEADERS, ...more });
}

/** What was thrown, as a refusal; faults of our own are reported to `onFault`. */
export function refusalOf(thrown: unknown, { onFault }: AppOptions): ControlError {
  const error = asControlError(thrown);
  if (error instanceof ControlError) return error;
  if (error instanceof InvalidTransition) {
    return new ControlError(409, "INVALID_TRANSITION", error.message, { state: error.state, allowed: error.allowed });
  }
  if (error instanceof DomainError) return new ControlError(422, error.code, error.message);
  if (isStorageFault(error)) {
    const { code, what, remedy } = storageFaultOf(error);
    const message = `${capitalized(what)}: nothing half done was kept. ${remedy}`;
    return new ControlError(503, code, message);
  }
  onFault(error);
  return new ControlError(500, "INTERNAL_ERROR", "A fault of the sandbox; its log tells more, please report it.");
}
