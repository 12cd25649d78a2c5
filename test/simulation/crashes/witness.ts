/** What clients and receivers know of a sandbox, and what it must therefore know of itself after it was killed. */
import type { SandboxClient, WorldClient } from "../../../src/index.ts";
import type { ReceivedWebhook } from "../../support/receiver.ts";

/** The lists of the control interface that an answer may have told something of. */
const ID_FIELDS = ["transaction_id", "conversion_id", "wallet_id", "name"] as const;

export class Witness {
  /** By world and list. */
  readonly #acknowledged = new Map<string, Set<string>>();
  readonly #received: readonly ReceivedWebhook[];
  /** As many of those received have been found in the sandbox. */
  #found = 0;

  /** @param received what the receiver of all worlds gets. */
  constructor(received: readonly ReceivedWebhook[]) {
    this.#received = received;
  }

  get acknowledged(): number {
    return [...this.#acknowledged.values()].reduce((sum, ids) => sum + ids.size, 0);
  }

  /** A client was answered that this is in a list of a world. */
  acknowledge(world: string, list: string, id: string): void {
    const key = `${world} ${list}`;
    this.#acknowledged.set(key, (this.#acknowledged.get(key) ?? new Set()).add(id));
  }

  /** What was answered and is not there. */
  async missing(world: WorldClient): Promise<string[]> {
    const faults: string[] = [];
    for (const [key, ids] of this.#acknowledged) {
      const [id, list] = key.split(" ");
      if (id !== world.id) continue;
      const rows = await world.all<Record<string, unknown>>(`/${list}`);
      const known = new Set(rows.flatMap((row) => ID_FIELDS.map((field) => String(row[field]))));
      const gone = [...ids].filter((name) => !known.has(name));
      faults.push(...gone.map((name) => `${key} ${name} was answered and is gone`));
    }
    return faults;
  }

  /**
   * Webhooks that came, and that no world knows with that id and exactly these bytes: sent before they were kept.
   * @param worlds all that could have sent them; forks of one world have ids in common.
   */
  async strangers(worlds: readonly WorldClient[]): Promise<string[]> {
    // First: what comes while the worlds are read may be newer than what was read of its world.
    const came = this.#received.slice(this.#found);
    this.#found += came.length;
    const known = new Set<string>();
    for (const world of worlds) {
      for (const { webhook_id, event, body } of await world.webhooks()) {
        known.add(`${webhook_id} ${event} ${JSON.stringify(body)}`);
      }
    }
    return came.flatMap(({ headers, text }) => {
      const name = `${headers["x-webhook-id"]} ${headers["x-webhook-event"]}`;
      return known.has(`${name} ${text}`) ? [] : [`${name} came, and no world knows it: ${text}`];
    });
  }
}

/** Every world of a sandbox. */
export async function worldsOf(sandbox: SandboxClient): Promise<WorldClient[]> {
  return Promise.all((await sandbox.worlds()).map(({ world }) => sandbox.world(world)));
}
