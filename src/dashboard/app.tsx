import { Component, type ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { useSession } from "./live/session.ts";
import { useSignal } from "./live/signal.ts";
import { currentGrid } from "./parts/current-grid.ts";
import { useNarrow } from "./parts/media.ts";
import { PlainView } from "./parts/plain-view.tsx";
import { goTo, useRoute } from "./router.ts";
import { advanceToNext, toggleClock } from "./shell/advance.ts";
import { AdvanceDialog } from "./shell/advance-dialog.tsx";
import { Banner } from "./shell/banner.tsx";
import { useSinglePresses, useSteadyClicks } from "./shell/clicks.ts";
import { useKeptFocus } from "./shell/focus.ts";
import { Gate } from "./shell/gate.tsx";
import { Help } from "./shell/help.tsx";
import { useKeys } from "./shell/keys.ts";
import { Nav } from "./shell/nav.tsx";
import { Herald, NoticeList } from "./shell/notices.tsx";
import { useTitle } from "./shell/title.ts";
import { type DialogOpeners, Top } from "./shell/top.tsx";
import { toggleTheme } from "./theme.ts";
import { viewOf } from "./views/table.ts";

/** The page, or what asks for the control token before it is shown. */
export function App() {
  const session = useSession();
  const access = useSignal(session.access);
  useTitle(viewOf(useRoute().view)?.title);
  useKeptFocus();
  useSteadyClicks();
  useSinglePresses();
  return access === "denied" ? <Gate onToken={() => session.open()} /> : <Page isOpen={access === "open"} />;
}

/** Clock bar, navigation, the current view, and what is open beside it. @param isOpen whether the world can be shown. */
function Page({ isOpen }: { isOpen: boolean }) {
  const [dialog, setDialog] = useState<"help" | "advance" | null>(null);
  const close = () => setDialog(null);
  const openers = { onHelp: () => setDialog("help"), onUntil: () => setDialog("advance") };
  usePageKeys(openers);
  return (
    <>
      <button type="button" class="skip" onClick={() => document.getElementById("main")?.focus()}>
        Skip to the view
      </button>
      <Top {...openers} />
      <Banner />
      <div class="middle">
        <Nav />
        <Main isOpen={isOpen} />
      </div>
      <NoticeList />
      <Herald />
      {dialog === "help" && <Help onClose={close} />}
      {dialog === "advance" && <AdvanceDialog onClose={close} />}
    </>
  );
}

/** Keys that work in every view, besides those of the page. */
function usePageKeys({ onHelp, onUntil }: DialogOpeners): void {
  const session = useSession();
  const { view, id } = useRoute();
  const closeDetail = () => {
    if (id === null) return;
    goTo(view);
    currentGrid()?.focus();
  };
  useKeys({
    Escape: closeDetail,
    "?": onHelp,
    a: onUntil,
    n: () => void advanceToNext(session),
    f: () => void toggleClock(session),
    t: () => goTo("timeline"),
    c: () => goTo("transactions"),
    w: () => goTo("webhooks"),
    d: toggleTheme,
  });
}

/** The current view with the open detail beside it, once the world is open to the page. */
function Main({ isOpen }: { isOpen: boolean }) {
  const { view: key, id } = useRoute();
  const view = viewOf(key);
  // On a narrow page, an open detail replaces the view and its heading.
  const narrow = useNarrow();
  return (
    <main id="main" tabIndex={-1} data-detail={view?.detail && id !== null ? "" : undefined}>
      {isOpen && <Guarded key={key}>{view ? <view.component /> : <NoView />}</Guarded>}
      {(!isOpen || (narrow && view?.detail && id !== null)) && <h1 class="unseen">{view?.title ?? NO_VIEW}</h1>}
      {isOpen && view?.detail && id !== null && (
        <Guarded key={`${key}/${id}`}>
          <view.detail id={id} />
        </Guarded>
      )}
    </main>
  );
}

const NO_VIEW = "No such view";

function NoView() {
  return (
    <PlainView title={NO_VIEW}>
      <p class="empty">There is no view of this name.</p>
    </PlainView>
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
