/** Details of refused control calls that server and client share. */

/** Detail of a 404 that holds the path, set if no endpoint has that path; absent from the 404 of a missing record. */
export const UNKNOWN_PATH = "unknown_path";

/** Detail of a 404 that holds the id of the world in the address, set if there is no such world. */
export const UNKNOWN_WORLD = "unknown_world";
