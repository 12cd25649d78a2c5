/** Where something stands in a value: keys and indexes from the top, such as `split`, 0, `percentage`. */
export type Path = readonly PropertyKey[];
