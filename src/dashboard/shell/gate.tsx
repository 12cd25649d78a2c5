/** Asks for the control token, once for each tab. */
import { useEffect, useRef, useState } from "preact/hooks";
import { useSession } from "../live/session.ts";
import { useSignal } from "../live/signal.ts";
import { FieldInput } from "../parts/form.tsx";

/** @param onToken begins anew with the token. */
export function Gate({ onToken }: { onToken: () => void }) {
  const { control, access } = useSession();
  const denied = useSignal(access) === "denied";
  const [tried, setTried] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  // There is nothing else to do here than to type it.
  useEffect(() => form.current?.querySelector("input")?.focus(), [denied]);
  if (!denied) return null;
  const give = (form: HTMLFormElement) => {
    control.keepToken(String(new FormData(form).get("token") ?? ""));
    setTried(true);
    onToken();
  };
  return (
    <main class="gate">
      <form
        class="card"
        ref={form}
        onSubmit={(event) => {
          event.preventDefault();
          give(event.currentTarget);
        }}
      >
        <h1>payments-sandbox</h1>
        <p>This sandbox is steered by those who have its control token: the one of --control-token.</p>
        {tried && (
          <p class="trouble" role="alert">
            That is not the token.
          </p>
        )}
        <FieldInput field={{ path: "token", label: "Control token", kind: "secret", required: true }} />
        <footer>
          <button type="submit" class="button primary">
            look in
          </button>
        </footer>
      </form>
    </main>
  );
}
