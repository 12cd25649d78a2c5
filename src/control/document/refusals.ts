/** TABLE: the refusals of the control interface: statuses with their codes, and which calls answer them. */
import type { ErrorCode } from "../../domain/errors.ts";
import { inMebibytes } from "../../domain/words/mebibytes.ts";
import { MAX_BUNDLE_BYTES } from "../../history/bundle.ts";
import type { ControlShape } from "../call.ts";
import type { Json } from "./schemas.ts";

/** What a status means, and for each of its codes one sentence with what to do about it. */
interface Refusal {
  readonly description: string;
  readonly codes: Readonly<Record<string, string>>;
}

/**
 * TABLE: the refusals by their status. A 422 may also have a code of the service (`docs/errors.md`), for what a world
 * does not allow.
 */
export const controlRefusals = {
  400: {
    description: "The query or the body is not as described.",
    codes: {
      INVALID_REQUEST: "A field is unknown, missing or malformed, or the body is not JSON; `message` says which.",
    },
  },
  401: {
    description: "The sandbox has a control token, and this is not it.",
    codes: { UNAUTHORIZED: "Send `Authorization: Bearer TOKEN` with the token of `--control-token`." },
  },
  403: {
    description: "The call was made under a foreign host, or by a page of another origin.",
    codes: {
      FOREIGN_HOST: "The host name is not known here: call by address, or start with `--allow-host NAME`.",
      FOREIGN_ORIGIN: "A page of another origin called: call from a program, or from the sandbox's own pages.",
    },
  },
  404: {
    description: "Nothing has that id.",
    codes: {
      NOT_FOUND: "There is no such world, resource or call; `message` says which, and often the nearest name.",
    },
  },
  405: {
    description: "The address takes other methods.",
    codes: { METHOD_NOT_ALLOWED: "Use one of those in the header `Allow`." },
  },
  409: {
    description: "It conflicts with what there is.",
    codes: {
      ACCOUNT_EXISTS: "An account has that `username` already: take another one.",
      ADVANCE_CANCELED: "The clock was called off on its way to the instant: `message` says where it stands.",
      BUNDLE_TOO_LARGE: `The history of the world is more than a bundle holds (${inMebibytes(MAX_BUNDLE_BYTES)}): fork it, or take a snapshot.`,
      CLOCK_BACKWARDS:
        "The instant is past, and the clock never goes back: name a later one, freeze it first, or restore a snapshot.",
      INVALID_TRANSITION: "The state does not allow the action: `details` has `state` and the actions `allowed`.",
      SNAPSHOT_EXISTS: "The world has a snapshot of that name already: delete it, or take another name.",
      UNDELIVERABLE: "There is nowhere to send to: give the account or the credential a `postback_url`.",
      UNREADABLE: "A file of the data folder is damaged, missing, foreign or in use; `message` says which and why.",
      WORLD_BUSY: "The world is being advanced: wait until the advance has answered, or cancel it first.",
      WORLD_EXISTS: "A world, or a file of one, has that id: take another id, or use `PUT` to get the existing one.",
      WORLD_GONE:
        "The world was deleted, reset or restored, or the sandbox stopped, during the call: repeat it if it applies.",
      WORLD_IN_USE: "The default world cannot be deleted: reset it.",
    },
  },
  413: {
    description: "The body is too large.",
    codes: { PAYLOAD_TOO_LARGE: "The body is over the limit that `message` names: send less at a time." },
  },
  415: {
    description: "The body is of a media type that is not accepted.",
    codes: { UNSUPPORTED_MEDIA_TYPE: "Send `application/json`; a scenario may be `application/yaml` too." },
  },
  422: {
    description: "A value is well formed, but wrong here.",
    codes: {
      INVALID_BUNDLE: "What was sent is not a bundle of this version: export it again.",
      INVALID_REQUEST: "A value is well formed but wrong for this world or sandbox; `message` says which.",
      INVALID_SCENARIO: "The scenario has mistakes: `details.problems` lists the first hundred, with their lines.",
    },
  },
  500: {
    description: "A fault of the sandbox.",
    codes: { INTERNAL_ERROR: "A defect: please report it with what the log says." },
  },
  503: {
    description: "Nothing more can be kept: there is no room, no right to write, or a damaged file.",
    codes: {
      STORAGE_DAMAGED:
        "Something else has damaged the world's file: restore a snapshot, reset the world, or put back a copy of it.",
      STORAGE_FULL: "The disk is full, or a world in memory has grown to 1 GB: make room, or reset the world.",
      STORAGE_READ_ONLY:
        "The data folder is read-only, or gone: give the sandbox the right to write to it, or start it again.",
      TOO_MANY_FILES: "The process cannot open more files: start it with a higher limit (`ulimit -n`).",
    },
  },
} as const satisfies Readonly<Record<number, Refusal>>;

/** A status of a refusal. */
export type RefusalStatus = keyof typeof controlRefusals;

/** A code that goes with a status. */
export type RefusalCode<Status extends RefusalStatus> =
  | (Status extends RefusalStatus ? keyof (typeof controlRefusals)[Status]["codes"] : never)
  | (422 extends Status ? ErrorCode : never);

/** Statuses for what is not a call at all, which a description of the calls has no place for. */
const OF_NO_CALL: readonly number[] = [405];

/** What every refusal looks like. */
export const refusalSchema: Json = {
  type: "object",
  properties: {
    error: {
      type: "object",
      properties: {
        code: { type: "string", pattern: "^[A-Z]+(_[A-Z]+)*$" },
        message: { description: "One sentence for people.", type: "string", pattern: "^\\S" },
        details: {
          description: "More for programs, such as `problems` or `allowed`.",
          type: "object",
          additionalProperties: true,
        },
      },
      required: ["code", "message", "details"],
      additionalProperties: false,
    },
  },
  required: ["error"],
  additionalProperties: false,
};

/** The statuses with which a call may be refused. */
export function refusalsOf({ method, answer }: ControlShape): number[] {
  if (answer === "Health") return [403, 404];
  // These read no body, their world cannot go away during them, and the document needs nothing of its store.
  const light = [400, 401, 403, 404];
  if (answer === "OpenApi") return [...light, 500];
  if (answer === "JournalStream") return [...light, 500, 503];
  return [...light, 409, 413, 415, ...(method === "GET" ? [] : [422]), 500, 503];
}

/** A name that is valid in any language: generators name types after it, and those cannot begin with a digit. */
export const refusalName = (status: number | string) => `Refusal${status}`;

/** The responses that the calls have in common. */
export function refusalResponses(): Json {
  const rows = Object.entries(controlRefusals).filter(([status]) => !OF_NO_CALL.includes(Number(status)));
  return Object.fromEntries(
    rows.map(([status, { description, codes }]) => {
      const told = `${description} ${Object.keys(codes)
        .map((code) => `\`${code}\``)
        .join(", ")}`;
      const content = { "application/json": { schema: { $ref: "#/components/schemas/Refusal" } } };
      return [refusalName(status), { description: told, content }];
    }),
  );
}
