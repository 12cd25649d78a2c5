/** The OpenAPI document of the control interface: sound by an independent judge, whole, and there where it should be. */
import { describe, expect, test } from "vitest";
import { furtherCalls } from "../../src/control/further-calls.ts";
import { controlRoutes } from "../../src/control/routes.ts";
import { resourceActions } from "../../src/service/actions.ts";
import { runCommand } from "../support/command.ts";
import { control } from "../support/control.ts";
import { controlDocumentOfTests, controlFault, describedCalls } from "../support/control-document.ts";
import { expectNothingToLint } from "../support/openapi-linter.ts";
import { useSandbox } from "../support/sandbox.ts";

// biome-ignore lint/suspicious/noExplicitAny: the document is looked into freely.
type Json = any;

const file = useSandbox();
const guarded = useSandbox({ controlToken: "secret" });
const [atRoot, atWorld] = [controlDocumentOfTests(true), controlDocumentOfTests(false)];
const operations = Object.values<Json>(atRoot.paths).flatMap((methods) => Object.values<Json>(methods));

/** The calls that rows stand for, as the document writes them. */
function callsOf(rows: typeof furtherCalls): string[] {
  return rows.flatMap(({ method, path, actionsOf }) => {
    const written = `${method} ${path.replaceAll(/:([a-z]+)/g, (part, name) => (name === "action" ? part : `{${name}}`))}`;
    const names = new Set(actionsOf?.flatMap((lifecycle) => Object.keys(resourceActions[lifecycle] ?? {})));
    return actionsOf ? [...names].map((name) => written.replace(":action", name)) : [written];
  });
}

test.each([
  ["the root", atRoot],
  ["a world", atWorld],
])("of %s is valid OpenAPI 3.1 without a warning, says Redocly", async (_place, document) => {
  await expectNothingToLint(document);
});

test("has every call of the place and nothing else, each action too, under names of their own", () => {
  const rows = [...controlRoutes, ...furtherCalls];
  expect(describedCalls(atRoot).sort()).toEqual(callsOf(rows).sort());
  expect(describedCalls(atWorld).sort()).toEqual(callsOf(rows.filter(({ rootOnly }) => !rootOnly)).sort());
  const names = operations.map(({ operationId }) => operationId);
  expect(new Set(names).size).toBe(names.length);
  expect(atRoot.paths["/worlds/{world}/_sandbox"].put.operationId).toBe("putWorld");
  expect(atWorld.paths["/_sandbox"].put.operationId).toBe("putWorld");
});

test("says of each call what it does, in a line", () => {
  for (const { summary, operationId } of operations) expect(summary, operationId).toMatch(/^\S[^\n]+$/);
});

test("names its parts by words that generators can make types of, and leaves no object of constants alone", () => {
  const { schemas, responses } = atRoot.components;
  const names = [...Object.keys(schemas), ...Object.keys(responses)];
  expect(names.filter((name) => !/^[A-Z][A-Za-z0-9]*$/.test(name))).toEqual([]);
  const constant = Object.entries<Json>(schemas).filter(
    ([, { properties }]) => properties && Object.values<Json>(properties).every((part) => "const" in part),
  );
  expect(constant.map(([name]) => name)).toEqual([]);
});

test("demands nothing of a client made of it that a call does not need, and hides nothing from it", () => {
  const flaws: string[] = [];
  const look = (part: Json, at: string, isBody: boolean) => {
    if (typeof part !== "object" || part === null) return;
    if (isBody && "default" in part) flaws.push(`${at} has a default, by which openapi-typescript demands it`);
    const isBare = part.type === "object" && !part.properties && !("additionalProperties" in part);
    if (isBare) flaws.push(`${at} is an object of which nothing is said`);
    for (const [key, member] of Object.entries(part)) look(member, `${at}/${key}`, isBody);
  };
  for (const [name, schema] of Object.entries<Json>(atRoot.components.schemas)) {
    look(schema, name, name.endsWith("Request"));
  }
  expect(flaws).toEqual([]);
  const { settings } = atRoot.components.schemas.WorldRequest.properties;
  expect(settings.properties.unanswered_dispute.description).toMatch(/ `lost` unless given\.$/);
  expect(atRoot.components.schemas.ScenarioFile.additionalProperties).toBe(true);
});

test("needs the control token, where there is one, for all but health", () => {
  const open = operations.filter(({ security }) => security.length === 0).map(({ operationId }) => operationId);
  expect(open).toEqual(["getHealth"]);
});

describe("is served", () => {
  test("at the root and for every world, with its own address", async () => {
    const { baseUrl } = file.sandbox;
    const world = await file.world();
    const [root, own] = [
      await control(file.sandbox, "GET", "/openapi.json"),
      await control(world, "GET", "/openapi.json"),
    ];
    expect([root.body.servers, own.body.servers]).toEqual([[{ url: baseUrl }], [{ url: world.baseUrl }]]);
    expect([root.body.paths, own.body.paths]).toEqual([atRoot.paths, atWorld.paths]);
    expect((await control({ baseUrl: `${baseUrl}/worlds/nowhere` }, "GET", "/openapi.json")).status).toBe(404);
    expect((await control(file.sandbox, "GET", "/openapi.json?x=1")).body.error.message).toContain('"x"');
  });

  test.each(["/%5Fsandbox/openapi.json", "/openapi%2Ejson"])(
    "with its own address too where the call was written as %s",
    async (path) => {
      const world = await file.world();
      for (const { baseUrl } of [file.sandbox, world]) {
        const answer = await fetch(baseUrl.replace("/worlds/", "/%77orlds/") + path);
        expect((await answer.json()).servers).toEqual([{ url: baseUrl }]);
      }
    },
  );

  test("to those alone who may steer", async () => {
    const server = guarded.sandbox;
    expect((await control(server, "GET", "/openapi.json")).body.error.code).toBe("UNAUTHORIZED");
    const headers = { Authorization: "Bearer secret" };
    expect((await control(server, "GET", "/openapi.json", undefined, headers)).status).toBe(200);
    const foreign = { ...headers, Origin: "http://example.org" };
    expect((await control(server, "GET", "/openapi.json", undefined, foreign)).body.error.code).toBe("FOREIGN_ORIGIN");
  });

  test.each([
    ["https://sandbox.example.org/", "https://sandbox.example.org", atRoot],
    ["http://127.0.0.1:4400/worlds/ci/", "http://127.0.0.1:4400/worlds/ci", atWorld],
  ])("is printed by the command line for %s", async (url, address, document) => {
    const { code, stdout } = await runCommand(["openapi", "--control", "--url", url]);
    const printed = JSON.parse(stdout);
    expect([code, printed.servers, printed.paths]).toEqual([0, [{ url: address }], document.paths]);
  });
});

describe("the judge of all tests' answers", () => {
  const answer = (status: number, body?: object, type = "application/json") => {
    const text = body ? JSON.stringify(body) : "";
    return { status, headers: new Headers({ "content-type": type }), body, text };
  };
  const rates = { rates: { BRL: "0.20" } };
  const refusal = { error: { code: "NOT_FOUND", message: "There is none.", details: {} } };

  test("lets through what is right", () => {
    expect(controlFault("GET", "/_sandbox/rates", answer(200, rates))).toBeNull();
    expect(controlFault("GET", "/worlds/x/_sandbox/rates?a", answer(404, refusal))).toBeNull();
    expect(controlFault("DELETE", "/_sandbox/worlds/x", answer(204))).toBeNull();
    expect(controlFault("GET", "/_sandbox/nowhere", answer(404, refusal))).toBeNull();
  });

  test.each([
    ["a field too many", "GET", "/_sandbox/rates", answer(200, { ...rates, x: 1 }), /additional properties/],
    ["a value of another form", "GET", "/_sandbox/rates", answer(200, { rates: { BRL: "-" } }), /must match pattern/],
    ["a status that is not described", "GET", "/_sandbox/rates", answer(201, rates), /201 is not in the document/],
    ["another media type", "GET", "/_sandbox/rates", answer(200, rates, "text/html"), /content type is text/],
    ["a body where there is none", "DELETE", "/_sandbox/worlds/x", answer(204, rates), /no body/],
    ["a call of the root at a world", "GET", "/worlds/x/_sandbox/worlds", answer(200, rates), /200 of what is no call/],
    ["a refusal of its own kind", "GET", "/_sandbox/rates", answer(404, { error: "x" }), /must be object/],
  ])("refuses %s", (_what, method, path, given, fault) => {
    expect(controlFault(method, path, given)).toMatch(fault);
  });
});
