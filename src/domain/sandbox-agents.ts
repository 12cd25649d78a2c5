/** The user agents of calls that are made in the merchant's place, and are not judged as the merchant's. */

/** TABLE: `User-Agent`, by who calls. */
export const sandboxAgents = {
  /** The client's `world.merchant()`. */
  merchant: "payments-sandbox",
  trigger: "payments-sandbox-trigger",
} as const;

/** Whether a call with this `User-Agent` was made in the merchant's place. */
export function isSandboxAgent(agent: string | null | undefined): boolean {
  return Object.values<string>(sandboxAgents).includes(agent ?? "");
}
