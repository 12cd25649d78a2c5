/** Why an attempt got no whole answer, in terms of the destination rather than of this machine. */
import type { AttemptError, AttemptErrorKind } from "../domain/attempt-error-kinds.ts";
import { certificateCodes } from "../domain/certificate-codes.ts";
import { destinationFault } from "../domain/destinations.ts";
import type { Settings } from "../domain/settings.ts";
import { messageOf } from "../domain/words/thrown.ts";

/** The destination of the attempt, and where webhooks of its world may go (`D63`). */
interface Aim {
  readonly destination: string;
  readonly targets: Settings["webhook_targets"];
}

interface Trouble {
  readonly error: unknown;
  readonly code: string;
  readonly aim: Aim;
  /** Host and port. */
  readonly place: string;
  /** Whether an answer had begun: its status and headers have come. */
  readonly hasBegun: boolean;
}

type Sentence = (trouble: Trouble) => string;

const asItIs: Sentence = ({ error }) => plainMessage(error);

const noTls: Sentence = ({ place, aim }) =>
  `The receiver at ${place} speaks no TLS${instead(aim, "http", "; if it answers plain http there")}.`;

/** TABLE: the client library's messages for answers that make it hang up, and what the receiver had sent. */
const HUNG_UP: Readonly<Record<string, string>> = {
  "bad response": "100 Continue, which nothing had asked for",
  "bad upgrade": "101 Switching Protocols, which nothing had asked for",
};

const noAnswer: Sentence = ({ error, place, aim, hasBegun }) => {
  const sent = HUNG_UP[plainMessage(error)];
  if (sent) return `${place} sent ${sent}; it must begin with the status of its answer.`;
  const advice = hasBegun ? "" : instead(aim, "https", "; if it speaks TLS there");
  return `${place} closed the connection before its answer was complete${advice}.`;
};

/** TABLE: patterns of error codes, with the kind and the message of such an error; the first that matches counts. */
const ERRORS: readonly (readonly [RegExp, AttemptErrorKind, Sentence])[] = [
  [/^SOURCE_NOT_AVAILABLE$/, "source_not_available", asItIs],
  [
    /^UND_ERR_CONNECT_TIMEOUT$|^ETIMEDOUT$/,
    "connect_timeout",
    ({ place }) => `No connection to ${place} came about in time.`,
  ],
  [/^Overdue$/, "timeout", asItIs],
  [/^E(HOST|NET)(UNREACH|DOWN)$/, "network", ({ place }) => `No way leads to ${place}.`],
  [/^ECONNREFUSED$/, "connection_refused", ({ place }) => `Nothing listens at ${place}.`],
  [/^ENOTFOUND$|^EAI_/, "name_not_resolved", ({ aim }) => `The host name ${hostOf(aim)} cannot be resolved.`],
  // Something other than a TLS record came back: another protocol, most likely plain http.
  [/^ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST|UNKNOWN_PROTOCOL)$/, "tls", noTls],
  [/SELF_SIGNED/, "tls", ({ place }) => `The certificate of ${place} is self-signed.`],
  [certificateCodes.expired, "tls", ({ place }) => `The certificate of ${place} has expired.`],
  [certificateCodes.ofOtherHost, "tls", ({ place }) => `The certificate of ${place} is that of another host.`],
  [certificateCodes.any, "tls", ({ place, code }) => `The certificate of ${place} is not trusted (${code}).`],
  [/^ERR_TLS|^ERR_SSL|^EPROTO$/, "tls", ({ place, code }) => `TLS with ${place} did not come about (${code}).`],
  [/^ECONNRESET$|^EPIPE$|^UND_ERR_SOCKET$/, "connection_closed", noAnswer],
  [/^HPE_|^UND_ERR_.*PARSE|^HTTPParserError$|^UND_ERR_RES_CONTENT_LENGTH_MISMATCH$/, "not_http", noHttp],
  // The client library asserts that a status is at least 100.
  [/^ERR_ASSERTION$/, "not_http", ({ place }) => `What ${place} answered is no HTTP: its status is below 100.`],
  [
    /^UND_ERR_HEADERS_OVERFLOW$/,
    "headers_too_large",
    ({ place }) => `The headers of the answer of ${place} are too large.`,
  ],
];

/**
 * The kind of an error, which the journal records, and a sentence that explains it.
 * @param hasBegun whether it broke off an answer whose status and headers had come.
 */
export function attemptError(error: unknown, aim: Aim, hasBegun = false): AttemptError {
  const isEnd = hasBegun && isEndOfConnection(error);
  const [kind, told, code] = known(isEnd ? END_OF_CONNECTION : error) ?? (["network", asItIs, ""] as const);
  const { hostname, port, protocol } = new URL(aim.destination);
  const place = `${hostname}:${port || (protocol === "https:" ? 443 : 80)}`;
  return { kind, message: told({ error, code, aim, place, hasBegun }) };
}

/** What the client library reports if a connection ends within an answer, unless that had announced its end. */
const END_OF_CONNECTION = { code: "UND_ERR_SOCKET" } as const;

/** Whether an announced end came within the answer: the client library calls that a wrong length, or no HTTP. */
function isEndOfConnection(error: unknown): boolean {
  const { code } = error as { code?: string };
  return code === "UND_ERR_RES_CONTENT_LENGTH_MISMATCH" || plainMessage(error).includes("Invalid EOF state");
}

function known(error: unknown): readonly [AttemptErrorKind, Sentence, string] | undefined {
  const { code, name, cause, errors } = error as { code?: string; name?: string; cause?: unknown; errors?: unknown[] };
  const word = code ?? name ?? "";
  const found = ERRORS.find(([pattern]) => pattern.test(word));
  if (found) return [found[1], found[2], word];
  const inner = cause ?? errors?.[0];
  return inner ? known(inner) : undefined;
}

function plainMessage(error: unknown): string {
  const { code, name } = error as { code?: string; name?: string };
  return messageOf(error) || code || name || "";
}

/** A TLS alert in place of an answer means that the receiver took the request for a broken TLS handshake. */
function noHttp({ error, place, aim }: Trouble): string {
  const { data } = error as { data?: unknown };
  const isAlert = typeof data === "string" && data.startsWith("\u0015\u0003");
  if (isAlert) return `The receiver at ${place} speaks TLS${instead(aim, "https", "")}.`;
  return `What ${place} answered is no HTTP: ${plainMessage(error)}.`;
}

/** Advice to register the same URL with the other scheme, if that is allowed; else empty. */
function instead({ destination, targets }: Aim, scheme: "http" | "https", when: string): string {
  if (destination.startsWith(`${scheme}:`)) return "";
  const url = destination.replace(/^https?/i, scheme);
  return destinationFault(url, targets) === null ? `${when === "" ? ";" : `${when},`} register ${url}` : "";
}

function hostOf({ destination }: Aim): string {
  return new URL(destination).hostname;
}
