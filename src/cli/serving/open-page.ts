/** Opens a page in the user's browser (`--open`). */
import { spawn } from "node:child_process";
import { tell } from "../terminal.ts";

/** TABLE: the command that opens a URL, by platform. */
const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ["open"],
  win32: ["cmd", "/c", "start", ""],
};

/** Opens a URL; if nothing can, says so in one line and goes on. */
export function openPage(url: string): void {
  const [program = "xdg-open", ...args] = OPENERS[process.platform] ?? ["xdg-open"];
  const child = spawn(program, [...args, url], { stdio: "ignore", detached: true });
  child.on("error", () => tell(`${program} cannot open ${url}; open it yourself.`));
  child.unref();
}
