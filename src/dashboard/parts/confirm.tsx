import { useState } from "preact/hooks";
import { Dialog } from "./dialog.tsx";

/** What is asked before something that cannot be undone. */
interface Question {
  readonly title: string;
  /** What is gone then, and what stays. */
  readonly text: string;
  /** The label of the button that does it. */
  readonly action: string;
  readonly onYes: () => void;
}

/** Asks {@link Question}s, one at a time. @returns what asks one, and the dialog of the open one, to be placed in the view. */
export function useConfirm() {
  const [question, ask] = useState<Question | null>(null);
  const dialog = question && <Confirm question={question} onClose={() => ask(null)} />;
  return { ask: ask as (question: Question) => void, dialog };
}

/** The default answer is no. */
function Confirm({ question, onClose }: { question: Question; onClose: () => void }) {
  const { title, text, action, onYes } = question;
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{text}</p>
      <footer>
        <button type="button" class="button" data-safe onClick={onClose}>
          leave it
        </button>
        <button
          type="button"
          class="button danger"
          onClick={() => {
            onClose();
            onYes();
          }}
        >
          {action}
        </button>
      </footer>
    </Dialog>
  );
}
