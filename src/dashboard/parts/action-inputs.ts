/** The inputs of the actions. */
import type { InputField } from "./input-fields.ts";

/** A field of an action; `only: "crypto"` hides it for what is not paid on a chain, which may have another hint, too. */
interface ActionField extends InputField {
  readonly only?: "crypto";
  readonly cryptoHint?: string;
}

/** Of a payer who is in no event (`D67`). */
const UNSENT = "none unless given; kept for QA, not sent";

/** TABLE: the fields of each action, by kind of resource and action; `path` is a field's place in the body. */
export const actionInputs: Readonly<Record<string, readonly ActionField[]>> = {
  "cashin pay": [
    { path: "amount", label: "Amount", kind: "amount", hint: "that of the charge; crypto may arrive short or over" },
    { path: "payer.name", label: "Payer's name", hint: "made up unless given", cryptoHint: UNSENT },
    { path: "payer.document", label: "Payer's document", hint: "made up unless given", cryptoHint: UNSENT },
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
    { path: "payer.name", label: "Payer's name", hint: UNSENT },
    { path: "payer.document", label: "Payer's document", hint: UNSENT },
    { path: "tx_hash", label: "Transaction hash", hint: "made up unless given", only: "crypto" },
    { path: "instant", label: "Credited at once, without the time that the chain takes", kind: "check" },
  ],
};

/** The fields of an action of a kind of resource. @param isCrypto whether the resource is paid on a chain. */
export function fieldsOfAction(kind: string, action: string, isCrypto: boolean): readonly InputField[] {
  return (actionInputs[`${kind} ${action}`] ?? [])
    .filter(({ only }) => only === undefined || isCrypto)
    .map(({ cryptoHint, ...field }) => (isCrypto && cryptoHint ? { ...field, hint: cryptoHint } : field));
}
