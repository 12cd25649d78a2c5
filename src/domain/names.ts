/** Names of worlds, snapshots, scenarios and accounts: parts of paths, so that they must not lead to any other file. */

/** The most characters of a {@link NAME}. */
export const MAX_NAME = 63;

/** The form of {@link NAME}, as refusals show it. */
export const NAME_FORM = `[a-z0-9][a-z0-9-]{0,${MAX_NAME - 1}}`;

/** A valid name of a world or snapshot (interface, section 4), or of a scenario. */
export const NAME = new RegExp(`^${NAME_FORM}$`);

/** The form of {@link USERNAME}, as refusals show it. */
export const USERNAME_FORM = "[a-z0-9][a-z0-9._-]{0,62}";

/** A valid username of an account. */
export const USERNAME = new RegExp(`^${USERNAME_FORM}$`);
