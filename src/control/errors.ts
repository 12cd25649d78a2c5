/** Refusals of the control interface: status, code, one sentence, and details for programs. */

export class ControlError extends Error {
  override readonly name = "ControlError";
  readonly status: 400 | 401 | 403 | 404 | 405 | 409 | 413 | 415 | 422 | 503;
  readonly code: string;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(status: ControlError["status"], code: string, message: string, details: Record<string, unknown> = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.details = details;
  }
}

/** 404 for an id that nothing has. */
export function notFound(what: string, id: string): ControlError {
  return new ControlError(404, "NOT_FOUND", `There is no ${what} ${id}.`);
}
