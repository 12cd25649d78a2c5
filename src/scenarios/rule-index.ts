/** Finds the few rules that may match among thousands, so that a call does not look at all of them. */
import { fieldAt, textOf } from "./conditions.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Rules in their order, found by the first of their conditions that only one text fulfils. */
export class RuleIndex<Rule> {
  readonly #rules: readonly Rule[];
  /** Positions of those without such a condition. */
  readonly #others: number[] = [];
  readonly #byField = new Map<string, Map<string, number[]>>();

  constructor(rules: readonly Rule[], whereOf: (rule: Rule) => Fields) {
    this.#rules = rules;
    for (const [position, rule] of rules.entries()) this.#add(position, whereOf(rule));
  }

  get isEmpty(): boolean {
    return this.#rules.length === 0;
  }

  /** The rules that may match, in their order: all that do are among them. */
  candidates(fields: Fields): readonly Rule[] {
    if (this.#byField.size === 0) return this.#rules;
    let positions: readonly number[] = this.#others;
    for (const [field, byText] of this.#byField) {
      const found = byText.get(textOf(fieldAt(fields, field)));
      if (found) positions = positions.length === 0 ? found : inOrder(positions, found);
    }
    return positions.map((position) => this.#at(position));
  }

  #add(position: number, where: Fields): void {
    const exact = Object.entries(where).find(([, condition]) => isOneText(condition));
    if (!exact) {
      this.#others.push(position);
      return;
    }
    const [field, text] = exact as [string, string];
    const byText = this.#byField.get(field) ?? new Map<string, number[]>();
    this.#byField.set(field, byText);
    const positions = byText.get(text) ?? [];
    byText.set(text, positions);
    positions.push(position);
  }

  #at(position: number): Rule {
    return this.#rules[position] as Rule;
  }
}

function inOrder(some: readonly number[], others: readonly number[]): number[] {
  return [...some, ...others].sort((left, right) => left - right);
}

/** A text that equals itself alone: no glob, and neither decimal nor instant, which equal what is written otherwise. */
function isOneText(condition: unknown): boolean {
  return typeof condition === "string" && !condition.includes("*") && !/^-?\d/.test(condition);
}
