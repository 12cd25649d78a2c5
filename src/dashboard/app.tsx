import { Component, type ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { useSession } from "./live/session.ts";
import { useSignal } from "./live/signal.ts";
import { currentGrid } from "./parts/current-grid.ts";
import { Icon } from "./parts/icon.tsx";
import { useNarrow } from "./parts/media.ts";
import { PlainView } from "./parts/plain-view.tsx";
import { goTo, useRoute } from "./router.ts";
import { advanceToNext, changeClock } from "./shell/advance.ts";
import { AdvanceDialog } from "./shell/advance-dialog.tsx";
import { Banner } from "./shell/banner.tsx";
import { useSinglePresses, useSteadyClicks } from "./shell/clicks.ts";
import { ClockBar } from "./shell/clock-bar.tsx";
import { useKeptFocus } from "./shell/focus.ts";
import { Gate } from "./shell/gate.tsx";
import { Help } from "./shell/help.tsx";
import { useKeys } from "./shell/keys.ts";
import { Nav } from "./shell/nav.tsx";
import { Herald, NoticeList } from "./shell/notices.tsx";
import { useTitle } from "./shell/title.ts";
import { theme, toggleTheme } from "./theme.ts";
import { viewOf } from "./views/table.ts";

/** The page: clock bar, navigation, the current view, and what is open beside it. */
export function App() {
  const session = useSession();
  const access = useSignal(session.access);
  const { view: key, id } = useRoute();
  const view = viewOf(key);
  const [dialog, setDialog] = useState<"help" | "advance" | null>(null);
  // On a narrow page, an open detail replaces the view and its heading.
  const narrow = useNarrow();
  const close = () => setDialog(null);
  const closeDetail = () => {
    if (id === null) return;
    goTo(key);
    currentGrid()?.focus();
  };
  useTitle(view?.title);
  useKeptFocus();
  useSteadyClicks();
  useSinglePresses();
  useKeys({
    Escape: closeDetail,
    "?": () => setDialog("help"),
    a: () => setDialog("advance"),
    n: () => void advanceToNext(session),
    f: () => {
      const frozen = session.clock.value?.clock.mode === "frozen";
      void changeClock(session, { mode: frozen ? "running" : "frozen" });
    },
    t: () => goTo("timeline"),
    c: () => goTo("transactions"),
    w: () => goTo("webhooks"),
    d: toggleTheme,
  });
  if (access === "denied") return <Gate onToken={() => session.open()} />;
  return (
    <>
      <button type="button" class="skip" onClick={() => document.getElementById("main")?.focus()}>
        Skip to the view
      </button>
      <header class="top">
        <Brand />
        <ClockBar onUntil={() => setDialog("advance")} />
        <div class="tools">
          <ThemeButton />
          <button
            type="button"
            class="icon-button"
            aria-label="Keys"
            title="Keys (?)"
            onClick={() => setDialog("help")}
          >
            <Icon name="help" />
          </button>
        </div>
      </header>
      <Banner />
      <div class="middle">
        <Nav />
        <main id="main" tabIndex={-1} data-detail={view?.detail && id !== null ? "" : undefined}>
          {access === "open" && <Guarded key={key}>{view ? <view.component /> : <NoView />}</Guarded>}
          {narrow && view?.detail && id !== null && <h1 class="unseen">{view.title}</h1>}
          {access === "open" && view?.detail && id !== null && (
            <Guarded key={`${key}/${id}`}>
              <view.detail id={id} />
            </Guarded>
          )}
        </main>
      </div>
      <NoticeList />
      <Herald />
      {dialog === "help" && <Help onClose={close} />}
      {dialog === "advance" && <AdvanceDialog onClose={close} />}
    </>
  );
}

function NoView() {
  return (
    <PlainView title="No such view">
      <p class="empty">There is no view of this name.</p>
    </PlainView>
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

/** Contains the error of a view that fails, and shows it: the rest of the page keeps working. */
class Guarded extends Component<{ children: ComponentChildren }, { error: unknown }> {
  override state = { error: null as unknown };

  override componentDidCatch(error: unknown) {
    this.setState({ error });
    // Reported to the browser's console too: this is a fault of the dashboard.
    reportError(error);
  }

  override render() {
    if (this.state.error === null) return this.props.children;
    return (
      <p class="trouble" role="alert">
        This view has failed: {String(this.state.error)}. It is a fault of the dashboard; please report it.
      </p>
    );
  }
}
