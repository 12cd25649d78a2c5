import { counted } from "../../domain/words/counted.ts";
import type { Page } from "../wire/answers.ts";

/** Says that what is shown are only the first items of a list, where that is so. @param noun for one item. */
export function FirstOnes({ page, noun }: { page: Page<unknown> | undefined; noun: string }) {
  if (!page?.next_cursor) return null;
  return <span class="muted">the first {counted(page.items.length, noun)}</span>;
}
