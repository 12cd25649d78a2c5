import { Command } from "commander";
import { endedByHand } from "../../domain/attempts-by-hand.ts";
import { addRemoteOptions, type RemoteOptions, withWorld } from "../remote.ts";
import { print } from "../terminal.ts";

/** `payments-sandbox resend WEBHOOK_ID`: makes exactly one more attempt, now. */
export function resendCommand(): Command {
  const command = new Command("resend")
    .description("deliver a webhook once more, now, outside its schedule")
    .argument("<webhook-id>", "such as evt_…")
    .option("--json", "print the webhook as JSON")
    .action(resend);
  return addRemoteOptions(command);
}

/** Exit 1 if the receiver did not accept it. */
async function resend(id: string, options: RemoteOptions): Promise<void> {
  const webhook = await withWorld(options, (world) => world.redeliver(id));
  const attempt = endedByHand(webhook.attempts);
  const answered = attempt?.response ? `answered ${attempt.response.status}` : "no answer";
  const came = attempt?.error?.message ?? answered;
  const line = `${webhook.event} ${webhook.webhook_id} → ${attempt?.request.url}: ${came}\n`;
  print(webhook, line, options);
  if (attempt?.outcome !== "delivered") process.exitCode = 1;
}
