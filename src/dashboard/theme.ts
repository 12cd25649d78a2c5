/** Dark and light: as the system says, until the reader says otherwise. */
import { keptText } from "./browser.ts";
import { Signal } from "./live/signal.ts";

type Theme = "dark" | "light";

const kept = keptText("local", "theme");
const system = window.matchMedia("(prefers-color-scheme: dark)");

/** The theme that is shown, which stands at the root of the page, too. */
export const theme = new Signal<Theme>(current());
apply();
system.addEventListener("change", () => {
  theme.set(current());
  apply();
});

/** Changes to the other one, and keeps to it. */
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
