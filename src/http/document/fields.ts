/** TABLE: what each field is, by its name, with a value that examples show. */
import { dynamicPixCode } from "../../domain/identifiers/pix-code.ts";
import { inMebibytes } from "../../domain/words/mebibytes.ts";
import { MAX_PAGE, MAX_PAGE_SIZE, PAGE_SIZE } from "../../service/account-reads.ts";
import { MAX_PERCENTAGES } from "../../service/splits.ts";
import { TOKEN_LIFETIME_S } from "../../service/tokens.ts";
import { MAX_ALL_BYTES, MAX_FILE_BYTES, MAX_FILES } from "../reply-form.ts";

/**
 * What documents say of a field. `facts` are JSON Schema keywords of a request's field that its zod schema, which
 * validates by code, cannot give.
 */
interface FieldNote {
  readonly is: string;
  readonly sample: unknown;
  readonly facts: Readonly<Record<string, unknown>>;
}

const note = (is: string, sample: unknown, facts: FieldNote["facts"] = {}): FieldNote => ({ is, sample, facts });

const AT = "2026-01-01T12:00:00.000Z";
const ID = "9f86d081884c7d659a2feaa0c55ad015";
/** A refund has an id of its own (`D54a`, `D40b`). */
export const REFUND_ID = "60303ae22b998861bce3b28f33eec1be";
const CODE = dynamicPixCode({
  location: `pix.example.com/qr/v2/${ID}`,
  amount: "150.00",
  merchantName: "Sandbox Pagamentos",
  merchantCity: "SAO PAULO",
});

/** TABLE: a field has the same note wherever its name occurs. */
export const fieldNotes: Readonly<Record<string, FieldNote>> = {
  access_token: note("The access token, a JWT.", "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.e30.c2ln"),
  address: note("On-chain address, PIX key or CLABE that deposits go to.", "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t"),
  amount: note("Amount; gross, before any fee.", "150.00"),
  amount_from: note("What was debited.", "100.00"),
  amount_gross: note("What was deposited, before the fee.", "150.000000"),
  amount_net: note("amount minus fee.", "148.50"),
  amount_refunded: note("What was given back.", "150.00"),
  amount_returned_to: note("What was given back in the origin currency.", "100.00"),
  amount_reverted_from: note("What was taken back from the destination currency.", "18.222500"),
  amount_to: note("What was credited.", "18.222500"),
  balance: note("Available for use.", "10000.00"),
  balance_locked: note("Blocked by operations in progress or by compliance.", "0.00"),
  balances: note("One entry per currency of the account.", []),
  bank: note("Bank of the receiver.", "Banco do Brasil"),
  base_currency: note("Source currency.", "BRL"),
  canceled_at: note("When the payer canceled.", AT),
  canceled_by: note("Who canceled.", "payer"),
  chain: note("Blockchain, lower case.", "tron"),
  clabe: note("CLABE to pay to.", "646180157000000004"),
  client_id: note("Identifier of the credential.", "acme-0123456789abcdef"),
  client_secret: note("Secret of the credential.", "secret-0123456789abcdef0123456789abcdef"),
  code: note("What went wrong, for programs.", "INVALID_REQUEST"),
  completed_at: note("When it was completed.", AT),
  confirmations: note("Confirmations that the chain gave.", 20),
  confirmed_at: note("When it was confirmed.", AT),
  conversion_id: note("Identifier of the conversion.", ID),
  counterparty: note("Username of the other account.", "globex"),
  created_at: note("When it was created.", AT),
  created_from: note("Created at this instant or later.", AT, { format: "date-time" }),
  created_to: note("Created at this instant or earlier.", AT, { format: "date-time" }),
  currency: note("Currency code.", "BRL"),
  currency_from: note("Debited currency.", "BRL"),
  currency_returned_to: note("Currency given back.", "BRL"),
  currency_reverted_from: note("Currency taken back.", "USDT"),
  currency_to: note("Credited currency.", "USDT"),
  currency_type: note("fiat or crypto.", "fiat"),
  daily_limit: note("Limit per day (UTC).", "50000.00"),
  daily_remaining: note("What is left today.", "49850.00"),
  daily_used: note("Used today so far.", "150.00"),
  data: note("What was asked for.", {}),
  deadline_at: note("Deadline of the reply, 7 days after opening.", "2026-01-08T12:00:00.000Z"),
  description: note("Free text for both sides.", "Lunch"),
  destination_currency: note("Target currency.", "USDT"),
  direction: note(
    "received for the destination account; for the sender sent, or out with a setting (D39).",
    "received",
  ),
  document: note("Tax id of the person or company.", "52998224725"),
  e2e_id: note(
    "End-to-end id of a PIX, tracking key (clave de rastreo) of a SPEI.",
    "E12345678202601011200abcdefghijk",
  ),
  email: note("E-mail address of the account.", "acme@example.org"),
  error: note("Why it was refused.", {}),
  error_code: note("Why it failed, for programs.", "PIX_KEY_NOT_FOUND"),
  error_message: note("Why it failed, in words.", "PIX key not found in the central directory."),
  estimated_amount: note("The amount in the target currency, without spread and fee.", "18.500000"),
  event: note("Name of the event.", "cashin.confirmed"),
  expired_at: note("When it expired.", AT),
  expires_at: note("The instant from which it is no longer valid.", "2026-01-01T12:30:00.000Z"),
  expires_in: note("Seconds for which the token is valid.", TOKEN_LIFETIME_S),
  external_id: note("Caller's own identifier, unique per account; makes the call idempotent.", "order-1"),
  failed_at: note("When it failed.", AT),
  fee: note("Fee of the service.", "1.50"),
  fees: note("One entry per currency and operation.", []),
  files: note(
    `Up to ${MAX_FILES}: pdf, png or jpeg, ${inMebibytes(MAX_FILE_BYTES)} each, ${inMebibytes(MAX_ALL_BYTES)} in all.`,
    [],
  ),
  fixed: note("Fixed part of the fee.", "0.00"),
  from_amount: note("What would be debited.", "100.00"),
  grant_type: note("Grant of OAuth 2.0.", "client_credentials"),
  group: note("Kind of failure.", "VALIDATION"),
  has_next: note("Whether there is a page after this one.", false),
  has_prev: note("Whether there is a page before this one.", false),
  hash: note(
    "Proof of settlement: transaction hash, end-to-end id, clave de rastreo.",
    "E12345678202601011200abcdefghijk",
  ),
  infraction_id: note("Identifier of the dispute.", "inf_0123456789abcdefghijklmn"),
  items: note("The items of this page, newest first.", []),
  key: note("Destination: PIX key, CLABE or on-chain address.", "893f5960-df90-419f-b5b5-13a9155ffd55"),
  key_type: note("Kind of the destination: cpf, cnpj, email, phone, evp, clabe or the chain.", "evp"),
  limits: note("One entry per currency and operation.", []),
  message: note("What went wrong, in words.", "The request is invalid."),
  min_confirmations: note("Confirmations required for a deposit.", 20),
  minimum: note("Lowest fee.", "0.50"),
  monthly_limit: note("Limit per month (UTC).", "1000000.00"),
  monthly_used: note("Used this month so far.", "150.00"),
  name: note("Name.", "Ana Souza"),
  network: note("Method or token standard: PIX, SPEI, TRC20 and so on.", "PIX"),
  new_balance: note("Balance after.", "10148.50"),
  old_balance: note("Balance before.", "10000.00"),
  operation: note("What the entry is about.", "cashin"),
  original_conversion_id: note("The conversion that was reversed.", ID),
  original_transaction_id: note("The transaction that was given back.", ID),
  page: note("Number of the page, from 1.", 1, { type: "integer", minimum: 1, maximum: MAX_PAGE, default: 1 }),
  page_size: note("Items per page.", PAGE_SIZE, {
    type: "integer",
    minimum: 1,
    maximum: MAX_PAGE_SIZE,
    default: PAGE_SIZE,
  }),
  payer: note("The payer.", undefined),
  per_operation_max: note("Maximum for one operation.", "20000.00"),
  per_operation_min: note("Minimum for one operation.", "1.00"),
  percentage: note("Percentage.", "1.00", { exclusiveMinimum: 0, maximum: Number(MAX_PERCENTAGES) }),
  postback_url: note("Where webhooks go.", "https://merchant.example.org/hook", { format: "uri" }),
  qr_code: note("EMV text of the PIX QR code.", CODE),
  rate: note("Units of destination per unit of base.", "0.185"),
  reason: note("Reason.", "MANUAL_REFUND"),
  receiver: note("Receiver of a PIX or SPEI.", undefined),
  refunded_amount: note("What was returned to the balance.", "150.00"),
  refunded_at: note("When it was given back.", AT),
  reply_id: note("Identifier of the reply.", 1),
  request_id: note("Identifier of the request, to be quoted in support requests.", "req_0123456789abcdefghijklmn"),
  reset_at: note("Next reset of daily counters.", "2026-01-02T00:00:00.000Z"),
  resolved_at: note("When it was decided.", AT),
  responded_at: note("When the reply was registered.", AT),
  retryable: note("Whether the same request may succeed later.", false),
  source: note("dynamic_qr: a charge; static: a fixed wallet.", "dynamic_qr"),
  split: note("Shares of the net amount that go to other accounts on confirmation.", []),
  spread: note("Spread, in the destination currency.", "0.092500"),
  status: note("Status.", "pending"),
  success: note("Whether the call succeeded.", true),
  text: note("The reply in words.", "The goods were delivered."),
  timestamp: note("When the answer was made.", AT),
  to_amount: note("What would be credited, after spread and fee.", "18.222500"),
  token_type: note("Bearer.", "Bearer"),
  transaction_id: note("Identifier of the transaction.", ID),
  tx_hash: note("On-chain transaction hash.", null),
  type: note("Kind.", "cashin"),
  username: note("Name of an account of the service.", "globex"),
  wallet: note("Destination: PIX key, CLABE or on-chain address.", "893f5960-df90-419f-b5b5-13a9155ffd55"),
  wallet_id: note("Identifier of the wallet.", 1001),
};
