/**
 * A sandbox is killed by its receiver, at a moment of a delivery: between what was written of it before it was sent,
 * and what is to be written of how it ended. Each event must come all the same, with its id and its bytes, and none
 * that the sandbox does not know of.
 */
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text as textOf } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { Merchant } from "../../support/merchant.ts";
import { type SandboxProcess, startProcess } from "../../support/process.ts";
import type { ReceivedWebhook } from "../../support/receiver.ts";
import { faultsOf, undelivered } from "../load/invariants.ts";
import { generator, type RandomNumbers } from "../load/random.ts";
import { Witness } from "./witness.ts";

/** TABLE: the moments, and whether what was being delivered must come again. */
const moments = {
  /** The connection is there; nothing of the request has been read. */
  connected: { comesAgain: true },
  /** The request has been read; nothing was answered. */
  asked: { comesAgain: true },
  /** Half of an answer is on its way. */
  answering: { comesAgain: true },
  /** All of the answer is on its way, and may have been written down or not. */
  answered: { comesAgain: false },
} as const;

type Moment = keyof typeof moments;
const momentNames = Object.keys(moments) as Moment[];

/** How many charges are paid in one advance, and how long an answered attempt has at most before the kill. */
const CHARGES = 8;
const LONGEST_PAUSE_MS = 3;

interface AimedReport {
  readonly kills: Readonly<Record<Moment, number>>;
  /** Webhooks that came more than once. */
  readonly repeated: number;
  /** What was wrong, in words; empty when all held. */
  readonly faults: readonly string[];
}

/** A receiver that has something done at a moment of the delivery of its choice. */
class AimingReceiver {
  readonly received: ReceivedWebhook[] = [];
  readonly #server: Server;
  #aim: { moment: Moment; left: number; strike: (webhookId: string | null) => Promise<void> } | null = null;

  constructor() {
    this.#server = createServer(async (incoming, response) => {
      const text = await textOf(incoming);
      const headers = incoming.headers as Record<string, string>;
      this.received.push({ method: "POST", path: incoming.url ?? "", headers, text, body: JSON.parse(text) });
      await this.#answer(headers["x-webhook-id"] ?? "", response);
    });
    this.#server.on("connection", (socket: Socket) => void this.#connect(socket));
  }

  async listen(): Promise<string> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/hook`;
  }

  /** Strikes once, at a moment of the delivery that comes after so many others. */
  strikeAt(moment: Moment, after: number): Promise<string | null> {
    return new Promise((resolve) => {
      const strike = async (webhookId: string | null) => resolve(webhookId);
      this.#aim = { moment, left: after, strike };
    });
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #connect(socket: Socket): Promise<void> {
    if (!this.#isTime("connected")) return;
    socket.destroy();
    await this.#strike(null);
  }

  async #answer(webhookId: string, response: ServerResponse): Promise<void> {
    // A connection for each, so that there is one to strike at.
    const headers = { Connection: "close", "Content-Length": 2 };
    if (this.#isTime("asked")) return this.#strike(webhookId);
    if (this.#isTime("answering")) {
      response.writeHead(200, headers).write("o");
      return this.#strike(webhookId);
    }
    response.writeHead(200, headers).end("ok");
    if (this.#isTime("answered")) await this.#strike(webhookId);
  }

  #isTime(moment: Moment): boolean {
    return this.#aim?.moment === moment && this.#aim.left-- === 0;
  }

  async #strike(webhookId: string | null): Promise<void> {
    const strike = this.#aim?.strike;
    this.#aim = null;
    await strike?.(webhookId);
  }
}

class Aimed {
  readonly faults: string[] = [];
  readonly witness: Witness;
  readonly #random: RandomNumbers;
  readonly #folder: string;
  readonly #receiver: AimingReceiver;
  readonly #url: string;

  constructor(random: RandomNumbers, folder: string, receiver: AimingReceiver, url: string) {
    this.#random = random;
    this.#folder = folder;
    this.#receiver = receiver;
    this.#url = url;
    this.witness = new Witness(receiver.received);
  }

  start(): Promise<SandboxProcess> {
    const args = ["--data", this.#folder, "--clock", "frozen", "--start", "2026-01-01T00:00:00Z"];
    return startProcess(...args, "--postback-url", this.#url);
  }

  /** Charges are paid and told of, until the receiver strikes. @returns what was being delivered, where that is known. */
  async workUntilStruck({ world, end }: SandboxProcess, moment: Moment, round: number): Promise<string | null> {
    const merchant = await Merchant.of(world);
    await Promise.all(
      Array.from({ length: CHARGES }, async (_, index) => {
        const external_id = `${round}-${index}`;
        const { body } = await merchant.cashin({ currency: "BRL", amount: "10.00", external_id });
        this.witness.acknowledge(world.id, "transactions", body.data.transaction_id);
      }),
    );
    const struck = this.#receiver.strikeAt(moment, Math.floor(this.#random() * CHARGES));
    const advance = world.advance("10s").catch(() => null);
    const webhookId = await Promise.race([struck, advance.then(() => undefined)]);
    if (webhookId === undefined) throw new Error(`round ${round}: the receiver never struck.`);
    if (moment === "answered") await pause(this.#random() * LONGEST_PAUSE_MS);
    await end("SIGKILL");
    await advance;
    return webhookId;
  }

  /** After the restart, and once all is delivered. */
  async lookAround(process: SandboxProcess, struck: string | null, moment: Moment): Promise<void> {
    const { world } = process;
    const before = this.#receiver.received.length;
    const found = [...(await this.witness.missing(world)), ...(await faultsOf(world))];
    await world.advance("10s");
    found.push(...(await faultsOf(world)), ...(await this.witness.strangers([world])));
    found.push(
      ...(await undelivered(
        world,
        this.#receiver.received.map(({ text }) => text),
      )),
    );
    const after = this.#receiver.received
      .slice(Math.max(0, before - CHARGES))
      .map(({ headers }) => headers["x-webhook-id"]);
    const times = after.filter((webhookId) => webhookId === struck).length;
    if (struck !== null && moments[moment].comesAgain && times < 2) found.push(`${struck} did not come again`);
    this.faults.push(...found.map((fault) => `killed when ${moment}: ${fault}`));
  }
}

/** Kills the sandbox so often, at each of the moments in turn. */
export async function aimedKills(kills: number, seed: number): Promise<AimedReport> {
  const folder = mkdtempSync(join(tmpdir(), "payments-sandbox-aimed-"));
  const receiver = new AimingReceiver();
  const aimed = new Aimed(generator(seed), folder, receiver, await receiver.listen());
  const counts: Record<Moment, number> = { connected: 0, asked: 0, answering: 0, answered: 0 };
  try {
    let process = await aimed.start();
    for (let round = 0; round < kills; round++) {
      const moment = momentNames[round % momentNames.length] as Moment;
      const struck = await aimed.workUntilStruck(process, moment, round);
      counts[moment]++;
      process = await aimed.start();
      await aimed.lookAround(process, struck, moment);
    }
    await process.end("SIGTERM");
    const ids = receiver.received.map(({ headers }) => headers["x-webhook-id"]);
    return { kills: counts, repeated: ids.length - new Set(ids).size, faults: aimed.faults };
  } finally {
    receiver.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
