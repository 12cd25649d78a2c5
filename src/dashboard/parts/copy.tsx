/** Texts to copy. */
import { useState } from "preact/hooks";
import { copyText, wakeAfter } from "../browser.ts";
import { useSession } from "../live/session.ts";
import { visible } from "../words/visible.ts";
import { Icon } from "./icon.tsx";

const SHOWN_MS = 1_500;

/** A button that copies a text. @param what names the text: "client id". */
export function CopyButton({ text, what }: { text: string; what: string }) {
  const { notices } = useSession();
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    if (!(await copyText(text))) return notices.say("The browser does not let the page copy.", "bad");
    setCopied(true);
    wakeAfter(SHOWN_MS, () => setCopied(false));
  };
  return (
    <button type="button" class="icon-button" onClick={copy} aria-label={`Copy ${what}`} title={`Copy ${what}`}>
      <Icon name={copied ? "check" : "copy"} />
      <span class="unseen" role="status">
        {copied ? `${what} copied` : ""}
      </span>
    </button>
  );
}

/** A text in monospace, with its invisible characters, and a button that copies it as it is. */
export function Copyable({ text, what }: { text: string; what: string }) {
  return (
    <span class="copyable">
      <code>{visible(text)}</code>
      <CopyButton text={text} what={what} />
    </span>
  );
}

/** A secret: hidden until asked for; it can be copied without being shown. */
export function Secret({ text, what }: { text: string; what: string }) {
  const [shown, setShown] = useState(false);
  return (
    <span class="copyable">
      <code>{shown ? text : "•".repeat(16)}</code>
      <button
        type="button"
        class="text-button"
        onClick={() => setShown(!shown)}
        aria-label={`${shown ? "Hide" : "Show"} ${what}`}
      >
        {shown ? "hide" : "show"}
      </button>
      <CopyButton text={text} what={what} />
    </span>
  );
}

/** A command that works when pasted. */
export function Command({ text, what = "command" }: { text: string; what?: string }) {
  return (
    <div class="command">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys. */}
      <pre tabIndex={0}>{text}</pre>
      <CopyButton text={text} what={what} />
    </div>
  );
}
