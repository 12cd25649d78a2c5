import { useEffect } from "preact/hooks";
import { useSession } from "../live/session.ts";
import { useSignal } from "../live/signal.ts";
import { Icon } from "../parts/icon.tsx";

/** A banner about the state of the sandbox, if it is not well. */
export function Banner() {
  const { feed, access, control, silence } = useSession();
  const isSilent = useSignal(silence);
  useEffect(() => silence.watch(), [silence]);
  const status = useSignal(feed.status);
  const entry = useSignal(access);
  const isGone = status === "gone" || entry === "gone";
  if (isGone) {
    return (
      <div class="banner bad" role="alert">
        <Icon name="world" />
        This world is not there: it was deleted, or never made.
        <a href={`${control.root}/#/worlds`}>See which worlds there are</a>
      </div>
    );
  }
  if (status === "down" || entry === "unreachable" || isSilent) {
    return (
      <div class="banner wait" role="alert">
        <Icon name="fault" />
        The sandbox does not answer. What you see may be old; the page goes on as soon as it is there again.
      </div>
    );
  }
  return null;
}
