import { useRef } from "preact/hooks";

/** Runs work one at a time: requests made before it is done are ignored. */
export function useOnce(): (work: () => Promise<unknown>) => Promise<void> {
  const isWorking = useRef(false);
  return async (work) => {
    if (isWorking.current) return;
    isWorking.current = true;
    try {
      await work();
    } finally {
      isWorking.current = false;
    }
  };
}
