/** What of a grid is in sight: which rows, and what is done to bring one there. */
import type { RefObject } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { rowsInSight, type Sighted, shiftOf } from "./grid-geometry.ts";

/** What a grid shows. Rows keep their keys when others come before them. */
export interface GridModel {
  readonly count: number;
  keyAt(index: number): string | undefined;
  /** -1 where there is none. @param near where it is likely to be. */
  indexOf(key: string, near?: number): number;
}

/** The box that a grid scrolls in, with the heights of a row and of the headings. */
export interface GridFrame {
  readonly box: RefObject<HTMLDivElement | null>;
  readonly rowPx: number;
  readonly headPx: number;
}

/** As many rows are looked at for the one that is open: those further down have hardly been read yet. */
const MOST_LOOKED_AT = 1_000;

/**
 * The rows to draw, from the first to the one before the last.
 * @param onSeen called with them. @returns also what is to be called when the box has been scrolled.
 */
export function useRowsInSight(
  { box, rowPx, headPx }: GridFrame,
  model: GridModel,
  onSeen: ((from: number, to: number) => void) | undefined,
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
  // What comes before the rows in sight must not push them away; at the top, what is new comes into sight.
  useLayoutEffect(() => {
    const shift = shiftOf(sighted.current, model);
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
 * Brings the row of what is open beside the list into sight, once. It may come later than the grid. Who has scrolled
 * meanwhile, or has no list in sight, is not taken anywhere.
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

/** Where each list was left, by its name. */
const left = new Map<string, number>();

/**
 * Takes a list that is gone back to to where it was left, unless it is gone to for what is open beside it.
 * @returns what is to be called when the box has been scrolled.
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

/** Scrolls as far as a row needs to be in sight. */
export function showRow({ box: { current: box }, rowPx, headPx }: GridFrame, topPx: number): void {
  if (!box) return;
  const heightPx = box.clientHeight - headPx;
  if (topPx < box.scrollTop) box.scrollTop = topPx;
  else if (topPx + rowPx > box.scrollTop + heightPx) box.scrollTop = topPx + rowPx - heightPx;
}

/** The first index below a count that passes; -1 for none. */
function firstOf(count: number, test: (index: number) => boolean): number {
  for (let index = 0; index < count; index++) if (test(index)) return index;
  return -1;
}
