/** Calls of `/v2` as they came and as they were answered. */
import type { Added } from "./additions.ts";
import { countsOf } from "./counts.ts";
import type { Database } from "./database.ts";
import { LateIndex } from "./late-index.ts";
import { rareHeader, readHeaders, writtenHeaders } from "./logged-answers.ts";
import {
  BEGINNING_BYTES,
  type CallAnswer,
  type CallTrace,
  type LoggedRequest,
  type NewCall,
  type PlacedCall,
  TRACED_BYTES,
} from "./logged-calls.ts";
import { rowsWithin } from "./pages.ts";
import { SharedTexts, sharedText } from "./shared-texts.ts";

const HEADERS = `iif(shared_headers IS NULL, headers, ${sharedText("shared_headers")})`;
const BEGINNING = sharedText("beginning");
const WHOLE_ANSWER = `iif(beginning IS NULL, response_body, CAST(${BEGINNING} || response_body AS BLOB))`;

const TRACED = `position, request_id, ordinal, entry, at, wall_at, sent_after, in_company, client_id, ip, method, path, query, status, error_code, duration_ms,
  CAST(iif(length(body) > ${TRACED_BYTES}, substr(body, 1, ${BEGINNING_BYTES}), body) AS TEXT) AS text,
  length(body) AS size, ${HEADERS} ->> '$."user-agent"' AS agent,
  ${HEADERS} ->> '$."x-nonce"' AS nonce, ${rareHeader("Retry-After")} AS retry_after, proof ->> '$.credential' AS proven,
  json_type(proof, '$.credential') = 'null' AS wrong_credential, proof ->> '$.signature' AS signature`;

type Row = Omit<LoggedRequest, "headers" | "too_large" | "in_company" | "answer_headers" | "proof"> & {
  position: number;
  headers: string;
  too_large: number;
  in_company: number;
  response_headers: string;
  proof: string;
};

const ADDED = [
  ...["request_id", "ordinal", "entry", "at", "client_id", "ip", "method", "path", "query", "headers", "body"],
  ...["too_large", "status", "error_code", "response_headers", "response_body", "wall_at", "sent_after"],
  ...["in_company", "proof", "duration_ms"],
];
/** Columns whose value is stored elsewhere if it is shared. */
const READ: Readonly<Record<string, string>> = { headers: HEADERS, response_body: WHOLE_ANSWER };
const COLUMNS = ADDED.map((column) => (READ[column] ? `${READ[column]} AS ${column}` : column)).join(", ");

/** How many shared texts are remembered: few lists, since their pages are long. */
const MOST_SHARED = { headers: 200, lists: 20 } as const;

/** Headers up to this length tend to recur; longer ones are not even looked up. */
const LONGEST_SHARED = 2_000;

const NARROWED = "position > ? AND (? IS NULL OR method || ' ' || path = ?) AND (? IS NULL OR client_id = ?)";

/** A filter of calls; what is left out matches any. */
interface RequestFilter {
  /** Method and path. */
  readonly call?: string | undefined;
  readonly client_id?: string | undefined;
}

/** Which earlier calls to find. */
interface EarlierCalls {
  /** Method and path. */
  readonly call: string;
  readonly client_id?: string | undefined;
  /** From this instant on. */
  readonly since: number;
  /** How many calls are scanned: there is no index of them. */
  readonly span: number;
}

function narrowedBy(position: number, filter: RequestFilter) {
  const [call, clientId] = [filter.call ?? null, filter.client_id ?? null];
  return [position, call, call, clientId, clientId];
}

/** Calls by id and by position. */
export class RequestStore {
  readonly #database: Database;
  readonly #added: Added;
  readonly #headers: SharedTexts;
  readonly #lists: SharedTexts;
  readonly #byId: LateIndex;

  constructor(database: Database) {
    this.#database = database;
    this.#added = database.additions("requests", [...ADDED, "beginning", "shared_headers"]);
    this.#headers = new SharedTexts(database, "headers", MOST_SHARED.headers);
    this.#lists = new SharedTexts(database, "lists", MOST_SHARED.lists);
    this.#byId = new LateIndex(database, "requests", "request_id");
  }

  insert(row: NewCall): void {
    const { headers } = row;
    const sharedHeaders = headers.key.length > LONGEST_SHARED ? null : this.#headers.idOf(headers);
    const { beginning, rest } = this.#divided(row);
    this.#added.add([
      row.request_id,
      row.ordinal,
      row.entry,
      row.at,
      row.client_id,
      row.ip,
      row.method,
      row.path,
      row.query,
      sharedHeaders === null ? headers.text() : "",
      row.body,
      row.too_large ? 1 : 0,
      row.status,
      row.error_code,
      writtenHeaders(row.answer_headers),
      Buffer.from(rest),
      row.wall_at,
      row.sent_after,
      row.in_company ? 1 : 0,
      JSON.stringify(row.proof),
      row.duration_ms,
      beginning,
      sharedHeaders,
    ]);
  }

  /** An answer as stored: the id of the shared text that it begins with, null if there is none, and the rest. */
  #divided({ response_body: answer, shared }: NewCall): { beginning: number | null; rest: string } {
    const at = shared ? answer.indexOf(shared.text) : -1;
    if (!shared || at < 0) return { beginning: null, rest: answer };
    const end = at + shared.text.length;
    const beginning = this.#lists.idOf({ key: shared.text, text: () => answer.slice(0, end) });
    return { beginning, rest: beginning === null ? answer : answer.slice(end) };
  }

  get(requestId: string): PlacedCall | undefined {
    this.#byId.seeToIt();
    const row = this.#database.get<Row>(`SELECT position, ${COLUMNS} FROM requests WHERE request_id = ?`, requestId);
    return row && parse(row);
  }

  /** Calls after a position, oldest first, narrowed by what is given. */
  after(position: number, limit: number, filter: RequestFilter = {}): PlacedCall[] {
    const sql = `SELECT position, ${COLUMNS} FROM requests WHERE ${NARROWED} ORDER BY position LIMIT ? + 0`;
    return this.#database.all<Row>(sql, ...narrowedBy(position, filter), limit).map(parse);
  }

  /** Calls that succeeded before a position, newest first; not those that a fault kept from being carried out. */
  successesBefore(position: number, limit: number, { call, client_id, since, span }: EarlierCalls): PlacedCall[] {
    const sql = `SELECT position, ${COLUMNS} FROM requests WHERE position < ? AND position >= ? AND error_code IS NULL
      AND status BETWEEN 200 AND 299 AND method || ' ' || path = ? AND (? IS NULL OR client_id = ?) AND at >= ?
      ORDER BY position DESC LIMIT ? + 0`;
    const client = client_id ?? null;
    return this.#database.all<Row>(sql, position, position - span, call, client, client, since, limit).map(parse);
  }

  /** The entries of a credential's 4xx calls before a position, newest first. @param since an instant, exclusive. */
  refusalsBefore(position: number, limit: number, clientId: string, since: number): number[] {
    const sql = `SELECT entry FROM requests WHERE position < ? AND client_id = ? AND at > ?
      AND status BETWEEN 400 AND 499 ORDER BY position DESC LIMIT ? + 0`;
    return this.#database.all<{ entry: number }>(sql, position, clientId, since, limit).map(({ entry }) => entry);
  }

  /** Like {@link refusalsBefore}, for calls of an address whose token, client secret or HMAC was wrong. */
  failuresBefore(position: number, limit: number, ip: string, since: number): number[] {
    const sql = `SELECT entry FROM requests WHERE position < ? AND ip = ? AND at > ? AND status BETWEEN 400 AND 499
      AND (json_type(proof, '$.credential') = 'null' OR json_type(proof, '$.signature') = 'false')
      ORDER BY position DESC LIMIT ? + 0`;
    return this.#database.all<{ entry: number }>(sql, position, ip, since, limit).map(({ entry }) => entry);
  }

  /** Those of the latest `span` calls whose bodies contain a text, newest first. */
  latestWith(text: string, span: number, limit: number): LoggedRequest[] {
    const sql = `SELECT position, ${COLUMNS} FROM requests WHERE position > (SELECT max(position) FROM requests) - ?
      AND instr(body, CAST(? AS BLOB)) > 0 ORDER BY position DESC LIMIT ? + 0`;
    return this.#database.all<Row>(sql, span, text, limit).map(parse);
  }

  /**
   * Of the `span` calls before a position, the last that a credential signed with a nonce, in any letter case, and whose
   * signature was accepted.
   */
  signedBefore(position: number, span: number, clientId: string, nonce: string): LoggedRequest | undefined {
    const sql = `SELECT position, ${COLUMNS} FROM requests WHERE position < ? AND position >= ? AND client_id = ?
      AND lower(${HEADERS} ->> '$."x-nonce"') = lower(?) AND proof ->> '$.signature'
      AND error_code IS NOT 'INVALID_SIGNATURE' ORDER BY position DESC LIMIT 1`;
    const row = this.#database.get<Row>(sql, position, position - span, clientId, nonce);
    return row && parse(row);
  }

  /** How many calls of {@link after} have at most `bytes` bytes of bodies: at least 1; `limit` if all of them fit. */
  countWithin(bytes: number, position: number, limit: number, filter: RequestFilter = {}): number {
    const sql = `SELECT length(body) + length(response_body) +
      iif(beginning IS NULL, 0, octet_length(${BEGINNING})) AS size FROM requests WHERE ${NARROWED}
      ORDER BY position LIMIT ? + 0`;
    return rowsWithin(bytes, this.#database.all(sql, ...narrowedBy(position, filter), limit), limit);
  }

  /** How the latest calls were answered, newest first; this needs no index. */
  latestAnswers(count: number): CallAnswer[] {
    const sql = `SELECT entry, error_code, response_headers, ${WHOLE_ANSWER} AS response_body FROM requests
      ORDER BY position DESC LIMIT ? + 0`;
    type AnswerRow = Omit<CallAnswer, "answer_headers"> & { response_headers: string };
    return this.#database
      .all<AnswerRow>(sql, count)
      .map(({ response_headers, ...row }) => ({ ...row, answer_headers: readHeaders(response_headers) }));
  }

  /** Calls at positions after `after`, up to and including `until`, oldest first. */
  traces(after: number, until: number, limit: number): CallTrace[] {
    const sql = `SELECT ${TRACED} FROM requests WHERE position > ? AND position <= ? ORDER BY position LIMIT ? + 0`;
    type Flags = Pick<CallTrace, "signature" | "wrong_credential" | "in_company">;
    type TraceRow = Omit<CallTrace, keyof Flags> & Record<keyof Flags, number | null>;
    // In place: there may be a hundred thousand of them.
    return this.#database.all<TraceRow>(sql, after, until, limit).map((row) => {
      const [signature, wrong_credential] = [flagOf(row.signature), flagOf(row.wrong_credential)];
      return Object.assign(row, { signature, wrong_credential, in_company: row.in_company === 1 });
    });
  }

  /** How many calls there were, by method and path. */
  countsByCall(): ReadonlyMap<string, number> {
    return countsOf(this.#database, "SELECT method || ' ' || path AS name, count(*) AS count FROM requests GROUP BY 1");
  }

  /** How many refusals there were, by code. */
  countsByErrorCode(): ReadonlyMap<string, number> {
    return countsOf(this.#database, "SELECT error_code AS name, count(*) AS count FROM requests GROUP BY 1");
  }
}

/** A truth value as SQLite tells it; null stays null. */
function flagOf(value: number | null): boolean | null {
  return value === null ? null : value === 1;
}

function parse({ headers, response_headers, proof, ...row }: Row): PlacedCall {
  return {
    ...row,
    headers: JSON.parse(headers),
    too_large: row.too_large === 1,
    answer_headers: readHeaders(response_headers),
    in_company: row.in_company === 1,
    proof: JSON.parse(proof),
  };
}
