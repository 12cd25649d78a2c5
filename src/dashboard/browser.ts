/** All that the dashboard takes from the machine it runs on: wall clock, timers, frames, storage, clipboard. */

/** The machine's clock, in milliseconds. */
export function wallNow(): number {
  return Date.now();
}

/** Calls after so long. @returns what calls it off. */
export function wakeAfter(delayMs: number, work: () => void): () => void {
  const timer = setTimeout(work, delayMs);
  return () => clearTimeout(timer);
}

/** Calls again and again. @returns what ends it. */
export function wakeEvery(periodMs: number, work: () => void): () => void {
  const timer = setInterval(work, periodMs);
  return () => clearInterval(timer);
}

/** Calls before the next picture is drawn; of a page that nobody looks at, once somebody does. */
export function beforeNextFrame(work: () => void): void {
  requestAnimationFrame(work);
}

/** Whether somebody looks at the page, told as often as it changes. @returns what ends it. */
export function watchAttention(onChange: (isSeen: boolean) => void): () => void {
  const listener = () => onChange(!document.hidden);
  document.addEventListener("visibilitychange", listener);
  return () => document.removeEventListener("visibilitychange", listener);
}

/** Calls at once and then so often, and as soon as somebody looks at the page again; never meanwhile. @returns what ends it. */
export function whileSeen(periodMs: number, work: () => void): () => void {
  const workIfSeen = () => {
    if (!document.hidden) work();
  };
  workIfSeen();
  const ends = [wakeEvery(periodMs, workIfSeen), watchAttention(workIfSeen)];
  return () => {
    for (const end of ends) end();
  };
}

/** Resolves as soon as somebody looks at the page. */
export function attention(): Promise<void> {
  if (!document.hidden) return Promise.resolve();
  return new Promise((resolve) => {
    const end = watchAttention((isSeen) => {
      if (!isSeen) return;
      end();
      resolve();
    });
  });
}

/** Resolves after so long. */
export function delay(delayMs: number): Promise<void> {
  return new Promise((resolve) => {
    wakeAfter(delayMs, resolve);
  });
}

/** A text that is kept: `session` until the tab closes, `local` for good. */
export function keptText(area: "session" | "local", key: string) {
  const name = `payments-sandbox.${key}`;
  const storage = () => (area === "session" ? sessionStorage : localStorage);
  return {
    read(): string | null {
      try {
        return storage().getItem(name);
      } catch {
        return null;
      }
    },
    write(text: string | null): void {
      try {
        if (text === null) storage().removeItem(name);
        else storage().setItem(name, text);
      } catch {
        // A browser that keeps nothing: it is asked again next time.
      }
    },
  };
}

/** Puts a text on the clipboard. @returns whether the browser let it. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

/** The clipboard of pages that are neither HTTPS nor loopback. */
function copyBySelection(text: string): boolean {
  const focused = document.activeElement;
  const area = document.createElement("textarea");
  area.value = text;
  area.setAttribute("aria-hidden", "true");
  area.className = "off-screen";
  document.body.append(area);
  area.select();
  const copied = document.execCommand("copy");
  // Before it goes: what has the focus and is taken away leaves it to the view.
  if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
  area.remove();
  return copied;
}

/** Where the page is: the world's base, such as `/worlds/checkout`, and the process's own. */
export function addressOfPage(): { base: string; root: string } {
  const base = location.pathname.replace(/(?<!\/)\/+$/, "");
  return { base, root: base.replace(/\/worlds\/[^/]+$/, "") };
}
