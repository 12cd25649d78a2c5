/**
 * The stream of a journal: what it sends besides entries, which is a header, and comments that readers of server-sent
 * events ignore; and how it is read.
 */

/** Header of a stream: the sequence number of the entry after which the stream begins. */
export const BEGINS_BEHIND = "X-Sandbox-After";

/** Keep-alive comment, sent at intervals: proxies close idle connections. */
export const PULSE = ":\n\n";

/** The last line of a stream that ended because no entries will follow; without it the connection was cut off. */
export const IS_OVER = ": over";

/** One block of a stream: the data of an event as it came, or a comment; null for what it does not have. */
export interface StreamBlock {
  readonly data: string | null;
  readonly comment: string | null;
}

/** The whole blocks of what has come of a stream, and the rest: the beginning of the next one. */
export function readBlocks(text: string): { readonly blocks: readonly StreamBlock[]; readonly rest: string } {
  const blocks = text.split("\n\n");
  const rest = blocks.pop() ?? "";
  return { blocks: blocks.map(blockOf), rest };
}

/** Splits at line feeds alone: JSON may contain other characters that count as line ends. */
function blockOf(block: string): StreamBlock {
  const lines = block.split("\n");
  const data = lines.flatMap((line) => /^data: ?(.*)$/s.exec(line)?.[1] ?? []);
  const comment = lines.findLast((line) => line.startsWith(":"));
  return { data: data.length === 0 ? null : data.join("\n"), comment: comment ?? null };
}
