/** Reads a list of the control interface from any position on. */
import type { Page } from "../wire/answers.ts";
import type { Control } from "../wire/control.ts";

/** Reads items after a position. */
export type ReadAfter<Item> = (position: number, limit: number) => Promise<Page<Item>>;

/** Reads the list at a path, which may have a query. */
export function readAfter<Item>(control: Pick<Control, "get">, path: string): ReadAfter<Item> {
  const joint = path.includes("?") ? "&" : "?";
  return (position, limit) => control.get<Page<Item>>(`${path}${joint}cursor=${position}&limit=${limit}`);
}
