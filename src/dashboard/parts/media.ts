/** The medium that the page is shown on. */
import { useLayoutEffect, useState } from "preact/hooks";

const narrow = window.matchMedia("(max-width: 720px)");
const print = window.matchMedia("print");

/** Whether the page is as narrow as on a telephone; the styles have the same width. */
export const useNarrow = () => useMedia(narrow);

/** Whether the page is being printed: nothing can be scrolled to on paper. */
export const usePrinting = () => useMedia(print);

function useMedia(query: MediaQueryList): boolean {
  const [matches, setMatches] = useState(query.matches);
  useLayoutEffect(() => {
    const update = () => setMatches(query.matches);
    query.addEventListener("change", update);
    return () => query.removeEventListener("change", update);
  }, [query]);
  return matches;
}
