/** The options of `run --explore`, validated, and the calls to the URLs that they name. */
import { accessSync, constants, existsSync, statSync, writeFileSync } from "node:fs";
import { dirname, extname } from "node:path";
import { Option } from "commander";
import { INBOX } from "../../domain/destinations.ts";
import { notSuch, webAddress } from "../../domain/web-address.ts";
import { withoutStop } from "../../domain/words/near-name.ts";
import { ExplorationError } from "../../runs/exploration/play.ts";
import type { ExploreOptions } from "../../runs/explore.ts";
import type { RunOptions } from "../../runs/run.ts";
import { wholeNumber } from "../option-values.ts";
import { jsonLines } from "../terminal.ts";
import { UsageError } from "../usage-error.ts";
import { forWriting } from "../written-file.ts";
import { onPlay } from "./run-progress.ts";

/** The options as commander passes them. */
export interface RawExploreOptions {
  readonly explore?: string;
  readonly resetUrl?: string;
  readonly verifyUrl?: string;
  readonly bundle?: string;
}

const MAX_VARIATIONS = 100_000;
const DEFAULT_BUNDLE = "payments-sandbox-failure.json";

/** How much of an answer is shown. */
const SHOWN_CHARACTERS = 300;

/** TABLE: the options that `run --explore` takes (interface, section 5). */
export const exploreOptions: readonly Option[] = [
  new Option("--explore <n>", "vary order, repeats and lost answers of the webhooks in n seeded ways"),
  new Option(
    "--reset-url <url>",
    "exploring: POST to it before each play, so that the receiver forgets what came before",
  ),
  new Option("--verify-url <url>", "exploring: GET after each play; anything but 2xx says that the books are wrong"),
  new Option("--bundle <file>", `exploring: where the smallest failing play is kept (default: ${DEFAULT_BUNDLE})`),
];

/** What the help of `run` says about them. */
export const EXPLORE_HELP = `
Exploring (--explore N) plays the scenario as it is, then up to N times with webhooks repeated, out of order (late by at
most as long as their retries last) or with the receiver's answers lost. A play fails if an expectation fails, if the
receiver refuses a webhook that it took before, or if --verify-url answers anything but 2xx: let it check for what must
never happen, such as an order that was credited twice. A failing play is then made as small as possible, and kept in
the file of --bundle; if several scenarios are run, each that fails has one of its own, with its name before the ending:
f-SCENARIO.json for f.json. The play as it is also fails if a webhook to the receiver is given up; one that is only
refused at first is not varied.

With --reset-url every play has the same ids. Without it each play of a run has its own, as it takes the next seed, but
what the receiver remembers by your own ids may hide mistakes, and books that stay wrong keep the failing play from
getting smaller, as do rules with a chance, which each play then draws anew. Another run has the same ids again: before
it, start a receiver that remembers them anew, or choose a --seed that is higher by more than there were plays.`;

/**
 * How a run explores; null if it does not.
 * @param sources how many scenarios are run: if there are several, each that fails gets a bundle of its own.
 * @throws {UsageError}
 */
export function exploreOptionsOf(
  raw: RawExploreOptions,
  run: { options: RunOptions; timeoutMs: number; sources: number },
): ExploreOptions | null {
  const { explore, resetUrl, verifyUrl, bundle = DEFAULT_BUNDLE } = raw;
  if (explore === undefined) {
    refuseAlone(raw);
    return null;
  }
  const url = run.options.postbackUrl;
  if (url === undefined) throw new UsageError("--explore needs --postback-url: the receiver whose webhooks it varies.");
  if (url === INBOX) throw new UsageError(`--explore needs a receiver of yours: ${INBOX} takes every webhook.`);
  const variations = wholeNumber("explore", explore, 1, MAX_VARIATIONS);
  const reset = asking("reset-url", "POST", resetUrl, run.timeoutMs);
  const verify = asking("verify-url", "GET", verifyUrl, run.timeoutMs);
  checkWritable(bundle);
  const kept = new Set<string>();
  const keep: ExploreOptions["keep"] = (content, scenario) => {
    const path = run.sources === 1 ? bundle : besideOthers(bundle, scenario, kept);
    kept.add(path);
    forWriting(namedBundle(path), () => writeFileSync(path, jsonLines(content)));
    return path;
  };
  return { ...run.options, variations, receiver: { url, reset, verify }, keep, onPlay: onPlay() };
}

function refuseAlone(raw: RawExploreOptions): void {
  const names = { "reset-url": raw.resetUrl, "verify-url": raw.verifyUrl, bundle: raw.bundle };
  const alone = Object.entries(names).find(([, value]) => value !== undefined);
  if (alone) throw new UsageError(`--${alone[0]} goes with --explore, which is missing.`);
}

/** A call that resolves to null if it is answered 2xx, else to what came instead; null if there is no URL. */
function asking(name: string, method: "GET" | "POST", url: string | undefined, timeoutMs: number) {
  if (url === undefined) return null;
  if (webAddress(url) === null) throw new UsageError(`--${name} must be an http or https URL, ${notSuch(url)}.`);
  let wasAnswered = false;
  return async () => {
    const { isAnswered, fault } = await ask(method, url, timeoutMs);
    wasAnswered ||= isAnswered;
    // One that answered before may have been brought down by a play, so that its silence is a finding.
    if (!wasAnswered && method === "GET") throw new ExplorationError(`The books could not be looked at: ${fault}.`);
    return fault;
  };
}

/** The outcome of a call; `fault` is null if it was answered 2xx. */
interface Asked {
  readonly isAnswered: boolean;
  readonly fault: string | null;
}

async function ask(method: "GET" | "POST", url: string, timeoutMs: number): Promise<Asked> {
  try {
    const response = await fetch(url, { method, signal: AbortSignal.timeout(timeoutMs) });
    const text = withoutStop((await response.text()).trim().replaceAll(/\s+/g, " "));
    if (response.ok) return { isAnswered: true, fault: null };
    const cut = text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)} …` : text;
    const said = cut && `: ${cut}`;
    return { isAnswered: true, fault: `${method} ${url} answered ${response.status}${said}` };
  } catch (error) {
    return { isAnswered: false, fault: `${method} ${url} was not answered: ${reasonOf(error as Error)}` };
  }
}

function reasonOf({ name, message, cause }: Error): string {
  if (name === "TimeoutError") return "timeout";
  const { code, message: why } = (cause ?? {}) as { code?: string; message?: string };
  return code ?? why ?? message;
}

/** Checked before hours of exploring, not after. */
function checkWritable(file: string): void {
  if (file === "") throw new UsageError(`--bundle must name a file; without --bundle, it is ${DEFAULT_BUNDLE}.`);
  forWriting(namedBundle(file), () => {
    if (statSync(file, { throwIfNoEntry: false })?.isDirectory()) throw new Error("it is a folder");
    accessSync(existsSync(file) ? file : dirname(file), constants.W_OK);
  });
}

const namedBundle = (file: string) => `--bundle ${file}`;

/** The path of a scenario's own bundle; numbered, as several files may use one scenario name. */
function besideOthers(file: string, scenario: string, kept: ReadonlySet<string>): string {
  const extension = extname(file);
  const beginning = `${file.slice(0, file.length - extension.length)}-${scenario}`;
  let path = beginning + extension;
  for (let number = 2; kept.has(path); number++) path = `${beginning}-${number}${extension}`;
  return path;
}
