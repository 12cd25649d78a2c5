/** A list of any length of which only the rows in sight are drawn. All rows have one height; keys and clicks select. */
import type { ComponentChildren } from "preact";
import { useRef, useState } from "preact/hooks";
import { useCurrentGrid } from "./current-grid.ts";
import {
  type GridFrame,
  type GridModel,
  showRow,
  useBroughtIntoSight,
  useKeptPlace,
  useRowsInSight,
} from "./grid-sight.ts";
import { useNarrow, usePrinting } from "./media.ts";

interface GridProps {
  readonly label: string;
  readonly model: GridModel;
  readonly row: (index: number) => ComponentChildren;
  readonly onOpen: (index: number) => void;
  /** Folds or unfolds the group of a row, if there are groups. */
  readonly onFold?: (index: number, unfold: boolean) => void;
  /** Called with the range of rows in sight, and some around them. */
  readonly onSeen?: (from: number, to: number) => void;
  readonly headings?: readonly string[];
  readonly className: string;
  /** Whether a row is that of the open detail. */
  readonly isOpen?: (index: number) => boolean;
  /** The id of the open detail; its row is scrolled to once. */
  readonly openId?: string | null;
}

const ROW_PX = { wide: 30, narrow: 54 } as const;
const HEADINGS_PX = 28;

/** How many rows are drawn for printing. */
const MOST_PRINTED = 1_000;

/** Draws the rows of its model; opening, folding and the rows in sight are reported to the caller. */
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
  const frame = { box, rowPx, headPx: headings ? HEADINGS_PX : 0 };
  const { chosen, held, at, onClicked, onKeyDown } = useChosenRow(frame, model, { onOpen, onFold });
  const inSight = useRowsInSight(frame, model, onSeen, held);
  const { look } = inSight;
  const printing = usePrinting();
  const { from, to } = printing ? { from: 0, to: MOST_PRINTED } : inSight;
  const keepPlace = useKeptPlace(frame, label, model.count, openId);
  useBroughtIntoSight(frame, model.count, openId, isOpen);
  const before = headings ? 1 : 0;
  const rows = [];
  for (let index = from; index < Math.min(to, model.count); index++) {
    const key = model.keyAt(index) ?? `row ${index}`;
    const open = () => {
      onClicked(key);
      onOpen(index);
    };
    rows.push(
      <Row
        key={key}
        id={rowId(label, key)}
        position={index + 1 + before}
        isChosen={key === chosen}
        isOpen={isOpen?.(index) === true}
        onOpen={open}
      >
        {row(index)}
      </Row>,
    );
  }
  return (
    <div
      ref={box}
      role="grid"
      tabIndex={0}
      class={`grid ${className}`}
      aria-label={label}
      aria-rowcount={model.count + before}
      aria-activedescendant={at >= from && at < to && chosen !== null ? rowId(label, chosen) : undefined}
      onScroll={() => {
        keepPlace();
        look();
      }}
      onKeyDown={onKeyDown}
    >
      {headings && <Headings of={headings} />}
      <div role="rowgroup" class="rows" style={{ height: printing ? "auto" : `${model.count * rowPx}px` }}>
        <div role="presentation" class="in-sight" style={{ transform: `translateY(${from * rowPx}px)` }}>
          {rows}
        </div>
      </div>
    </div>
  );
}

interface ChosenRow {
  readonly chosen: string | null;
  readonly held: string | null;
}

/** The selected row: its key, `held` too if keys have selected it, and its current index, -1 if none. */
function useChosenRow(
  frame: GridFrame,
  model: GridModel,
  { onOpen, onFold }: { readonly onOpen: GridProps["onOpen"]; readonly onFold: GridProps["onFold"] | undefined },
) {
  const { box, rowPx } = frame;
  const [{ chosen, held }, setChosen] = useState<ChosenRow>({ chosen: null, held: null });
  const choose = (index: number) => {
    const key = model.keyAt(Math.min(Math.max(index, 0), model.count - 1));
    if (key === undefined) return;
    setChosen({ chosen: key, held: key });
    showRow(frame, model.indexOf(key) * rowPx);
  };
  const at = chosen === null ? -1 : model.indexOf(chosen);
  const beside = useRef<readonly (string | undefined)[]>([]);
  if (at >= 0) beside.current = [model.keyAt(at - 1), model.keyAt(at + 1)];
  /** The row that a step leads to where the selected one has left the list: from between those that were beside it. */
  const fromBeside = (step: number) => {
    const [above = -1, below = -1] = beside.current.map((key) => (key === undefined ? -1 : model.indexOf(key)));
    if (above < 0 && below < 0) return Math.ceil((box.current?.scrollTop ?? 0) / rowPx);
    return (below < 0 ? above + 1 : below) + (step > 0 ? step - 1 : step);
  };
  const steer = {
    move: (step: number) => choose(at < 0 ? fromBeside(step) : at + step),
    open: () => {
      if (at >= 0) onOpen(at);
    },
    focus: () => box.current?.focus(),
  };
  useCurrentGrid(steer);
  const page = () => Math.max(1, Math.floor((box.current?.clientHeight ?? 0) / rowPx) - 1);
  const steps: Record<string, () => unknown> = {
    ArrowDown: () => steer.move(1),
    ArrowUp: () => steer.move(-1),
    PageDown: () => steer.move(page()),
    PageUp: () => steer.move(-page()),
    Home: () => choose(0),
    End: () => choose(model.count - 1),
    Enter: steer.open,
    // If nothing can be folded, these keys scroll.
    ...(onFold && {
      ArrowLeft: () => at >= 0 && onFold(at, false),
      ArrowRight: () => at >= 0 && onFold(at, true),
    }),
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== box.current || event.ctrlKey || event.metaKey || event.altKey) return;
    const step = steps[event.key];
    if (!step) return;
    event.preventDefault();
    step();
  };
  return { chosen, held, at, onClicked: (key: string) => setChosen({ chosen: key, held: null }), onKeyDown };
}

interface RowProps {
  readonly id: string;
  /** Counted from 1, headings included. */
  readonly position: number;
  readonly isChosen: boolean;
  readonly isOpen: boolean;
  readonly onOpen: () => void;
  readonly children: ComponentChildren;
}

function Row({ id, position, isChosen, isOpen, onOpen, children }: RowProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the grid has the focus, and takes the keys.
    <div
      id={id}
      role="row"
      class="row"
      aria-rowindex={position}
      aria-selected={isChosen ? "true" : "false"}
      data-open={isOpen ? "" : undefined}
      onClick={(event) => {
        if (!isControl(event.target)) onOpen();
      }}
    >
      {children}
    </div>
  );
}

function Headings({ of }: { of: readonly string[] }) {
  return (
    <div role="row" class="row headings" aria-rowindex={1}>
      {of.map((heading) => (
        <span role="columnheader" key={heading}>
          {heading || <span class="unseen">actions</span>}
        </span>
      ))}
    </div>
  );
}

function rowId(label: string, key: string): string {
  return `${label} ${key}`.replace(/[^\w-]+/g, "-");
}

function isControl(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("button, a, input") !== null;
}
