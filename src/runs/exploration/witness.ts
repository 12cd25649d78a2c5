/** Watches the webhooks of a play, and drops the answers that its plan says are lost. */
import type { LiveWorld } from "../../host/live-world.ts";
import { type AttemptResult, unanswered } from "../../store/attempts.ts";
import type { JournalEntry } from "../../store/journal.ts";
import type { OutgoingRequest, Send } from "../../webhooks/delivery.ts";
import type { Instant } from "../../world/instants.ts";
import { type Plan, type Target, targetKey } from "./changes.ts";

/** A webhook created with a destination. */
export interface SeenWebhook {
  readonly webhook_id: string;
  readonly event: string;
  readonly at: Instant;
  readonly destination: string;
  /**
   * Names it in every play, also where the play changes the order in which webhooks are made: its event and, if its data
   * has one, the `external_id`, with its index among those alike.
   */
  readonly key: string;
  /** Null if a rule of the scenario itself struck it, so that it is not to be varied. */
  readonly target: Target | null;
}

/** An attempt that was sent to the receiver. */
export interface Arrival {
  readonly webhook: SeenWebhook;
  readonly at: Instant;
  /** The status of the answer, also of one that was broken off; null if none had begun. */
  readonly status: number | null;
  /** Why no whole answer came, as a word such as `timeout`; null if one came. */
  readonly error: string | null;
  /** Whether it was accepted, even if the answer was then lost. */
  readonly taken: boolean;
  /** Whether the answer was lost. */
  readonly lost: boolean;
  /** Whether it came from a wrong address, so that the receiver should refuse it. */
  readonly forged: boolean;
}

/** How the receiver answered, as the rest of a sentence that begins with the webhook. */
export function answerWords({ status, error, lost }: Arrival): string {
  if (status === null) return `was not answered: ${error}`;
  if (error !== null) return `was answered ${status}, but not to the end: ${error}`;
  return `was answered ${status}${lost ? ", and the answer was lost" : ""}`;
}

/** Stands between one play and the network; the receiver got the webhooks whose answers are dropped here. */
export class Witness {
  readonly #receiver: string;
  readonly #lostAnswers: ReadonlyMap<string, number>;
  readonly #document: string | null;
  readonly #seen = new Map<string, SeenWebhook>();
  readonly #counts = new Map<string, number>();
  readonly #lost = new Map<string, number>();
  readonly arrivals: Arrival[] = [];
  #live: LiveWorld | null = null;

  /** @param document the file of the plan's rules; null if it has none. */
  constructor(receiver: string, plan: Plan, document: string | null) {
    this.#receiver = receiver;
    this.#document = document;
    this.#lostAnswers = new Map(
      plan.flatMap((change) => (change.kind === "unheard" ? [[targetKey(change.target), change.answers]] : [])),
    );
  }

  /** Webhooks for the receiver, in order of creation. */
  get webhooks(): SeenWebhook[] {
    return [...this.#seen.values()].filter(({ destination }) => destination === this.#receiver);
  }

  begin(live: LiveWorld): void {
    this.#live = live;
    live.world.commitListeners.add((entries) => this.#read(entries));
  }

  /** Wraps `send` to note what the receiver gets, and to drop answers. */
  sending(send: Send): Send {
    return async (request) => {
      const webhook = this.#seen.get(request.headers["X-Webhook-Id"] ?? "");
      const at = this.#live?.world.clock.now() ?? 0;
      const result = await send(request);
      if (!webhook || request.destination !== this.#receiver) return result;
      const taken = result.outcome === "delivered";
      const lost = taken && this.#loses(webhook);
      const answer = {
        status: result.status,
        error: result.error?.kind ?? null,
        taken,
        lost,
        forged: request.sourceAddress !== undefined,
      };
      this.arrivals.push({ webhook, at, ...answer });
      return lost ? unheard(request, result) : result;
    };
  }

  #loses({ webhook_id, target }: SeenWebhook): boolean {
    const limit = target === null ? 0 : (this.#lostAnswers.get(targetKey(target)) ?? 0);
    const lost = this.#lost.get(webhook_id) ?? 0;
    if (lost >= limit) return false;
    this.#lost.set(webhook_id, lost + 1);
    return true;
  }

  /** Reads the entries of a commit, which has a webhook together with the fault that struck it. */
  #read(entries: readonly JournalEntry[]): void {
    const struck = new Set(entries.filter((entry) => this.#isStruck(entry)).map(({ subject }) => subject));
    for (const { kind, at, data } of entries) {
      if (kind !== "webhook.created" || data.deliverable !== true) continue;
      const [webhook_id, event] = [String(data.webhook_id), String(data.event)];
      const destination = this.#live?.world.webhooks.get(webhook_id)?.destination ?? "";
      const target = struck.has(webhook_id) ? null : { event, nth: this.#count(event) };
      const { external_id = "" } = data.data as { readonly external_id?: string };
      const order = `${event} of ${external_id}`;
      const key = `${order} ${this.#count(order)}`;
      this.#seen.set(webhook_id, { webhook_id, event, at, destination, key, target });
    }
  }

  #isStruck({ kind, rule }: JournalEntry): boolean {
    return kind === "fault.injected" && (this.#document === null || rule?.startsWith(`${this.#document}:`) !== true);
  }

  /** How many of a name came before. */
  #count(name: string): number {
    const count = this.#counts.get(name) ?? 0;
    this.#counts.set(name, count + 1);
    return count;
  }
}

function unheard({ destination }: OutgoingRequest, { duration_ms }: AttemptResult): AttemptResult {
  const message = `The exploration lost the answer of ${destination}.`;
  return unanswered({ kind: "answer_lost", message }, duration_ms);
}
