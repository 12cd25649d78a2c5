/** Keeps the focus on the page: if the focused element is removed, the view gets the focus. */
import { useEffect } from "preact/hooks";
import { currentGrid } from "../parts/current-grid.ts";

/** Focuses where the user continues: the open detail, else the list, else the view. */
function focusView(): void {
  const heading = document.querySelector<HTMLElement>(".detail h2");
  const target = heading ?? currentGrid() ?? document.getElementById("main");
  target?.focus();
}

/** Focuses the view whenever the focused element is removed. */
export function useKeptFocus(): void {
  useEffect(() => {
    let focused: EventTarget | null = null;
    const isThere = (target: EventTarget | null) => target instanceof Node && target.isConnected;
    const onFocusIn = ({ target }: FocusEvent) => {
      focused = target;
    };
    // A click on nothing removes the focus on purpose. Only some browsers report `focusout` of a removed element.
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
