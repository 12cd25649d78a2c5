/** All that the dashboard uses of the browser: wall clock, timers, frames, storage, clipboard. */

/** The machine's clock, in milliseconds. */
export function wallNow(): number {
  return Date.now();
}

/** Calls back after a delay. @returns a function that cancels it. */
export function wakeAfter(delayMs: number, work: () => void): () => void {
  const timer = setTimeout(work, delayMs);
  return () => clearTimeout(timer);
}

/** Calls back periodically. @returns a function that ends it. */
export function wakeEvery(periodMs: number, work: () => void): () => void {
  const timer = setInterval(work, periodMs);
  return () => clearInterval(timer);
}

/** Calls back before the next frame is drawn; on a hidden page, once it is visible. */
export function beforeNextFrame(work: () => void): void {
  requestAnimationFrame(work);
}

/** Calls back with whether the page is visible, whenever that changes. @returns a function that ends it. */
export function watchAttention(onChange: (isSeen: boolean) => void): () => void {
  const listener = () => onChange(!document.hidden);
  document.addEventListener("visibilitychange", listener);
  return () => document.removeEventListener("visibilitychange", listener);
}

/** Calls back at once, periodically, and when the page becomes visible; never while hidden. @returns what ends it. */
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

/** Resolves as soon as the page is visible. */
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

/** Resolves after a delay. */
export function delay(delayMs: number): Promise<void> {
  return new Promise((resolve) => {
    wakeAfter(delayMs, resolve);
  });
}

/** A stored text: `session` keeps it until the tab closes, `local` permanently. */
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
        // If the browser stores nothing, the user is asked again next time.
      }
    },
  };
}

/** Copies a text to the clipboard. @returns whether the browser allowed it. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

/** Copies by selection, for pages that are neither HTTPS nor loopback. */
function copyBySelection(text: string): boolean {
  const focused = document.activeElement;
  const area = document.createElement("textarea");
  area.value = text;
  area.setAttribute("aria-hidden", "true");
  area.className = "off-screen";
  document.body.append(area);
  area.select();
  const copied = document.execCommand("copy");
  // Before the area is removed: if it had the focus then, the focus would go to the view.
  if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
  area.remove();
  return copied;
}

/** The path of the world's base, such as `/worlds/checkout`, and that of the sandbox's root. */
export function addressOfPage(): { base: string; root: string } {
  const base = location.pathname.replace(/(?<!\/)\/+$/, "");
  return { base, root: base.replace(/\/worlds\/[^/]+$/, "") };
}
