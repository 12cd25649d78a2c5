import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { Icon } from "./icon.tsx";

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** The browser's own dialog, which keeps the focus inside, closes on Escape and restores the focus. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const box = dialog.current;
    box?.showModal();
    box?.querySelector<HTMLElement>("[data-safe], input, select, textarea, .primary")?.focus();
    // A dialog that is removed without being closed does not restore the focus.
    return () => box?.close();
  }, []);
  // The `close` event comes later: another dialog may have taken the place of a removed one by then.
  const onClosed = ({ currentTarget }: { currentTarget: HTMLDialogElement }) => {
    if (currentTarget.isConnected) onClose();
  };
  return (
    <dialog ref={dialog} aria-label={title} onClose={onClosed} onCancel={onClose}>
      <header>
        <h2>{title}</h2>
        <button type="button" class="icon-button" aria-label="Close" onClick={onClose}>
          <Icon name="close" />
        </button>
      </header>
      {children}
    </dialog>
  );
}
