/** TABLE: what the actions take, and the buttons and forms that carry them out. */
import { useState } from "preact/hooks";
import { useSession } from "../live/session.ts";
import { Dialog } from "./dialog.tsx";
import { FieldInput, type InputField, readFields } from "./form.tsx";

/** `path` of a field is its place in the body: `payer.name`. */
const inputs: Readonly<Record<string, readonly InputField[]>> = {
  "cashin pay": [
    { path: "amount", label: "Amount", hint: "that of the charge; crypto may arrive short or over" },
    { path: "payer.name", label: "Payer's name", hint: "made up unless given" },
    { path: "payer.document", label: "Payer's document", hint: "made up unless given" },
    { path: "tx_hash", label: "Transaction hash", hint: "crypto only; made up unless given" },
  ],
  "cashin fail": [{ path: "reason", label: "Reason", hint: "shown in the list" }],
  "cashin refund": [
    { path: "amount", label: "Amount", hint: "all that is left" },
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
    { path: "amount", label: "Amount", hint: "all that is left" },
    { path: "reason", label: "Reason", hint: "PROVIDER_REVERSAL" },
  ],
  "conversion refund": [{ path: "reason", label: "Reason", hint: "SUPPORT_MANUAL_REVERSAL" }],
  "wallet deposit": [
    { path: "amount", label: "Amount", required: true },
    { path: "payer.name", label: "Payer's name", hint: "made up unless given" },
    { path: "tx_hash", label: "Transaction hash", hint: "crypto only; made up unless given" },
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
}

/** Every action that the state allows, and no other. */
export function Actions({ kind, path, actions }: ActionsProps) {
  const { control, notices } = useSession();
  const [asking, setAsking] = useState<string | null>(null);
  if (actions.length === 0) return null;
  const act = async (action: string, body: object) => {
    const done = await notices.report(control.post(`${path}/${action}`, body), `${action}: done.`);
    if (done !== undefined) setAsking(null);
  };
  return (
    <div class="actions" role="group" aria-label="Actions">
      {actions.map((action) => {
        const fields = inputs[`${kind} ${action}`] ?? [];
        const atOnce = AT_ONCE.has(action);
        const tone = PRIMARY.has(action) ? "button primary" : "button";
        return (
          <span class="joined" key={action}>
            <button type="button" class={tone} onClick={() => (atOnce ? void act(action, {}) : setAsking(action))}>
              {atOnce ? action : `${action}…`}
            </button>
            {atOnce && fields.length > 0 && (
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
        <Dialog title={`${asking} this ${kind}`} onClose={() => setAsking(null)}>
          <form
            method="dialog"
            onSubmit={(event) => {
              event.preventDefault();
              void act(asking, readFields(event.currentTarget, inputs[`${kind} ${asking}`] ?? []));
            }}
          >
            {(inputs[`${kind} ${asking}`] ?? []).map((field) => (
              <FieldInput key={field.path} field={field} />
            ))}
            <footer>
              <button type="submit" class="button primary">
                {asking}
              </button>
            </footer>
          </form>
        </Dialog>
      )}
    </div>
  );
}
