/** One stream of the journal for all who wait. */
import { expect, test } from "vitest";
import type { JournalEntryInfo } from "../../src/client/control-types.ts";
import { SharedStream } from "../../src/client/shared-stream.ts";

/** A stream that is told what comes, with what became of each opening of it. */
function stage() {
  const opened: { signal: AbortSignal; tell: (sequence: number) => void; end: (error?: unknown) => void }[] = [];
  const stream = new SharedStream(async (signal) => {
    const source = new ReadableStream<JournalEntryInfo>({
      start(controller) {
        const tell = (sequence: number) => controller.enqueue({ sequence } as JournalEntryInfo);
        const end = (error?: unknown) => (error === undefined ? controller.close() : controller.error(error));
        opened.push({ signal, tell, end });
      },
    });
    return source.values() as AsyncGenerator<JournalEntryInfo>;
  });
  return { opened, stream };
}

const next = async (entries: AsyncGenerator<JournalEntryInfo>) => (await entries.next()).value?.sequence;

test("is opened once for all, and tells each what comes after it has joined", async () => {
  const { opened, stream } = stage();
  const end = new AbortController();
  const [one, two] = await Promise.all([stream.join(end.signal), stream.join(end.signal)]);
  opened[0]?.tell(1);
  expect([await next(one), await next(two)]).toEqual([1, 1]);
  const late = await stream.join(end.signal);
  opened[0]?.tell(2);
  expect([await next(one), await next(two), await next(late)]).toEqual([2, 2, 2]);
  expect(opened).toHaveLength(1);
  end.abort();
});

test("is closed by the last who leaves, whether it read or not; the next one opens another", async () => {
  const { opened, stream } = stage();
  const [one, two, three] = [new AbortController(), new AbortController(), new AbortController()];
  const [entries] = await Promise.all([stream.join(one.signal), stream.join(two.signal)]);
  const waiting = next(entries);
  one.abort();
  await expect(waiting).rejects.toThrow("aborted");
  expect(opened[0]?.signal.aborted).toBe(false);
  two.abort();
  await expect.poll(() => opened[0]?.signal.aborted).toBe(true);
  await stream.join(three.signal);
  expect(opened).toHaveLength(2);
  three.abort();
});

test("ends for all, after what was still to be read", async () => {
  const { opened, stream } = stage();
  const end = new AbortController();
  const [one, two] = await Promise.all([stream.join(end.signal), stream.join(end.signal)]);
  opened[0]?.tell(1);
  opened[0]?.end();
  for (const entries of [one, two]) expect([await next(entries), await next(entries)]).toEqual([1, undefined]);
  const again = await stream.join(end.signal);
  opened[1]?.tell(7);
  expect(await next(again)).toBe(7);
  end.abort();
});

test("breaks off for all, and an opening that fails fails for all", async () => {
  const { opened, stream } = stage();
  const end = new AbortController();
  const both = await Promise.all([stream.join(end.signal), stream.join(end.signal)]);
  opened[0]?.end(new Error("broke off"));
  for (const entries of both) await expect(next(entries)).rejects.toThrow("broke off");
  const refused = new SharedStream(() => Promise.reject(new Error("no such world")));
  const joins = await Promise.allSettled([refused.join(end.signal), refused.join(end.signal)]);
  expect(joins.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  end.abort();
});

test("whoever gives up while it is being opened is not held up by that", async () => {
  const end = new AbortController();
  const joining = new SharedStream(() => new Promise(() => {})).join(end.signal);
  end.abort();
  await expect(joining).rejects.toThrow("aborted");
});

test("whoever gives up reads nothing more of what has come", async () => {
  const { opened, stream } = stage();
  const [one, two] = [new AbortController(), new AbortController()];
  const [entries, others] = await Promise.all([stream.join(one.signal), stream.join(two.signal)]);
  for (const sequence of [1, 2, 3]) opened[0]?.tell(sequence);
  expect(await next(entries)).toBe(1);
  one.abort();
  await expect(next(entries)).rejects.toThrow("aborted");
  expect([await next(others), await next(others), await next(others)]).toEqual([1, 2, 3]);
  two.abort();
});
