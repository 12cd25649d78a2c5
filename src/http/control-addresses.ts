/** Where the calls of the control interface are, and what is said of an address that is none of them. */
import type { Context } from "hono";
import { patternOf } from "../control/call.ts";
import { ControlError } from "../control/errors.ts";
import { type FurtherCall, furtherCalls } from "../control/further-calls.ts";
import { controlRoutes } from "../control/routes.ts";
import { UNKNOWN_PATH } from "../domain/control-refusals.ts";
import { asQuestion, nearName } from "../domain/near-name.ts";
import { refuse } from "./control-answers.ts";

/** The root, and every world's own address. */
export const BASES = ["/_sandbox", "/worlds/:world/_sandbox"] as const;

/** The path of a call below one of the {@link BASES}, `/` for the base itself. */
export function pathBelow(context: Context, base: string): string {
  // By its segments: those of the request may be written with escapes.
  return (
    context.req.path
      .split("/")
      .slice(base.split("/").length)
      .map((segment) => `/${segment}`)
      .join("") || "/"
  );
}

/** Refuses a call that there is none of. @throws {ControlError} 404 for its address; 405 is answered with what may be done there. */
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

/** How the sentence about an unknown address ends: with the root, where it is known, or the nearest here. */
function whereElse(path: string, base: string): string {
  const [root] = BASES;
  if (base !== root && addresses.some((row) => row.only === root && patternOf(row).test(path))) {
    return ` of one world in the control interface; it is at the root: ${root}${path}.`;
  }
  const near = nearName(path, pathsLike(path, base));
  return ` in the control interface${asQuestion(near) || "."}`;
}

/** The addresses of as many parts, with the ids of this one in the places of theirs. */
function pathsLike(path: string, base: string): string[] {
  const parts = path.split("/").filter(Boolean);
  return addresses
    .filter((row) => (row.only ?? base) === base)
    .map((row) => row.path.split("/").filter(Boolean))
    .filter(({ length }) => length === parts.length)
    .map((names) => `/${names.map((name, at) => (name.startsWith(":") ? parts[at] : name)).join("/")}`);
}

/** TABLE: what can be called where; `only` at the root or only at a world's own address. */
const addresses: readonly { method: string; path: string; only?: (typeof BASES)[number] }[] = [
  ...controlRoutes,
  ...furtherCalls,
].map(({ method, path, rootOnly, worldOnly }: FurtherCall) => {
  return { method, path, ...(rootOnly ? { only: BASES[0] } : worldOnly ? { only: BASES[1] } : {}) };
});
