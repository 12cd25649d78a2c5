/** The operations of the OpenAPI documents that a sandbox serves, as the fuzzer knows them. */
import { resolved, type Schema } from "./schema-values.ts";

/** One call that can be made. */
export interface Operation {
  readonly area: "service" | "control";
  readonly id: string;
  readonly method: string;
  /** Below a world's address; `{name}` stands for an id. */
  readonly path: string;
  /** Whether it is there at the root only. */
  readonly rootOnly: boolean;
  readonly query: readonly { readonly name: string; readonly schema: Schema }[];
  /** What its body may look like, by media type; none where it takes none. */
  readonly bodies: readonly {
    readonly media: string;
    readonly schema: Schema;
    readonly example?: object | undefined;
  }[];
  /** The document that its schemas refer to. */
  readonly root: Schema;
  readonly auth: boolean;
  readonly signed: boolean;
}

/** How an operation is called in counts and messages. */
export const nameOf = ({ method, path }: Operation) => `${method} ${path}`;

/** All operations of a document. */
export function operationsOf(document: Schema, area: Operation["area"]): readonly Operation[] {
  return Object.entries<Schema>(document.paths).flatMap(([path, methods]) =>
    Object.entries<Schema>(methods).map(([method, operation]) => {
      const given: Schema[] = (operation.parameters ?? []).map((one: Schema) =>
        one.$ref ? resolved(one.$ref, document) : one,
      );
      const content = Object.entries<Schema>(operation.requestBody?.content ?? {});
      return {
        area,
        id: operation.operationId,
        method: method.toUpperCase(),
        path,
        rootOnly: false,
        query: given.filter((one) => one.in === "query"),
        bodies: content.map(([media, { schema, example }]) => ({ media, schema, example })),
        root: document,
        auth: operation.security.some((way: Schema) => "bearer" in way),
        signed: given.some((one) => one.in === "header" && one.name === "X-Signature"),
      };
    }),
  );
}
