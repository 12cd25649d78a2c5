/** The message of what was thrown, of which nothing is known; empty if it has none. Any other value is its text. */
export function messageOf(thrown: unknown): string {
  return textIn(thrown, "message") ?? String(thrown);
}

/** The text that stderr gets for a bug of the sandbox: a request to report it, and the stack. */
export function faultText(thrown: unknown): string {
  const detail = textIn(thrown, "stack") ?? messageOf(thrown);
  return `payments-sandbox: a fault of the sandbox, please report it with what is below.\n${detail}\n`;
}

/** Read by its shape: where a test runner has a realm of its own, errors of Node are no `Error` of it. */
function textIn(thrown: unknown, field: "message" | "stack"): string | undefined {
  const text = (thrown as Partial<Error> | null | undefined)?.[field];
  return typeof text === "string" ? text : undefined;
}
