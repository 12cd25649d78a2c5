import { useState } from "preact/hooks";
import { useAnswer } from "../live/answer.ts";
import { usePolling } from "../live/polling.ts";
import { useSession } from "../live/session.ts";
import { Confirm } from "../parts/confirm.tsx";
import { Icon } from "../parts/icon.tsx";
import { Lesson } from "../parts/lessons.tsx";
import { useOnce } from "../parts/once.ts";
import { PlainView } from "../parts/plain-view.tsx";
import type { Page, Snapshot } from "../wire/answers.ts";
import { instantText } from "../words/instants.ts";

/** Snapshots of the world: taken, gone back to, deleted. */
export function Snapshots() {
  const session = useSession();
  const { control, notices } = session;
  const answer = useAnswer<Page<Snapshot>>("/snapshots?limit=1000", []);
  const [question, setQuestion] = useState<{ what: "restore" | "delete"; snapshot: string } | null>(null);
  // The journal has no entries about snapshots, so that histories stay the same.
  usePolling(answer);
  const take = async (name: string) => {
    const call = control.post<Snapshot>("/snapshots", name ? { name } : {});
    const taken = await notices.report(call, (snapshot) => `Snapshot ${snapshot.name} is taken.`);
    await answer.touch();
    return taken !== undefined;
  };
  const restore = async (snapshot: string) => {
    await session.replaceHistory(`/snapshots/${snapshot}/restore`, `The world is as it was in ${snapshot}.`);
    await answer.touch();
  };
  const remove = async (snapshot: string) => {
    await notices.report(control.call("DELETE", `/snapshots/${snapshot}`), `Snapshot ${snapshot} is deleted.`);
    await answer.touch();
  };
  const act = async ({ what, snapshot }: NonNullable<typeof question>) => {
    setQuestion(null);
    await (what === "restore" ? restore(snapshot) : remove(snapshot));
  };
  return (
    <PlainView title="Snapshots" beside={<TakeSnapshot onTake={take} />} error={answer.error}>
      {answer.value?.items.length === 0 && (
        <div class="empty">
          <Lesson
            title="None has been taken"
            text="A snapshot keeps the whole world: timers, journal and clock included. Take one before what you want to repeat, here or from a script:"
            call="/_sandbox/snapshots"
            body='{"name": "before-the-dispute"}'
          />
        </div>
      )}
      <ul class="plain lines">
        {answer.value?.items.map((snapshot) => (
          <li key={snapshot.name} class="line">
            <Icon name="snapshot" />
            <b class="grow">{snapshot.name}</b>
            <span class="muted">{instantText(snapshot.at)}</span>
            <button
              type="button"
              class="button small"
              onClick={() => setQuestion({ what: "restore", snapshot: snapshot.name })}
            >
              restore
            </button>
            <button
              type="button"
              class="icon-button"
              aria-label={`Delete snapshot ${snapshot.name}`}
              onClick={() => setQuestion({ what: "delete", snapshot: snapshot.name })}
            >
              <Icon name="trash" />
            </button>
          </li>
        ))}
      </ul>
      {question && (
        <Confirm
          title={question.what === "restore" ? `Go back to ${question.snapshot}?` : `Delete ${question.snapshot}?`}
          text={
            question.what === "restore"
              ? "All that has happened in this world since then is gone."
              : "The snapshot is gone for good; the world stays as it is."
          }
          action={question.what}
          onYes={() => void act(question)}
          onNo={() => setQuestion(null)}
        />
      )}
    </PlainView>
  );
}

/** @param onTake takes one; whether it was taken. */
function TakeSnapshot({ onTake }: { onTake: (name: string) => Promise<boolean> }) {
  const once = useOnce();
  const take = async (form: HTMLFormElement) => {
    if (await onTake(String(new FormData(form).get("name") ?? "").trim())) form.reset();
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
