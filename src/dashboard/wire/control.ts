/** Calls of the control interface from the page that it serves. */
import { jsonIn } from "../../domain/written-json.ts";
import { addressOfPage, keptText, wakeAfter } from "../browser.ts";

/** A refusal of the control interface, or a status of 0 where nothing answered. */
export class ControlError extends Error {
  override readonly name = "ControlError";
  readonly status: number;
  readonly code: string;
  readonly details: unknown;

  constructor(status: number, code: string, message: string, details: unknown = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.details = details;
  }
}

/** What a header can carry: the browser refuses to send anything else. */
const SENDABLE = /^[ -~\u0080-\u00ff]*$/;

/** Methods of the calls that the dashboard makes. */
export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** The interface of one world, and that of its process, with the control token where one was given. */
export class Control {
  /** The world's own address, without a slash at its end. */
  readonly base: string;
  /** The process's address, where worlds are made. */
  readonly root: string;
  readonly #token = keptText("session", "control-token");

  constructor({ base, root } = addressOfPage()) {
    this.base = base;
    this.root = root;
  }

  /** Whether the control token was asked for, and given. */
  get hasToken(): boolean {
    return this.#token.read() !== null;
  }

  /** Keeps the control token until the tab closes. */
  keepToken(token: string): void {
    this.#token.write(token);
  }

  /** Calls `{base}/_sandbox{path}`. @throws {ControlError} */
  call<Answer>(method: Method, path: string, body?: unknown): Promise<Answer> {
    return this.#call(this.base, method, path, body);
  }

  get = <Answer>(path: string) => this.call<Answer>("GET", path);
  post = <Answer>(path: string, body: unknown = {}) => this.call<Answer>("POST", path, body);

  /** Posts, and calls that off unless it is answered in time. @returns whether it was. @throws {ControlError} */
  async postWithin(path: string, patienceMs: number): Promise<boolean> {
    const asking = new AbortController();
    const forget = wakeAfter(patienceMs, () => asking.abort());
    try {
      await this.#call(this.base, "POST", path, {}, asking.signal);
      return true;
    } catch (error) {
      if (asking.signal.aborted) return false;
      throw error;
    } finally {
      forget();
    }
  }

  /** Calls what is answered at the root only: the worlds of the process. @throws {ControlError} */
  callRoot<Answer>(method: Method, path: string, body?: unknown): Promise<Answer> {
    return this.#call(this.root, method, path, body);
  }

  /** Posts a text of another kind than JSON, such as a scenario in YAML. @throws {ControlError} */
  async postText<Answer>(path: string, type: string, text: string): Promise<Answer> {
    const init = { method: "POST", headers: { "Content-Type": type }, body: text };
    return (await answerOf(await this.#fetch(this.base + address(path), init))) as Answer;
  }

  /** A file, as it is sent to be saved. @throws {ControlError} */
  async file(path: string): Promise<Blob> {
    const response = await this.#fetch(this.base + address(path), {});
    if (!response.ok) await answerOf(response);
    return arrived(response.blob());
  }

  /** Opens the journal's stream after a sequence. @throws {ControlError} */
  async openStream(after: number, signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
    const headers = { Accept: "text/event-stream", "Last-Event-ID": String(after) };
    const response = await this.#fetch(`${this.base}/_sandbox/journal/stream`, { headers, signal });
    if (!response.ok) await answerOf(response);
    return response.body ?? new ReadableStream();
  }

  async #call<Answer>(
    base: string,
    method: Method,
    path: string,
    body: unknown,
    signal: AbortSignal | null = null,
  ): Promise<Answer> {
    const json = { headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
    const init: RequestInit = body === undefined ? { method, signal } : { method, signal, ...json };
    return (await answerOf(await this.#fetch(base + address(path), init))) as Answer;
  }

  #fetch(url: string, init: RequestInit): Promise<Response> {
    const token = this.#token.read();
    if (token && !SENDABLE.test(token)) throw new ControlError(401, "UNAUTHORIZED", "That is not the token.");
    const headers = { ...init.headers, ...(token ? { Authorization: `Bearer ${token}` } : {}) };
    return arrived(fetch(url, { ...init, headers, cache: "no-store" }));
  }
}

/** What comes by the network: an answer, and its body, which may break off after that. @throws {ControlError} */
async function arrived<Part>(part: Promise<Part>): Promise<Part> {
  try {
    return await part;
  } catch {
    throw new ControlError(0, "UNREACHABLE", "The sandbox does not answer.");
  }
}

/** An id that a browser takes for a folder, however it is written: it would ask for something else. */
const FOLDER = /\/(\.{1,2})(?=[/?]|$)/;

/** @throws {ControlError} */
function address(path: string): string {
  const [, folder] = FOLDER.exec(path) ?? [];
  if (folder !== undefined) throw new ControlError(404, "NOT_FOUND", `There is nothing with the id “${folder}”.`);
  return `/_sandbox${path}`;
}

async function answerOf(response: Response): Promise<unknown> {
  const text = await arrived(response.text());
  const answer = jsonIn(text);
  if (response.ok) return answer;
  const { error } = (answer ?? {}) as { readonly error?: Partial<ControlError> };
  const { code = "UNKNOWN", message = `The sandbox answered ${response.status}.`, details } = error ?? {};
  throw new ControlError(response.status, code, message, details);
}
