/** What the server prints when it is ready. */
import { TOKEN_PATH } from "../../domain/service-calls.ts";
import type { LiveWorld } from "../../host/live-world.ts";
import { shellWord } from "../terminal.ts";

interface Ready {
  readonly event: "ready";
  readonly base_url: string;
  readonly dashboard_url: string;
  readonly world: string;
  readonly client_id: string;
  readonly client_secret: string;
  readonly signing_key: string;
}

/** Printed if other machines can call the control interface without a token. */
const OPEN = "  steered by      whoever reaches this machine; --control-token asks for a token\n";

/** One line of JSON for programs. */
export function readyLine(live: LiveWorld, baseUrl: string): string {
  return `${JSON.stringify(ready(live, baseUrl))}\n`;
}

/**
 * Lines for people, the last one a command that works when pasted.
 * @param isOpen whether other machines can call the control interface without a token.
 */
export function banner(live: LiveWorld, baseUrl: string, isOpen = false): string {
  const { client_id, client_secret, signing_key, dashboard_url } = ready(live, baseUrl);
  const scenarios = live.scenarios.names;
  const address = shellWord(`${baseUrl}${TOKEN_PATH}`);
  return `
  payments-sandbox is ready

  base URL        ${baseUrl}
  dashboard       ${dashboard_url}
  client id       ${client_id}
  client secret   ${client_secret}
  signing key     ${signing_key}
  scenarios       ${scenarios.join(", ") || "none"}
${isOpen ? OPEN : ""}
  curl -s ${address} -d client_id=${client_id} -d client_secret=${client_secret}

`;
}

function ready({ world }: LiveWorld, baseUrl: string): Ready {
  const [account] = world.accounts.all();
  const [credential] = account ? world.accounts.credentialsOf(account.username) : [];
  return {
    event: "ready",
    base_url: baseUrl,
    dashboard_url: `${baseUrl}/`,
    world: world.id,
    client_id: credential?.client_id ?? "",
    client_secret: credential?.client_secret ?? "",
    signing_key: credential?.signing_key ?? "",
  };
}
