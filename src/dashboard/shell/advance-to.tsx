import { useSession } from "../live/session.ts";
import { Icon } from "../parts/icon.tsx";
import { instantText } from "../words/instants.ts";
import { advance } from "./advance.ts";

/** A button that advances the clock to an instant. */
export function AdvanceTo({ at }: { at: string }) {
  const session = useSession();
  const words = `Advance the clock to ${instantText(at)}`;
  return (
    <button
      type="button"
      class="icon-button"
      aria-label={words}
      title={words}
      onClick={() => void advance(session, { to: at }, instantText(at))}
    >
      <Icon name="until" />
    </button>
  );
}
