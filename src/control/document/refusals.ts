/** TABLE: how the control interface refuses: statuses with their codes, and who answers them. */
import type { ControlShape } from "../call.ts";
import type { Json } from "./schemas.ts";

interface Refusal {
  readonly description: string;
  readonly codes: readonly string[];
}

/** Codes beyond these, in a 422, are those of the service (`docs/errors.md`): what a world does not allow. */
const refusals: Readonly<Record<number, Refusal>> = {
  400: { description: "The query or the body is not as described.", codes: ["INVALID_REQUEST"] },
  401: { description: "The sandbox has a control token, and this is not it.", codes: ["UNAUTHORIZED"] },
  403: {
    description: "The call was made under a foreign host, or by a page of another origin.",
    codes: ["FOREIGN_HOST", "FOREIGN_ORIGIN"],
  },
  404: { description: "Nothing has that id.", codes: ["NOT_FOUND"] },
  409: {
    description: "What there is stands against it.",
    codes: [
      ...["ACCOUNT_EXISTS", "CLOCK_BACKWARDS", "INVALID_TRANSITION", "SNAPSHOT_EXISTS", "UNDELIVERABLE", "UNREADABLE"],
      ...["WORLD_BUSY", "WORLD_EXISTS", "WORLD_GONE", "WORLD_IN_USE"],
    ],
  },
  413: { description: "The body is too large.", codes: ["PAYLOAD_TOO_LARGE"] },
  415: { description: "The body is of a media type that is not taken.", codes: ["UNSUPPORTED_MEDIA_TYPE"] },
  422: {
    description: "A value is of the right form, and no right one here.",
    codes: ["INVALID_REQUEST", "INVALID_SCENARIO", "INVALID_BUNDLE"],
  },
  500: { description: "A fault of the sandbox.", codes: ["INTERNAL_ERROR"] },
  503: {
    description: "Nothing more can be kept: there is no room, or no right to write.",
    codes: ["STORAGE_FULL", "STORAGE_READ_ONLY", "TOO_MANY_FILES"],
  },
};

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

/** Calls that read no body, and go to no world that could go away meanwhile. */
const LIGHT: readonly ControlShape["answer"][] = ["JournalStream", "OpenApi"];

/** The statuses by which a call may be refused. */
export function refusalsOf({ method, answer }: ControlShape): number[] {
  if (answer === "Health") return [403];
  const light = [400, 401, 403, 404];
  if (LIGHT.includes(answer)) return [...light, 500];
  return [...light, 409, 413, 415, ...(method === "GET" ? [] : [422]), 500, 503];
}

/** A name in any language: generators make types of it, and those begin with no digit. */
export const refusalName = (status: number | string) => `Refusal${status}`;

/** The responses that the calls have in common. */
export function refusalResponses(): Json {
  return Object.fromEntries(
    Object.entries(refusals).map(([status, { description, codes }]) => {
      const told = `${description} ${codes.map((code) => `\`${code}\``).join(", ")}`;
      const content = { "application/json": { schema: { $ref: "#/components/schemas/Refusal" } } };
      return [refusalName(status), { description: told, content }];
    }),
  );
}
