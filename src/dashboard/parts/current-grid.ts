/** The list that the keys of the page steer: the one that was drawn last. */
import { useLayoutEffect, useRef } from "preact/hooks";

interface GridSteering {
  move(step: number): void;
  open(): void;
  focus(): void;
}

let current: GridSteering | null = null;

/** What keys steer; null where there is no list. */
export function currentGrid(): GridSteering | null {
  return current;
}

/** Lets the keys of the page steer a grid as long as it is there. */
export function useCurrentGrid(steering: GridSteering): void {
  const latest = useRef(steering);
  latest.current = steering;
  useLayoutEffect(() => {
    const own: GridSteering = {
      move: (step) => latest.current.move(step),
      open: () => latest.current.open(),
      focus: () => latest.current.focus(),
    };
    current = own;
    return () => {
      if (current === own) current = null;
    };
  }, []);
}
