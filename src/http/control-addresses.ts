/** The addresses of the control interface, and the refusal of calls to any other. */
import type { Context } from "hono";
import { patternOf } from "../control/call.ts";
import { ControlError } from "../control/errors.ts";
import { type FurtherCall, furtherCalls } from "../control/further-calls.ts";
import { controlRoutes } from "../control/routes.ts";
import { UNKNOWN_PATH } from "../domain/control-refusals.ts";
import type { LifecycleName } from "../domain/lifecycles.ts";
import { asQuestion, nearName } from "../domain/words/near-name.ts";
import { resourceActions } from "../service/actions.ts";
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
  const here = addresses.filter((row) => (row.only ?? base) === base);
  const methods = here.filter((row) => patternOf(row).test(path)).map((row) => row.method);
  if (methods.length === 0) {
    // An action is suggested only to a call with its method: a GET does not mean one.
    const meant = here.filter((row) => !row.isAction || row.method === context.req.method);
    const message = `There is no ${path}${whereElse(path, meant)}`;
    throw new ControlError(404, "NOT_FOUND", message, { [UNKNOWN_PATH]: path });
  }
  const allow = [...new Set(methods)].join(", ");
  return refuse(new ControlError(405, "METHOD_NOT_ALLOWED", `${path} takes ${allow}.`), { Allow: allow });
}

/**
 * The end of the sentence about an unknown address: its address at the root if it exists there, or the nearest one
 * here.
 */
function whereElse(path: string, here: readonly Address[]): string {
  const [root] = BASES;
  if (addresses.some((row) => row.only === root && patternOf(row).test(path))) {
    return ` of one world in the control interface; it is at the root: ${root}${path}.`;
  }
  const near = nearName(path, pathsLike(path, here));
  return ` in the control interface${asQuestion(near) || "."}`;
}

/** The addresses that `path` may have been meant to be: those like it in all but ids, with its ids in their places. */
function pathsLike(path: string, here: readonly Address[]): string[] {
  const parts = path.split("/").filter(Boolean);
  return here
    .map((row) => row.path.split("/").filter(Boolean))
    .filter((names) => names.length === parts.length && areLike(parts, names))
    .map((names) => `/${names.map((name, at) => (name.startsWith(":") ? parts[at] : name)).join("/")}`);
}

function areLike(parts: readonly string[], names: readonly string[]): boolean {
  const [given, fixed] = [parts, names].map((all) => all.filter((_, at) => !names[at]?.startsWith(":")).join("/"));
  return nearName(given ?? "", [fixed ?? ""]) !== null;
}

/** A call, or an action of some kind of resource; `only` is the one base at which it exists. */
interface Address {
  readonly method: string;
  readonly path: string;
  readonly only?: (typeof BASES)[number];
  readonly isAction: boolean;
}

/** TABLE: all calls; that of actions has a row for each of them. */
const addresses: readonly Address[] = [...controlRoutes, ...furtherCalls].flatMap(
  ({ method, path, actionsOf, rootOnly, worldOnly }: FurtherCall) => {
    const only = rootOnly ? { only: BASES[0] } : worldOnly ? { only: BASES[1] } : {};
    const paths = actionsOf ? actionPaths(path, actionsOf) : [path];
    return paths.map((own) => ({ method, path: own, isAction: actionsOf !== undefined, ...only }));
  },
);

function actionPaths(path: string, lifecycles: readonly LifecycleName[]): string[] {
  const names = lifecycles.flatMap((lifecycle) => Object.keys(resourceActions[lifecycle]));
  return [...new Set(names)].map((name) => path.replace(":action", name));
}
