/** The state of one page: a world, its clock, its journal, and what is known of it. */
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { delay } from "../browser.ts";
import type { JournalEntry, WorldInfo } from "../wire/answers.ts";
import { Control, ControlError } from "../wire/control.ts";
import { askAgain } from "./ask-again.ts";
import { ClockFace } from "./clock-face.ts";
import { Feed, type FeedStatus } from "./feed.ts";
import { Notices } from "./notices.ts";
import { OtherAdvances } from "./other-advances.ts";
import { PagedList } from "./paged-list.ts";
import { Signal } from "./signal.ts";
import { Silence } from "./silence.ts";
import { CLOCK, EVERYTHING } from "./topics.ts";

const RETRY_MS = 1_000;

/** Whether the world can be shown: `denied` until the control token is given. */
type Access = "opening" | "open" | "denied" | "gone" | "unreachable";

/** The state of one page, of which there is one; views get it by {@link useSession}. */
export class Session {
  readonly control: Control;
  readonly clock: ClockFace;
  readonly feed: Feed;
  readonly others: OtherAdvances;
  readonly silence: Silence;
  readonly journal: PagedList<JournalEntry>;
  readonly notices = new Notices();
  readonly access = new Signal<Access>("opening");
  readonly info = new Signal<WorldInfo | null>(null);
  /** Whether nothing has answered since the feed was last live. */
  #wasDown = false;

  constructor(control = new Control()) {
    this.control = control;
    this.clock = new ClockFace(control);
    this.feed = new Feed(control);
    this.others = new OtherAdvances(control, this.feed);
    this.silence = new Silence(() => control.get("/clock"));
    this.journal = new PagedList(control, "/journal");
    this.feed.take((entries, topics) => {
      const last = entries.at(-1);
      if (last) this.journal.append(entries, last.sequence);
      this.clock.follow(entries);
      if (topics.has(CLOCK)) void this.clock.touch();
      if (topics.has(EVERYTHING)) void this.journal.touch();
    });
    this.feed.opened.listen(() => void this.clock.touch());
    this.others.ended.listen(() => void this.clock.touch());
    this.feed.replaced.listen(() => void this.#startAnew());
    this.feed.status.listen(() => this.#follow(this.feed.status.value));
    askAgain(this.feed, this.journal);
  }

  /** Opens the world and follows it from then on. Resolves when it is known whether it can be shown. */
  async open(): Promise<void> {
    // What views read must not be older than the entry from which the feed continues.
    if (!(await this.#find(() => this.#readEnd()))) return;
    const newest = this.journal.at(0) ?? null;
    // The world has been taken back since: what was read of it is out of date.
    if (newest === null) this.feed.isReplacing = true;
    void this.feed.run(newest);
  }

  /** Replaces the world's history (a reset or a restore), and reports it once. */
  async replaceHistory(path: string, words: string): Promise<void> {
    this.feed.isReplacing = true;
    if ((await this.notices.report(this.control.post(path), words)) === undefined) this.feed.isReplacing = false;
  }

  /**
   * Tries to reach the world until it answers.
   * @param beside what else has to be read before the page is open.
   * @returns whether the world can be shown.
   */
  async #find(beside = async () => {}): Promise<boolean> {
    for (;;) {
      await this.#look(beside);
      if (this.access.value === "open") return true;
      if (this.access.value === "denied") return false;
      await delay(RETRY_MS);
    }
  }

  #follow(status: FeedStatus): void {
    if (status === "denied") this.access.set("denied");
    // A sandbox that was started anew may have the same history, but other settings.
    if (status === "live" && this.#wasDown) void this.#readInfo();
    this.#wasDown = status === "down" || (this.#wasDown && status !== "live");
  }

  /** What is shown stays if this is lost: a dialog may be open. */
  async #readInfo(): Promise<void> {
    const info = await this.control.get<WorldInfo>("/").catch(() => null);
    if (info) this.info.set(info);
  }

  async #look(beside: () => Promise<void>): Promise<void> {
    try {
      const [info] = await Promise.all([this.control.get<WorldInfo>("/"), beside()]);
      this.info.set(info);
      this.clock.show(info.clock);
      // The clock may have moved while the answer was on its way.
      void this.clock.touch();
      this.access.set("open");
    } catch (error) {
      this.access.set(accessAfter(error));
    }
  }

  async #startAnew(): Promise<void> {
    const words = "The world has another history now: it was reset, restored or made again.";
    if (!this.feed.isReplacing) this.notices.say(words);
    await this.#find();
    await this.journal.restart();
  }

  async #readEnd(): Promise<void> {
    await this.journal.touch();
    if (this.journal.error) throw this.journal.error;
  }
}

function accessAfter(error: unknown): Access {
  const status = error instanceof ControlError ? error.status : 0;
  if (status === 401) return "denied";
  return status === 404 ? "gone" : "unreachable";
}

/** Gives the views their {@link Session}. */
export const SessionContext = createContext<Session | null>(null);

/** The session of the page. @throws {Error} outside of {@link SessionContext}, where no view is drawn. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error("There is no session here.");
  return session;
}
