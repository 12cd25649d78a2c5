/** `docs/control.md`: the control interface. */
import type { SandboxClient } from "../client/sandbox-client.ts";
import { controlRefusals } from "../control/document/refusals.ts";
import { controlChapters } from "../control/summaries.ts";
import { MAX_PAGE_ITEMS, PAGE_ITEMS } from "../domain/bounds.ts";
import type { LifecycleName } from "../domain/lifecycles.ts";
import { resourceActions } from "../service/actions.ts";
import { code, codes, page, table } from "./markdown.ts";
import { nouns } from "./scenario-language-steps.ts";

const INTRODUCTION = `The calls below control a world. They are at \`/_sandbox/…\` for the default world and at
\`/worlds/{world}/_sandbox/…\` for any other; the tables give the rest of the path.

- Bodies and answers are JSON. A success answers the resource itself, a failure
  \`{"error": {"code", "message", "details"}}\` with a code of the [table of refusals](#refusals).
- Unknown fields are refused, with the nearest known name.
- Lists take \`?limit\` (${PAGE_ITEMS} unless given, at most ${MAX_PAGE_ITEMS}) and \`?cursor\`, and answer \`{"items": […], "next_cursor"}\`.
- If the sandbox was started with \`--control-token\`, every call but \`health\` needs \`Authorization: Bearer TOKEN\`.
- Web pages of other origins are refused, and so are unknown host names ([SECURITY.md](../SECURITY.md)).
- To generate a client, take OpenAPI 3.1 from \`/_sandbox/openapi.json\` or \`npx payments-sandbox openapi --control\`;
  for TypeScript there is [one already](testing.md).`;

const EXAMPLE = `\`\`\`bash
curl -s http://127.0.0.1:4400/_sandbox/clock/advance -d '{"by": "31m"}'
\`\`\``;

/** The page, in Markdown. @param sandbox makes a world, to show what one starts with. */
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

/** What a server's default world and created worlds start with. */
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

The brackets name the option or field that changes it. The world of \`startSandbox()\` starts like one that is made.

${table(["", "the world of a server", "a world that is made"], rows)}

The first account is the default one. Each has a credential, and ${money.join(", ")}.
Accounts given in \`accounts\` have only the \`balances\` given with them.`;
}

/** Readers know `/worlds/:world` as `/worlds/{world}`. */
function readable(call: string): string {
  return call.replaceAll(/:([a-z]+)/g, "{$1}");
}

/** TABLE: the paths below which the actions of a kind of resource are called. */
const places: readonly { lifecycle: LifecycleName; path: string }[] = [
  { lifecycle: "cashin", path: "/transactions/{id}" },
  { lifecycle: "cashout", path: "/transactions/{id}" },
  { lifecycle: "conversion", path: "/conversions/{id}" },
  { lifecycle: "wallet", path: "/wallets/{id}" },
  { lifecycle: "dispute", path: "/disputes/{id}" },
];

function actions(): string {
  const rows = places.flatMap(({ lifecycle, path }) =>
    Object.entries(resourceActions[lifecycle]).map(([action, { input }]) => {
      const fields = Object.entries(input.shape).map(([field, schema]) => {
        return schema.safeParse(undefined).success ? code(`${field}?`) : code(field);
      });
      return [code(`POST ${path}/${action}`), nouns[lifecycle], fields.join(", ") || "–"];
    }),
  );
  return `## Actions

What the outside world does to a resource; scenarios have the same actions. If the state does not allow an action, the
answer is 409 \`INVALID_TRANSITION\` with the state and the actions that it allows ([states.md](states.md)).

${table(["call", "of a", "body"], rows)}`;
}

function refusals(): string {
  const rows = Object.entries(controlRefusals).flatMap(([status, refusal]) =>
    Object.entries(refusal.codes).map(([name, meaning]) => [status, code(name), meaning]),
  );
  return `## Refusals

These are the codes of the control interface. A 422 may also have a code of \`/v2\` ([errors.md](errors.md)), if a rule of
the service forbids what was asked for.

${table(["status", "code", "what it means"], rows)}`;
}
