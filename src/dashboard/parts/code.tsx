/** Bodies, headers and other machine-readable texts. */
import { useMemo, useState } from "preact/hooks";
import { layOut } from "../words/json-tokens.ts";
import { visible } from "../words/visible.ts";
import { CopyButton } from "./copy.tsx";

/** Texts with more tokens are shown without colours: thousands of elements would make the page slow. */
const MOST_TOKENS = 4_000;

/** A body, formatted if it is JSON and unless asked for as sent; it is copied as it was sent. */
export function Body({ text, what }: { text: string; what: string }) {
  const [asSent, setAsSent] = useState(false);
  const laidOut = useMemo(() => layOut(text), [text]);
  const tokens = asSent ? null : laidOut;
  const isChanged = laidOut !== null && laidOut.map((token) => token.text).join("") !== text;
  if (text === "") return <p class="muted">empty</p>;
  const plain = tokens?.map((token) => token.text).join("") ?? text;
  return (
    <div class="code">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys. */}
      <pre tabIndex={0} role="group" aria-label={what}>
        {tokens && tokens.length <= MOST_TOKENS
          ? tokens.map(({ kind, text }, index) =>
              kind === "sign" ? (
                visible(text)
              ) : (
                <span class={kind} key={index}>
                  {visible(text)}
                </span>
              ),
            )
          : visible(plain)}
      </pre>
      <div class="code-tools">
        {isChanged && (
          <button
            type="button"
            class="text-button"
            aria-pressed={asSent ? "true" : "false"}
            aria-label={`${what} as sent`}
            onClick={() => setAsSent(!asSent)}
          >
            as sent
          </button>
        )}
        <CopyButton text={text} what={what} />
      </div>
    </div>
  );
}

/** Anything as JSON. */
export function Json({ value, what }: { value: unknown; what: string }) {
  return <Body text={JSON.stringify(value, null, 2) ?? ""} what={what} />;
}

/** Headers, one a line. */
export function Headers({ headers }: { headers: Readonly<Record<string, string | readonly string[]>> | null }) {
  if (!headers) return <p class="muted">none</p>;
  return (
    <dl class="headers">
      {Object.entries(headers).map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{visible(typeof value === "string" ? value : value.join(", "))}</dd>
        </div>
      ))}
    </dl>
  );
}
