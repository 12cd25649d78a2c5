/** Where the page is: `#/transactions/ID`. A place can be kept, sent to somebody, and gone back from. */
import { Signal, useSignal } from "./live/signal.ts";

interface Route {
  readonly view: string;
  /** What is open beside the list; null for nothing. */
  readonly id: string | null;
}

/** The view of the empty hash, `#/`. */
export const HOME = "timeline";

/** Reads a hash. */
function routeOf(hash: string): Route {
  const [view = "", id] = hash.replace(/^#?\/?/, "").split("/");
  return { view: view || HOME, id: id ? decoded(id) : null };
}

/** The hash of a place. */
export function hashOf(view: string, id?: string | number | null): string {
  const own = view === HOME && id == null ? "" : view;
  return id == null ? `#/${own}` : `#/${own}/${encodeURIComponent(id)}`;
}

const place = new Signal<Route>(routeOf(location.hash));
window.addEventListener("hashchange", () => place.set(routeOf(location.hash)));

/** Where the page is; draws again when that changes. */
export function useRoute(): Route {
  return useSignal(place);
}

/** Goes to a place. */
export function goTo(view: string, id?: string | number | null): void {
  location.hash = hashOf(view, id);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
