/**
 * What a journal stream sends besides its entries: a header, and comments, which readers of server-sent events ignore.
 */

/** Header of a stream: the sequence number of the entry after which the stream begins. */
export const BEGINS_BEHIND = "X-Sandbox-After";

/** Keep-alive comment, sent at intervals: proxies close idle connections. */
export const PULSE = ":\n\n";

/** The last line of a stream that ended because no entries will follow; without it the connection was cut off. */
export const IS_OVER = ": over";
