/** The part of an answer's headers that does not follow from the call: only that is logged. */

/** The logged part of an answer's headers. */
export interface AnswerHeaders {
  readonly limit: number;
  readonly remaining: number;
  /** Unix time, in seconds. */
  readonly resetsAtSeconds: number;
  /** The id of the world that answered; a fork has calls of the world that it comes from. */
  readonly world: string;
  /** The headers that few answers have, by name. */
  readonly more: Readonly<Record<string, string>>;
}

/** The headers as stored: a JSON list, whose last element holds the rare ones, if any. */
export function writtenHeaders({ limit, remaining, resetsAtSeconds, world, more }: AnswerHeaders): string {
  const common = [limit, remaining, resetsAtSeconds, world];
  return JSON.stringify(Object.keys(more).length === 0 ? common : [...common, more]);
}

/** Reads what {@link writtenHeaders} has written. */
export function readHeaders(text: string): AnswerHeaders {
  const [limit, remaining, resetsAtSeconds, world, more = {}] = JSON.parse(text);
  return { limit, remaining, resetsAtSeconds, world, more };
}

/** SQL for a rare header of a row of calls; null if the row does not have it. */
export function rareHeader(name: string): string {
  return `response_headers ->> '$[4]."${name}"'`;
}
