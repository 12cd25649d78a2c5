import type { ComponentChildren } from "preact";
import { useEffect, useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { useSession } from "../live/session.ts";
import { ControlError } from "../wire/control.ts";
import { Dialog } from "./dialog.tsx";
import { FieldInput, FormFoot } from "./form.tsx";
import { InputError, type InputField } from "./input-fields.ts";
import { useOnce } from "./once.ts";
import { markRefused } from "./refused-fields.ts";

interface Asking {
  readonly title: string;
  /** The label of the form's button. */
  readonly action: string;
  readonly fields?: readonly InputField[];
  /** Does the form's work, and reports it. @throws {ControlError} @throws {InputError} */
  readonly send: (form: HTMLFormElement) => Promise<void>;
  /** Why the work cannot be done any more, though it could when the dialog was opened. */
  readonly obstacle?: string | null;
  /** Shown above the fields. */
  readonly children?: ComponentChildren;
}

/** A dialog with a form. It closes once its work is done; a refusal is shown beside its button, to be corrected. */
export function FormDialog(props: Asking & { onClose: () => void }) {
  const { title, action, fields = [], send, obstacle = null, children, onClose } = props;
  const { trouble, isTrying, attempt, forget } = useAttempt(onClose);
  // While it is being done, the work itself may be what makes it impossible from then on.
  const words = trouble?.message ?? (isTrying ? null : obstacle);
  const form = useRef<HTMLFormElement>(null);
  const troubleId = useId();
  useLayoutEffect(() => {
    if (form.current) markRefused(form.current, trouble, troubleId);
  }, [trouble, troubleId]);
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        ref={form}
        onSubmit={(event) => {
          event.preventDefault();
          const form = event.currentTarget;
          void attempt(() => send(form));
        }}
        onChange={({ target }) => {
          // With another choice it is another attempt: what was said of the one before is not about it.
          if (target instanceof HTMLSelectElement) forget();
        }}
      >
        {children}
        {fields.map((field) => (
          <FieldInput key={field.path} field={field} />
        ))}
        {words !== null && (
          <p class="trouble" role="alert" id={troubleId}>
            {words}
          </p>
        )}
        <FormFoot action={action} busy={isTrying} />
      </form>
    </Dialog>
  );
}

/** A button that opens such a dialog. */
export function FormButton({ label, class: look = "button", ...asking }: Asking & { label: string; class?: string }) {
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <button type="button" class={look} onClick={() => setAsking(true)}>
        {label}
      </button>
      {isAsking && <FormDialog {...asking} onClose={() => setAsking(false)} />}
    </>
  );
}

/**
 * Makes one attempt at a time, and keeps the reason if it is refused. An attempt that ends after its dialog was left
 * closes no other dialog, and its refusal is shown as a notice.
 */
function useAttempt(onDone: () => void) {
  const { notices } = useSession();
  const [trouble, setTrouble] = useState<ControlError | InputError | null>(null);
  const [isTrying, setTrying] = useState(false);
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
      setTrying(true);
      try {
        await work();
        if (isThere.current) onDone();
      } catch (error) {
        if (!(error instanceof ControlError || error instanceof InputError)) throw error;
        if (isThere.current) setTrouble(error);
        else notices.say(error.message, "bad");
      } finally {
        setTrying(false);
      }
    });
  return { trouble, isTrying, attempt, forget: () => setTrouble(null) };
}
