/** Finds the end of a list that can only be read forwards: by doubling the position, then by bisection. */
import type { ReadAfter } from "./read-after.ts";

/**
 * The position of the last item after `from`; `from` itself if there is none.
 * Positions are whole numbers without gaps, as the control interface counts every list.
 */
export async function endOfList(read: ReadAfter<unknown>, from: number, pageSize: number): Promise<number> {
  const page = await read(from, pageSize);
  if (page.next_cursor === null) return from + page.items.length;
  let low = from + page.items.length;
  let step = pageSize * 4;
  while ((await read(low + step, 1)).items.length > 0) {
    low += step;
    step *= 2;
  }
  let high = low + step;
  while (high - low > pageSize) {
    const middle = Math.floor((low + high) / 2);
    if ((await read(middle, 1)).items.length > 0) low = middle;
    else high = middle;
  }
  return low + (await read(low, pageSize)).items.length;
}
