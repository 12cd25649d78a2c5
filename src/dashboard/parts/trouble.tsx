import type { ControlError } from "../wire/control.ts";

/** The error of an answer, shown in its place. */
export function Trouble({ error }: { error: ControlError | null }) {
  // That nothing answers is shown once, at the top of the page.
  if (!error || error.status === 0) return null;
  return (
    <p class="trouble" role="alert">
      {error.message}
    </p>
  );
}
