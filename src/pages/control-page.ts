/** The control interface as a page to read: what `docs/control.md` holds. */
import type { SandboxClient } from "../client/sandbox-client.ts";
import { controlRefusals } from "../control/document/refusals.ts";
import { controlChapters } from "../control/summaries.ts";
import type { LifecycleName } from "../domain/lifecycles.ts";
import { resourceActions } from "../service/actions.ts";
import { code, codes, page, table } from "./markdown.ts";
import { nouns } from "./scenario-language-steps.ts";

const INTRODUCTION = `Every world is steered at \`/_sandbox\` below its base URL: the default one at \`/_sandbox/…\`, any
other at \`/worlds/{world}/_sandbox/…\`. The tables tell what follows that. Bodies and answers are JSON. A success
answers the resource itself; a failure \`{"error": {"code", "message", "details"}}\`, by a code of the
[table of refusals](#refusals). Fields that are not known are refused with the nearest that is. Lists take \`?limit\` (100, at most
1000) and \`?cursor\`, and answer \`{"items": […], "next_cursor"}\`. Where the sandbox was started with \`--control-token\`,
every call but \`health\` needs \`Authorization: Bearer TOKEN\`. Calls come from this machine, from addresses, or from
container names: pages of other origins and names that were made to point here are refused. The same as OpenAPI 3.1,
to generate a client from: \`/_sandbox/openapi.json\`, or \`npx payments-sandbox openapi --control\`.`;

const EXAMPLE = `\`\`\`bash
curl -s http://127.0.0.1:4400/_sandbox/clock/advance -d '{"by": "31m"}'
\`\`\``;

/** The page, in Markdown. @param sandbox for a world as it is made. */
export async function controlPage(sandbox: SandboxClient): Promise<string> {
  const chapters = controlChapters.map(({ title, about, calls }) => {
    const rows = Object.entries(calls).map(([call, summary]) => [code(readable(call)), summary]);
    return `## ${title}\n\n${about}\n\n${table(["call", "what it does"], rows)}`;
  });
  return page("Control interface", "src/control", [
    INTRODUCTION,
    EXAMPLE,
    await start(sandbox),
    ...chapters,
    actions(),
    refusals(),
  ]);
}

/** What a server's own world and those that are made begin with. */
async function start(sandbox: SandboxClient): Promise<string> {
  const world = await sandbox.createWorld();
  const { clock, seed, scenarios: loaded } = await world.info();
  const [scenarios, accounts] = [codes(loaded), await world.accounts.list()];
  const money = accounts[0]?.balances.map(({ currency, balance }) => `${currency} ${balance}`) ?? [];
  const rows = [
    ["clock", "running, from now (`--clock`, `--speed`, `--start`)", `${clock.mode} at ${code(clock.now)} (\`clock\`)`],
    ["seed", `${seed} (\`--seed\`)`, `${seed} (\`seed\`)`],
    ["scenarios", `${scenarios}, the folder \`./scenarios\` (\`--scenario\`)`, `${scenarios} (\`scenarios\`)`],
    ["settings", "the [defaults](settings.md) (`--settings`)", "the defaults (`settings`)"],
    ["webhooks go", "nowhere (`--postback-url`)", "nowhere (`postback_url`)"],
    ["accounts", codes(accounts.map(({ username }) => username)), "the same (`accounts`)"],
  ];
  return `## What a world starts with

In brackets stands what says otherwise. The world of \`startSandbox()\` is like one that is made.

${table(["", "the world of a server", "a world that is made"], rows)}

The first account is the default one. Each has a credential, and ${money.join(", ")}.
An account of \`accounts\` has what its own \`balances\` name.`;
}

/** `/worlds/:world` is `/worlds/{world}` to readers. */
function readable(call: string): string {
  return call.replaceAll(/:([a-z]+)/g, "{$1}");
}

/** TABLE: where the actions of a kind of resource are called. */
const places: readonly { lifecycle: LifecycleName; path: string }[] = [
  { lifecycle: "cashin", path: "/transactions/{id}" },
  { lifecycle: "cashout", path: "/transactions/{id}" },
  { lifecycle: "conversion", path: "/conversions/{id}" },
  { lifecycle: "wallet", path: "/wallets/{id}" },
  { lifecycle: "dispute", path: "/disputes/{id}" },
];

function actions(): string {
  const rows = places.flatMap(({ lifecycle, path }) =>
    Object.entries(resourceActions[lifecycle] ?? {}).map(([action, { input }]) => {
      const fields = Object.entries(input.shape).map(([field, schema]) => {
        return schema.safeParse(undefined).success ? code(`${field}?`) : code(field);
      });
      return [code(`POST ${path}/${action}`), nouns[lifecycle], fields.join(", ") || "–"];
    }),
  );
  return `## Actions

What the outside world does to a resource; scenarios have the same actions. What the state does not allow is refused
with 409 \`INVALID_TRANSITION\`, the present state and the actions that it allows ([states.md](states.md)).

${table(["call", "of a", "body"], rows)}`;
}

function refusals(): string {
  const rows = Object.entries(controlRefusals).flatMap(([status, refusal]) =>
    Object.entries(refusal.codes).map(([name, meaning]) => [status, code(name), meaning]),
  );
  return `## Refusals

These are the codes of the control interface; those of \`/v2\` are in [errors.md](errors.md). A 422 may also have one of
those, where a rule of the service stands against what is asked for.

${table(["status", "code", "what it means"], rows)}`;
}
