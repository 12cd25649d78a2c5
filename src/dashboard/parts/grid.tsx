/** A list of any length of which only the rows in sight are drawn. Rows are of one height; keys and pointer choose one. */
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { useCurrentGrid } from "./current-grid.ts";
import { rowsInSight, type Sighted, shiftOf } from "./grid-geometry.ts";
import { useNarrow } from "./narrow.ts";

/** What a grid shows. Rows keep their keys when others come before them. */
export interface GridModel {
  readonly count: number;
  keyAt(index: number): string | undefined;
  /** -1 where there is none. @param near where it is likely to be. */
  indexOf(key: string, near?: number): number;
}

interface GridProps {
  readonly label: string;
  readonly model: GridModel;
  readonly row: (index: number) => ComponentChildren;
  readonly onOpen: (index: number) => void;
  /** Folds or unfolds what a row belongs to, where there is such a thing. */
  readonly onFold?: (index: number, unfold: boolean) => void;
  /** Called with the rows in sight, and some around them. */
  readonly onSeen?: (from: number, to: number) => void;
  readonly headings?: readonly string[];
  readonly className: string;
  /** Whether a row is what is open beside the list. */
  readonly isOpen?: (index: number) => boolean;
  /** What is open beside the list: its row is brought into sight once. */
  readonly openId?: string | null;
}

/** As many rows are looked at for the one that is open: those further down have hardly been read yet. */
const MOST_LOOKED_AT = 1_000;

const ROW_PX = { wide: 30, narrow: 54 } as const;

/** Draws what its model shows. What opens, folds or is in sight is told to whoever draws it. */
export function Grid({
  label,
  model,
  row,
  onOpen,
  onFold,
  onSeen,
  headings,
  className,
  isOpen,
  openId = null,
}: GridProps) {
  const rowPx = useNarrow() ? ROW_PX.narrow : ROW_PX.wide;
  const box = useRef<HTMLDivElement>(null);
  const sighted = useRef<Sighted>([]);
  const [[from, to], setRange] = useState<readonly [number, number]>([0, 60]);
  const [chosen, setChosen] = useState<string | null>(null);
  const headPx = headings ? 28 : 0;

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

  // Its row may come later than the grid. Who has scrolled meanwhile, or has no list in sight, is not taken anywhere.
  const broughtId = useRef<string | null>(null);
  useLayoutEffect(() => {
    if (openId === broughtId.current || !box.current?.clientHeight) return;
    if (openId === null || box.current.scrollTop > 0) {
      broughtId.current = openId;
      return;
    }
    const index = firstOf(Math.min(model.count, MOST_LOOKED_AT), (row) => isOpen?.(row) === true);
    if (index < 0) return;
    broughtId.current = openId;
    showRow(box.current, index * rowPx, rowPx, headPx);
  });

  const choose = (index: number) => {
    const key = model.keyAt(Math.min(Math.max(index, 0), model.count - 1));
    if (key === undefined) return;
    setChosen(key);
    if (box.current) showRow(box.current, model.indexOf(key) * rowPx, rowPx, headPx);
  };
  const at = chosen === null ? -1 : model.indexOf(chosen);
  const steer = {
    move: (step: number) => choose(at < 0 ? Math.ceil((box.current?.scrollTop ?? 0) / rowPx) : at + step),
    open: () => {
      if (at >= 0) onOpen(at);
    },
    focus: () => box.current?.focus(),
  };
  useCurrentGrid(steer);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== box.current || event.ctrlKey || event.metaKey || event.altKey) return;
    const page = Math.max(1, Math.floor((box.current?.clientHeight ?? 0) / rowPx) - 1);
    const steps: Record<string, () => unknown> = {
      ArrowDown: () => steer.move(1),
      ArrowUp: () => steer.move(-1),
      PageDown: () => steer.move(page),
      PageUp: () => steer.move(-page),
      Home: () => choose(0),
      End: () => choose(model.count - 1),
      Enter: steer.open,
      // Where nothing can be folded, they scroll.
      ...(onFold && {
        ArrowLeft: () => at >= 0 && onFold(at, false),
        ArrowRight: () => at >= 0 && onFold(at, true),
      }),
    };
    const step = steps[event.key];
    if (!step) return;
    event.preventDefault();
    step();
  };

  const rows = [];
  for (let index = from; index < Math.min(to, model.count); index++) {
    const key = model.keyAt(index) ?? `row ${index}`;
    rows.push(
      // biome-ignore lint/a11y/useKeyWithClickEvents: the grid has the focus, and takes the keys.
      <div
        key={key}
        id={rowId(label, key)}
        role="row"
        class="row"
        aria-rowindex={index + 1 + (headings ? 1 : 0)}
        aria-selected={key === chosen ? "true" : "false"}
        data-open={isOpen?.(index) ? "" : undefined}
        onClick={(event) => {
          if (isControl(event.target)) return;
          setChosen(key);
          onOpen(index);
        }}
      >
        {row(index)}
      </div>,
    );
  }
  return (
    <div
      ref={box}
      role="grid"
      tabIndex={0}
      class={`grid ${className}`}
      aria-label={label}
      aria-rowcount={model.count + (headings ? 1 : 0)}
      aria-activedescendant={at >= from && at < to && chosen !== null ? rowId(label, chosen) : undefined}
      onScroll={look}
      onKeyDown={onKeyDown}
    >
      {headings && (
        <div role="row" class="row headings" aria-rowindex={1}>
          {headings.map((heading) => (
            <span role="columnheader" key={heading}>
              {heading || <span class="unseen">actions</span>}
            </span>
          ))}
        </div>
      )}
      <div role="rowgroup" class="rows" style={{ height: `${model.count * rowPx}px` }}>
        <div role="presentation" class="in-sight" style={{ transform: `translateY(${from * rowPx}px)` }}>
          {rows}
        </div>
      </div>
    </div>
  );
}

/** The first index below a count that passes; -1 for none. */
function firstOf(count: number, test: (index: number) => boolean): number {
  for (let index = 0; index < count; index++) if (test(index)) return index;
  return -1;
}

function rowId(label: string, key: string): string {
  return `${label} ${key}`.replace(/[^\w-]+/g, "-");
}

function isControl(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("button, a, input") !== null;
}

function showRow(box: HTMLElement, topPx: number, rowPx: number, headPx: number): void {
  const heightPx = box.clientHeight - headPx;
  if (topPx < box.scrollTop) box.scrollTop = topPx;
  else if (topPx + rowPx > box.scrollTop + heightPx) box.scrollTop = topPx + rowPx - heightPx;
}
