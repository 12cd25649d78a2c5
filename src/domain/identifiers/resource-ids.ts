/** The forms of the ids by which the service knows its resources. */

/** The id of a transaction, a transfer or a conversion. */
export const HEX_ID = /^[0-9a-f]{32}$/;

/** The id of a dispute. */
export const DISPUTE_ID = /^inf_[0-9a-z]{24}$/;

const DISPUTE_IDS = /\binf_[0-9a-z]{24}\b/g;

/** The field of a form that names the dispute which it replies to (`D51`); bounded, as forms are large. */
const REPLIED_TO =
  /\bname="?infraction_id"?(?:[ \t]?;[^\r\n]{0,500})?\r\n(?:[^\r\n]{1,500}\r\n){0,9}\r\n(inf_[0-9a-z]{24})\b/;

/** The disputes that a reply is about: that of its field or, if it has none, all that the form names. */
export function disputesRepliedTo(form: string): string[] {
  const [, own] = REPLIED_TO.exec(form) ?? [];
  return own === undefined ? [...new Set(form.match(DISPUTE_IDS))] : [own];
}
