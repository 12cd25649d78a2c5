/** What is written into the file of a world behind the back of the sandbox. */

/** Where SQLite keeps the version of a world's tables in its header. */
const VERSION_OFFSET = 60;

/** Where SQLite keeps the number of the program that a file belongs to. */
const APPLICATION_ID_OFFSET = 68;

/** The bytes of a world's file, as if its tables were of another version. */
export function withVersion(whole: Buffer, version: number): Buffer {
  return withNumber(whole, VERSION_OFFSET, version);
}

/** The bytes of a world's file, as if it belonged to another program. */
export function withApplicationId(whole: Buffer, id: number): Buffer {
  return withNumber(whole, APPLICATION_ID_OFFSET, id);
}

function withNumber(whole: Buffer, offset: number, value: number): Buffer {
  const bytes = Buffer.from(whole);
  bytes.writeUInt32BE(value, offset);
  return bytes;
}
