/** The title of the page: its view and its world, for tabs, the history and screen readers. */
import { useEffect } from "preact/hooks";
import { useSession } from "../live/session.ts";
import { useSignal } from "../live/signal.ts";

/** @param view the title of the view; undefined if there is no such view. */
export function useTitle(view: string | undefined): void {
  const world = useSignal(useSession().info)?.world;
  const title = [view, world === "default" ? undefined : world, "payments-sandbox"].filter(Boolean).join(" – ");
  useEffect(() => {
    document.title = title;
  }, [title]);
}
