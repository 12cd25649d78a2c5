/** When the size of a database in memory is looked at. */
import { expect, test } from "vitest";
import type { Connection } from "../../src/store/connection.ts";
import { Room } from "../../src/store/room.ts";

const MOST = 1_000_000;

/** A database that grows by what it is told, and counts the looks at its size. */
function stage() {
  const database = { bytes: 0, looks: 0 };
  const connection = {
    get size() {
      database.looks++;
      return database.bytes;
    },
  } as Connection;
  return { database, connection, room: new Room(MOST) };
}

test("is looked at seldom as long as there is much room, and in time before there is none", () => {
  const { database, connection, room } = stage();
  const row = ["x".repeat(100), 1, null];
  let rows = 0;
  while (room.isLeft(connection)) {
    room.note(row);
    database.bytes += 100;
    rows++;
  }
  expect(database.bytes).toBe(MOST);
  expect(database.looks).toBeLessThan(rows / 10);
});

test("large values are counted by their size", () => {
  const { database, connection, room } = stage();
  const large = MOST / 10;
  let most = 0;
  for (let call = 0; call < 100 && room.isLeft(connection); call++) {
    room.note(call % 2 === 0 ? ["x".repeat(large)] : [Buffer.alloc(large)]);
    database.bytes += large;
    most = Math.max(most, database.bytes);
  }
  expect(most).toBe(MOST);
});

test("is looked at after a statement without values: it may be an index of all that is there", () => {
  const { database, connection, room } = stage();
  expect(room.isLeft(connection)).toBe(true);
  database.bytes = 2 * MOST;
  expect(room.isLeft(connection)).toBe(true);
  room.note([]);
  expect(room.isLeft(connection)).toBe(false);
});
