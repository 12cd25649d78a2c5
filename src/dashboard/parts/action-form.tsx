/** TABLE: what the actions take, and the buttons and forms that carry them out. */
import { useState } from "preact/hooks";
import { useSession } from "../live/session.ts";
import { doneText } from "../words/actions.ts";
import { resourceName } from "../words/entries.ts";
import { ActButton } from "./act-button.tsx";
import { FormDialog } from "./form-dialog.tsx";
import { type InputField, readFields } from "./input-fields.ts";

/** A field of an action; `only`: what has no chain does not take it. */
interface ActionField extends InputField {
  readonly only?: "crypto";
}

/** `path` of a field is its place in the body: `payer.name`. */
const inputs: Readonly<Record<string, readonly ActionField[]>> = {
  "cashin pay": [
    { path: "amount", label: "Amount", kind: "amount", hint: "that of the charge; crypto may arrive short or over" },
    { path: "payer.name", label: "Payer's name", hint: "made up unless given" },
    { path: "payer.document", label: "Payer's document", hint: "made up unless given" },
    { path: "tx_hash", label: "Transaction hash", hint: "made up unless given", only: "crypto" },
  ],
  "cashin fail": [{ path: "reason", label: "Reason", hint: "shown in the list" }],
  "cashin refund": [
    { path: "amount", label: "Amount", kind: "amount", hint: "all that is left" },
    { path: "reason", label: "Reason", hint: "MANUAL_REFUND" },
  ],
  "cashin dispute": [{ path: "reason", label: "Reason", hint: "what the payer says" }],
  "cashout confirm": [
    { path: "receiver.name", label: "Receiver's name", hint: "made up unless given" },
    { path: "receiver.document", label: "Receiver's document", hint: "made up unless given" },
    { path: "receiver.bank", label: "Receiver's bank", hint: "made up unless given" },
  ],
  "cashout fail": [
    {
      path: "error_code",
      label: "Error code",
      required: true,
      options: [
        "PIX_KEY_NOT_FOUND",
        "PROVIDER_TIMEOUT",
        "INVALID_ADDRESS",
        "BLACKLISTED",
        "TRON_ENERGY_FAIL",
        "INSUFFICIENT_BALANCE",
        "NO_HOT_WALLET",
        "BLOCKCHAIN_REVERT",
        "BROADCAST_FAIL",
        "UNKNOWN",
      ],
    },
    { path: "error_message", label: "Error message", hint: "that of the code" },
  ],
  "cashout refund": [
    { path: "amount", label: "Amount", kind: "amount", hint: "all that is left" },
    { path: "reason", label: "Reason", hint: "PROVIDER_REVERSAL" },
  ],
  "conversion refund": [{ path: "reason", label: "Reason", hint: "SUPPORT_MANUAL_REVERSAL" }],
  "wallet deposit": [
    { path: "amount", label: "Amount", kind: "amount", required: true },
    { path: "payer.name", label: "Payer's name", hint: "made up unless given" },
    { path: "tx_hash", label: "Transaction hash", hint: "made up unless given", only: "crypto" },
    { path: "instant", label: "Credited at once, without the time that the chain takes", kind: "check" },
  ],
};

/** Actions that are carried out at a click; the others ask first. */
const AT_ONCE = new Set(["pay", "confirm", "expire", "cancel", "win", "lose"]);

/** Those that the reader most likely came for. */
const PRIMARY = new Set(["pay", "confirm", "deposit", "win"]);

interface ActionsProps {
  readonly kind: string;
  /** Where the actions are: `/transactions/ID`. */
  readonly path: string;
  readonly actions: readonly string[];
  /** Whether it is paid on a chain. */
  readonly crypto?: boolean;
}

/** Every action that the state allows, and no other. */
export function Actions({ kind, path, actions, crypto = false }: ActionsProps) {
  const { control, notices } = useSession();
  const [asking, setAsking] = useState<string | null>(null);
  if (actions.length === 0) return null;
  const fieldsOf = (action: string) =>
    (inputs[`${kind} ${action}`] ?? []).filter(({ only }) => only === undefined || crypto);
  const call = (action: string, body: object) => control.post<{ status?: string }>(`${path}/${action}`, body);
  const act = (action: string) => notices.report(call(action, {}), (answer) => doneText(action, answer));
  const send = async (action: string, form: HTMLFormElement) => {
    notices.say(doneText(action, await call(action, readFields(form, fieldsOf(action)))));
  };
  return (
    <div class="actions" role="group" aria-label="Actions">
      {actions.map((action) => {
        const atOnce = AT_ONCE.has(action);
        const tone = PRIMARY.has(action) ? "button primary" : "button";
        return (
          <span class="joined" key={action}>
            {atOnce ? (
              <ActButton class={tone} act={() => act(action)}>
                {action}
              </ActButton>
            ) : (
              <button type="button" class={tone} onClick={() => setAsking(action)}>
                {`${action}…`}
              </button>
            )}
            {atOnce && fieldsOf(action).length > 0 && (
              <button
                type="button"
                class={tone}
                aria-label={`${action} with more said`}
                onClick={() => setAsking(action)}
              >
                …
              </button>
            )}
          </span>
        );
      })}
      {asking !== null && (
        <FormDialog
          title={`${asking} this ${resourceName(kind)}`}
          action={asking}
          fields={fieldsOf(asking)}
          send={(form) => send(asking, form)}
          onClose={() => setAsking(null)}
        />
      )}
    </div>
  );
}
