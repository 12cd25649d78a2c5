/** The servers that are measured, and the folder of this run that they are in. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { layPackage } from "../support/laid-package.ts";
import { layYardsticks } from "./laid-yardsticks.ts";
import { type Server, startServer } from "./programs.ts";

/** Removed when the run ends. */
let folder: string | undefined;
let folders = 0;

/** The package and the yardsticks of this run, laid out when first needed. */
function laid(): string {
  if (folder !== undefined) return folder;
  const made = mkdtempSync(join(tmpdir(), "payments-sandbox-bench-"));
  process.once("exit", () => rmSync(made, { recursive: true, force: true }));
  folder = made;
  layPackage(folder);
  layYardsticks(folder);
  writeFileSync(join(folder, "settings.json"), JSON.stringify(settings));
  return folder;
}

/** A new folder of this run. */
export function newFolder(): string {
  const path = join(laid(), `data-${folders++}`);
  mkdirSync(path);
  return path;
}

/** The settings of worlds under load: windows are counted and written as ever, but what is over them is let through. */
export const settings = { protections: "report", webhook_rate: 1_000_000 } as const;

/** The sandbox from its package as it starts by itself, with nothing printed but a banner. */
export function startUsualServer(...args: string[]): Promise<Server> {
  return startServer("measured", join(laid(), "bin/payments-sandbox.js"), "--port", "0", "--log", "silent", ...args);
}

/** The sandbox from its package, for a load: its clock is frozen unless an argument says otherwise. */
export function startSandboxServer(...args: string[]): Promise<Server> {
  const clock = args.includes("--clock") ? [] : ["--clock", "frozen"];
  return startUsualServer("--settings", join(laid(), "settings.json"), ...clock, ...args);
}

export const startConstant = () => startServer("measured", join(laid(), "yardsticks/constant.js"));

/** @param file of its database; in memory by default. */
export const startMinimal = (file = ":memory:") => startServer("measured", join(laid(), "yardsticks/minimal.js"), file);

export const startReceiver = () => startServer("measuring", "receiver.ts");
