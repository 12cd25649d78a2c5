/** What an external id stands for, however often was asked before. */
import { expect, test } from "vitest";
import { Database } from "../../src/store/database.ts";
import { ExternalIdStore } from "../../src/store/external-ids.ts";

const row = (username: string, external_id: string) => ({
  ...{ username, external_id, operation: "cashin", body_digest: "{}" },
  resource_id: `${username} ${external_id}`,
});

/** Beyond this many questions, what there is not is known without a statement. */
const MANY = 500;

function asked(store: ExternalIdStore): ExternalIdStore {
  for (let number = 0; number < MANY; number++) expect(store.get("acme", `new-${number}`)).toBeUndefined();
  return store;
}

test("TX-04 one that was used before or after many questions is found, that of another account is not", () => {
  const store = new ExternalIdStore(Database.inMemory());
  store.insert(row("acme", "before"));
  asked(store);
  store.insert(row("acme", "after"));
  for (const id of ["before", "after"]) {
    expect(store.get("acme", id)).toEqual(row("acme", id));
    expect(store.get("globex", id)).toBeUndefined();
  }
});

test("TX-04 one that waits to be written is found", () => {
  const database = Database.inMemory();
  const store = asked(new ExternalIdStore(database));
  database.transaction(() => {
    store.insert(row("acme", "waiting"));
    expect(store.get("acme", "waiting")).toEqual(row("acme", "waiting"));
  });
});

test("D24 one whose use was undone is free again", () => {
  const database = Database.inMemory();
  const store = asked(new ExternalIdStore(database));
  const refuse = () => {
    store.insert(row("acme", "undone"));
    throw new Error("refused");
  };
  expect(() => database.transaction(refuse)).toThrow("refused");
  expect(store.get("acme", "undone")).toBeUndefined();
});

test("TX-04 where there are very many already, each is found", () => {
  const database = Database.inMemory();
  const before = new ExternalIdStore(database);
  database.transaction(() => {
    for (let number = 1; number <= 30_000; number++) before.insert(row("acme", `old-${number}`));
  });
  const store = asked(new ExternalIdStore(database));
  for (const id of ["old-1", "old-30000"]) expect(store.get("acme", id)).toEqual(row("acme", id));
});
