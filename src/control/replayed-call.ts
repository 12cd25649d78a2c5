/** Makes a control call of a bundle again. */
import type { InputOf } from "../history/bundle.ts";
import type { LiveWorld } from "../host/live-world.ts";
import { type ControlCall, paramsOf } from "./call.ts";
import { controlRoutes } from "./routes.ts";

/**
 * Makes a control call again. What it does to the world is done when this returns; what it would wait for is not
 * awaited. It reaches nothing but its world, whatever a bundle says.
 * @throws {Error} if there is no such call any more, it is refused, or it changes nothing.
 */
export function playControl(live: LiveWorld, { method, path, file, sources }: InputOf<"control">, body: unknown): void {
  const found = routeOf(method, path);
  if (!found) throw new Error(`there is no call ${method} ${path} in this version`);
  const { route, params } = found;
  const call: ControlCall = {
    get sandbox(): never {
      throw new Error(`the call ${method} ${path} is not about one world alone`);
    },
    live,
    again: { sources },
    method,
    path,
    params,
    query: new URLSearchParams(),
    body,
    document: null,
    file,
    root: "http://replay",
    replay: () => Promise.reject(new Error("A replay makes no worlds.")),
  };
  const before = live.world.operations;
  try {
    const result = route.handle(call);
    // The answer does not matter, and may never come: a replay sends nothing that it could wait for.
    if (result instanceof Promise) result.catch(() => {});
  } catch (error) {
    // A refusal after its operation does not matter either.
    if (live.world.operations === before) throw error;
  }
  if (live.world.operations === before) throw new Error(`the call ${method} ${path} changed nothing`);
}

function routeOf(method: string, path: string) {
  for (const route of controlRoutes) {
    const params = route.method === method ? paramsOf(route, path) : null;
    if (params) return { route, params };
  }
  return null;
}
