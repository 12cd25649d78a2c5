/**
 * What a stream of the journal says beside its entries: in a header and in comments, which readers of server-sent events
 * pass over.
 */

/** Header of a stream: the sequence of the entry behind which it begins. */
export const BEGINS_BEHIND = "X-Sandbox-After";

/** Says now and then that the stream stands: proxies end connections on which nothing comes. */
export const PULSE = ":\n\n";

/** The last line of a stream whose history is over; one that ends without it was broken off on its way. */
export const IS_OVER = ": over";
