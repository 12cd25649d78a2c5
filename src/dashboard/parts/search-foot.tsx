import type { AnySearch } from "../live/search.ts";
import { counted } from "../words/amounts.ts";

interface SearchFootProps {
  readonly search: Omit<AnySearch, "matches"> & { readonly matches: readonly unknown[] };
  readonly noun: string;
  readonly plural?: string;
}

/** The progress of a search, below its matches. */
export function SearchFoot({ search, noun, plural }: SearchFootProps) {
  return (
    <div class="search-foot" role="status">
      {counted(search.matches.length, "match", "matches")} in {counted(search.lookedAt, noun, plural)}
      {search.isRunning && " …"}
      {!search.isRunning && !search.isDone && (
        <button type="button" class="text-button" onClick={() => void search.more()}>
          look further
        </button>
      )}
    </div>
  );
}
