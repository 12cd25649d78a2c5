/** A button that does something at once, and once: the second click of a double click would meet what comes after it. */
import type { ButtonHTMLAttributes } from "preact";
import { useRef, useState } from "preact/hooks";

type ActButtonProps = Omit<ButtonHTMLAttributes<HTMLButtonElement>, "onClick"> & {
  /** Does it; clicks are of no account until it is done. */
  readonly act: () => Promise<unknown>;
};

export function ActButton({ act, ...button }: ActButtonProps) {
  const isActing = useRef(false);
  const [busy, setBusy] = useState(false);
  const onClick = async ({ detail }: MouseEvent) => {
    if (isActing.current || detail > 1) return;
    isActing.current = true;
    setBusy(true);
    try {
      await act();
    } finally {
      isActing.current = false;
      setBusy(false);
    }
  };
  return <button type="button" {...button} aria-busy={busy} onClick={onClick} />;
}
