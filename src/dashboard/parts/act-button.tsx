import type { ButtonHTMLAttributes } from "preact";
import { useState } from "preact/hooks";
import { useOnce } from "./once.ts";

type ActButtonProps = Omit<ButtonHTMLAttributes<HTMLButtonElement>, "onClick"> & {
  /** The button's work; clicks are ignored until it is done. */
  readonly act: () => Promise<unknown>;
};

/** A button that acts at once, and once only: the second click of a double click would hit what comes after it. */
export function ActButton({ act, ...button }: ActButtonProps) {
  const once = useOnce();
  const [busy, setBusy] = useState(false);
  const onClick = ({ detail }: MouseEvent) => {
    if (detail > 1) return;
    void once(async () => {
      setBusy(true);
      await act().finally(() => setBusy(false));
    });
  };
  return <button type="button" {...button} aria-busy={busy} onClick={onClick} />;
}
