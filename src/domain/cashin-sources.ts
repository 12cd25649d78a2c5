/** TABLE: what a cash-in was paid to: the code of a charge, or a fixed wallet. */
export const cashinSources = ["dynamic_qr", "static"] as const;

/** The `source` of a cash-in. */
export type CashinSource = (typeof cashinSources)[number];
