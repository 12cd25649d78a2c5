/** What worlds, snapshots, scenarios and accounts may be called: a part of a path, and of no other file than their own. */

/** As refusals tell it. */
export const NAME_FORM = "[a-z0-9][a-z0-9-]{0,62}";

/** Of worlds and snapshots (interface, section 4), and of scenarios. */
export const NAME = new RegExp(`^${NAME_FORM}$`);

/** As refusals tell it. */
export const USERNAME_FORM = "[a-z0-9][a-z0-9._-]{0,62}";

/** Of accounts. */
export const USERNAME = new RegExp(`^${USERNAME_FORM}$`);
