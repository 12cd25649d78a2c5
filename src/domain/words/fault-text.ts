/** The text that stderr gets for a bug of the sandbox: a request to report it, and the stack. */
export function faultText(error: unknown): string {
  const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return `payments-sandbox: a fault of the sandbox, please report it with what is below.\n${detail}\n`;
}
