/** TABLE: what is measured, what it is held against, and what it is to reach. */

/** What is held against a bound: the ratio to the yardstick, or the figure itself. */
type Judged = "ratio" | "value";

/** A row of the table. */
export interface Target {
  readonly what: string;
  readonly unit: "/s" | "ms" | "MB" | "KB" | "%" | "";
  /** What it is compared with; null where the figure stands alone. */
  readonly yardstick: string | null;
  readonly judged: Judged;
  readonly bound: { readonly atLeast: number } | { readonly atMost: number };
}

export const targets = {
  "cashin-memory": {
    what: "cash-in, in memory",
    ...{ unit: "/s", yardstick: "constant", judged: "ratio", bound: { atLeast: 0.3 } },
  },
  "cashin-data": {
    what: "cash-in with `--data`",
    ...{ unit: "/s", yardstick: "constant", judged: "ratio", bound: { atLeast: 0.3 } },
  },
  "cashin-p99": {
    what: "cash-in, 99 of 100 answered within",
    ...{ unit: "ms", yardstick: "constant", judged: "ratio", bound: { atMost: 4 } },
  },
  balance: {
    what: "balance",
    ...{ unit: "/s", yardstick: "constant", judged: "ratio", bound: { atLeast: 0.6 } },
  },
  "cashin-filled": {
    what: "cash-in with {transactions} transactions already there",
    ...{ unit: "/s", yardstick: "none there", judged: "ratio", bound: { atLeast: 0.9 } },
  },
  "list-first": {
    what: "list of transactions, page 1 of {transactions}",
    ...{ unit: "/s", yardstick: "constant", judged: "ratio", bound: { atLeast: 0.3 } },
  },
  "list-far": {
    what: "list of transactions, page 10 000",
    ...{ unit: "/s", yardstick: "page 1", judged: "ratio", bound: { atLeast: 1 / 20 } },
  },
  timers: {
    what: "timers in an advance, each a paid charge",
    ...{ unit: "/s", yardstick: "sqlite", judged: "ratio", bound: { atLeast: 0.25 } },
  },
  "timers-pending": {
    what: "the same with {pending} timers pending",
    ...{ unit: "/s", yardstick: "few pending", judged: "ratio", bound: { atLeast: 0.8 } },
  },
  "webhooks-sequential": {
    what: "webhooks in an advance, one after another",
    ...{ unit: "/s", yardstick: "undici", judged: "ratio", bound: { atLeast: 0.4 } },
  },
  "webhooks-16": {
    what: "webhooks in an advance, 16 at once",
    ...{ unit: "/s", yardstick: "undici with 16", judged: "ratio", bound: { atLeast: 0.5 } },
  },
  start: {
    what: "process start to first answered request",
    ...{ unit: "ms", yardstick: "minimal", judged: "ratio", bound: { atMost: 1 } },
  },
  "memory-idle": {
    what: "resident memory, idle",
    ...{ unit: "MB", yardstick: "minimal", judged: "ratio", bound: { atMost: 1.3 } },
  },
  "memory-charge": {
    what: "resident memory per charge",
    ...{ unit: "KB", yardstick: null, judged: "value", bound: { atMost: 6 } },
  },
  "world-create": {
    what: "a world: create",
    ...{ unit: "ms", yardstick: null, judged: "value", bound: { atMost: 2 } },
  },
  "world-fork": {
    what: "a world: fork of one with 1 000 charges",
    ...{ unit: "ms", yardstick: null, judged: "value", bound: { atMost: 10 } },
  },
  "world-memory": {
    what: "a world: memory",
    ...{ unit: "MB", yardstick: null, judged: "value", bound: { atMost: 0.3 } },
  },
  idle: {
    what: "processor time of running clocks, idle",
    ...{ unit: "%", yardstick: "constant", judged: "value", bound: { atMost: 0.05 } },
  },
  packages: {
    what: "packages installed in production, itself included",
    ...{ unit: "", yardstick: null, judged: "value", bound: { atMost: 30 } },
  },
  size: {
    what: "their size, without Node",
    ...{ unit: "MB", yardstick: null, judged: "value", bound: { atMost: 35 } },
  },
} as const satisfies Record<string, Target>;

export type TargetId = keyof typeof targets;
