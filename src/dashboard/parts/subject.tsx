import { useSession } from "../live/session.ts";
import { goTo, hashOf } from "../router.ts";
import { isPaymentId, placeOf, viewOfId } from "../words/places.ts";
import { Reference } from "./detail.tsx";

interface SubjectProps {
  readonly id: string;
  /** An event about it, or its kind of resource, if known. */
  readonly of?: string;
}

/** The id of what something is about, as a link if it is shown anywhere. */
export function Subject({ id, of }: SubjectProps) {
  const view = viewOfId(id, of);
  if (view) return <Reference view={view} id={id} />;
  return isPaymentId(id) ? <Payment id={id} /> : <code>{id}</code>;
}

/** A payment of unknown kind, such as in a step of a scenario: its kind is asked for when the link is followed. */
function Payment({ id }: { id: string }) {
  const { control } = useSession();
  const follow = async (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    const here = location.hash;
    const place = await placeOf(control, id);
    // If the user has moved on meanwhile, stay there.
    if (location.hash === here) goTo(place?.view ?? "transactions", place?.id ?? id);
  };
  return (
    <a href={hashOf("transactions", id)} onClick={follow}>
      <code>{id}</code>
    </a>
  );
}
