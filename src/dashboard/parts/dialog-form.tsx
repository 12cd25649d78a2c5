import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { useSession } from "../live/session.ts";
import { ControlError } from "../wire/control.ts";
import { InputError } from "./form.tsx";
import { useOnce } from "./once.ts";

interface DialogFormProps {
  /** What the button says. */
  readonly action: string;
  /** Does what the form is for, says so and closes the dialog. @throws {ControlError} @throws {InputError} */
  readonly send: (form: HTMLFormElement) => Promise<void>;
  readonly children?: ComponentChildren;
}

/** The form of a dialog: what is refused is said beside its button, where it can be put right. */
export function DialogForm({ action, send, children }: DialogFormProps) {
  const { trouble, attempt } = useAttempt();
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const form = event.currentTarget;
        void attempt(() => send(form));
      }}
    >
      {children}
      {trouble !== null && (
        <p class="trouble" role="alert">
          {trouble}
        </p>
      )}
      <footer>
        <button type="submit" class="button primary">
          {action}
        </button>
      </footer>
    </form>
  );
}

/** Tries one thing at a time, and has why the last try was refused; a refusal that comes after the dialog has gone is a notice. */
function useAttempt() {
  const { notices } = useSession();
  const [trouble, setTrouble] = useState<string | null>(null);
  const isThere = useRef(true);
  const once = useOnce();
  useEffect(
    () => () => {
      isThere.current = false;
    },
    [],
  );
  const attempt = (work: () => Promise<void>) =>
    once(async () => {
      setTrouble(null);
      try {
        await work();
      } catch (error) {
        if (!(error instanceof ControlError || error instanceof InputError)) throw error;
        if (isThere.current) setTrouble(error.message);
        else notices.say(error.message, "bad");
      }
    });
  return { trouble, attempt };
}
