/** A list of any length of which only the rows in sight are drawn. All rows have one height; keys and clicks select. */
import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import { useChosenRow } from "./chosen-row.ts";
import { type GridModel, useBroughtIntoSight, useKeptPlace, useRowsInSight } from "./grid-sight.ts";
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
export function Grid(props: GridProps) {
  const { label, model, onOpen, onFold, onSeen, headings, className, isOpen, openId = null } = props;
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
  return (
    <div
      ref={box}
      role="grid"
      tabIndex={0}
      class={`grid ${className}`}
      aria-label={label}
      aria-rowcount={model.count + headingRows(headings)}
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
          <Rows {...props} from={from} to={Math.min(to, model.count)} chosen={chosen} onClicked={onClicked} />
        </div>
      </div>
    </div>
  );
}

interface RowsProps extends GridProps {
  readonly from: number;
  readonly to: number;
  /** The key of the selected row. */
  readonly chosen: string | null;
  readonly onClicked: (key: string) => void;
}

/** The rows that are drawn. */
function Rows({ label, model, row, onOpen, headings, isOpen, from, to, chosen, onClicked }: RowsProps) {
  const rows = [];
  for (let index = from; index < to; index++) {
    const key = model.keyAt(index) ?? `row ${index}`;
    const open = () => {
      onClicked(key);
      onOpen(index);
    };
    rows.push(
      <Row
        key={key}
        id={rowId(label, key)}
        position={index + 1 + headingRows(headings)}
        isChosen={key === chosen}
        isOpen={isOpen?.(index) === true}
        onOpen={open}
      >
        {row(index)}
      </Row>,
    );
  }
  return <>{rows}</>;
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

function headingRows(headings: GridProps["headings"]): number {
  return headings ? 1 : 0;
}

function rowId(label: string, key: string): string {
  return `${label} ${key}`.replace(/[^\w-]+/g, "-");
}

function isControl(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("button, a, input") !== null;
}
