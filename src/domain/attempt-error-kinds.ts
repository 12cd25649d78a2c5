/** TABLE: why an attempt got no whole answer, in words, by the kind of its error; the attempt itself has more details. */
export const attemptErrorWords = {
  connect_timeout: "no connection came about in time",
  timeout: "no whole answer came in time",
  connection_refused: "nothing listens there",
  name_not_resolved: "the host name cannot be resolved",
  tls: "no trusted TLS connection came about",
  connection_closed: "the connection was closed before the answer was complete",
  not_http: "what was answered is no HTTP",
  headers_too_large: "the headers of the answer are too large",
  source_not_available: "it could not leave from its source address",
  network: "it did not get through to the receiver",
  interrupted: "the sandbox was stopped, or the world copied, before an answer came",
  answer_lost: "the receiver took it, and the exploration kept its answer back",
} as const;

/** The kind of an attempt's error. */
export type AttemptErrorKind = keyof typeof attemptErrorWords;

/** Every kind. */
export const attemptErrorKinds = Object.keys(attemptErrorWords) as AttemptErrorKind[];

/** What went wrong with an attempt below HTTP. */
export interface AttemptError {
  readonly kind: AttemptErrorKind;
  /** A sentence on it. */
  readonly message: string;
}
