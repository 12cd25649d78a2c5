import { oneLine } from "../../domain/words/visible.ts";
import type { TimelineEntry } from "../run.ts";

/** The end of a timeline's line that names its resource; empty where there is nothing to name, or the text does. */
export function mark({ about, subject, text }: TimelineEntry): string {
  const isTold = about === undefined || (about === subject && text.includes(about));
  return isTold ? "" : ` [${oneLine(about)}]`;
}
