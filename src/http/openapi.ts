/** The addresses of the OpenAPI document, whose modules are imported at the first request. */
import type { Context, Hono } from "hono";
import { DEFAULT_WORLD, type Sandbox } from "../host/sandbox.ts";
import type { AppOptions } from "./app-options.ts";
import { forOwnHosts } from "./guard.ts";
import { publicOrigin } from "./public-origin.ts";
import { jsonAnswer } from "./quick-response.ts";
import { refuseOtherMethods } from "./refusal.ts";

/** Mounts `/openapi.json` and `/worlds/{world}/openapi.json`. */
export function mountOpenApi(app: Hono, sandbox: Sandbox, options: AppOptions): void {
  const { version } = options;
  for (const [base, world] of [
    ["", DEFAULT_WORLD],
    ["/worlds/:world", undefined],
  ] as const) {
    const liveOf = (context: Context) => sandbox.get(world ?? context.req.param("world") ?? "");
    const show = async (context: Context) => {
      const live = liveOf(context);
      if (!live) return context.notFound();
      const { openApiDocument } = await import("./document/service-document.ts");
      const baseUrl = publicOrigin(context, options) + context.req.path.slice(0, -"/openapi.json".length);
      const hasLegacyEvents = live.world.settings.legacy_refund_events;
      return jsonAnswer(openApiDocument({ version, baseUrl, hasLegacyEvents }));
    };
    app
      .get(`${base}/openapi.json`, forOwnHosts(options, show))
      .all(`${base}/openapi.json`, (context) => (liveOf(context) ? refuseOtherMethods() : context.notFound()));
  }
}
