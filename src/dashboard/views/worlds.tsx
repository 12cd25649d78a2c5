import { useState } from "preact/hooks";
import { Pace } from "../live/pace.ts";
import { usePolling } from "../live/polling.ts";
import { useSession } from "../live/session.ts";
import { useSignal } from "../live/signal.ts";
import { useConfirm } from "../parts/confirm.tsx";
import { FirstOnes } from "../parts/first-ones.tsx";
import { FormButton } from "../parts/form-dialog.tsx";
import { Icon } from "../parts/icon.tsx";
import { type InputField, readFields } from "../parts/input-fields.ts";
import { PlainView } from "../parts/plain-view.tsx";
import { State } from "../parts/state.tsx";
import { useNow } from "../parts/times.tsx";
import type { Page, WorldInfo, WorldSummary } from "../wire/answers.ts";
import { ControlError } from "../wire/control.ts";
import { instantOf, instantText } from "../words/instants.ts";

/** All worlds, and what can be done with them. */
function useWorlds() {
  const session = useSession();
  const { control, notices } = session;
  const here = useSignal(session.info);
  const [page, setPage] = useState<Page<WorldSummary>>();
  const [error, setError] = useState<ControlError | null>(null);
  const [kept] = useState(() => {
    const pace = new Pace(async () => {
      try {
        setPage(await control.callRoot<Page<WorldSummary>>("GET", "/worlds?limit=1000"));
        setError(null);
      } catch (refused) {
        if (!(refused instanceof ControlError)) throw refused;
        setError(refused);
      }
    });
    return { touch: () => pace.ask() };
  });
  // No journal of a world reports the others.
  usePolling(kept);
  const reset = async () => {
    await session.replaceHistory("/reset", "The world is as it was made.");
    await kept.touch();
  };
  const remove = async (world: string) => {
    await notices.report(control.callRoot("DELETE", `/worlds/${world}`), `${world} is deleted.`);
    await kept.touch();
  };
  const items = page?.items ?? [];
  // Beyond the first ones this one would not be among them.
  const isBeyond = here && page?.next_cursor && items.every(({ world }) => world !== here.world);
  return { page, worlds: isBeyond ? [here, ...items] : items, error, read: kept.touch, reset, remove };
}

/** The worlds of the process: looked into, made, forked, deleted; and this one reset. */
export function Worlds() {
  const here = useSignal(useSession().info)?.world;
  const { page, worlds, error, read, reset, remove } = useWorlds();
  const { ask, dialog } = useConfirm();
  return (
    <PlainView
      title="Worlds"
      beside={
        <>
          <FirstOnes page={page} noun="world" />
          <NewWorld onMade={() => void read()} />
          <button type="button" class="button" onClick={() => ask({ ...RESET_QUESTION, onYes: () => void reset() })}>
            reset this one…
          </button>
        </>
      }
      error={error}
    >
      <ul class="plain lines">
        {worlds.map((summary) => (
          <WorldLine
            key={summary.world}
            summary={summary}
            isHere={summary.world === here}
            onRemove={() => ask({ ...removeQuestion(summary.world), onYes: () => void remove(summary.world) })}
          />
        ))}
      </ul>
      {dialog}
    </PlainView>
  );
}

const RESET_QUESTION = {
  title: "Begin anew?",
  text: "The world goes back to the moment of its creation: same seed, clock included. All that has happened since is gone.",
  action: "reset",
};

const removeQuestion = (world: string) => ({
  title: `Delete ${world}?`,
  text: "The world and all that it holds are gone for good.",
  action: "delete",
});

interface WorldLineProps {
  readonly summary: WorldSummary;
  /** Whether it is the world of this page. */
  readonly isHere: boolean;
  readonly onRemove: () => void;
}

function WorldLine({ summary: { world, clock, seed }, isHere, onRemove }: WorldLineProps) {
  const { root } = useSession().control;
  return (
    <li class="line">
      <Icon name="world" />
      <a class="grow" href={world === "default" ? `${root}/` : `${root}/worlds/${world}/`}>
        <b>{world}</b>
      </a>
      {isHere && <span class="muted">this one</span>}
      <span class="muted only-wide">seed {seed}</span>
      {isHere ? <OwnClock /> : <WorldClock mode={clock.mode} now={clock.now} />}
      {world === "default" ? (
        <span class="icon-button" />
      ) : (
        <button type="button" class="icon-button" aria-label={`Delete world ${world}`} onClick={onRemove}>
          <Icon name="trash" />
        </button>
      )}
    </li>
  );
}

/** This world's clock, which runs here as in the clock bar. */
function OwnClock() {
  const { clock } = useSession();
  const nowMs = useNow();
  const { mode } = clock.value?.clock ?? { mode: "frozen" };
  return <WorldClock mode={mode} now={instantOf(mode === "running" ? nowMs - (nowMs % 1_000) : nowMs)} />;
}

/** Another world's clock; never relative to now, as each world has its own. */
function WorldClock({ mode, now }: { mode: string; now: string }) {
  return (
    <>
      <State state={mode} />
      <time dateTime={now}>{instantText(now)}</time>
    </>
  );
}

const fields: readonly InputField[] = [
  { path: "id", label: "Id", hint: "made up unless given" },
  { path: "seed", label: "Seed", kind: "number", hint: "1" },
  { path: "postback_url", label: "Postback URL", hint: "none" },
  { path: "from", label: "Fork of", hint: "a world’s id: everything is taken from it" },
];

function NewWorld({ onMade }: { onMade: () => void }) {
  const { control, notices } = useSession();
  const make = async (form: HTMLFormElement) => {
    const { world } = await control.callRoot<WorldInfo>("POST", "/worlds", readFields(form, fields));
    notices.say(`${world} is made.`);
    onMade();
  };
  return <FormButton label="make one…" title="Make a world" action="make" fields={fields} send={make} />;
}
