/** Items of a long list that nobody looks for. */

/** So many of them. */
export const others = (count: number) => Array.from({ length: count }, () => "other");
