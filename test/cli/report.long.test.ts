/** `payments-sandbox report` on a running server (interface, section 6): four ways to tell, probes, exit codes. */
import { describe, expect, test } from "vitest";
import { connectSandbox, type ReportInfo, type WorldClient } from "../../src/index.ts";
import { htmlReport } from "../../src/insight/readiness/reporters/html.ts";
import { junitReport } from "../../src/insight/readiness/reporters/junit.ts";
import { prettyReport } from "../../src/insight/readiness/reporters/pretty.ts";
import { paidWebhook } from "../support/charges.ts";
import { runCommand, startReady } from "../support/command.ts";
import { startAt } from "../support/odd-receivers.ts";

/** A server, how a command comes to it, and its default world. */
async function serve(postbackUrl?: string): Promise<{ url: string[]; world: WorldClient }> {
  const destination = postbackUrl === undefined ? [] : ["--postback-url", postbackUrl];
  const { ready } = await startReady(["--clock", "frozen", "--scenario", "none", ...destination]);
  const world = await (await connectSandbox(ready.base_url)).defaultWorld();
  return { url: ["--url", ready.base_url], world };
}

describe("payments-sandbox report", () => {
  test("tells every check, without colours where it is not read at a terminal; exit 0 where none fails", async () => {
    const { url } = await serve();
    const { code, stdout, stderr } = await runCommand(["report", ...url]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain("· A token is reused, not fetched for each request [Authentication, 1]\n");
    expect(stdout).toMatch(/\n18 checks: 18 not observed\.\nNothing was seen that could be judged\.\n$/);
    expect(stdout).not.toContain("\u001b");
  });

  test("exit 1 where a check fails, in every way of telling", async () => {
    const { url, world } = await serve("sandbox://inbox");
    await paidWebhook(world);
    const report = await world.report();
    expect(report.verdict).toBe("fail");
    const [request] = report.checks.find(({ id }) => id === "external-id")?.evidence ?? [];
    const told = async (...options: string[]) => {
      const { code, stdout, stderr } = await runCommand(["report", ...options, ...url]);
      expect({ code, stderr }).toEqual({ code: 1, stderr: "" });
      return stdout;
    };
    expect(await told()).toContain(`✗ Calls that move money carry an external_id`);
    expect(await told()).toContain(`  ${request}\n`);
    expect(JSON.parse(await told("--reporter", "json"))).toEqual(report);
    expect(JSON.parse(await told("--json"))).toEqual(report);
    expect(await told("--reporter", "junit")).toBe(junitReport(report));
    expect(await told("--reporter", "html")).toBe(htmlReport(report, "default"));
  });

  test("WH-20 AUTH-06 --probe sends the probes, from the address of --probe-source", async () => {
    await using receiver = await startAt("127.0.0.1", 200, 200, 403, 200);
    const { url, world } = await serve(receiver.url);
    await paidWebhook(world, { external_id: "order-1" });
    const first = await runCommand(["report", "--probe", "--json", ...url]);
    expect({ code: first.code, stderr: first.stderr }).toEqual({ code: 0, stderr: "" });
    expect(JSON.parse(first.stdout)).toEqual(await world.report());
    expect(receiver.sources).toEqual(["127.0.0.1", "127.0.0.1", "127.0.0.66", "127.0.0.1"]);
    const second = await runCommand(["report", "--probe", "--probe-source", "127.0.0.77", ...url]);
    expect(second.code).toBe(1);
    expect(second.stdout).toContain("✗ A wrong source address is answered 403");
    expect(receiver.sources.at(-2)).toBe("127.0.0.77");
  });

  test.each([
    [["--probe-source", "127.0.0.66"], "--probe-source goes with --probe"],
    [["--probe", "--probe-source", "here"], '--probe-source must be an IP address, not "here"'],
    [["--reporter", "xml"], "pretty, json, junit, html"],
    [["--json", "--reporter", "html"], "--json and --reporter html ask for two reports; leave one of them out."],
    [["--probe"], "give the account acme a postback_url"],
  ])("%j is told in one line, exit 2", async (options, words) => {
    const { url } = await serve();
    const ended = await runCommand(["report", ...options, ...url]);
    expect(ended).toMatchObject({ code: 2, stdout: "" });
    expect(ended.stderr).toMatch(/^payments-sandbox: [^\n]+\n$/);
    expect(ended.stderr).toContain(words);
  });
});

describe("the reporters", () => {
  const check = { title: "A & <b>", detail: 'said "no" <script>', source: "X-01", id: "one" } as const;
  const ids = Array.from({ length: 5 }, (_, index) => `req_${index}`);
  const report: ReportInfo = {
    verdict: "fail",
    checks: [
      { ...check, verdict: "fail", evidence: ids, advice: "do > this" },
      { ...check, id: "two", verdict: "warn", evidence: ["evt_1"], advice: "look" },
      { ...check, id: "three", verdict: "pass", evidence: ids, advice: "" },
      { ...check, id: "four", verdict: "not_observed", evidence: [], advice: "" },
    ],
  };
  const tally = "4 checks: 1 failed, 1 with a warning, 1 passed, 1 not observed.";

  test("pretty: advice and evidence where something is to be done, colours when asked for", () => {
    const plain = prettyReport(report, { colours: false });
    expect(plain.split("\n").slice(0, 4)).toEqual([
      "✗ A & <b> [X-01]",
      '  said "no" <script>',
      "  → do > this",
      "  req_0, req_1, req_2 and 2 more",
    ]);
    expect(plain).toContain(
      `\n${tally}\nNot ready. What was seen stays, unless it can be made good later; reset the world to be judged anew after a fix.\n`,
    );
    const coloured = prettyReport(report, { colours: true });
    expect(coloured).toContain("\u001b[31m✗\u001b[39m");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what colours are made of.
    expect(coloured.replace(/\u001b\[\d+m/g, "")).toBe(plain);
  });

  test("evidence that is not named whole is said to have more", () => {
    const [first, ...others] = report.checks;
    const cut = {
      ...report,
      checks: [{ ...first, evidence_truncated: true } as typeof first, ...others],
    } as ReportInfo;
    expect(prettyReport(cut, { colours: false })).toContain("  req_0, req_1, req_2 and more\n");
    expect(junitReport(cut)).toContain("req_4 and more\n");
    expect(htmlReport(cut, "<world>")).toContain("<code>req_4</code> and more</p>");
  });

  test("JUnit: a failure, a skipped one, and a warning that passes; nothing in it is markup", () => {
    const text = junitReport(report);
    expect(text).toContain('<testsuite name="readiness" tests="4" failures="1" errors="0" skipped="1">');
    expect(text).toContain(
      '<testcase classname="readiness.one" name="A &amp; &lt;b&gt;"><failure message="said &quot;no&quot;',
    );
    expect(text).toContain('<testcase classname="readiness.two" name="A &amp; &lt;b&gt;"><system-out>warn: ');
    expect(text).toContain('<testcase classname="readiness.three" name="A &amp; &lt;b&gt;"/>');
    expect(text).toContain('<testcase classname="readiness.four" name="A &amp; &lt;b&gt;"><skipped message=');
    expect(text).toContain(`<system-out>${tally}</system-out>`);
    expect(text).not.toMatch(/<(b|script)>/);
    const opened = [...text.matchAll(/<([a-z-]+)(?=[\s>])(?:[^>]*[^/])?>/g)].map(([, name]) => name);
    const closed = [...text.matchAll(/<\/([a-z-]+)>/g)].map(([, name]) => name);
    expect(opened.sort()).toEqual(closed.sort());
  });

  test("HTML: one page, no script, nothing loaded, nothing in it is markup", () => {
    const text = htmlReport(report, "<world>");
    expect(text).toMatch(/^<!doctype html>\n<html lang="en">/);
    expect(text).toContain("<title>Readiness of the integration in the world &lt;world&gt;</title>");
    expect(text).toContain("said &quot;no&quot; &lt;script&gt;");
    for (const id of ids) expect(text).toContain(`<code>${id}</code>`);
    expect(text).toContain("Not ready.");
    expect(text).toContain(tally);
    expect(text).not.toMatch(/<script|<link|<img|<b>|src=|href=|url\(/);
  });
});
