/** The dark and the light theme: the system's, until the user chooses. */
import { keptText } from "./browser.ts";
import { Signal } from "./live/signal.ts";

type Theme = "dark" | "light";

const kept = keptText("local", "theme");
const system = window.matchMedia("(prefers-color-scheme: dark)");

/** The current theme, which is also set on the root element. */
export const theme = new Signal<Theme>(current());
apply();
system.addEventListener("change", () => {
  theme.set(current());
  apply();
});

/** Switches to the other theme, and remembers it. */
export function toggleTheme(): void {
  theme.set(theme.value === "dark" ? "light" : "dark");
  kept.write(theme.value);
  apply();
}

function current(): Theme {
  const chosen = kept.read();
  if (chosen === "dark" || chosen === "light") return chosen;
  return system.matches ? "dark" : "light";
}

function apply(): void {
  document.documentElement.dataset.theme = theme.value;
}
