import { useSignal } from "../live/signal.ts";
import { Dialog } from "../parts/dialog.tsx";
import { keysOn } from "./keys.ts";

const keys: readonly (readonly [string, string])[] = [
  ["/", "search the list"],
  ["j, k", "down, up in the list"],
  ["←, →", "fold, unfold the thread of the time line"],
  ["Enter", "open what is chosen; in the search: go to whatever has this id"],
  ["Esc", "close details, dialogs, the search"],
  ["n", "advance through the next timer"],
  ["a", "advance by, to, until …"],
  ["f", "freeze time, or let it flow"],
  ["t", "the time line"],
  ["c", "charges and cash-outs"],
  ["w", "webhooks"],
  ["d", "dark or light"],
  ["?", "this"],
];

/** The help about keys. */
export function Help({ onClose }: { onClose: () => void }) {
  const on = useSignal(keysOn);
  return (
    <Dialog title="Keys" onClose={onClose}>
      <label class="check keys-on">
        <input type="checkbox" checked={on} onChange={(event) => keysOn.set(event.currentTarget.checked)} />
        Single keys do something
      </label>
      <dl class="keys">
        {keys.map(([key, text]) => (
          <div key={key}>
            <dt>
              {key.split(", ").map((name) => (
                <kbd key={name}>{name}</kbd>
              ))}
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
