/** What keeps a text that YAML takes from being JSON. */
import type { TextFault } from "./text-faults.ts";

/** TABLE: what JSON is made of; a comma that nothing follows is no part of it. */
const TOKEN =
  /\s+|"(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[\da-f]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?|true|false|null|[{}[\]:]|,(?!\s*[}\]])/giuy;

/** The first fault of what calls itself JSON, as editors and other programs would tell it; none where it is JSON. */
export function jsonFaults(text: string): TextFault[] {
  try {
    JSON.parse(text);
    return [];
  } catch (error) {
    const [position] = /(?<=at position )\d+/.exec((error as Error).message) ?? [];
    const end = endOfTokens(text);
    const offset = end < text.length ? end : Number(position ?? 0);
    return [{ offset, message: wordsAt(text, offset) }];
  }
}

function endOfTokens(text: string): number {
  let end = 0;
  for (const [token] of text.matchAll(TOKEN)) end += token.length;
  return end;
}

function wordsAt(text: string, offset: number): string {
  if (text[offset] === ",") return "this comma is one too many: a .json file is JSON";
  if (text[offset] === "#") return "JSON has no comments; in YAML they begin with #";
  return "this is no JSON, where names and texts are in double quotes; a file of YAML ends with .yaml";
}
