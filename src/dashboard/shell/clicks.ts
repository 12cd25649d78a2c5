import { useEffect } from "preact/hooks";

const CLICKABLE = "button, a, input, select, textarea, summary, [role='row']";

/** A double click is one for what its first click met: where that has gone, the second meets nothing that lay beneath. */
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

/** A key that is held down presses once: what comes in the place of what it pressed, such as a question, is not answered. */
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

/** What a click is for; of a label and the field in it, the label. */
function metBy(target: EventTarget | null): EventTarget | null {
  if (!(target instanceof Element)) return target;
  return target.closest("label") ?? target.closest(CLICKABLE) ?? target;
}
