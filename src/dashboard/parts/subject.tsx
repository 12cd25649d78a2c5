import { useSession } from "../live/session.ts";
import { goTo, hashOf } from "../router.ts";
import { isPaymentId, placeOf, viewOfId } from "../words/places.ts";
import { Reference } from "./detail.tsx";

interface SubjectProps {
  readonly id: string;
  /** An event about it, or its kind of resource, where there is one. */
  readonly of?: string;
}

/** What something is about, as a link to where it is shown; the id alone where it is shown nowhere. */
export function Subject({ id, of }: SubjectProps) {
  const view = viewOfId(id, of);
  if (view) return <Reference view={view} id={id} />;
  return isPaymentId(id) ? <Payment id={id} /> : <code>{id}</code>;
}

/** A payment of any kind, such as a step of a scenario is about: of which it is, is asked when it is gone to. */
function Payment({ id }: { id: string }) {
  const { control } = useSession();
  const follow = async (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    const here = location.hash;
    const place = await placeOf(control, id);
    // Who has gone on meanwhile is not taken back.
    if (location.hash === here) goTo(place?.view ?? "transactions", place?.id ?? id);
  };
  return (
    <a href={hashOf("transactions", id)} onClick={follow}>
      <code>{id}</code>
    </a>
  );
}
