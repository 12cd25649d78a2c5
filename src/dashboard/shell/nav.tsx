import type { RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Icon } from "../parts/icon.tsx";
import { useNarrow } from "../parts/media.ts";
import { hashOf, useRoute } from "../router.ts";
import { groups, type View } from "../views/table.ts";

/** The navigation between views: a column on the left, or a bar at the bottom of a narrow page. */
export function Nav() {
  return useNarrow() ? <Bar /> : <Column />;
}

function Column() {
  return (
    <nav class="column" aria-label="Views">
      <Groups />
    </nav>
  );
}

function Bar() {
  const bar = useRef<HTMLElement>(null);
  const more = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useMenu(bar);
  const all = groups.flatMap(({ views }) => views);
  return (
    <nav
      class="bar"
      aria-label="Views"
      ref={bar}
      onKeyDown={(event) => {
        if (!open || event.key !== "Escape") return;
        event.preventDefault();
        setOpen(false);
        more.current?.focus();
      }}
    >
      {all
        .filter(({ inBar }) => inBar)
        .map((view) => (
          <ViewLink key={view.key} view={view} onClick={() => setOpen(false)} />
        ))}
      <button
        type="button"
        ref={more}
        aria-expanded={open ? "true" : "false"}
        aria-controls="menu"
        onClick={() => setOpen(!open)}
      >
        <Icon name={open ? "close" : "menu"} /> More
      </button>
      {/* It stands above the bar, but comes after its button for who goes on by Tab. */}
      {open && (
        <div class="menu" id="menu">
          <Groups onClick={() => setOpen(false)} />
        </div>
      )}
    </nav>
  );
}

/** Whether the menu of the bar is open; it closes when something else is pressed, or another place is shown. */
function useMenu(bar: RefObject<HTMLElement | null>) {
  const [open, setOpen] = useState(false);
  const route = useRoute();
  // Whatever led to another place, the menu must not cover it.
  useEffect(() => setOpen(false), [route]);
  useEffect(() => {
    if (!open) return;
    const onPointerDown = ({ target }: Event) => {
      if (target instanceof Node && !bar.current?.contains(target)) setOpen(false);
    };
    document.addEventListener("pointerdown", onPointerDown);
    return () => document.removeEventListener("pointerdown", onPointerDown);
  }, [open]);
  return [open, setOpen] as const;
}

/** All views, by group. */
function Groups({ onClick }: { onClick?: () => void }) {
  return (
    <>
      {groups.map(({ title, views }) => (
        <section key={title} aria-label={title}>
          <h2>{title}</h2>
          {views.map((view) => (
            <ViewLink key={view.key} view={view} onClick={onClick} />
          ))}
        </section>
      ))}
    </>
  );
}

function ViewLink({ view: { key, title, icon }, onClick }: { view: View; onClick?: (() => void) | undefined }) {
  const isHere = useRoute().view === key;
  return (
    <a href={hashOf(key)} title={title} aria-current={isHere ? "page" : undefined} onClick={onClick}>
      <Icon name={icon} />
      <span>{title}</span>
    </a>
  );
}
