/** `payments-sandbox [serve]`: the server. */
import { existsSync } from "node:fs";
import { Command } from "commander";
import { CreationError, type ScenarioSource, type WorldSpec } from "../host/creation.ts";
import type { LiveWorld } from "../host/live-world.ts";
import { DEFAULT_WORLD } from "../host/sandbox.ts";
import { namedOnCommandLine, ScenarioSourceError, shipped } from "../host/scenario-sources.ts";
import { startServer, type RunningServer } from "../server.ts";
import { ListenError } from "../http/server.ts";
import { wallNow } from "../runtime.ts";
import { ScenarioError } from "../scenarios/loader.ts";
import { SourceAddressError } from "../source-addresses.ts";
import { StoreError } from "../store/database.ts";
import { banner, readyLine } from "./banner.ts";
import { Log } from "./log.ts";
import {
  postbackOf,
  type RawServeOptions,
  serveOptions,
  settingsOf,
  speedOf,
  startOf,
  wholeNumber,
} from "./serve-options.ts";
import { UsageError } from "./usage-error.ts";

export function serveCommand(): Command {
  const command = new Command("serve").description("start the server (the default command)").action(serve);
  for (const option of serveOptions) command.addOption(option);
  return command;
}

async function serve(options: RawServeOptions): Promise<void> {
  const log = new Log(options.log ?? (process.stdout.isTTY ? "pretty" : "json"));
  const starting = start(options, log);
  stopOnSignal(starting);
  const server = await starting;
  const live = server.sandbox.get(DEFAULT_WORLD);
  if (live) process.stdout.write(log.mode === "json" ? readyLine(live, server.baseUrl) : banner(live, server.baseUrl));
  watchWorlds(server, log);
}

async function start(options: RawServeOptions, log: Log): Promise<RunningServer> {
  try {
    const server = await startServer({
      host: options.host,
      port: wholeNumber("port", options.port, 0, 65_535),
      dataFolder: options.data ?? null,
      webhookTimeoutMs: wholeNumber("webhook-timeout", options.webhookTimeout, 1, 600_000),
      webhookSources: { ipv4: options.webhookSourceIpv4 ?? null, ipv6: options.webhookSourceIpv6 ?? null },
      webhookConcurrency: wholeNumber("webhook-concurrency", options.webhookConcurrency, 1, 1_000),
      controlToken: options.controlToken ?? null,
      trustProxy: options.trustProxy === true,
      defaultWorld: specOf(options),
      onFault: (error) => log.fault(error),
    });
    for (const fault of server.unreadable) process.stderr.write(`payments-sandbox: ${fault.message}\n`);
    return server;
  } catch (error) {
    throw asUsageError(error);
  }
}

function specOf(options: RawServeOptions): WorldSpec {
  const settings = settingsOf(options.settings);
  return {
    id: DEFAULT_WORLD,
    seed: wholeNumber("seed", options.seed, 0, Number.MAX_SAFE_INTEGER),
    clock: {
      mode: options.clock,
      speed: speedOf(options.speed),
      start: options.start === undefined ? wallNow() : startOf(options.start),
    },
    settings,
    scenarios: scenariosOf(options.scenario),
    accounts: null,
    postback_url: postbackOf(options.postbackUrl, settings.webhook_targets),
  };
}

/** `happy-path` and `magic-values`, and the folder `scenarios` where the user has one of its own. */
function scenariosOf(given: readonly string[] | undefined): ScenarioSource[] {
  if (given?.length === 1 && given[0] === "none") return [];
  if (given) return given.flatMap((name) => namedOnCommandLine(name));
  const own =
    existsSync("scenarios") && !existsSync("scenarios/happy-path.yaml") ? namedOnCommandLine("scenarios") : [];
  return [shipped("happy-path"), shipped("magic-values"), ...own];
}

function watchWorlds(server: RunningServer, log: Log): void {
  server.sandbox.onWorld((live: LiveWorld) => {
    live.world.commitListeners.add((entries) => log.entries(live.id, entries));
  });
}

/** Finishes what is under way and leaves with 0, unless the start itself fails; a second signal does not wait. */
function stopOnSignal(starting: Promise<RunningServer>): void {
  let stopping = false;
  const stop = async () => {
    if (stopping) process.exit(0);
    stopping = true;
    const server = await starting.catch(() => null);
    if (server === null) return;
    await server.stop();
    process.exit(0);
  };
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
}

function asUsageError(error: unknown): unknown {
  if (error instanceof ScenarioError) return new UsageError(firstProblem(error));
  const kinds = [CreationError, ScenarioSourceError, ListenError, SourceAddressError, StoreError];
  if (kinds.some((kind) => error instanceof kind)) return new UsageError((error as Error).message);
  return error;
}

/** One line; `check` shows them all, each with its place in the text. */
function firstProblem({ problems, message }: ScenarioError): string {
  const [first, ...others] = problems;
  if (!first || others.length === 0) return message;
  const rest = `${others.length} more ${others.length === 1 ? "problem" : "problems"}`;
  return `${first.file}:${first.line}:${first.column}: ${first.message} (and ${rest}; payments-sandbox check shows all)`;
}
