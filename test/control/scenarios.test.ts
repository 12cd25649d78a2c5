/** Scenarios of a world: loaded, looked at, replaced, taken out. */
import { describe, expect, test } from "vitest";
import { makeCharge } from "../support/charges.ts";
import { control } from "../support/control.ts";
import { useSandbox } from "../support/sandbox.ts";
import { rule, scenario } from "../support/scenarios.ts";

const file = useSandbox();

const YAML = `scenario: from-yaml
description: A charge is paid after a minute.
rules:
  - name: the payer takes a minute
    on: cashin.created
    then:
      - { after: 1m, pay: {} }
`;
const asYaml = { "Content-Type": "application/yaml" };

describe("POST /scenarios", () => {
  test.each(["application/yaml", "text/yaml", "application/x-yaml; charset=utf-8"])("takes %s", async (media) => {
    const world = await file.world();
    const { status, body } = await control(world, "POST", "/scenarios", YAML, { "Content-Type": media });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      name: "from-yaml",
      description: "A charge is paid after a minute.",
      status: "running",
      rules: [{ name: "the payer takes a minute", at: "posted.yaml:4", matched: 0, fired: 0 }],
      expectations: [],
    });
  });

  test("takes a JSON document", async () => {
    const world = await file.world();
    const { status, body } = await control(
      world,
      "POST",
      "/scenarios",
      scenario("mine", rule("cashin.created", [{ note: "x" }])),
    );
    expect([status, body.name]).toEqual([201, "mine"]);
    expect(body.rules[0].at).toMatch(/^posted\.json:\d+$/);
  });

  test("takes the name of a shipped one, and tells the nearest where there is none of it", async () => {
    const world = await file.world();
    const { status, body } = await control(world, "POST", "/scenarios", { name: "happy-path" });
    expect([status, body.name, body.rules[0].at]).toEqual([
      201,
      "happy-path",
      expect.stringMatching(/^scenarios\/happy-path\.yaml:/),
    ]);
    const wrong = await control(world, "POST", "/scenarios", { name: "hapy-path" });
    expect([wrong.status, wrong.body.error.message]).toEqual([
      422,
      expect.stringContaining('did you mean "happy-path"?'),
    ]);
  });

  test("answers 200 where it replaces one of the same name, whose counts begin anew", async () => {
    const world = await file.world();
    await control(world, "POST", "/scenarios", YAML, asYaml);
    await makeCharge(world);
    expect((await control(world, "GET", "/scenarios/from-yaml")).body.rules[0]).toMatchObject({ matched: 1, fired: 1 });
    const again = await control(world, "POST", "/scenarios", YAML.replace("1m", "2m"), asYaml);
    expect([again.status, again.body.rules[0].matched]).toEqual([200, 0]);
    expect((await control(world, "GET", "/scenarios")).body.items).toHaveLength(1);
  });

  test("works from the next charge on, at a world's address and at the root", async () => {
    const world = await file.world();
    await makeCharge(world);
    await control(world, "POST", "/scenarios", YAML, asYaml);
    await makeCharge(world);
    await world.advance("1m");
    expect((await world.webhooks()).map(({ event }) => event)).toEqual(["cashin.confirmed"]);
    const root = await control(file.sandbox, "POST", "/scenarios", YAML, asYaml);
    expect(root.status).toBe(201);
    await control(file.sandbox, "DELETE", "/scenarios/from-yaml");
  });

  test.each([
    ["no scenario", "rules: []", "1:1: scenario is missing"],
    ["no YAML", "scenario: [", "posted.yaml:1:"],
    ["an empty text", "", "1:1: the file must be"],
  ])("refuses %s with 422, place and reason", async (_what, text, message) => {
    const world = await file.world();
    const { status, body } = await control(world, "POST", "/scenarios", text, asYaml);
    expect([status, body.error.code]).toEqual([422, "INVALID_SCENARIO"]);
    expect(body.error.message).toContain(message);
    expect(body.error.details.problems[0]).toMatchObject({ file: "posted.yaml", line: 1 });
  });
});

describe("GET and DELETE", () => {
  test("list them in the order of loading, show one, take one out", async () => {
    const world = await file.world({ scenarios: ["happy-path"] });
    await control(world, "POST", "/scenarios", YAML, asYaml);
    const { body } = await control(world, "GET", "/scenarios");
    expect(body.items.map(({ name }: { name: string }) => name)).toEqual(["happy-path", "from-yaml"]);
    expect((await control(world, "GET", "/scenarios/from-yaml")).body).toEqual(body.items[1]);
    expect((await control(world, "DELETE", "/scenarios/happy-path")).status).toBe(204);
    expect((await world.info()).scenarios).toEqual(["from-yaml"]);
  });

  test.each(["GET", "DELETE"])("%s of one that is not loaded: 404", async (method) => {
    const { status, body } = await control(await file.world(), method, "/scenarios/happy-path");
    expect([status, body.error.message]).toEqual([404, "There is no scenario happy-path."]);
  });
});
