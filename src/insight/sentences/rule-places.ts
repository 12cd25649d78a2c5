/** `file:line` of rules and steps. */

/** Scenarios that came with a call have no file in which to look up the line. */
const WITHOUT_FILE = /^(inline|posted)(-\d+)?\.(json|yaml):/;

/** Whether a rule's place is in a document that came with a call. */
export function isWithoutFile(place: string | null): boolean {
  return place !== null && WITHOUT_FILE.test(place);
}
