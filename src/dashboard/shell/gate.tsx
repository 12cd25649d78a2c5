/** Asks for the control token, once per tab. */
import { useEffect, useRef, useState } from "preact/hooks";
import { useSession } from "../live/session.ts";
import { FieldInput, FormFoot } from "../parts/form.tsx";
import { useOnce } from "../parts/once.ts";

/** @param onToken opens the world again with the token; resolves when it is known whether it is right. */
export function Gate({ onToken }: { onToken: () => Promise<void> }) {
  const { control } = useSession();
  const [tried, setTried] = useState(false);
  const once = useOnce();
  const form = useRef<HTMLFormElement>(null);
  // The token is all that can be entered here.
  useEffect(() => form.current?.querySelector("input")?.focus(), []);
  const give = async (form: HTMLFormElement) => {
    control.keepToken(String(new FormData(form).get("token") ?? ""));
    setTried(false);
    await onToken();
    setTried(true);
  };
  return (
    <main class="gate">
      <form
        class="card"
        ref={form}
        onSubmit={(event) => {
          event.preventDefault();
          const form = event.currentTarget;
          void once(() => give(form));
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
        <FormFoot action="look in" />
      </form>
    </main>
  );
}
