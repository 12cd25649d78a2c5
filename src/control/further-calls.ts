/**
 * TABLE: the calls that the HTTP side carries out itself: those about no world, about one that may not exist yet, about
 * the interface itself, or that never end.
 */
import { type ControlShape, streamQuery } from "./call.ts";
import { worldInput } from "./world-routes.ts";

/** Such a call; `worldOnly` if it exists only at a world's own address. */
export interface FurtherCall extends ControlShape {
  readonly worldOnly?: boolean;
}

/** TABLE: these calls; they have no `handle`, and the document of the interface lists them after the others. */
export const furtherCalls: readonly FurtherCall[] = [
  { method: "GET", path: "/health", operationId: "getHealth", answer: "Health" },
  { method: "GET", path: "/openapi.json", operationId: "getOpenApi", answer: "OpenApi" },
  { method: "GET", path: "/journal/stream", operationId: "streamJournal", query: streamQuery, answer: "JournalStream" },
  {
    method: "PUT",
    path: "/",
    operationId: "putWorld",
    input: worldInput,
    answer: "CreatedWorld",
    statuses: [200, 201],
    worldOnly: true,
  },
];
