import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { Icon } from "./icon.tsx";

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** A dialog: the browser's own, which keeps the focus inside, closes by Escape and gives the focus back. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const box = dialog.current;
    box?.showModal();
    box?.querySelector<HTMLElement>("[data-safe], input, select, textarea, .primary")?.focus();
    // One that is taken away without being closed leaves the focus nowhere.
    return () => box?.close();
  }, []);
  // The browser tells of a closing later: by then another dialog may stand in the place of one that is gone.
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
