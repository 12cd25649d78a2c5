/** Where a fault rule that struck a call stands in the journal. */

/** It strikes before anything else comes of the call: its entry comes so soon behind that of the call. */
export const STRUCK_WITHIN = 10;
