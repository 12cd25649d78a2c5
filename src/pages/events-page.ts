/** `docs/events.md`: the seventeen event kinds. */
import type { SandboxClient } from "../client/sandbox-client.ts";
import { type EventKind, eventDefinitions, eventKinds, legacyEventNames } from "../domain/events.ts";
import { type Lifecycle, type LifecycleName, lifecycles } from "../domain/lifecycles.ts";
import { settingsSchema } from "../domain/settings.ts";
import { ATTEMPT_DELAYS_MS, THROTTLE_DELAY_MS } from "../domain/webhook-schedule.ts";
import { webhookStatuses, webhookStatusNotes } from "../domain/webhook-statuses.ts";
import type { Json } from "../http/document/schemas.ts";
import { decisionsOfEvent, eventSchema } from "../http/document/webhooks.ts";
import { outputTable } from "./fields.ts";
import { anchorOf, code, decisionLinks, jsonBlock, page, points, table } from "./markdown.ts";
import { sampleEvent } from "./samples.ts";
import { lifecycleTitles } from "./state-page.ts";

const headers = table(
  ["header", "what it is"],
  [
    ["`Content-Type`", "`application/json`"],
    ["`X-Webhook-Event`", "the kind, such as `cashin.confirmed`"],
    ["`X-Webhook-Id`", "`evt_…`, the same in all attempts of one event"],
    ["`X-Webhook-Timestamp`", "Unix seconds of the attempt"],
    ["`X-Sandbox`", "`1`; production must refuse it"],
    ["`User-Agent`", "names the sender, version 2.0"],
  ],
);

const DELIVERY = `Each event is a POST to the \`postback_url\` of the transaction, otherwise of its credential, otherwise of its
account. Any 2xx accepts it; any other answer, or none within 10 s, is a failed attempt. After a failed attempt the same
bytes come again, ${ATTEMPT_DELAYS_MS.slice(1)
  .map((delayMs) => delayMs / 1000)
  .join(", ")} s of the world's clock after the previous attempt began; then
delivery stops, and \`payments-sandbox resend\` makes one more attempt. If, on a running clock, an attempt takes longer
to fail than the delay, the next one follows at once. A credential's webhooks beyond ${settingsSchema.parse({}).webhook_rate} per minute wait
${THROTTLE_DELAY_MS / 1000} s. The same event may come more than once: recognize it by \`X-Webhook-Id\`.`;

const STATUSES = `\`GET /_sandbox/webhooks\` shows each webhook with all its attempts and its status:

${table(
  ["status", "what it means"],
  webhookStatuses.map((status) => [code(status), webhookStatusNotes[status]]),
)}`;

const ENVELOPE = `The body is \`{"event", "timestamp", "transaction_id", "data"}\`, except for \`wallet_deposit\`, which is flat.
The tables say what is in \`data\`. The examples are what a world of seed 1 sends; \`payments-sandbox trigger KIND\` makes
any of them happen.`;

/** The page, in Markdown. @param sandbox where the examples happen. */
export async function eventsPage(sandbox: SandboxClient): Promise<string> {
  const overview = table(
    ["event", "when it comes"],
    eventKinds.map((kind) => [`[${kind}](#${anchorOf(kind)})`, eventDefinitions[kind].description]),
  );
  const sections: string[] = [];
  for (const kind of eventKinds) sections.push(section(kind, await sampleEvent(sandbox, kind)));
  return page("Events", "src/domain/events.ts", [DELIVERY, headers, STATUSES, ENVELOPE, overview, ...sections]);
}

function section(kind: EventKind, sample: unknown): string {
  const { description, enveloped } = eventDefinitions[kind];
  const schema = eventSchema(kind);
  const data = enveloped ? ((schema.properties as Record<string, Json>).data ?? {}) : schema;
  const facts = [...sendersOf(kind).map((sender) => `Sent by ${sender}.`), ...furtherFacts(kind)];
  return [
    `## ${kind}`,
    description,
    ...(facts.length > 0 ? [points(facts)] : []),
    outputTable(data),
    jsonBlock(sample),
  ].join("\n\n");
}

/** The transitions that send an event (docs/states.md). */
function sendersOf(kind: EventKind): string[] {
  return (Object.keys(lifecycles) as LifecycleName[]).flatMap((name) => {
    const { transitions }: Lifecycle = lifecycles[name];
    const triggers = transitions.filter(({ events }) => events.includes(kind)).map(({ trigger }) => code(trigger));
    const title = lifecycleTitles[name];
    const links = `[${title}](states.md#${anchorOf(title)})`;
    return triggers.length > 0 ? [`${[...new Set(triggers)].join(" and ")} (${links})`] : [];
  });
}

function furtherFacts(kind: EventKind): string[] {
  const decisions = decisionsOfEvent(kind);
  const legacy = legacyEventNames[kind];
  return [
    ...(legacy ? [`With the setting \`legacy_refund_events\`, ${code(legacy)} is sent too, with the same data.`] : []),
    ...(decisions.length > 0 ? [`Open points: ${decisionLinks(decisions)}.`] : []),
  ];
}
