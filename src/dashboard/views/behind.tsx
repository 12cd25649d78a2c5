/** The background of a resource: its story, its postings, its webhooks, and all its fields. */
import { Json } from "../parts/code.tsx";
import { Folded, Postings } from "../parts/detail.tsx";
import { Story } from "../parts/story.tsx";
import type { Known } from "../wire/answers.ts";
import { WebhooksOf } from "./webhooks-of.tsx";

/** @param what the word for it. @param known all that the control interface answers of it. */
export function Behind({ id, what, known }: { id: string; what: string; known: Known }) {
  return (
    <>
      <Story id={id} />
      <Postings postings={known.postings} />
      <WebhooksOf id={id} />
      <Folded title="All its fields">
        <Json value={known} what={what} />
      </Folded>
    </>
  );
}
