/** `init --ci`: the files that give CI a sandbox name what there is: variables, ports, credentials. */
import { readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { ciFiles } from "../../src/cli/project-files/ci-files.ts";
import { serveOptions } from "../../src/cli/serving/serve-options.ts";
import { destinationFault } from "../../src/domain/destinations.ts";
import { connectSandbox } from "../../src/index.ts";
import { runCommand } from "../support/command.ts";
import { testFolder } from "../support/folder.ts";
import { useSandbox } from "../support/sandbox.ts";

const sandboxes = useSandbox();
const known = serveOptions.map(({ envVar }) => envVar);

test.each(Object.entries(ciFiles))("init --ci %s writes its file", async (kind, { file, text }) => {
  const cwd = testFolder();
  const { code, stdout } = await runCommand(["init", "--ci", kind], { cwd });
  expect(code).toBe(0);
  expect(stdout).toContain(file);
  expect(readFileSync(join(cwd, file), "utf8")).toBe(text());
});

test("init --ci all writes all of them, and an unknown one is refused with those that there are", async () => {
  const cwd = testFolder();
  expect((await runCommand(["init", "--ci", "all"], { cwd })).code).toBe(0);
  for (const { file, text } of Object.values(ciFiles)) expect(readFileSync(join(cwd, file), "utf8")).toBe(text());
  const { code, stderr } = await runCommand(["init", "--ci", "jenkins"], { cwd });
  expect(code).toBe(2);
  for (const kind of Object.keys(ciFiles)) expect(stderr).toContain(kind);
});

test.each(Object.entries(ciFiles))("%s: every variable of the sandbox is one that it reads", (_kind, { text }) => {
  const named = [...text().matchAll(/PAYMENTS_SANDBOX_[A-Z0-9_]+/g)].map(([name]) => name);
  expect(named.filter((name) => !known.includes(name))).toEqual([]);
});

test("the service of GitHub Actions and that of Compose listen where programs look for them", () => {
  const { services, steps } = parse(ciFiles["github-service"].text()).jobs.payments;
  expect(services["payments-sandbox"].ports).toEqual(["4400:4400"]);
  expect(steps.at(-1).env.PAYMENTS_BASE_URL).toBe("http://127.0.0.1:4400");
  const compose = parse(ciFiles.compose.text());
  expect(compose.services["payments-sandbox"].volumes).toEqual(["payments-sandbox:/data"]);
  expect(compose.services.app.depends_on).toEqual({ "payments-sandbox": { condition: "service_healthy" } });
  const { hostname, port } = new URL(compose.services.app.environment.PAYMENTS_BASE_URL);
  expect(compose.services).toHaveProperty(hostname);
  expect(port).toBe("4400");
});

test("webhooks go to where they may by default", () => {
  const texts = [ciFiles["github-service"], ciFiles.compose].map(({ text }) => text());
  const urls = texts.flatMap((text) => [...text.matchAll(/POSTBACK_URL: (\S+)/g)].map(([, url = ""]) => url));
  expect(urls).toHaveLength(2);
  for (const url of urls) expect(destinationFault(url, "local")).toBe(null);
});

test("the credentials are those of every world of seed 1", async () => {
  const { credentials } = await sandboxes.world({ seed: 1 });
  for (const { text } of [ciFiles.github, ciFiles["github-service"], ciFiles.compose]) {
    const given = [...text().matchAll(/PAYMENTS_(CLIENT_ID|CLIENT_SECRET|SIGNING_KEY): (\S+)/g)];
    expect(Object.fromEntries(given.map(([, name, value]) => [name, value]))).toEqual({
      CLIENT_ID: credentials.clientId,
      CLIENT_SECRET: credentials.clientSecret,
      SIGNING_KEY: credentials.signingKey,
    });
  }
});

/** What the module asks of Testcontainers, answered with a sandbox that runs already. */
class ContainerStandIn {
  static port = 0;
  withExposedPorts = () => this;
  withEnvironment = () => this;
  withExtraHosts = () => this;
  withWaitStrategy = () => this;
  start = async () => ({ getHost: () => "127.0.0.1", getMappedPort: () => ContainerStandIn.port });
}

test("the module for Testcontainers hands out the sandbox of its container", async () => {
  ContainerStandIn.port = Number(new URL(sandboxes.sandbox.baseUrl).port);
  const plain = stripTypeScriptTypes(ciFiles.testcontainers.text()).replaceAll(/^import .*$|^export /gm, "");
  const make = new Function("connectSandbox", "GenericContainer", "Wait", `${plain}\nreturn startSandboxContainer;`);
  const wait = { forHealthCheck: () => null };
  const { sandbox } = await make(connectSandbox, ContainerStandIn, wait)();
  await using world = await sandbox.createWorld({ scenarios: ["happy-path"] });
  expect((await world.advance("5s")).to).toBe("2026-01-01T12:00:05.000Z");
});
