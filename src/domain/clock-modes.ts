/** TABLE: whether time flows by itself, or only through advances. */
export const clockModes = ["running", "frozen"] as const;

/** The mode of a world's clock. */
export type ClockMode = (typeof clockModes)[number];
