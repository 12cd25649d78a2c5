/** The report of a run: what goes into the JSON, and how it is shown. */
import { availableParallelism, cpus, loadavg, release, totalmem, type } from "node:os";
import { describeCores } from "./cores.ts";
import { ratio, table, whole } from "./figures.ts";
import type { Row, Scale, Table } from "./results.ts";

/** All of a run, as it is written. */
export interface Report {
  /** Of its beginning, ISO 8601. */
  readonly date: string;
  /** How long it took. */
  readonly seconds: number;
  readonly machine: {
    readonly cpu: string;
    readonly cores: number;
    readonly memoryGb: number;
    readonly os: string;
    readonly node: string;
    /** Load average of the minute before: what else the machine had to do. */
    readonly loadBefore: number;
    /** Which core ran what. */
    readonly places: string;
  };
  readonly scale: Scale;
  readonly rows: readonly Row[];
  readonly tables: readonly Table[];
}

/** The machine that this runs on. */
export function thisMachine(): Report["machine"] {
  return {
    cpu: cpus()[0]?.model.trim() ?? "unknown",
    cores: availableParallelism(),
    memoryGb: Math.round(totalmem() / 1e9),
    os: `${type()} ${release().split("-")[0]}`,
    node: process.versions.node,
    loadBefore: loadavg()[0] ?? 0,
    places: describeCores(),
  };
}

/** `AMD EPYC, 2 cores, 25 GB, Linux 6.12, Node 24.21.0`. */
export function machineLine({ machine }: Pick<Report, "machine">): string {
  const { cpu, cores, memoryGb, os, node } = machine;
  return `${cpu}, ${cores} core${cores === 1 ? "" : "s"}, ${memoryGb} GB, ${os}, Node ${node}`;
}

/** A machine with more to do than this is not quiet; a build just before counts for about so much. */
const QUIET_LOAD = 0.7;

/** What is to be said of a machine that had other work; empty of a quiet one. */
export function busyLine({ machine }: Pick<Report, "machine">): string {
  if (machine.loadBefore <= QUIET_LOAD) return "";
  return `The machine had other work (load average ${ratio(machine.loadBefore)}): trust ratios more than figures.`;
}

/** The columns of the table that rows are shown in. */
export const HEAD = ["what", "measured", "yardstick", "ratio", "target", "verdict"] as const;

/** A row as its columns. */
export function cellsOf(row: Row): readonly string[] {
  const { yardstickName, yardstick, unit, note } = row;
  return [
    row.what + (note === undefined ? "" : ` (${note})`),
    amount(row.value, unit),
    yardstickName === null ? "" : `${yardstickName} ${amount(yardstick ?? Number.NaN, unit)}`,
    isCompared(row) ? ratio(row.judged) : "",
    row.target,
    row.met === null ? "not told here" : row.met ? "met" : "not met",
  ];
}

const isCompared = ({ ratio, cpuRatio }: Row) => ratio !== undefined || cpuRatio !== undefined;

function amount(value: number, unit: Row["unit"]): string {
  const text = value >= 100 || Number.isInteger(value) ? whole(value) : ratio(value);
  return unit === "/s" ? `${text}/s` : unit === "" ? text : `${text} ${unit}`;
}

/** What a ratio is. */
export const RATIO_NOTE =
  "A ratio is the median of rounds in which both took turns, in real time or, where that is less favourable, in " +
  "processor time of what is measured.";

/** The whole report for a terminal. */
export function reportText(report: Report): string {
  const rows = report.rows.map((row) => cellsOf(row).map((cell) => cell.replaceAll("`", "")));
  return [
    ...(rows.length > 0 ? [table(`Speed: ${machineLine(report)}`, HEAD, rows)] : []),
    `${[RATIO_NOTE, busyLine(report)].filter(Boolean).join("\n")}\n`,
    `The whole run took ${Math.round(report.seconds)} s.\n`,
  ].join("");
}
