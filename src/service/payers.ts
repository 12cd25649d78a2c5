/** The people who pay and are paid: made-up names and valid tax ids of their country, derived from the world's seed. */
import { createRequire } from "node:module";
import { makeRfc } from "../domain/identifiers/rfc.ts";
import { makeCpf } from "../domain/identifiers/tax-id.ts";
import { onFirstUse } from "../domain/on-first-use.ts";
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

/**
 * A person of the network's country, who depends on the seed and `key` alone: on SPEI a Mexican with two surnames and
 * an RFC, else a Brazilian with a CPF.
 */
export function makePayer(world: World, network: string | null, key: string): Person {
  return network === "SPEI" ? makeMexican(world, key) : makeBrazilian(world, key);
}

/**
 * The owner of a PIX key or CLABE: always the same, since a bank account has one owner. If the key is a tax id, it is
 * the owner's document.
 * @param keyType of the key: the owner of a CNPJ is a company.
 */
export function ownerOf(world: World, network: string, key: string, keyType: string | undefined): Person {
  const { name, document } = makePayer(world, network, key);
  if (keyType === "cpf") return { name, document: key };
  if (keyType !== "cnpj") return { name, document };
  return { name: `${world.random.choice("payer last name", key, brazilianNames().last)} Comércio Ltda`, document: key };
}

function makeBrazilian(world: World, key: string): Person {
  const { first, last } = brazilianNames();
  const name = [world.random.choice("payer first name", key, first), world.random.choice("payer last name", key, last)];
  return { name: name.join(" "), document: makeCpf(world.random.entropy("payer document", key)) };
}

function makeMexican(world: World, key: string): Person {
  const { first, last } = mexicanNames();
  const given = world.random.choice("payer first name", key, first) ?? "";
  const paternal = world.random.choice("payer last name", key, last) ?? "";
  const maternal = world.random.choice("payer mother's last name", key, last) ?? "";
  const entropy = world.random.entropy("payer document", key);
  return { name: `${given} ${paternal} ${maternal}`, document: makeRfc({ given, paternal, maternal }, entropy) };
}

// Loaded on first use: loading takes longer than the rest of the start.
const brazilianNames = onFirstUse(() => namesOf(createRequire(import.meta.url)("@faker-js/faker/locale/pt_BR")));
const mexicanNames = onFirstUse(() => namesOf(createRequire(import.meta.url)("@faker-js/faker/locale/es_MX")));

/**
 * The lists of names. They are used directly, because seeding Faker's generator costs as much as the rest of a payment.
 */
function namesOf({ faker }: { faker: Faker }): Names {
  const { first_name, last_name } = faker.rawDefinitions.person ?? {};
  return {
    first: [...(first_name?.female ?? []), ...(first_name?.male ?? [])],
    last: last_name?.generic ?? [],
  };
}
