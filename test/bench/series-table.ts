/** The table behind figures per second: what each contestant did, and what held it down. */
import { ratio, whole } from "./figures.ts";
import type { Figure, Table } from "./results.ts";
import { helperBusy, middle, ownCore, perCpuSecond, perSecond, type Series } from "./turns.ts";

/** A program beside the measured one that is busy for more of its time than this is what holds a figure down. */
const HELPER_IS_BUSY = 0.9;

const isHeldDown = (series: Series) => middle(series, helperBusy) > HELPER_IS_BUSY;

/** @param helper what runs on the other core: "load", "receiver"; null where nothing does. */
export function seriesTable(title: string, helper: string | null, series: readonly Series[]): Table {
  const rows = series.map((each) => [
    each.name,
    (isHeldDown(each) ? "at least " : "") + whole(middle(each, perSecond)),
    whole(middle(each, perCpuSecond)),
    ratio(middle(each, ownCore)),
    ...(helper === null ? [] : [ratio(middle(each, helperBusy))]),
  ]);
  const others = helper === null ? [] : [`${helper}'s own core`];
  return { title, head: ["", "per second", "per CPU second", "own core", ...others], rows };
}

/** Says with a figure that one of its two contestants was held down by the program beside it. */
export function noted(figure: Figure, helper: string, ...series: readonly Series[]): Figure {
  const held = series.filter(isHeldDown).map(({ name }) => name);
  return held.length > 0 ? { ...figure, note: `${helper} held down ${held.join(" and ")}` } : figure;
}

/** A server under more load than it can take that has less of its core than this shares it with other work. */
const CORE_IS_ITS_OWN = 0.8;

/** Says with a figure in real time that other work of the machine slowed down one of its two contestants. */
export function notedIfShared(figure: Figure, ...series: readonly Series[]): Figure {
  const shared = series.filter((each) => middle(each, ownCore) < CORE_IS_ITS_OWN).map(({ name }) => name);
  return shared.length > 0 ? { ...figure, note: `the core was shared: ${shared.join(" and ")}` } : figure;
}
