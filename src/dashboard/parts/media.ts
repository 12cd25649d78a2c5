/** What the page is shown on. */
import { useLayoutEffect, useState } from "preact/hooks";

const narrow = window.matchMedia("(max-width: 720px)");
const print = window.matchMedia("print");

/** Whether the page is as narrow as a telephone. The same width stands in the styles. */
export const useNarrow = () => useMedia(narrow);

/** Whether the page is being put on paper, where nothing can be scrolled to. */
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
