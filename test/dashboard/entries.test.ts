/** What the entries of the journal say in the time line. */
import { expect, test } from "vitest";
import { wordsOf } from "../../src/dashboard/words/entries.ts";
import { entrySentences } from "../../src/insight/sentences/entry-sentences.ts";

const words = (kind: string, data: Readonly<Record<string, unknown>> = {}) =>
  wordsOf({ sequence: 1, at: "2026-01-01T12:00:00.000Z", kind, subject: null, cause: null, rule: null, data });

test.each(Object.keys(entrySentences))("every kind that can be explained has words of its own: %s", (kind) => {
  expect(words(kind).text).not.toBe(kind);
});

test("a call that got no answer is no good news, and one whose answer was lost says so", () => {
  const call = { method: "POST", path: "/v2/transactions/cashin", error: null };
  expect(words("request", { ...call, status: 200 })).toMatchObject({ tone: "good", mark: "200" });
  expect(words("request", { ...call, status: 0, lost: true })).toMatchObject({ tone: "bad", mark: "no answer" });
  expect(words("request", { ...call, status: 200, lost: true }).note).toBe("its answer never arrived");
});

test("webhooks say what was wrong with them: nowhere to go, sent twice, from a wrong address", () => {
  const event = "cashin.confirmed";
  expect(words("webhook.created", { event, deliverable: true })).toMatchObject({ tone: "wait", mark: "queued" });
  expect(words("webhook.created", { event, deliverable: false })).toMatchObject({ tone: "off", mark: "undeliverable" });
  const sent = { event, attempt: 1, manual: false, status: 200, error: null };
  expect(words("webhook.delivered", sent).note).toBe("attempt 1, 200");
  expect(words("webhook.delivered", { ...sent, duplicate: true }).note).toBe("a further copy, 200");
  expect(words("webhook.failed", { ...sent, source: "127.0.0.77" }).note).toBe(
    "attempt 1, from the wrong address 127.0.0.77, 200",
  );
  expect(words("webhook.failed", { ...sent, status: null, error: "timeout", manual: true }).note).toBe(
    "attempt 1, timeout, by hand",
  );
});

test("D54 a dispute that ends in confirmed was lost, a charge that does was paid", () => {
  const transition = { from: "pending", trigger: "pay", to: "confirmed", postings: [] };
  expect(words("transition", { ...transition, resource: "cashin" }).tone).toBe("good");
  expect(words("transition", { ...transition, resource: "dispute", trigger: "lose" }).tone).toBe("bad");
});
