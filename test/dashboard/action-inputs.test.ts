/** The forms of actions take what the actions do. */
import { expect, test } from "vitest";
import type { z } from "zod";
import { actionInputs, fieldsOfAction } from "../../src/dashboard/parts/action-inputs.ts";
import { cashoutErrorCodes } from "../../src/domain/cashout-errors.ts";
import { resourceActions } from "../../src/service/actions.ts";

type Shape = Readonly<Record<string, z.ZodType>>;

/** The places of all that an input may have, and whether it must. */
function placesOf(shape: Shape, before = ""): [string, boolean][] {
  return Object.entries(shape).flatMap(([name, schema]): [string, boolean][] => {
    const inner = "unwrap" in schema ? (schema as z.ZodOptional<z.ZodType>).unwrap() : schema;
    const place = before + name;
    return "shape" in inner
      ? placesOf(inner.shape as Shape, `${place}.`)
      : [[place, !schema.safeParse(undefined).success]];
  });
}

const actions = Object.entries(resourceActions).flatMap(([kind, all]) =>
  Object.entries(all).map(([name, { input }]) => [`${kind} ${name}`, input.shape as Shape] as const),
);

test.each(actions)("%s", (action, shape) => {
  const fields = actionInputs[action] ?? [];
  const asked = fields.map(({ path, required = false }) => [path, required]);
  expect(asked.sort()).toEqual(placesOf(shape).sort());
});

test("there is no form of an action that there is not", () => {
  expect(actions.map(([action]) => action)).toEqual(expect.arrayContaining(Object.keys(actionInputs)));
});

test("D67: of a payer whom no event names it is said that none is made up", () => {
  const hint = (kind: string, action: string, isCrypto: boolean) =>
    fieldsOfAction(kind, action, isCrypto).find(({ path }) => path === "payer.name")?.hint;
  const unsent = "none unless given; kept for QA, not sent";
  expect(hint("cashin", "pay", false)).toBe("made up unless given");
  expect(hint("cashin", "pay", true)).toBe(unsent);
  expect([hint("wallet", "deposit", false), hint("wallet", "deposit", true)]).toEqual([unsent, unsent]);
});

test("a payout fails with any of the codes that there are", () => {
  const codes = actionInputs["cashout fail"]?.find(({ path }) => path === "error_code")?.options ?? [];
  expect([...codes].sort()).toEqual([...cashoutErrorCodes].sort());
});
