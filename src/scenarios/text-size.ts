/** Finds texts that would keep the YAML parser, and with it every world, busy for long: it is slow, and looks at all. */
import type { TextFault } from "./text-faults.ts";

/** That many are read in some two seconds. */
const MOST_VALUES = 200_000;

/** A comment, or what stands before a value; quotes are not regarded. */
const COMMENTS_AND_VALUES = /^[ \t]*#[^\n]*\n?|[[{,\n]|[-?](?=[ \t])/gm;

/** More lines and values than can be read in good time, counted without those in comments; none if there are not. */
export function sizeFaults(text: string): TextFault[] {
  let values = 0;
  for (const [found] of text.matchAll(COMMENTS_AND_VALUES)) {
    if (!found.trimStart().startsWith("#")) values++;
    if (values <= MOST_VALUES) continue;
    const message = `the file has more than ${MOST_VALUES} lines and values; make several scenarios of it`;
    return [{ offset: 0, message }];
  }
  return [];
}
