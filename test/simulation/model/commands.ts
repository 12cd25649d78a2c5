/** What programs are made of: each command draws its input, and is done to the sandbox and to the model. */
import fc from "fast-check";
import type { Branch, MerchantApp, Stage } from "./stage.ts";

/** The scene of a command: one branch, on the stage of its program. */
export interface Scene {
  readonly stage: Stage;
  readonly branch: Branch;
}

/** Something that can be done; it tells in a word how it ended: `skipped` where there is nothing to do it to. */
export interface Command<Input = never> {
  readonly weight: number;
  readonly input: fc.Arbitrary<Input>;
  readonly perform: (scene: Scene, input: Input) => Promise<string>;
}

/** Lets the compiler see what a command's input is. */
export function command<Input>(
  weight: number,
  input: fc.Arbitrary<Input>,
  perform: (scene: Scene, input: Input) => Promise<string>,
): Command<Input> {
  return { weight, input, perform };
}

export const SKIPPED = "skipped";

/** A number that picks one of what there is, whatever there is. */
export const which = fc.nat(11);

/** One of these; undefined where there are none. */
export function picked<Item>(items: readonly Item[], index: number): Item | undefined {
  return items[index % Math.max(items.length, 1)];
}

/** Those that suit, unless others are wanted or none suits. */
export function suiting<Item>(
  items: readonly Item[],
  suits: (item: Item) => boolean,
  strays: boolean,
): readonly Item[] {
  const suitable = items.filter(suits);
  return strays || suitable.length === 0 ? items : suitable;
}

/** Now and then what does not suit. */
export const strays = fc.integer({ min: 0, max: 5 }).map((number) => number === 5);

/** The program of a credential. */
export function appOf({ branch }: Scene, index: number): MerchantApp {
  const app = picked(branch.apps, index);
  if (!app) throw new Error("This world has no credential.");
  return app;
}
