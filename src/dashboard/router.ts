/** Where the page is: `#/transactions/ID?search=order`. A place can be kept, sent to somebody, and gone back from. */
import { Signal, useSignal } from "./live/signal.ts";

interface Route {
  readonly view: string;
  /** What is open beside the list; null for nothing. */
  readonly id: string | null;
  /** What narrows the list, as the query of an address has it. */
  readonly query: string;
}

/** The view of the empty hash, `#/`. */
export const HOME = "timeline";

/** Reads a hash. */
function routeOf(hash: string): Route {
  const [path = "", query = ""] = hash.split(/\?(.*)/s);
  const [view = "", id] = path.replace(/^#?\/?/, "").split("/");
  return { view: view || HOME, id: id ? decoded(id) : null, query };
}

/** The hash of a place. */
export function hashOf(view: string, id?: string | number | null): string {
  const own = view === HOME && id == null ? "" : view;
  return id == null ? `#/${own}` : `#/${own}/${encodeURIComponent(id)}`;
}

const place = new Signal<Route>(routeOf(location.hash));
window.addEventListener("hashchange", () => {
  const { view, query } = place.value;
  const next = routeOf(location.hash);
  // What is opened beside a list leaves the list as it was narrowed, whatever led there.
  if (next.view === view && next.id !== null && next.query === "" && query !== "") rewrite({ ...next, query });
  else place.set(next);
});

/** Where the page is; draws again when that changes. */
export function useRoute(): Route {
  return useSignal(place);
}

/** A word of the place's query, such as what is searched for, and what changes it without going anywhere. */
export function useQueryWord(name: string): [string, (text: string) => void] {
  const query = new URLSearchParams(useRoute().query);
  const change = (text: string) => {
    const changed = new URLSearchParams(place.value.query);
    if (text === "") changed.delete(name);
    else changed.set(name, text);
    rewrite({ ...place.value, query: changed.toString() });
  };
  return [query.get(name) ?? "", change];
}

/** Goes to a place; within a view, its list stays narrowed. */
export function goTo(view: string, id?: string | number | null): void {
  const { view: here, query } = place.value;
  location.hash = withQuery(hashOf(view, id), view === here ? query : "");
}

function rewrite(route: Route): void {
  place.set(route);
  history.replaceState(history.state, "", withQuery(hashOf(route.view, route.id), route.query));
}

function withQuery(hash: string, query: string): string {
  return query === "" ? hash : `${hash}?${query}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
