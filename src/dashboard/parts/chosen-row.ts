/** The selected row of a grid, and the keys that select, open and fold. */
import { useRef, useState } from "preact/hooks";
import { useCurrentGrid } from "./current-grid.ts";
import { type GridFrame, type GridModel, showRow } from "./grid-sight.ts";

interface ChosenRow {
  readonly chosen: string | null;
  readonly held: string | null;
}

interface RowActions {
  readonly onOpen: (index: number) => void;
  /** Folds or unfolds the group of a row, if there are groups. */
  readonly onFold: ((index: number, unfold: boolean) => void) | undefined;
}

/** The selected row: its key, `held` too if keys have selected it, and its current index, -1 if none. */
export function useChosenRow(frame: GridFrame, model: GridModel, { onOpen, onFold }: RowActions) {
  const { box, rowPx } = frame;
  const [{ chosen, held }, setChosen] = useState<ChosenRow>({ chosen: null, held: null });
  const choose = (index: number) => {
    const key = model.keyAt(Math.min(Math.max(index, 0), model.count - 1));
    if (key === undefined) return;
    setChosen({ chosen: key, held: key });
    showRow(frame, model.indexOf(key) * rowPx);
  };
  const at = chosen === null ? -1 : model.indexOf(chosen);
  const fromBeside = useRowBeside(frame, model, at);
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
  const onKeyDown = (event: KeyboardEvent) => takeKey(event, box.current, steps);
  return { chosen, held, at, onClicked: (key: string) => setChosen({ chosen: key, held: null }), onKeyDown };
}

/** The row that a step leads to where the selected one has left the list: from between those that were beside it. */
function useRowBeside({ box, rowPx }: GridFrame, model: GridModel, at: number): (step: number) => number {
  const beside = useRef<readonly (string | undefined)[]>([]);
  if (at >= 0) beside.current = [model.keyAt(at - 1), model.keyAt(at + 1)];
  return (step) => {
    const [above = -1, below = -1] = beside.current.map((key) => (key === undefined ? -1 : model.indexOf(key)));
    if (above < 0 && below < 0) return Math.ceil((box.current?.scrollTop ?? 0) / rowPx);
    return (below < 0 ? above + 1 : below) + (step > 0 ? step - 1 : step);
  };
}

/** Does what a key stands for, if the grid itself has the focus. */
function takeKey(event: KeyboardEvent, grid: HTMLElement | null, steps: Readonly<Record<string, () => unknown>>): void {
  if (event.target !== grid || event.ctrlKey || event.metaKey || event.altKey) return;
  const step = steps[event.key];
  if (!step) return;
  event.preventDefault();
  step();
}
