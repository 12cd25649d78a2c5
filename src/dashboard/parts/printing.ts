import { useLayoutEffect, useState } from "preact/hooks";

const query = window.matchMedia("print");

/** Whether the page is being put on paper, where nothing can be scrolled to. */
export function usePrinting(): boolean {
  const [printing, setPrinting] = useState(query.matches);
  useLayoutEffect(() => {
    const update = () => setPrinting(query.matches);
    query.addEventListener("change", update);
    return () => query.removeEventListener("change", update);
  }, []);
  return printing;
}
