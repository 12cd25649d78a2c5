/** The focus stays on the page: where what had it is taken away, keys go on from the view. */
import { useEffect } from "preact/hooks";
import { currentGrid } from "../parts/current-grid.ts";

/** Gives the focus to what the reader goes on from: open details, else the list, else the view. */
function focusView(): void {
  const heading = document.querySelector<HTMLElement>(".detail h2");
  const target = heading ?? currentGrid() ?? document.getElementById("main");
  target?.focus();
}

/** Gives the focus to the view whenever the element that has it goes. */
export function useKeptFocus(): void {
  useEffect(() => {
    let focused: EventTarget | null = null;
    const isThere = (target: EventTarget | null) => target instanceof Node && target.isConnected;
    const onFocusIn = ({ target }: FocusEvent) => {
      focused = target;
    };
    // Who clicks beside everything wants it nowhere; only some browsers tell of an element that is being removed.
    const onFocusOut = ({ target }: FocusEvent) =>
      queueMicrotask(() => {
        if (focused === target && isThere(target)) focused = null;
      });
    const observer = new MutationObserver(() => {
      if (focused === null || isThere(focused) || document.activeElement !== document.body) return;
      focused = null;
      focusView();
    });
    document.addEventListener("focusin", onFocusIn);
    document.addEventListener("focusout", onFocusOut);
    observer.observe(document.body, { childList: true, subtree: true });
    return () => {
      document.removeEventListener("focusin", onFocusIn);
      document.removeEventListener("focusout", onFocusOut);
      observer.disconnect();
    };
  }, []);
}
