import { type ControlError, isUnknownCall } from "../wire/control.ts";

/** What went wrong with an answer, said where it would stand. */
export function Trouble({ error }: { error: ControlError | null }) {
  // That nothing answers is said once, at the top of the page.
  if (!error || error.status === 0) return null;
  if (isUnknownCall(error)) return <p class="trouble muted">Not available in this version of the sandbox.</p>;
  return (
    <p class="trouble" role="alert">
      {error.message}
    </p>
  );
}
