/** Text that is stored. */

/** Refinement for text that is stored and returned unchanged: half of a surrogate pair has no form in UTF-8. */
export const KEPT_AS_IT_IS = [(text: string) => text.isWellFormed(), { error: "must be well-formed Unicode" }] as const;
