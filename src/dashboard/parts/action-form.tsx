/** The buttons and forms for actions on resources. */
import { useState } from "preact/hooks";
import { useSession } from "../live/session.ts";
import { doneText } from "../words/actions.ts";
import { resourceName } from "../words/entries.ts";
import { ActButton } from "./act-button.tsx";
import { fieldsOfAction } from "./action-inputs.ts";
import { FormDialog } from "./form-dialog.tsx";
import { readFields } from "./input-fields.ts";

/** Actions carried out at a click; the others open a form first. */
const AT_ONCE = new Set(["pay", "confirm", "expire", "cancel", "win", "lose"]);

/** The actions that the user most likely came for. */
const PRIMARY = new Set(["pay", "confirm", "deposit", "win"]);

interface ActionsProps {
  readonly kind: string;
  /** The path of the resource, below which its actions are: `/transactions/ID`. */
  readonly path: string;
  readonly actions: readonly string[];
  /** Whether it is paid on a chain. */
  readonly crypto?: boolean;
}

/** A button for every action that the state allows. */
export function Actions({ kind, path, actions, crypto = false }: ActionsProps) {
  const { control, notices } = useSession();
  const [asking, setAsking] = useState<string | null>(null);
  if (actions.length === 0 && asking === null) return null;
  const fieldsOf = (action: string) => fieldsOfAction(kind, action, crypto);
  const call = (action: string, body: object) => control.post<{ status?: string }>(`${path}/${action}`, body);
  const act = (action: string) => notices.report(call(action, {}), (answer) => doneText(action, answer));
  const send = async (action: string, form: HTMLFormElement) => {
    notices.say(doneText(action, await call(action, readFields(form, fieldsOf(action)))));
  };
  return (
    <div class="actions" role="group" aria-label="Actions">
      {actions.map((action) => (
        <ActionButtons
          key={action}
          action={action}
          hasFields={fieldsOf(action).length > 0}
          onAct={() => act(action)}
          onAsk={() => setAsking(action)}
        />
      ))}
      {asking !== null && (
        <FormDialog
          title={`${asking} this ${resourceName(kind)}`}
          action={asking}
          fields={fieldsOf(asking)}
          send={(form) => send(asking, form)}
          obstacle={
            actions.includes(asking)
              ? null
              : `The ${resourceName(kind)} has changed meanwhile: ${asking} is not possible any more.`
          }
          onClose={() => setAsking(null)}
        />
      )}
    </div>
  );
}

interface ActionButtonsProps {
  readonly action: string;
  readonly hasFields: boolean;
  readonly onAct: () => Promise<unknown>;
  /** Opens the form. */
  readonly onAsk: () => void;
}

function ActionButtons({ action, hasFields, onAct, onAsk }: ActionButtonsProps) {
  const atOnce = AT_ONCE.has(action);
  const tone = PRIMARY.has(action) ? "button primary" : "button";
  return (
    <span class="joined">
      {atOnce ? (
        <ActButton class={tone} act={onAct}>
          {action}
        </ActButton>
      ) : (
        <button type="button" class={tone} onClick={onAsk}>
          {`${action}…`}
        </button>
      )}
      {atOnce && hasFields && (
        <button type="button" class={tone} aria-label={`${action} with more said`} onClick={onAsk}>
          …
        </button>
      )}
    </span>
  );
}
