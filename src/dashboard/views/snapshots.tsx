import { useAnswer } from "../live/answer.ts";
import { usePolling } from "../live/polling.ts";
import { useSession } from "../live/session.ts";
import { useConfirm } from "../parts/confirm.tsx";
import { FirstOnes } from "../parts/first-ones.tsx";
import { Icon } from "../parts/icon.tsx";
import { Lesson } from "../parts/lessons.tsx";
import { useOnce } from "../parts/once.ts";
import { PlainView } from "../parts/plain-view.tsx";
import type { Page, Snapshot } from "../wire/answers.ts";
import { instantText } from "../words/instants.ts";

/** Snapshots of the world: taken, gone back to, deleted. */
export function Snapshots() {
  const { page, error, take, restore, remove } = useSnapshots();
  const { ask, dialog } = useConfirm();
  return (
    <PlainView
      title="Snapshots"
      beside={
        <>
          <FirstOnes page={page} noun="snapshot" />
          <TakeSnapshot onTake={take} />
        </>
      }
      error={error}
    >
      {page?.items.length === 0 && <NoSnapshots />}
      <ul class="plain lines">
        {page?.items.map((snapshot) => (
          <SnapshotLine
            key={snapshot.name}
            snapshot={snapshot}
            onRestore={() => ask({ ...restoreQuestion(snapshot.name), onYes: () => void restore(snapshot.name) })}
            onRemove={() => ask({ ...removeQuestion(snapshot.name), onYes: () => void remove(snapshot.name) })}
          />
        ))}
      </ul>
      {dialog}
    </PlainView>
  );
}

const restoreQuestion = (name: string) => ({
  title: `Go back to ${name}?`,
  text: "All that has happened in this world since then is gone.",
  action: "restore",
});

const removeQuestion = (name: string) => ({
  title: `Delete ${name}?`,
  text: "The snapshot is gone for good; the world stays as it is.",
  action: "delete",
});

function NoSnapshots() {
  return (
    <div class="empty">
      <Lesson
        title="None has been taken"
        text="A snapshot keeps the whole world: timers, journal and clock included. Take one before what you want to repeat, here or from a script:"
        call="/_sandbox/snapshots"
        body='{"name": "before-the-dispute"}'
      />
    </div>
  );
}

/** The snapshots of the world, and what can be done with them. */
function useSnapshots() {
  const session = useSession();
  const { control, notices } = session;
  const answer = useAnswer<Page<Snapshot>>("/snapshots?limit=1000", []);
  // The journal has no entries about snapshots, so that histories stay the same.
  usePolling(answer);
  const take = async (name: string) => {
    const call = control.post<Snapshot>("/snapshots", name ? { name } : {});
    const taken = await notices.report(call, (snapshot) => `Snapshot ${snapshot.name} is taken.`);
    // Not awaited: the next one can be asked for as soon as this one is said to be taken.
    void answer.touch();
    return taken !== undefined;
  };
  const restore = async (name: string) => {
    await session.replaceHistory(`/snapshots/${name}/restore`, `The world is as it was in ${name}.`);
    await answer.touch();
  };
  const remove = async (name: string) => {
    await notices.report(control.call("DELETE", `/snapshots/${name}`), `Snapshot ${name} is deleted.`);
    await answer.touch();
  };
  return { page: answer.value, error: answer.error, take, restore, remove };
}

interface SnapshotLineProps {
  readonly snapshot: Snapshot;
  readonly onRestore: () => void;
  readonly onRemove: () => void;
}

function SnapshotLine({ snapshot: { name, at }, onRestore, onRemove }: SnapshotLineProps) {
  return (
    <li class="line">
      <Icon name="snapshot" />
      <b class="grow">{name}</b>
      <span class="muted">{instantText(at)}</span>
      <button type="button" class="button small" onClick={onRestore}>
        restore
      </button>
      <button type="button" class="icon-button" aria-label={`Delete snapshot ${name}`} onClick={onRemove}>
        <Icon name="trash" />
      </button>
    </li>
  );
}

/** @param onTake takes one; whether it was taken. */
function TakeSnapshot({ onTake }: { onTake: (name: string) => Promise<boolean> }) {
  const once = useOnce();
  const take = async (form: HTMLFormElement) => {
    const typed = () => String(new FormData(form).get("name") ?? "");
    const name = typed();
    // What was typed meanwhile is the name of another one.
    if ((await onTake(name.trim())) && typed() === name) form.reset();
  };
  return (
    <form
      class="inline"
      onSubmit={(event) => {
        event.preventDefault();
        const form = event.currentTarget;
        void once(() => take(form));
      }}
    >
      <input name="name" aria-label="Name of the snapshot" placeholder="name, or none" autocomplete="off" />
      <button
        type="submit"
        class="button"
        onClick={(event) => {
          // The second click of a double click would take another one.
          if (event.detail > 1) event.preventDefault();
        }}
      >
        <Icon name="snapshot" /> take
      </button>
    </form>
  );
}
