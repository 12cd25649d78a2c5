/** The list that the page's keys control: the one drawn last. */
import { useLayoutEffect, useRef } from "preact/hooks";

interface GridSteering {
  move(step: number): void;
  open(): void;
  focus(): void;
}

let current: GridSteering | null = null;

/** The list that keys control; null if there is none. */
export function currentGrid(): GridSteering | null {
  return current;
}

/** Lets the page's keys control a grid as long as it is mounted. */
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
