/** JSON as it is written rather than as it is read: numbers of any length, keys twice, nests as deep as one likes. */

/** A piece of JSON; `literal` is text that stands as it is. */
export type JsonNode =
  | { readonly literal: string }
  | { readonly list: readonly JsonNode[] }
  | { readonly members: readonly (readonly [name: string, value: JsonNode])[] };

/** A value as a piece of JSON. */
export function nodeOf(value: unknown): JsonNode {
  if (Array.isArray(value)) return { list: value.map(nodeOf) };
  if (typeof value !== "object" || value === null) return { literal: JSON.stringify(value) ?? "null" };
  return { members: Object.entries(value).map(([name, member]) => [name, nodeOf(member)] as const) };
}

/** The JSON text of a node. */
export function textOf(node: JsonNode): string {
  if ("literal" in node) return node.literal;
  if ("list" in node) return `[${node.list.map(textOf).join(",")}]`;
  return `{${node.members.map(([name, value]) => `${JSON.stringify(name)}:${textOf(value)}`).join(",")}}`;
}

/** What is done to one place of a node. */
export interface Spoiling {
  readonly how: "replace" | "drop" | "duplicate" | "add" | "rename" | "nest" | "nest_object";
  /** Which place, counted from the root; beyond the last it begins anew. */
  readonly place: number;
  readonly name: string;
  readonly value: JsonNode;
  readonly depth: number;
}

/** A node with one place of it spoiled; the root is such a place too. */
export function spoiled(node: JsonNode, spoiling: Spoiling): JsonNode {
  return spoilAt(node, spoiling.place % countOf(node), spoiling);
}

function countOf(node: JsonNode): number {
  return childrenOf(node).reduce((sum, child) => sum + countOf(child), 1);
}

function childrenOf(node: JsonNode): readonly JsonNode[] {
  if ("literal" in node) return [];
  return "list" in node ? node.list : node.members.map(([, value]) => value);
}

function spoilAt(node: JsonNode, place: number, spoiling: Spoiling): JsonNode {
  if (place === 0) return spoilHere(node, spoiling);
  let before = 1;
  const index = childrenOf(node).findIndex((child) => {
    const count = countOf(child);
    if (place < before + count) return true;
    before += count;
    return false;
  });
  const inner = place - before;
  if ("list" in node) return { list: node.list.flatMap((item, at) => changed(item, at === index, inner, spoiling)) };
  if (!("members" in node)) return node;
  const members = node.members.flatMap(([name, value], at): [string, JsonNode][] => {
    const isHere = at === index && inner === 0;
    const own = isHere && spoiling.how === "rename" ? spoiling.name : name;
    return changed(value, at === index, inner, spoiling).map((one) => [own, one]);
  });
  return { members };
}

/** What becomes of an item or member: none of it, one, or two. */
function changed(value: JsonNode, isIt: boolean, inner: number, spoiling: Spoiling): JsonNode[] {
  if (!isIt) return [value];
  if (inner > 0) return [spoilAt(value, inner, spoiling)];
  if (spoiling.how === "drop") return [];
  if (spoiling.how === "duplicate") return [value, spoiling.value];
  return spoiling.how === "rename" ? [value] : [spoilHere(value, spoiling)];
}

function spoilHere(node: JsonNode, { how, name, value, depth }: Spoiling): JsonNode {
  if (how === "add" && "members" in node) return { members: [...node.members, [name, value]] };
  if (how === "add" && "list" in node) return { list: [...node.list, value] };
  if (how === "nest") return { literal: "[".repeat(depth) + textOf(node) + "]".repeat(depth) };
  if (how === "nest_object") return { literal: '{"a":'.repeat(depth) + textOf(node) + "}".repeat(depth) };
  return how === "replace" || how === "add" ? value : node;
}
