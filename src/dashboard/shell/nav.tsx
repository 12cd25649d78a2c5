/** The way between the views: a column at the left, a bar at the bottom where the page is narrow. */
import { useState } from "preact/hooks";
import { Icon } from "../parts/icon.tsx";
import { useNarrow } from "../parts/narrow.ts";
import { hashOf, useRoute } from "../router.ts";
import { groups, type View } from "../views/table.ts";

export function Nav() {
  return useNarrow() ? <Bar /> : <Column />;
}

function Column() {
  return (
    <nav class="column" aria-label="Views">
      {groups.map(({ title, views }) => (
        <section key={title} aria-label={title}>
          <h2>{title}</h2>
          {views.map((view) => (
            <ViewLink key={view.key} view={view} />
          ))}
        </section>
      ))}
    </nav>
  );
}

function Bar() {
  const [open, setOpen] = useState(false);
  const all = groups.flatMap(({ views }) => views);
  return (
    <nav class="bar" aria-label="Views">
      {open && (
        <div class="menu" id="menu">
          {groups.map(({ title, views }) => (
            <section key={title} aria-label={title}>
              <h2>{title}</h2>
              {views.map((view) => (
                <ViewLink key={view.key} view={view} onClick={() => setOpen(false)} />
              ))}
            </section>
          ))}
        </div>
      )}
      {all
        .filter(({ inBar }) => inBar)
        .map((view) => (
          <ViewLink key={view.key} view={view} onClick={() => setOpen(false)} />
        ))}
      <button type="button" aria-expanded={open ? "true" : "false"} aria-controls="menu" onClick={() => setOpen(!open)}>
        <Icon name={open ? "close" : "menu"} /> More
      </button>
    </nav>
  );
}

function ViewLink({ view: { key, title, icon }, onClick }: { view: View; onClick?: () => void }) {
  const isHere = useRoute().view === key;
  return (
    <a href={hashOf(key)} aria-current={isHere ? "page" : undefined} onClick={onClick}>
      <Icon name={icon} />
      {title}
    </a>
  );
}
