/** The search field of a list: `/` focuses it, Enter opens whatever has exactly the typed id. */
import { useSession } from "../live/session.ts";
import { goTo } from "../router.ts";
import { placeOf } from "../words/places.ts";
import { currentGrid } from "./current-grid.ts";
import { Icon } from "./icon.tsx";

/** Its element's id; there is one at a time. */
export const SEARCH_ID = "search";

interface SearchBoxProps {
  readonly label: string;
  readonly text: string;
  readonly onText: (text: string) => void;
}

/** The field; reports its text at every key. */
export function SearchBox({ label, text, onText }: SearchBoxProps) {
  const { control } = useSession();
  const onKeyDown = async (event: KeyboardEvent) => {
    const box = event.currentTarget as HTMLInputElement;
    if (event.key === "Escape") {
      event.stopPropagation();
      if (text === "") box.blur();
      onText("");
    }
    if (event.key === "ArrowDown") currentGrid()?.focus();
    if (event.key !== "Enter" || text.trim() === "") return;
    const place = await placeOf(control, text.trim());
    // If the user has moved on meanwhile, stay there.
    if (document.activeElement !== box || box.value !== text) return;
    if (place) goTo(place.view, place.id);
    else currentGrid()?.focus();
  };
  return (
    <div class="search">
      <Icon name="search" />
      <input
        id={SEARCH_ID}
        type="search"
        aria-label={label}
        placeholder="Search, or an id"
        value={text}
        autocomplete="off"
        spellcheck={false}
        onInput={(event) => onText(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <kbd>/</kbd>
    </div>
  );
}
