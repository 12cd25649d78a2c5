/** The people who pay: made-up names and valid tax ids, from the world's seed. */
import { createRequire } from "node:module";
import { makeCpf } from "../domain/identifiers/tax-id.ts";
import type { World } from "../world/world.ts";

interface Person {
  readonly name: string;
  readonly document: string;
}

type Faker = typeof import("@faker-js/faker/locale/pt_BR").faker;

interface Names {
  readonly first: readonly string[];
  readonly last: readonly string[];
}

let loaded: Names | undefined;

/** A Brazilian payer that depends on the seed and the key alone. */
export function makePayer(world: World, key: string): Person {
  loaded ??= loadNames();
  const first = world.random.choice("payer first name", key, loaded.first);
  const last = world.random.choice("payer last name", key, loaded.last);
  return {
    name: `${first} ${last}`,
    document: makeCpf(world.random.entropy("payer document", key)),
  };
}

/**
 * Loaded when the first payer is needed: it takes longer than all else at the start together. Names are drawn from the
 * lists themselves, since seeding the generator that stands before them costs as much as all else in a payment.
 */
function loadNames(): Names {
  const { faker } = createRequire(import.meta.url)("@faker-js/faker/locale/pt_BR") as { faker: Faker };
  const { first_name, last_name } = faker.rawDefinitions.person ?? {};
  return {
    first: [...(first_name?.female ?? []), ...(first_name?.male ?? [])],
    last: last_name?.generic ?? [],
  };
}
