import { Command, Option } from "commander";
import { ControlCallError } from "../../client/control-client.ts";
import { ServiceCallError } from "../../client/merchant-client.ts";
import { TriggerError } from "../../client/trigger-error.ts";
import { isEventName } from "../../domain/events.ts";
import { refuseUnknownEvent } from "../event-names.ts";
import { addRemoteOptions, type RemoteOptions, sentenceOf, withWorld } from "../remote.ts";
import { print } from "../terminal.ts";
import { UsageError } from "../usage-error.ts";

interface RawTriggerOptions extends RemoteOptions {
  readonly on?: string;
  readonly set?: Readonly<Record<string, string>>;
}

/** `payments-sandbox trigger EVENT`: makes any of the event kinds happen. */
export function triggerCommand(): Command {
  const command = new Command("trigger")
    .description("make an event happen, end to end, on a new resource or an existing one")
    .argument("<event>", "the event kind, such as cashin.confirmed")
    .option("--on <id>", "the existing resource, by its id or external_id")
    .addOption(
      new Option(
        "--set <path=value...>",
        "a value within the event's data, such as amount=12.50 or payer.name=Ana",
      ).argParser(assigned),
    )
    .option("--json", "print the webhook as JSON")
    .addHelpText("after", EXIT_CODES)
    .action(triggerEvent);
  return addRemoteOptions(command);
}

async function triggerEvent(event: string, options: RawTriggerOptions): Promise<void> {
  refuseUnknownEvent(event);
  const { on, set = {} } = options;
  const chosen = on === undefined ? { set } : { set, on };
  const webhook = await withWorld(options, (world) => world.trigger(event, chosen).catch(refuse));
  const why = webhook.destination === null ? ": there is no postback_url" : "";
  const line = `${webhook.event} ${webhook.transaction_id} (${webhook.webhook_id}, ${webhook.status}${why})`;
  print(webhook, `${line}\n`, options);
}

const EXIT_CODES = `
Exit codes: 0 the event exists; 1 the world refuses (an unknown id, a state that does not allow it, an external id that
is taken, a balance or limit, a block, settings, scenarios or fault rules that prevent the event); 2 a value is wrong (as is
a currency or chain that this world lacks, and more than is left to refund), and nothing was made, or the world could
not be reached.`;

/** TABLE: codes of refusals about a value that is wrong, in any world or in this one. */
const WRONG_VALUE = ["INVALID_REQUEST", "INVALID_CURRENCY", "UNSUPPORTED_CURRENCY", "UNSUPPORTED_CHAIN"];

/** @throws {UsageError} exit 1 if the world refuses, 2 for a wrong value. */
function refuse(error: unknown): never {
  if (error instanceof TriggerError) throw new UsageError(error.message, error.isWrongInput ? 2 : 1);
  if (!(error instanceof ServiceCallError || error instanceof ControlCallError)) throw error;
  const isDenied = !WRONG_VALUE.includes(error.code) && error.status < 500;
  const hint = error instanceof ServiceCallError && error.hint !== "" ? ` ${error.hint}` : "";
  throw new UsageError(sentenceOf(error) + hint, isDenied ? 1 : 2);
}

/** Adds a value by its path. @throws {UsageError} for a text without `=`, such as an event that comes too late. */
function assigned(text: string, before: Readonly<Record<string, string>> = {}): Record<string, string> {
  const at = text.indexOf("=");
  if (at > 0) return { ...before, [text.slice(0, at)]: text.slice(at + 1) };
  const order = isEventName(text) ? "; the event stands before --set" : "";
  throw new UsageError(`--set takes path=value, such as amount=12.50, not "${text}"${order}.`);
}
