/** The keys of the page, which work while no field is being typed into. */
import { useEffect } from "preact/hooks";
import { keptText } from "../browser.ts";
import { Signal } from "../live/signal.ts";
import { currentGrid } from "../parts/current-grid.ts";
import { SEARCH_ID } from "../parts/search-box.tsx";

const kept = keptText("local", "keys");

/** Whether single keys do anything: users of speech input may turn them off. */
export const keysOn = new Signal(kept.read() !== "off");
keysOn.listen(() => kept.write(keysOn.value ? null : "off"));

/** What each key does, in addition to the page's own keys. */
type Keys = Readonly<Record<string, () => void>>;

const steps: Keys = {
  j: () => steer(1),
  k: () => steer(-1),
};

const everywhere: Keys = {
  "/": () => document.getElementById(SEARCH_ID)?.focus(),
  ...steps,
};

function steer(step: number): void {
  currentGrid()?.focus();
  currentGrid()?.move(step);
}

/** Listens to the keys of the page. */
export function useKeys(keys: Keys): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (!keysOn.value && event.key !== "Escape") return;
      if (isTyping(event.target) || document.querySelector("dialog[open]")) return;
      const work = keys[event.key] ?? everywhere[event.key];
      if (!work) return;
      event.preventDefault();
      // A held key repeats steps through the list, and nothing else.
      if (!event.repeat || event.key in steps) work();
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  });
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("input, textarea, select") !== null;
}
