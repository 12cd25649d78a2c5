/** The addresses of the control interface, and the refusal of calls to any other. */
import type { Context } from "hono";
import { patternOf } from "../control/call.ts";
import { ControlError } from "../control/errors.ts";
import { type FurtherCall, furtherCalls } from "../control/further-calls.ts";
import { controlRoutes } from "../control/routes.ts";
import { UNKNOWN_PATH } from "../domain/control-refusals.ts";
import { asQuestion, nearName } from "../domain/words/near-name.ts";
import { refuse } from "./control-answers.ts";

/** The root, and every world's own address. */
export const BASES = ["/_sandbox", "/worlds/:world/_sandbox"] as const;

/** The path of a call below one of the {@link BASES}, `/` for the base itself. */
export function pathBelow(context: Context, base: string): string {
  // Cut off by segments: `base` is a pattern, and the request may have its own percent-encoded.
  return (
    context.req.path
      .split("/")
      .slice(base.split("/").length)
      .map((segment) => `/${segment}`)
      .join("") || "/"
  );
}

/**
 * Refuses a call that does not exist.
 * @returns 405 with the methods of the address.
 * @throws {ControlError} 404 for the address.
 */
export async function noSuchCall(context: Context, base: string): Promise<Response> {
  const path = pathBelow(context, base);
  const methods = addresses
    .filter((row) => (row.only ?? base) === base && patternOf(row).test(path))
    .map((row) => row.method);
  if (methods.length === 0) {
    throw new ControlError(404, "NOT_FOUND", `There is no ${path}${whereElse(path, base)}`, { [UNKNOWN_PATH]: path });
  }
  const allow = [...new Set(methods)].join(", ");
  return refuse(new ControlError(405, "METHOD_NOT_ALLOWED", `${path} takes ${allow}.`), { Allow: allow });
}

/**
 * The end of the sentence about an unknown address: its address at the root if it exists there, or the nearest one
 * here.
 */
function whereElse(path: string, base: string): string {
  const [root] = BASES;
  if (base !== root && addresses.some((row) => row.only === root && patternOf(row).test(path))) {
    return ` of one world in the control interface; it is at the root: ${root}${path}.`;
  }
  const near = nearName(path, pathsLike(path, base));
  return ` in the control interface${asQuestion(near) || "."}`;
}

/** The addresses with as many segments as `path`, whose ids take the places of their parameters. */
function pathsLike(path: string, base: string): string[] {
  const parts = path.split("/").filter(Boolean);
  return addresses
    .filter((row) => (row.only ?? base) === base)
    .map((row) => row.path.split("/").filter(Boolean))
    .filter(({ length }) => length === parts.length)
    .map((names) => `/${names.map((name, at) => (name.startsWith(":") ? parts[at] : name)).join("/")}`);
}

/** TABLE: all calls; `only` marks those that exist at the root only, or at a world's own address only. */
const addresses: readonly { method: string; path: string; only?: (typeof BASES)[number] }[] = [
  ...controlRoutes,
  ...furtherCalls,
].map(({ method, path, rootOnly, worldOnly }: FurtherCall) => {
  return { method, path, ...(rootOnly ? { only: BASES[0] } : worldOnly ? { only: BASES[1] } : {}) };
});
