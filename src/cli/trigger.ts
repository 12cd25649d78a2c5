/** `payments-sandbox trigger EVENT`: makes any of the event kinds happen. */
import { Command } from "commander";
import { ServiceCallError } from "../client/merchant-client.ts";
import { TriggerError } from "../client/trigger.ts";
import { refuseUnknownEvent } from "./event-names.ts";
import { addRemoteOptions, type RemoteOptions, withWorld } from "./remote.ts";
import { UsageError } from "./usage-error.ts";

interface RawTriggerOptions extends RemoteOptions {
  readonly on?: string;
  readonly set?: string[];
  readonly json?: boolean;
}

export function triggerCommand(): Command {
  const command = new Command("trigger")
    .description("make an event happen, end to end, on a fresh resource or on one that is there")
    .argument("<event>", "the event kind, such as cashin.confirmed")
    .option("--on <id>", "the resource that it is to happen to")
    .option("--set <path=value...>", "a value within the event's data, such as amount=12.50 or payer.name=Ana")
    .option("--json", "print the webhook as JSON")
    .action(triggerEvent);
  return addRemoteOptions(command);
}

async function triggerEvent(event: string, options: RawTriggerOptions): Promise<void> {
  refuseUnknownEvent(event);
  const set = Object.fromEntries((options.set ?? []).map(assignment));
  const chosen = options.on === undefined ? { set } : { set, on: options.on };
  try {
    const webhook = await withWorld(options, (world) => world.trigger(event, chosen));
    const line = `${webhook.event} ${webhook.transaction_id} (${webhook.webhook_id}, ${webhook.status})`;
    process.stdout.write(options.json ? `${JSON.stringify(webhook, null, 2)}\n` : `${line}\n`);
  } catch (error) {
    if (error instanceof TriggerError || error instanceof ServiceCallError) throw new UsageError(error.message, 1);
    throw error;
  }
}

/** @throws {UsageError} for what has no `=`. */
function assignment(text: string): [path: string, value: string] {
  const at = text.indexOf("=");
  if (at > 0) return [text.slice(0, at), text.slice(at + 1)];
  throw new UsageError(`--set takes path=value, such as amount=12.50, not "${text}".`);
}
