import { useRef } from "preact/hooks";

/** Work that is done one at a time: who asks for it once more before it is done is not heard. */
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
