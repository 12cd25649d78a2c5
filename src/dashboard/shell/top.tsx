import { useSession } from "../live/session.ts";
import { useSignal } from "../live/signal.ts";
import { Icon } from "../parts/icon.tsx";
import { theme, toggleTheme } from "../theme.ts";
import { ClockBar } from "./clock-bar.tsx";

/** What opens the dialogs of the page. */
export interface DialogOpeners {
  /** Opens the help about keys. */
  readonly onHelp: () => void;
  /** Opens the dialog that takes any target of an advance. */
  readonly onUntil: () => void;
}

/** The head of the page: its world, the clock, and the buttons for the theme and the help. */
export function Top({ onHelp, onUntil }: DialogOpeners) {
  return (
    <header class="top">
      <Brand />
      <ClockBar onUntil={onUntil} />
      <div class="tools">
        <ThemeButton />
        <button type="button" class="icon-button" aria-label="Keys" title="Keys (?)" onClick={onHelp}>
          <Icon name="help" />
        </button>
      </div>
    </header>
  );
}

function Brand() {
  const { info, control } = useSession();
  const world = useSignal(info)?.world;
  return (
    <a
      class="brand"
      href={`${control.base}/#/`}
      aria-label={`payments-sandbox, world ${world ?? ""}`}
      title={`World ${world ?? ""}`}
    >
      <svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
        <path d="M3 3h6v6H3zM11 3h6v6h-6zM3 11h6v6H3z" class="squares" />
        <path d="M11.5 14.2l2 2 4-4.4" class="tick" />
      </svg>
      {world === "default" || world === undefined ? (
        <span class="only-wide product">payments-sandbox</span>
      ) : (
        <span class="world">{world}</span>
      )}
    </a>
  );
}

function ThemeButton() {
  const isDark = useSignal(theme) === "dark";
  const words = isDark ? "Change to light" : "Change to dark";
  return (
    <button type="button" class="icon-button" aria-label={words} title={`${words} (d)`} onClick={toggleTheme}>
      <Icon name={isDark ? "sun" : "moon"} />
    </button>
  );
}
