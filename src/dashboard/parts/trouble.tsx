import type { ControlError } from "../wire/control.ts";

/** What went wrong with an answer, said where it would stand. */
export function Trouble({ error }: { error: ControlError | null }) {
  // That nothing answers is said once, at the top of the page.
  if (!error || error.status === 0) return null;
  return (
    <p class="trouble" role="alert">
      {error.message}
    </p>
  );
}
