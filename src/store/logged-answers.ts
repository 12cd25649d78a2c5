/** Of the headers of a call's answer what does not follow from the call: they are logged without the rest. */

/** What an answer has told in its headers. */
export interface AnswerHeaders {
  readonly limit: number;
  readonly remaining: number;
  /** In Unix time. */
  readonly resetsAtSeconds: number;
  /** The id that the world had; a fork has calls of the one that it comes from. */
  readonly world: string;
  /** Those that few answers have, by name. */
  readonly more: Readonly<Record<string, string>>;
}

/** As it is kept: a list, with the rare ones at its end. */
export function writtenHeaders({ limit, remaining, resetsAtSeconds, world, more }: AnswerHeaders): string {
  const common = [limit, remaining, resetsAtSeconds, world];
  return JSON.stringify(Object.keys(more).length === 0 ? common : [...common, more]);
}

/** Of what {@link writtenHeaders} has written. */
export function readHeaders(text: string): AnswerHeaders {
  const [limit, remaining, resetsAtSeconds, world, more = {}] = JSON.parse(text);
  return { limit, remaining, resetsAtSeconds, world, more };
}

/** Of a row of calls: one of the rare headers; null where it has none. */
export function rareHeader(name: string): string {
  return `response_headers ->> '$[4]."${name}"'`;
}
