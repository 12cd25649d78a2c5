/** Transactions, wallets, conversions, transfers and disputes of a world, and what the outside world does to them. */

import { readBody } from "./control-client.ts";
import type { ConfirmInput, DepositInput, DisputeInput, FailInput, PayInput, RefundInput } from "./control-requests.ts";
import type {
  ConversionInfo,
  ConversionSummary,
  DisputeFile,
  DisputeInfo,
  DisputeSummary,
  TransactionInfo,
  TransactionSummary,
  TransferInfo,
  TransferSummary,
  WalletInfo,
  WalletSummary,
} from "./control-types.ts";
import type { ListOptions, WorldCalls } from "./world-calls.ts";

/** Resources of one kind; `get` tells all that is known of one: fields, postings, timers and journal entries. */
class Resources<Summary, Info> {
  protected readonly calls: WorldCalls;
  readonly #path: string;

  constructor(calls: WorldCalls, path: string) {
    this.calls = calls;
    this.#path = path;
  }

  /** Those that there are, oldest first. */
  list(options?: ListOptions): Promise<Summary[]> {
    return this.calls.all(this.#path, options);
  }

  /** All that is known of one. @throws {ControlCallError} 404 where there is none of this id. */
  get(id: string | number): Promise<Info> {
    return this.calls.call("GET", this.pathOf(id));
  }

  protected pathOf(id: string | number): string {
    return `${this.#path}/${encodeURIComponent(id)}`;
  }

  protected act<Answer = Info>(id: string | number, action: string, input: object = {}): Promise<Answer> {
    return this.calls.call("POST", `${this.pathOf(id)}/${action}`, input);
  }
}

/**
 * Cash-ins and cash-outs. An action answers when what it made due is done, deliveries included; while others are in the
 * air, whose receivers may be those who act, it answers at once.
 * @throws {ControlCallError} 409 `INVALID_TRANSITION` where the state does not allow an action; it says what it allows.
 */
export class Transactions extends Resources<TransactionSummary, TransactionInfo> {
  constructor(calls: WorldCalls) {
    super(calls, "/transactions");
  }

  /**
   * The payer pays a charge, at once and whole unless said otherwise; only crypto takes another amount.
   * @example
   * ```ts
   * await world.transactions.pay(charge.transaction_id, { payer: { name: "Maria Silva" } });
   * ```
   */
  pay(id: string, input: PayInput = {}): Promise<TransactionInfo> {
    return this.act(id, "pay", input);
  }

  /** A charge ends unpaid. */
  expire(id: string): Promise<TransactionInfo> {
    return this.act(id, "expire");
  }

  /** A charge is called off. */
  cancel(id: string): Promise<TransactionInfo> {
    return this.act(id, "cancel");
  }

  /** The gateway or provider refuses: a charge with a `reason`, a cash-out with an `error_code`. */
  fail(id: string, input: FailInput = {}): Promise<TransactionInfo> {
    return this.act(id, "fail", input);
  }

  /** A cash-in or cash-out that was confirmed is reversed, wholly or by an `amount`. */
  refund(id: string, input: RefundInput = {}): Promise<TransactionInfo> {
    return this.act(id, "refund", input);
  }

  /** The payer contests a PIX that was paid. The dispute is the latest of `world.disputes.list()`. */
  dispute(id: string, input: DisputeInput = {}): Promise<TransactionInfo> {
    return this.act(id, "dispute", input);
  }

  /** The provider settles a cash-out. */
  confirm(id: string, input: ConfirmInput = {}): Promise<TransactionInfo> {
    return this.act(id, "confirm", input);
  }
}

/** Permanent wallets and keys. */
export class Wallets extends Resources<WalletSummary, WalletInfo> {
  constructor(calls: WorldCalls) {
    super(calls, "/wallets");
  }

  /**
   * Somebody sends money to a wallet: credited after the time of the rail (`D06`), at once with `instant: true`.
   * @returns the cash-in that it is.
   */
  deposit(walletId: string | number, input: DepositInput): Promise<TransactionInfo> {
    return this.act<TransactionInfo>(walletId, "deposit", input);
  }
}

/** Conversions between two currencies of an account. */
export class Conversions extends Resources<ConversionSummary, ConversionInfo> {
  constructor(calls: WorldCalls) {
    super(calls, "/conversions");
  }

  /** Support reverses a conversion. */
  refund(id: string, input: { readonly reason?: string | undefined } = {}): Promise<ConversionInfo> {
    return this.act(id, "refund", input);
  }
}

/** Internal transfers: they are done as soon as they are there. */
export class Transfers extends Resources<TransferSummary, TransferInfo> {
  constructor(calls: WorldCalls) {
    super(calls, "/transfers");
  }
}

/** Disputes of PIX payments, and what their authority decides. */
export class Disputes extends Resources<DisputeSummary, DisputeInfo> {
  constructor(calls: WorldCalls) {
    super(calls, "/disputes");
  }

  /** The merchant wins: the blocked money is free again. */
  win(id: string): Promise<DisputeInfo> {
    return this.act(id, "win");
  }

  /** The merchant loses: the money goes back to the payer. */
  lose(id: string): Promise<DisputeInfo> {
    return this.act(id, "lose");
  }

  /** The payer takes the dispute back. */
  cancel(id: string): Promise<DisputeInfo> {
    return this.act(id, "cancel");
  }

  /** A file of the merchant's reply, as it was sent; `number` counts from 1. */
  async file(id: string, number: number): Promise<DisputeFile> {
    const response = await this.calls.open(`${this.pathOf(id)}/files/${number}`);
    const [, name = ""] = /filename\*=UTF-8''(.*)$/.exec(response.headers.get("content-disposition") ?? "") ?? [];
    const content = await readBody(this.calls.connection, response, (whole) => whole.arrayBuffer());
    const type = response.headers.get("content-type") ?? "";
    return { name: decodeURIComponent(name), type, content: new Uint8Array(content) };
  }
}
