/** What the world tells of itself: `/explain`, `/report`, `/coverage`, `/snapshots`. */

/** A link of a chain of causes: a sentence, and the `file:line` or the call that it comes from. */
export interface ExplainedEntry {
  readonly sequence: number;
  readonly at: string;
  readonly kind: string;
  readonly subject: string | null;
  readonly cause?: number | null;
  readonly text: string;
  readonly rule: string | null;
  readonly call: string | null;
  readonly request_id: string | null;
}

/** `GET /explain/{id}`. */
export interface Explanation {
  readonly id: string;
  readonly type: string;
  readonly summary: string;
  readonly chain: readonly ExplainedEntry[];
  readonly history: readonly ExplainedEntry[];
  readonly pending?: readonly { readonly id: string; readonly at: string; readonly text: string }[];
  readonly led_to?: readonly ExplainedEntry[];
}

/** One check of the readiness report (interface, section 6). */
export interface ReportCheck {
  readonly id: string;
  readonly title: string;
  readonly verdict: string;
  /** What was seen. */
  readonly detail: string;
  /** Ids of requests and webhooks. */
  readonly evidence: readonly string[];
  /** Empty where nothing is to be done. */
  readonly advice: string;
  /** The clause or section that it comes from. */
  readonly source: string;
}

/** `GET /report`. */
export interface Report {
  readonly verdict: string;
  readonly checks: readonly ReportCheck[];
}

/** An item of `GET /snapshots`. */
export interface Snapshot {
  readonly name: string;
  readonly at: string;
}

/** One kind of what can be exercised; `count` is how often an item was. */
export interface CoverageSection {
  readonly id: string;
  readonly title: string;
  readonly covered: number;
  readonly total: number;
  readonly items: readonly { readonly name: string; readonly count: number }[];
}

/** `GET /coverage`. */
export interface Coverage {
  readonly covered: number;
  readonly total: number;
  readonly percent: number;
  readonly sections: readonly CoverageSection[];
}
