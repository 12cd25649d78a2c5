/** The page's place, in the hash: `#/transactions/ID?search=order`. It can be bookmarked, shared and gone back from. */
import { Signal, useSignal } from "./live/signal.ts";

interface Route {
  readonly view: string;
  /** The open detail beside the list; null for none. */
  readonly id: string | null;
  /** What filters the list, as the query part of the hash. */
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
  // Opening a detail keeps the list's filter, whatever link was followed.
  if (next.view === view && next.id !== null && next.query === "" && query !== "") rewrite({ ...next, query });
  else place.set(next);
});

/** The page's place; redraws when it changes. */
export function useRoute(): Route {
  return useSignal(place);
}

/** A value of the place's query, such as the search text, and a setter that adds no entry to the browser's history. */
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

/** Goes to a place; within the same view, the list keeps its filter. */
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
