/** Transactions, wallets, conversions, transfers and disputes of a world, and what the outside world does to them. */

import { readBody } from "./control-client.ts";
import type {
  ConfirmInput,
  DepositInput,
  DisputeInput,
  FailInput,
  PayInput,
  RefundInput,
  TransactionFilter,
} from "./control-requests.ts";
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
import { refuseWrongOptions } from "./refusals.ts";
import { type ListOptions, pathWith, type WorldCalls } from "./world-calls.ts";

/** TABLE: what may narrow a list of transactions. */
const filters: Readonly<Record<keyof TransactionFilter, true>> = {
  external_id: true,
  type: true,
  status: true,
  currency: true,
  username: true,
};

/** Resources of one kind; `get` gives everything about one: fields, postings, timers and journal entries. */
class Resources<Summary, Info> {
  protected readonly calls: WorldCalls;
  readonly #path: string;

  constructor(calls: WorldCalls, path: string) {
    this.calls = calls;
    this.#path = path;
  }

  /** All resources of the kind, oldest first. */
  list(options?: ListOptions): Promise<Summary[]> {
    return this.calls.all(this.#path, options);
  }

  /** One resource with its postings, timers and journal entries. @throws {ControlCallError} 404 if there is none. */
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
 * Cash-ins and cash-outs. An action resolves once everything that it made due is done, webhook deliveries included. If
 * other deliveries are in flight, it resolves at once: the caller may be their receiver.
 * @throws {ControlCallError} 409 `INVALID_TRANSITION` if the state does not allow the action; it says what is allowed.
 */
export class Transactions extends Resources<TransactionSummary, TransactionInfo> {
  constructor(calls: WorldCalls) {
    super(calls, "/transactions");
  }

  /** All cash-ins and cash-outs, or those that have these values, oldest first. */
  override async list(options: ListOptions & TransactionFilter = {}): Promise<TransactionSummary[]> {
    refuseWrongOptions("a list of transactions", options, ["limit", ...Object.keys(filters)]);
    const { limit, ...filter } = options;
    return this.calls.all(pathWith("/transactions", filter), limit === undefined ? {} : { limit });
  }

  /**
   * The payer pays a charge, at once and in full unless `input` says otherwise; only crypto takes another amount.
   * @example
   * ```ts
   * await world.transactions.pay(charge.transaction_id, { payer: { name: "Maria Silva" } });
   * ```
   */
  pay(id: string, input: PayInput = {}): Promise<TransactionInfo> {
    return this.act(id, "pay", input);
  }

  /** Lets a charge expire unpaid, now. */
  expire(id: string): Promise<TransactionInfo> {
    return this.act(id, "expire");
  }

  /** Cancels a charge. */
  cancel(id: string): Promise<TransactionInfo> {
    return this.act(id, "cancel");
  }

  /** The gateway or provider fails it: a charge takes a `reason`, a cash-out needs an `error_code`. */
  fail(id: string, input: FailInput = {}): Promise<TransactionInfo> {
    return this.act(id, "fail", input);
  }

  /** Reverses a confirmed cash-in or cash-out, in full or by an `amount`. */
  refund(id: string, input: RefundInput = {}): Promise<TransactionInfo> {
    return this.act(id, "refund", input);
  }

  /** The payer contests a paid PIX charge. The new dispute is the last of `world.disputes.list()`. */
  dispute(id: string, input: DisputeInput = {}): Promise<TransactionInfo> {
    return this.act(id, "dispute", input);
  }

  /** The provider settles a cash-out. */
  confirm(id: string, input: ConfirmInput = {}): Promise<TransactionInfo> {
    return this.act(id, "confirm", input);
  }
}

/** Fixed wallets: permanent addresses and keys to deposit to. */
export class Wallets extends Resources<WalletSummary, WalletInfo> {
  constructor(calls: WorldCalls) {
    super(calls, "/wallets");
  }

  /**
   * Somebody sends money to a wallet. It is credited after the settlement time of the rail (`D06`), or at once with
   * `instant: true`.
   * @returns the cash-in that the deposit makes.
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

/** Internal transfers: they are confirmed as soon as they are made. */
export class Transfers extends Resources<TransferSummary, TransferInfo> {
  constructor(calls: WorldCalls) {
    super(calls, "/transfers");
  }
}

/** Disputes of PIX payments, and their outcomes. */
export class Disputes extends Resources<DisputeSummary, DisputeInfo> {
  constructor(calls: WorldCalls) {
    super(calls, "/disputes");
  }

  /** The merchant wins: the blocked money is released. */
  win(id: string): Promise<DisputeInfo> {
    return this.act(id, "win");
  }

  /** The merchant loses: the money goes back to the payer. */
  lose(id: string): Promise<DisputeInfo> {
    return this.act(id, "lose");
  }

  /** The payer withdraws the dispute. */
  cancel(id: string): Promise<DisputeInfo> {
    return this.act(id, "cancel");
  }

  /** A file of the merchant's reply, as it was sent; `number` starts at 1. */
  async file(id: string, number: number): Promise<DisputeFile> {
    const response = await this.calls.open(`${this.pathOf(id)}/files/${number}`);
    const [, name = ""] = /filename\*=UTF-8''(.*)$/.exec(response.headers.get("content-disposition") ?? "") ?? [];
    const content = await readBody(this.calls.connection, response, (whole) => whole.arrayBuffer());
    const type = response.headers.get("content-type") ?? "";
    return { name: decodeURIComponent(name), type, content: new Uint8Array(content) };
  }
}
