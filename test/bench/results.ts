/** What measures find, and what that is worth beside the targets. */
import { whole } from "./figures.ts";
import { type Target, type TargetId, targets } from "./targets.ts";
import { cpuOf, middle, perCpuSecond, perSecond, type Reading, ratioOf, type Series } from "./turns.ts";

/** How much is measured. */
export interface Scale {
  /** Transactions that are there already. */
  readonly transactions: number;
  /** Timers that wait behind those that run. */
  readonly pending: number;
}

/** A figure for a row of the targets; NaN where the system does not tell it. */
export interface Figure {
  readonly id: TargetId;
  /** In the unit of its row. */
  readonly value: number;
  readonly yardstick?: number;
  /** Of value to yardstick, round by round, in real time; the median. */
  readonly ratio?: number | null;
  /** The same in processor time of the programs that are measured: other work of the machine does not count there. */
  readonly cpuRatio?: number | null;
  /** What held the figure down, or up, that is not of the sandbox. */
  readonly note?: string;
}

/** A table of the terminal. */
export interface Table {
  readonly title: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** What a measure found. */
export interface Measured {
  readonly figures: readonly Figure[];
  /** What lies behind the figures, for people. */
  readonly tables: readonly Table[];
}

/** A figure beside what it is to be. */
export interface Row extends Figure {
  readonly what: string;
  readonly unit: Target["unit"];
  readonly yardstickName: string | null;
  /** What is held against the bound: the figure, or the less favourable of its ratios. */
  readonly judged: number;
  readonly target: string;
  /** Null where the system does not tell enough. */
  readonly met: boolean | null;
}

/** Judges a figure. */
export function judge(figure: Figure, scale: Scale): Row {
  const { what, unit, yardstick, judged, bound }: Target = targets[figure.id];
  const ratios = [figure.ratio, figure.cpuRatio].filter((ratio) => typeof ratio === "number");
  const wantsMuch = "atLeast" in bound;
  const worst = wantsMuch ? Math.min : Math.max;
  const value = judged === "value" ? figure.value : ratios.length > 0 ? worst(...ratios) : Number.NaN;
  const limit = wantsMuch ? bound.atLeast : bound.atMost;
  return {
    ...figure,
    what: what.replace("{transactions}", whole(scale.transactions)).replace("{pending}", whole(scale.pending)),
    unit,
    yardstickName: yardstick,
    judged: value,
    target: `${wantsMuch ? "≥" : "≤"} ${limit}${judged === "value" && unit ? ` ${unit}` : ""}`,
    met: Number.isNaN(value) ? null : wantsMuch ? value >= limit : value <= limit,
  };
}

/**
 * A figure of what is done per second, beside a yardstick.
 * @param waits whether both wait for others most of the time: processor time says nothing about them.
 */
export function rateFigure(id: TargetId, of: Series, to: Series, waits = false): Figure {
  return {
    id,
    value: middle(of, perSecond),
    yardstick: middle(to, perSecond),
    ratio: ratioOf(of, to, perSecond),
    ...(waits ? {} : { cpuRatio: ratioOf(of, to, perCpuSecond) }),
  };
}

/** A figure of how long something takes, beside a yardstick, in milliseconds. @param inMs reads it from a turn. */
export function timeFigure(id: TargetId, of: Series, to: Series, inMs: Reading, hasCpu: boolean): Figure {
  return {
    id,
    value: middle(of, inMs),
    yardstick: middle(to, inMs),
    ratio: ratioOf(of, to, inMs),
    ...(hasCpu ? { cpuRatio: ratioOf(of, to, cpuOf) } : {}),
  };
}
