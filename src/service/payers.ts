/** The people who pay: made-up names and valid tax ids, from the world's seed. */
import { createRequire } from "node:module";
import { makeCpf } from "../domain/identifiers/tax-id.ts";
import type { World } from "../world/world.ts";

export interface Person {
  readonly name: string;
  readonly document: string;
}

type Faker = typeof import("@faker-js/faker/locale/pt_BR").faker;

let loaded: Faker | undefined;

/** A Brazilian payer that depends on the seed and the key alone. */
export function makePayer(world: World, key: string): Person {
  loaded ??= loadFaker();
  const faker = loaded;
  const entropy = world.random.entropy("payer", key);
  faker.seed(entropy.readUInt32BE(0));
  return {
    name: `${faker.person.firstName()} ${faker.person.lastName()}`,
    document: makeCpf(world.random.entropy("payer document", key)),
  };
}

/** Loaded when the first payer is needed: it takes longer than all else at the start together. */
function loadFaker(): Faker {
  return (createRequire(import.meta.url)("@faker-js/faker/locale/pt_BR") as { faker: Faker }).faker;
}
