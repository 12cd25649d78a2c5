/** The bodies of calls of the control interface: JSON, or a scenario as YAML. */
import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";
import type { BodyKind, ControlCall } from "../control/call.ts";
import { ControlError } from "../control/errors.ts";
import { inMebibytes } from "../domain/words/mebibytes.ts";
import { MAX_BUNDLE_BYTES } from "../history/bundle.ts";
import { FORM_TYPE, mediaTypeOf, readBody } from "./body.ts";
import { parseBody } from "./json.ts";

const MAX_BODY_BYTES = 16 * 1024 * 1024;

/** Most values in a body that is no bundle: the longest scenarios have some thousand. */
const MAX_VALUES = 500_000;

/** What came with a call. */
type ControlBody = Pick<ControlCall, "body" | "document">;

/**
 * The body of a call, `{}` where there is none.
 * @param kind what else it may be; undefined for JSON alone.
 * @throws {ControlError} 400, 413 or 415.
 */
export async function readControlBody(incoming: IncomingMessage, kind: BodyKind | undefined): Promise<ControlBody> {
  const mayBeBundle = kind === "bundle";
  const mayBeYaml = kind === "scenario";
  const limit = mayBeBundle ? MAX_BUNDLE_BYTES : MAX_BODY_BYTES;
  const { body: sent, tooLarge } = await readBody(incoming, limit);
  const body = mayBeYaml ? withoutByteOrderMark(sent) : sent;
  if (tooLarge) throw new ControlError(413, "PAYLOAD_TOO_LARGE", `The body is over ${inMebibytes(limit)}.`);
  const media = mediaTypeOf(incoming.headers);
  if (mayBeYaml && /yaml$/.test(media)) return { body: {}, document: { format: "yaml", text: body.toString() } };
  if (body.length === 0) return { body: {}, document: null };
  const document = mayBeYaml ? ({ format: "json", text: body.toString() } as const) : null;
  return { body: readJson(body, media, { mayBeBundle, mayBeYaml }), document };
}

const BYTE_ORDER_MARK = Buffer.from("\ufeff");

function withoutByteOrderMark(body: Buffer): Buffer {
  return body.subarray(0, 3).equals(BYTE_ORDER_MARK) ? body.subarray(3) : body;
}

/** What the body of a call may be, beside plain JSON. */
interface Bodies {
  readonly mayBeBundle: boolean;
  readonly mayBeYaml: boolean;
}

function readJson(body: Buffer, media: string, { mayBeBundle, mayBeYaml }: Bodies): unknown {
  const isJson = media === "application/json" || (media === "" && !mayBeYaml);
  // `curl -d` declares JSON as a form unless told otherwise.
  const isUntold = media === "" || media === FORM_TYPE;
  if (!isJson && !(isUntold && body.toString().trimStart().startsWith("{"))) {
    const orYaml = mayBeYaml ? ", or YAML, with application/yaml" : "";
    const words = `The body must be JSON, with Content-Type: application/json${orYaml}.`;
    throw new ControlError(415, "UNSUPPORTED_MEDIA_TYPE", words);
  }
  try {
    const maxValues = mayBeBundle ? Number.POSITIVE_INFINITY : MAX_VALUES;
    return withoutPrototypes(parseBody(body, maxValues));
  } catch (error) {
    if (error instanceof ControlError) throw error;
    // Who loads the scenario says with line and column why its text is no JSON.
    if (mayBeYaml && isUtf8(body)) return UNREAD;
    throw new ControlError(400, "INVALID_REQUEST", (error as Error).message);
  }
}

/** The body of a call whose document is for the scenarios' own reader. */
const UNREAD = null;

/** The body, unchanged. @throws {ControlError} 400 for a key `__proto__`, which schemas would drop silently. */
function withoutPrototypes(body: unknown): unknown {
  if (body === null || typeof body !== "object") return body;
  if (Object.hasOwn(body, "__proto__")) {
    throw new ControlError(400, "INVALID_REQUEST", 'The body must have no field "__proto__".');
  }
  for (const member of Object.values(body)) withoutPrototypes(member);
  return body;
}
