/** The one webhook that a test looks at: how it failed, and what it told. */
import { expect } from "vitest";
import type { WorldClient } from "../../src/index.ts";
import { paidWebhook } from "../support/charges.ts";
import type { Stage } from "../support/signing.ts";

/** Pays a charge of a world whose receiver fails. @returns the first attempt. */
export async function failureOf(world: WorldClient) {
  const { status, next_attempt_at, attempts } = await paidWebhook(world);
  expect([status, next_attempt_at]).toEqual(["pending", "2026-01-01T12:00:01.000Z"]);
  return attempts[0];
}

/** The data of the one event of a kind that a stage has seen. */
export async function dataOf(stage: Stage, kind: string) {
  const [webhook, ...others] = await stage.events(kind);
  expect(others).toEqual([]);
  return webhook?.body.data;
}
