/** Finds the few rules that may match among thousands, so that a call need not check all of them. */
import { fieldAt, isMetByItselfAlone, textOf } from "./conditions.ts";

type Fields = Readonly<Record<string, unknown>>;

/** The rules indexed by one field. */
interface FieldIndex {
  /** Positions of rules that only one text satisfies, by that text. */
  readonly byText: Map<string, number[]>;
  /** Rules that any text with a beginning may satisfy. */
  readonly byBeginning: { readonly beginning: string; readonly position: number }[];
}

/** Rules in order, indexed by a condition that only one text satisfies, or only texts with one beginning. */
export class RuleIndex<Rule> {
  readonly #rules: readonly Rule[];
  /** Positions of rules without such a condition. */
  readonly #others: number[] = [];
  readonly #byField = new Map<string, FieldIndex>();

  constructor(rules: readonly Rule[], whereOf: (rule: Rule) => Fields) {
    this.#rules = rules;
    for (const [position, rule] of rules.entries()) this.#add(position, whereOf(rule));
  }

  get isEmpty(): boolean {
    return this.#rules.length === 0;
  }

  /** The rules that may match, in order; they include all that do. */
  candidates(fields: Fields): readonly Rule[] {
    if (this.#byField.size === 0) return this.#rules;
    const positions = [...this.#others];
    for (const [field, index] of this.#byField) positions.push(...ledTo(index, textOf(fieldAt(fields, field))));
    return positions.sort((left, right) => left - right).map((position) => this.#at(position));
  }

  #add(position: number, where: Fields): void {
    const telling = tellingOf(where);
    if (!telling) return void this.#others.push(position);
    const { field, text, isBeginning } = telling;
    const { byText, byBeginning } = this.#indexOf(field);
    const alike = byText.get(text);
    if (isBeginning) byBeginning.push({ beginning: text, position });
    else if (alike) alike.push(position);
    else byText.set(text, [position]);
  }

  #indexOf(field: string): FieldIndex {
    const known = this.#byField.get(field);
    if (known) return known;
    const index = { byText: new Map(), byBeginning: [] };
    this.#byField.set(field, index);
    return index;
  }

  #at(position: number): Rule {
    return this.#rules[position] as Rule;
  }
}

/** The positions of the rules that a field with this text may satisfy. */
function ledTo({ byText, byBeginning }: FieldIndex, text: string): number[] {
  const begun = byBeginning.filter(({ beginning }) => text.startsWith(beginning));
  return [...(byText.get(text) ?? []), ...begun.map(({ position }) => position)];
}

/** A condition that can be indexed: only this text satisfies it, or only texts that begin with it. */
interface Telling {
  readonly field: string;
  readonly text: string;
  readonly isBeginning: boolean;
}

/** The indexable condition with the longest text; undefined if there is none. */
function tellingOf(where: Fields): Telling | undefined {
  const all = Object.entries(where).flatMap(([field, condition]): Telling[] => {
    if (isMetByItselfAlone(condition)) return [{ field, text: condition, isBeginning: false }];
    const beginning = textBeforeStar(condition);
    return beginning === "" ? [] : [{ field, text: beginning, isBeginning: true }];
  });
  return all.sort((one, other) => other.text.length - one.text.length)[0];
}

/** The text before the first `*` of a glob; empty for any other condition. */
function textBeforeStar(condition: unknown): string {
  return typeof condition === "string" && condition.includes("*") ? condition.slice(0, condition.indexOf("*")) : "";
}
