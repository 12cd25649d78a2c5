/** Debian's nginx with the configuration of the page: without rights, all that it writes in a folder of its own. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { blockWith } from "./page.ts";

export interface Nginx {
  readonly baseUrl: string;
  /** The last that it wrote of what failed. */
  errors(): string;
  /** Ends it at once. */
  stop(): Promise<void>;
}

/** Where it listens, and the processes behind it, `host:port` each, in their order. */
interface Places {
  readonly listen: string;
  readonly processes: readonly string[];
}

/** What it is told beside the page: where it may write, and as whom. */
function mainConfiguration(folder: string): string {
  const kinds = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  return [
    ...(process.getuid?.() === 0 ? ["user root;"] : []),
    `pid ${folder}/nginx.pid;`,
    "daemon off;",
    "worker_processes 1;",
    "events {}",
    "http {",
    "  access_log off;",
    ...kinds.map((kind) => `  ${kind}_temp_path ${folder}/${kind};`),
    `  include ${folder}/payments-sandbox.conf;`,
    "}",
  ].join("\n");
}

/** The page's configuration with addresses of this machine; for a fourth process with one line more. */
function configuration({ listen, processes }: Places): string {
  const last = /^ +server sandbox-3:4400 max_fails=0;\n/m;
  let text = blockWith("nginx", "upstream sandboxes").replace("listen 4400;", `listen ${listen};`);
  for (let number = processes.length; number > 3; number--) {
    text = text.replace(last, (line) => line + line.replace("sandbox-3", `sandbox-${number}`));
  }
  return text.replaceAll(/sandbox-(\d+):4400/g, (_name, number) => processes[Number(number) - 1] ?? "");
}

/** Starts it and waits until it answers. @throws where it is not installed, or does not like its configuration. */
export async function startNginx(folder: string, places: Places): Promise<Nginx> {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "nginx.conf"), mainConfiguration(folder));
  writeFileSync(join(folder, "payments-sandbox.conf"), configuration(places));
  // Debian puts it where only the administrator's shell looks.
  const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` };
  const errorLog = join(folder, "error.log");
  const args = ["-p", folder, "-c", join(folder, "nginx.conf"), "-e", errorLog];
  const child = spawn("nginx", args, { env, stdio: ["ignore", "ignore", "pipe"] });
  let complaints = "";
  child.stderr.on("data", (chunk) => {
    complaints += chunk;
  });
  const failed = Promise.race([
    once(child, "error").then(([error]) => {
      throw new Error(`nginx cannot be started (${error.message}); on Debian: apt-get install -y nginx-light.`);
    }),
    once(child, "exit").then(([code]) => {
      throw new Error(`nginx ended with ${code}: ${complaints}`);
    }),
  ]);
  // Its end is only a fault while it is waited for.
  failed.catch(() => {});
  const baseUrl = `http://${places.listen}`;
  await Promise.race([failed, answered(baseUrl)]);
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, "exit");
    child.kill("SIGTERM");
    await gone;
  };
  return { baseUrl, errors: () => readFileSync(errorLog, "utf8").slice(-2_000), stop };
}

/** Whatever it answers. */
async function answered(url: string): Promise<void> {
  while (!(await fetch(url).catch(() => null))) await pause(20);
}
