/** Finds texts that would keep the YAML parser, and with it every world, busy for long: it is slow, and looks at all. */
import type { TextFault } from "./text-faults.ts";
import { TOO_DEEP } from "./yaml-faults.ts";

/** More than any scenario has, counted without regard to quotes. */
const MOST_OPEN = 1_000;

/** That many values are read in some two seconds. */
const MOST_VALUES = 200_000;

const TOO_MANY = `the file has more than ${MOST_VALUES} values; make several scenarios of it`;

/**
 * Too many brackets that are open, dashes of lists in a row, or values, which are counted by what stands before them.
 * @returns none if the text can be parsed in good time.
 */
export function sizeFaults(text: string): TextFault[] {
  let [open, row, values] = [0, 0, 0];
  for (let at = 0; at < text.length; at++) {
    const sign = text.charAt(at);
    if (sign === "[" || sign === "{") open++;
    else if (sign === "]" || sign === "}") open = Math.max(0, open - 1);
    if ((sign === "-" || sign === "?") && text.charAt(at + 1) === " ") row++;
    else if (sign !== " ") row = 0;
    if (open > MOST_OPEN || row > MOST_OPEN) return [{ offset: at, message: TOO_DEEP }];
    if (sign === "\n" || sign === "," || sign === "[" || sign === "{") values++;
    if (values > MOST_VALUES) return [{ offset: 0, message: TOO_MANY }];
  }
  return [];
}
