/** Answers of the control interface, kept up to date while something shows them. */
import { useEffect, useMemo } from "preact/hooks";
import type { Control } from "../wire/control.ts";
import { ControlError } from "../wire/control.ts";
import { askAgain, type Kept } from "./ask-again.ts";
import { Pace } from "./pace.ts";
import { PagedList } from "./paged-list.ts";
import { type Session, useSession } from "./session.ts";
import { Emitter, useListening } from "./signal.ts";
import { CLOCK, concerns } from "./topics.ts";

/** The last answer of `GET` at a path. */
class LiveAnswer<Answer> extends Emitter {
  readonly #control: Control;
  readonly #path: string | null;
  readonly #pace = new Pace(() => this.#read());
  value: Answer | undefined;
  error: ControlError | null = null;

  /** @param path null to request nothing. */
  constructor(control: Control, path: string | null) {
    super();
    this.#control = control;
    this.#path = path;
  }

  touch(): Promise<void> {
    return this.#path === null ? Promise.resolve() : this.#pace.ask();
  }

  async #read(): Promise<void> {
    try {
      this.value = await this.#control.get<Answer>(this.#path ?? "");
      this.error = null;
    } catch (error) {
      if (!(error instanceof ControlError)) throw error;
      this.error = error;
      // Something that no longer exists is not shown; something that cannot be read at the moment is.
      if (error.status === 404) this.value = undefined;
    }
    this.emit();
  }
}

/** The answer of `GET path`, read again whenever one of these topics is touched. */
export function useAnswer<Answer>(path: string | null, topics: readonly string[]): LiveAnswer<Answer> {
  const session = useSession();
  const answer = useMemo(() => new LiveAnswer<Answer>(session.control, path), [session, path]);
  useUpToDate(session, answer, topics);
  return answer;
}

/** A list of the control interface, newest first, kept up to date. @param base see {@link PagedList}. */
export function useList<Item>(path: string, topics: readonly string[], base = 0): PagedList<Item> {
  const session = useSession();
  const list = useMemo(() => new PagedList<Item>(session.control, path, base), [session, path, base]);
  useUpToDate(session, list, topics);
  return list;
}

function useUpToDate(session: Session, kept: Kept & { restart?(): Promise<void> }, topics: readonly string[]): void {
  useListening(kept);
  const key = topics.join();
  // `key` is in the dependencies in place of the topics.
  useEffect(() => {
    void kept.touch();
    const anew = session.feed.replaced.listen(() => void (kept.restart?.() ?? kept.touch()));
    const took = session.feed.take((_entries, touched) => {
      if (concerns(touched, topics)) void kept.touch();
    });
    const moved = topics.includes(CLOCK) ? session.clock.listen(() => void kept.touch()) : () => {};
    const back = askAgain(session.feed, kept);
    return () => {
      anew();
      took();
      moved();
      back();
    };
  }, [session, kept, key]);
}
