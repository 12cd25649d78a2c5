/** An independent judge of OpenAPI documents: Redocly's linter with its recommended rules. */
import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "vitest";
import { testFolder } from "./folder.ts";

const run = promisify(execFile);

/** Fails unless a document is valid OpenAPI 3.1 without a warning. */
export async function expectNothingToLint(document: object): Promise<void> {
  const folder = testFolder({ "openapi.json": JSON.stringify(document) });
  const cli = join(createRequire(import.meta.url).resolve("@redocly/cli/package.json"), "../bin/cli.js");
  const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
  const args = [cli, "lint", "openapi.json", "--format=json"];
  const { stdout } = await run(process.execPath, args, { cwd: folder, env }).catch(
    (failed: { stdout: string }) => failed,
  );
  const { totals, problems } = JSON.parse(stdout);
  expect({ totals, problems }).toEqual({ totals: { errors: 0, warnings: 0, ignored: 0 }, problems: [] });
}
