/** JSON laid out to be read, from its text and not from its values: no digit of a number is lost on the way. */
import { isJson } from "../../domain/written-json.ts";

interface Token {
  readonly kind: "key" | "text" | "number" | "word" | "sign";
  readonly text: string;
}

const TOKEN = /"(?:\\.|[^"\\])*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/** The tokens of a JSON text with the white space of its layout; null where it is none. */
export function layOut(json: string): Token[] | null {
  if (!isJson(json)) return null;
  const raw = json.match(TOKEN) ?? [];
  const tokens: Token[] = [];
  let depth = 0;
  const breakLine = () => tokens.push({ kind: "sign", text: `\n${"  ".repeat(depth)}` });
  raw.forEach((text, index) => {
    const next = raw[index + 1];
    if ("}]".includes(text)) {
      depth--;
      if (!"{[".includes(raw[index - 1] ?? "")) breakLine();
    }
    tokens.push({ kind: kindOf(text, next), text: text === ":" ? ": " : text });
    if ("{[".includes(text)) {
      depth++;
      if (!"}]".includes(next ?? "")) breakLine();
    }
    if (text === ",") breakLine();
  });
  return tokens;
}

function kindOf(text: string, next: string | undefined): Token["kind"] {
  if (text.startsWith('"')) return next === ":" ? "key" : "text";
  if (/^[-\d]/.test(text)) return "number";
  return /^\w/.test(text) ? "word" : "sign";
}
