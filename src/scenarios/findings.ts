/** Problems that checks beyond the schema find in a scenario. */
import type { z } from "zod";
import type { Path } from "../domain/path.ts";

/** A problem at a path. */
export interface FindingAt {
  readonly path: Path;
  readonly message: string;
}

/** A problem at a path, or at a key of the object there. */
export interface FindingAtKey extends FindingAt {
  readonly key?: string;
}

/** Such a problem, or the issue of a schema whose value is `depth` parts deep. */
export type Finding =
  | FindingAtKey
  | { readonly issue: z.core.$ZodIssue; readonly schema: z.ZodType; readonly depth: number };
