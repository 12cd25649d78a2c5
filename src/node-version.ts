/** The versions of Node that this program runs on. */

const OLDEST = [22, 18] as const;

/** Refuses older versions: there the SQLite binding ends the process. @throws {Error} which says what is needed. */
export function refuseOldNode(version = process.versions.node): void {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])) return;
  throw new Error(`payments-sandbox needs Node ${OLDEST.join(".")} or newer, this is v${version}.`);
}
