import { useState } from "preact/hooks";
import { counted } from "../../domain/words/counted.ts";
import type { AnySearch } from "../live/search.ts";
import { ActButton } from "./act-button.tsx";

interface SearchFootProps {
  readonly search: Omit<AnySearch, "matches"> & { readonly matches: readonly unknown[] };
  readonly noun: string;
  readonly plural?: string;
}

/** The progress of a search, below its matches. */
export function SearchFoot({ search, noun, plural }: SearchFootProps) {
  const [goesFurther, setGoesFurther] = useState(false);
  const further = async () => {
    setGoesFurther(true);
    await search.more().finally(() => setGoesFurther(false));
  };
  return (
    <div class="search-foot" role="status">
      {counted(search.matches.length, "match", "matches")} in {counted(search.lookedAt, noun, plural)}
      {search.isRunning && " …"}
      {/* Pressed, it stays while the search goes on: it has the focus. */}
      {(goesFurther || !search.isRunning) && !search.isDone && (
        <ActButton class="text-button" act={further}>
          look further
        </ActButton>
      )}
    </div>
  );
}
