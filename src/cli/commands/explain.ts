import { Command } from "commander";
import type { ExplanationInfo } from "../../client/control-types.ts";
import { oneLine } from "../../domain/words/visible.ts";
import { addRemoteOptions, type RemoteOptions, withWorld } from "../remote.ts";
import { print } from "../terminal.ts";

/** `payments-sandbox explain ID`: how it came to be as it is, down to the call or the scenario file's line. */
export function explainCommand(): Command {
  const command = new Command("explain")
    .description("show how something came to be as it is, down to the call or the line of a scenario file")
    .argument(
      "<id>",
      "of a resource, refund, webhook, request, timer, account or journal entry, an external_id, e2e_id or tx_hash",
    )
    .option("--json", "print the whole explanation as JSON")
    .action(explain);
  return addRemoteOptions(command);
}

async function explain(id: string, options: RemoteOptions): Promise<void> {
  const explanation = await withWorld(options, (world) => world.explain(id));
  print(explanation, pretty(explanation), options);
}

/** A line about what it is, then one line for each thing that happened: virtual time, sentence, and its source. */
function pretty(explanation: ExplanationInfo): string {
  const { summary, pending, led_to = [], also = [], webhooks = [] } = explanation;
  const effects = explanation.led_to_truncated ? [...led_to.map(line), "…"] : led_to.map(line);
  const sections = [
    [summary],
    chainLines(explanation),
    webhooks.length > 0 ? ["Webhooks:", ...webhooks.map(webhookLine)] : [],
    led_to.length > 0 ? ["What it led to:", ...effects] : [],
    pending.length > 0 ? ["Still to come:", ...pending.map(line)] : [],
    also.map((other) => `${explanation.id} also stands for ${other.id} (${other.type}).`),
  ];
  const filled = sections.filter((lines) => lines.length > 0);
  return `${filled.map((lines) => lines.join("\n")).join("\n\n")}\n`;
}

function chainLines({ chain, chain_truncated: leftOut }: ExplanationInfo): string[] {
  return chain.flatMap((entry) =>
    entry.sequence === leftOut?.after ? [line(entry), `… ${leftOut.links} more …`] : [line(entry)],
  );
}

function webhookLine({ webhook_id, event, status }: NonNullable<ExplanationInfo["webhooks"]>[number]): string {
  return `${webhook_id}  ${event}  ${status}`;
}

interface Told {
  readonly at: string;
  readonly text: string;
  readonly rule: string | null;
  readonly request_id?: string | null;
}

function line({ at, text, rule, request_id }: Told): string {
  const places = [rule, request_id].filter((place) => place && !text.includes(place));
  return oneLine([at, text, ...places].join("  "));
}
