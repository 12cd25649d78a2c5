import { Dialog } from "./dialog.tsx";

interface ConfirmProps {
  readonly title: string;
  readonly text: string;
  readonly action: string;
  readonly onYes: () => void;
  readonly onNo: () => void;
}

/** Asks before something that cannot be undone; the default answer is no. */
export function Confirm({ title, text, action, onYes, onNo }: ConfirmProps) {
  return (
    <Dialog title={title} onClose={onNo}>
      <p>{text}</p>
      <footer>
        <button type="button" class="button" data-safe onClick={onNo}>
          leave it
        </button>
        <button type="button" class="button danger" onClick={onYes}>
          {action}
        </button>
      </footer>
    </Dialog>
  );
}
