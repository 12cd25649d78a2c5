/** What goes to stderr of a fault of ours: how to report it, and where it came from. */
export function faultText(error: unknown): string {
  const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return `payments-sandbox: a fault of the sandbox, please report it with what is below.\n${detail}\n`;
}
