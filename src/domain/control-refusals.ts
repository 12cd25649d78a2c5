/** What server and client both know of the refusals of control calls. */

/** The detail of a 404 that names the path where nothing can be called, in place of a record that is not there. */
export const UNKNOWN_PATH = "unknown_path";
