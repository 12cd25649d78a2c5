/** Which rows of a grid are in sight, and how to bring one there. */
import type { RefObject } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { rowsInSight, type Sighted, shiftOf } from "./grid-geometry.ts";

/** The rows of a grid. Rows keep their keys when others are inserted before them. */
export interface GridModel {
  readonly count: number;
  keyAt(index: number): string | undefined;
  /** -1 if there is none. @param near an index near which it probably is. */
  indexOf(key: string, near?: number): number;
}

/** The box that a grid scrolls in, with the heights of a row and of the headings. */
export interface GridFrame {
  readonly box: RefObject<HTMLDivElement | null>;
  readonly rowPx: number;
  readonly headPx: number;
}

/** How many rows are searched for the open one: those further down have hardly been read yet. */
const MOST_LOOKED_AT = 1_000;

/**
 * The rows to draw, from the first to the one before the last.
 * @param onSeen called with these rows. @param heldKey the row that keys have chosen, which is not lost from sight.
 * @returns also the handler for scrolling of the box.
 */
export function useRowsInSight(
  { box, rowPx, headPx }: GridFrame,
  model: GridModel,
  onSeen: ((from: number, to: number) => void) | undefined,
  heldKey: string | null,
): { from: number; to: number; look: () => void } {
  const sighted = useRef<Sighted>([]);
  const [[from, to], setRange] = useState<readonly [number, number]>([0, 60]);
  const look = () => {
    if (!box.current) return;
    const next = rowsInSight(box.current.scrollTop - headPx, box.current.clientHeight, rowPx, model.count);
    if (next[0] !== from || next[1] !== to) setRange(next);
    sighted.current = [];
    for (let index = next[0]; index < next[1]; index++) {
      const key = model.keyAt(index);
      if (key !== undefined) sighted.current.push({ key, index });
    }
  };
  // New rows above must not push away the rows in sight; at the top, they come into sight.
  useLayoutEffect(() => {
    const shift = shiftOf(sighted.current, model, heldKey);
    if (box.current && box.current.scrollTop > rowPx && shift !== 0) box.current.scrollTop += shift * rowPx;
    look();
  });
  useLayoutEffect(() => onSeen?.(from, to), [from, to, model.count, onSeen]);
  const latestLook = useRef(look);
  latestLook.current = look;
  useLayoutEffect(() => {
    const observer = new ResizeObserver(() => latestLook.current());
    if (box.current) observer.observe(box.current);
    return () => observer.disconnect();
  }, []);
  return { from, to, look };
}

/**
 * Scrolls once to the row of the open detail, which may come later than the grid. It does not if the user has scrolled
 * meanwhile, or no list is in sight.
 */
export function useBroughtIntoSight(
  frame: GridFrame,
  count: number,
  openId: string | null,
  isOpen: ((index: number) => boolean) | undefined,
): void {
  const { box, rowPx } = frame;
  const broughtId = useRef<string | null>(null);
  useLayoutEffect(() => {
    if (openId === broughtId.current || !box.current?.clientHeight) return;
    if (openId === null || box.current.scrollTop > 0) {
      broughtId.current = openId;
      return;
    }
    const index = firstOf(Math.min(count, MOST_LOOKED_AT), (row) => isOpen?.(row) === true);
    if (index < 0) return;
    broughtId.current = openId;
    showRow(frame, index * rowPx);
  });
}

/** The scroll position at which each list was left, by the list's name. */
const left = new Map<string, number>();

/**
 * Restores the scroll position of a list, unless it is opened with a detail beside it.
 * @returns the handler for scrolling of the box.
 */
export function useKeptPlace({ box }: GridFrame, name: string, count: number, openId: string | null): () => void {
  const isTaken = useRef(false);
  useLayoutEffect(() => {
    if (isTaken.current || count === 0 || !box.current?.clientHeight) return;
    isTaken.current = true;
    const top = left.get(name);
    if (top && openId === null) box.current.scrollTop = top;
  });
  return () => {
    if (isTaken.current && box.current) left.set(name, box.current.scrollTop);
  };
}

/** Scrolls just as far as needed to show a row. */
export function showRow({ box: { current: box }, rowPx, headPx }: GridFrame, topPx: number): void {
  if (!box) return;
  const heightPx = box.clientHeight - headPx;
  if (topPx < box.scrollTop) box.scrollTop = topPx;
  else if (topPx + rowPx > box.scrollTop + heightPx) box.scrollTop = topPx + rowPx - heightPx;
}

/** The first index below `count` that passes; -1 if none does. */
function firstOf(count: number, test: (index: number) => boolean): number {
  for (let index = 0; index < count; index++) if (test(index)) return index;
  return -1;
}
