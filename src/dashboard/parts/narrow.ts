import { useLayoutEffect, useState } from "preact/hooks";

const query = window.matchMedia("(max-width: 720px)");

/** Whether the page is as narrow as a telephone. The same width stands in the styles. */
export function useNarrow(): boolean {
  const [narrow, setNarrow] = useState(query.matches);
  useLayoutEffect(() => {
    const update = () => setNarrow(query.matches);
    query.addEventListener("change", update);
    return () => query.removeEventListener("change", update);
  }, []);
  return narrow;
}
