import { useEffect } from "preact/hooks";

const CLICKABLE = "button, a, input, select, textarea, summary, [role='row']";

/** Ignores the second click of a double click if the first removed its target: it would hit what lay beneath. */
export function useSteadyClicks(): void {
  useEffect(() => {
    let met: EventTarget | null = null;
    const onClick = (event: MouseEvent) => {
      const meets = metBy(event.target);
      if (event.detail > 1 && meets !== met) {
        event.preventDefault();
        event.stopPropagation();
      } else met = meets;
    };
    document.addEventListener("click", onClick, { capture: true });
    return () => document.removeEventListener("click", onClick, { capture: true });
  }, []);
}

/** Makes a key that is held down press only once: it must not answer, say, a question that its first press opened. */
export function useSinglePresses(): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const isLine = event.target instanceof HTMLTextAreaElement;
      if (event.repeat && event.key === "Enter" && !isLine) event.preventDefault();
    };
    document.addEventListener("keydown", onKeyDown, { capture: true });
    return () => document.removeEventListener("keydown", onKeyDown, { capture: true });
  }, []);
}

/** The element that a click acts on; for a field within a label, the label. */
function metBy(target: EventTarget | null): EventTarget | null {
  if (!(target instanceof Element)) return target;
  return target.closest("label") ?? target.closest(CLICKABLE) ?? target;
}
