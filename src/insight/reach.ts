/** How far the journal and the log of calls are looked through, so that no question gets slower with the years. */

/** How far back the journal and the log of calls are searched for what they have no index of. */
export const LOOKED_BACK = 10_000;

/**
 * A fault rule strikes early in a call, and what the call makes comes next: `fault.injected` and the first transition
 * stand within this many entries behind the call's own.
 */
export const STRUCK_WITHIN = 10;

/** Most entries about one subject that are looked at, the newest ones. */
export const ABOUT_LIMIT = 1000;

/** As many are read of what is shown whole: one more tells that there are others. */
export const ABOUT_READ = ABOUT_LIMIT + 1;
