/** One complete, isolated payments service: its stores, clock, seed, settings and followers. */
import { CurrencyTable } from "../domain/currencies.ts";
import type { Settings } from "../domain/settings.ts";
import { nextTurn } from "../runtime.ts";
import { AccountStore } from "../store/accounts.ts";
import { AttemptStore } from "../store/attempts.ts";
import { ConversionStore } from "../store/conversions.ts";
import type { Database } from "../store/database.ts";
import { DisputeStore } from "../store/disputes.ts";
import { EventStore } from "../store/events.ts";
import { ExternalIdStore } from "../store/external-ids.ts";
import type { Group } from "../store/group.ts";
import { InboxStore } from "../store/inbox.ts";
import { InputStore } from "../store/inputs.ts";
import { type JournalEntry, JournalStore } from "../store/journal.ts";
import { LedgerStore } from "../store/ledger.ts";
import { MetaStore } from "../store/meta.ts";
import { ProtectionStore } from "../store/protections.ts";
import { RequestStore } from "../store/requests.ts";
import { ScenarioStore } from "../store/scenarios.ts";
import { TimerStore } from "../store/timers.ts";
import { TransactionStore } from "../store/transactions.ts";
import { TransferStore } from "../store/transfers.ts";
import { UsageStore } from "../store/usage.ts";
import { WalletStore } from "../store/wallets.ts";
import { WebhookStore } from "../store/webhooks.ts";
import { Clock } from "./clock.ts";
import { type Fixtures, loadFixtures } from "./fixtures.ts";
import { readIdentity, type WorldIdentity } from "./identity.ts";
import type { Instant } from "./instants.ts";
import { type Interceptors, noInterception } from "./interception.ts";
import { type Occurrence, Operation, type ServiceEvent } from "./operation.ts";
import { Random } from "./random.ts";

/** Listeners called inside the operation in which something happens. */
interface Followers {
  readonly occurrences: ((operation: Operation, occurrence: Occurrence) => void)[];
  readonly events: ((operation: Operation, event: ServiceEvent) => void)[];
}

/** State held in memory rather than in the store, to go back to when work is undone. */
interface Mark {
  readonly entry: number;
  readonly uncommitted: number;
  readonly lastOperationAt: Instant;
  readonly counters: Random["mark"];
  readonly clock: Clock["mark"];
}

/** Operations that are committed together; `settled` resolves once they are, and rejects if they are undone. */
interface OpenGroup extends Group {
  readonly settled: Promise<void>;
}

/** Called after an operation or a commit, with the journal entries that it added. */
type EntryListener = (entries: readonly JournalEntry[]) => void;

/** Counter of operations, and the instant of the last one: not every operation writes a journal entry. */
const ORDINAL = "operation";
const INSTANT = "instant";

/** A world over its database; every change is an operation, see {@link World.operate}. */
export class World {
  readonly database: Database;
  readonly identity: WorldIdentity;
  readonly fixtures: Fixtures;
  readonly currencies: CurrencyTable;
  readonly meta: MetaStore;
  readonly accounts: AccountStore;
  readonly transactions: TransactionStore;
  readonly conversions: ConversionStore;
  readonly transfers: TransferStore;
  readonly wallets: WalletStore;
  readonly disputes: DisputeStore;
  readonly protections: ProtectionStore;
  readonly externalIds: ExternalIdStore;
  readonly ledger: LedgerStore;
  readonly usage: UsageStore;
  readonly timers: TimerStore;
  readonly journal: JournalStore;
  readonly requests: RequestStore;
  readonly inputs: InputStore;
  readonly webhooks: WebhookStore;
  readonly attempts: AttemptStore;
  readonly inbox: InboxStore;
  readonly events: EventStore;
  readonly scenarios: ScenarioStore;
  readonly clock: Clock;
  readonly random: Random;
  readonly followers: Followers = { occurrences: [], events: [] };
  /** Called with committed entries, which may be shown outside. */
  readonly commitListeners = new Set<EntryListener>();
  /** Called with what each operation wrote, which may still be undone. */
  readonly entryListeners = new Set<EntryListener>();
  /** Asks the fault rules about calls and webhooks. */
  interceptors: Interceptors = noInterception;
  /** One sentence for `X-Sandbox-Hint` about something in this operation that the merchant may not expect (R4). */
  hint: string | null = null;
  /** Called before an operation from outside, to do first what is due by then. */
  beforeOperation: () => void = () => {};
  /** Called after an operation was undone, so that others forget what they know of it. */
  afterUndoing: (error: unknown) => void = () => {};
  /** Called after operations that were to be committed together were undone. */
  afterLoss: (error: unknown) => void = () => {};
  /** Called after each operation, done or undone, to do what it made due. */
  afterOperation: () => void = () => {};
  #nextEntry: number;
  #uncommitted: JournalEntry[] = [];
  #firstUncommitted: number;
  #operating = false;
  #group: OpenGroup | null = null;
  #lastOperationAt: Instant;

  /** Opens the world of a database. @throws {Error} if it holds none. */
  constructor(database: Database) {
    this.database = database;
    this.meta = new MetaStore(database);
    const identity = readIdentity(this.meta);
    if (!identity) throw new Error("This database holds no world.");
    this.identity = identity;
    this.fixtures = loadFixtures(identity.settings.fixtures);
    this.currencies = new CurrencyTable(this.fixtures.currencies, this.fixtures.chains, identity.settings.currencies);
    this.accounts = new AccountStore(database);
    this.transactions = new TransactionStore(database);
    this.conversions = new ConversionStore(database);
    this.transfers = new TransferStore(database);
    this.wallets = new WalletStore(database);
    this.disputes = new DisputeStore(database);
    this.protections = new ProtectionStore(database);
    this.externalIds = new ExternalIdStore(database);
    this.ledger = new LedgerStore(database);
    this.usage = new UsageStore(database);
    this.timers = new TimerStore(database);
    this.journal = new JournalStore(database);
    this.requests = new RequestStore(database);
    this.inputs = new InputStore(database);
    this.webhooks = new WebhookStore(database);
    this.attempts = new AttemptStore(database);
    this.inbox = new InboxStore(database);
    this.events = new EventStore(database);
    this.scenarios = new ScenarioStore(database);
    const last = this.journal.last();
    this.#nextEntry = last.sequence + 1;
    this.#firstUncommitted = this.#nextEntry;
    this.random = new Random(identity.seed, this.meta);
    this.#lastOperationAt = Math.max(last.at, this.random.count(INSTANT));
    this.clock = new Clock(this.meta, this.#lastOperationAt);
  }

  get id(): string {
    return this.identity.id;
  }

  get settings(): Settings {
    return this.identity.settings;
  }

  /** How many operations there have been. */
  get operations(): number {
    return this.random.count(ORDINAL);
  }

  /**
   * Runs one operation: one transaction at one instant. If `work` throws, all of it is undone.
   * @param at the instant of a timer; unless given, the clock's present one. A timer that was kept waiting runs no
   * earlier than the last operation.
   */
  operate<Result>(
    work: (operation: Operation) => Result,
    at?: Instant,
    cause: number | null = null,
    rule: string | null = null,
  ): Result {
    return this.clock.atOneReading(() => {
      this.#prepare(at === undefined);
      this.database.commitAll();
      try {
        return this.#perform(work, { at, cause, rule }, (inner) => this.database.transaction(inner));
      } finally {
        this.#publish();
        this.afterOperation();
      }
    });
  }

  /**
   * Like {@link operate}, but the operations of one turn of the event loop, or of the time until {@link commit}, are
   * committed together, each in its own savepoint, so that they share the cost of a commit.
   * @returns its result, and a promise that resolves when it is committed: nothing of it may be shown outside before.
   */
  operateTogether<Result>(
    work: (operation: Operation) => Result,
    at?: Instant,
    cause: number | null = null,
    rule: string | null = null,
  ): { result: Result; kept: Promise<void> } {
    return this.clock.atOneReading(() => {
      this.#prepare(at === undefined);
      this.#group ??= this.#openGroup();
      const group = this.#group;
      try {
        const result = this.#perform(work, { at, cause, rule }, (inner) => this.database.join(group, inner));
        return { result, kept: group.settled };
      } catch (error) {
        // The error may have ended the transaction that all operations of the group share.
        this.database.commitGroup();
        throw error;
      } finally {
        this.afterOperation();
      }
    });
  }

  /** Commits the operations that are to be committed together, if any; calls {@link afterLoss} if that fails. */
  commit(): void {
    this.database.commitGroup();
  }

  #prepare(isFromOutside: boolean): void {
    if (this.#operating) throw new Error("An operation was begun inside another.");
    if (isFromOutside) this.beforeOperation();
  }

  #perform<Result>(
    work: (operation: Operation) => Result,
    { at = this.clock.now(), cause, rule }: { at: Instant | undefined; cause: number | null; rule: string | null },
    transact: (inner: () => Result) => Result,
  ): Result {
    const mark = this.#mark();
    const now = Math.max(at, this.#lastOperationAt);
    this.clock.reach(now);
    this.hint = null;
    this.#operating = true;
    try {
      const result = transact(() => {
        const result = work(new Operation(this, now, this.random.next(ORDINAL), cause, rule));
        this.random.set(INSTANT, now);
        if (!this.database.hasGroup) this.random.keep();
        return result;
      });
      // Set only on success: an operation that is undone is not part of the history, so a replay does not know of it.
      this.#lastOperationAt = now;
      this.#show(mark.uncommitted);
      return result;
    } catch (error) {
      this.#goBack(mark, error);
      throw error;
    } finally {
      this.#operating = false;
    }
  }

  /** Runs inner work of an operation that may be refused; if it throws, its writes and journal entries are undone. */
  attempt<Result>(work: () => Result): Result {
    const mark = this.#mark();
    try {
      return this.database.transaction(work);
    } catch (error) {
      this.#forget(mark);
      throw error;
    }
  }

  #mark(): Mark {
    const [entry, uncommitted, lastOperationAt] = [this.#nextEntry, this.#uncommitted.length, this.#lastOperationAt];
    return { entry, uncommitted, lastOperationAt, counters: this.random.mark, clock: this.clock.mark };
  }

  /** Restores the state from before operations that were undone. */
  #goBack(mark: Mark, error: unknown): void {
    this.#forget(mark);
    this.#lastOperationAt = mark.lastOperationAt;
    this.clock.rewind(mark.clock);
    this.afterUndoing(error);
  }

  /** Forgets everything written since the mark, which is undone. */
  #forget({ entry, uncommitted, counters }: Mark): void {
    this.#nextEntry = entry;
    this.#uncommitted.length = uncommitted;
    this.random.rewind(counters);
    for (const store of [this.timers, this.attempts]) store.forget();
  }

  /** Opens a group for the operations of this turn of the event loop, and marks the state before them. */
  #openGroup(): OpenGroup {
    const mark = this.#mark();
    const { promise: settled, resolve, reject } = Promise.withResolvers<void>();
    settled.catch(() => {});
    nextTurn(() => this.database.commitGroup());
    return {
      settled,
      beforeCommit: () => this.random.keep(),
      kept: () => {
        this.#group = null;
        this.#publish();
        resolve();
      },
      undone: (error) => {
        this.#group = null;
        this.#goBack(mark, error);
        reject(error);
        this.afterLoss(error);
      },
    };
  }

  /** Takes the next sequence of the journal; {@link writeEntry} must follow in the same operation. */
  reserveEntry(): number {
    return this.#nextEntry++;
  }

  /** An entry of the journal; undefined if it is reserved and not written yet. */
  entry(sequence: number): JournalEntry | undefined {
    if (sequence < this.#firstUncommitted) return this.journal.get(sequence);
    return this.#uncommitted.findLast((entry) => entry.sequence === sequence);
  }

  writeEntry(entry: JournalEntry): void {
    this.journal.insert(entry);
    this.#uncommitted.push(entry);
  }

  /** Passes the entries of an operation to the listeners that must see them before the next operation. */
  #show(from: number): void {
    if (this.entryListeners.size === 0) return;
    const entries = this.#uncommitted.slice(from);
    for (const listener of this.entryListeners) listener(entries);
  }

  #publish(): void {
    const entries = this.#uncommitted;
    this.#uncommitted = [];
    this.#firstUncommitted = this.#nextEntry;
    if (entries.length === 0 || this.commitListeners.size === 0) return;
    entries.sort((left, right) => left.sequence - right.sequence);
    for (const listener of this.commitListeners) listener(entries);
  }
}
