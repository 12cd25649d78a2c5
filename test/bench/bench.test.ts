/** What `npm run bench` makes of its arguments and of what it finds. No figure of a machine is looked at here. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { measures, onlyByName } from "./measures.ts";
import { OptionsError, readOptions } from "./options.ts";
import { withTable } from "./readme.ts";
import { type Report, reportText, thisMachine } from "./report.ts";
import { type Figure, judge, rateFigure } from "./results.ts";
import { takeTurns } from "./turns.ts";

const known = Object.keys(measures);
const options = (...args: string[]) => readOptions(args, known, onlyByName);
const scale = { transactions: 100_000, pending: 1_000_000 };
const verdict = (figure: Figure) => judge(figure, scale).met;

test("without names all that has a target is measured, with names those alone, in the order of the table", () => {
  expect(options().names).toEqual(known.filter((name) => name !== "year"));
  expect(options("start", "charges").names).toEqual(["charges", "start"]);
  expect(options("year", "--json", "-")).toMatchObject({ names: ["year"], json: "-" });
  expect(options("--full").scale.transactions).toBe(1_000_000);
});

test.each([
  [["charges", "chargse"], 'There is no measure "chargse"; there are charges, balance'],
  [["--jsn", "x"], "there are --json FILE, --full, --readme, --from FILE."],
  [["--json"], "there are --json FILE"],
  [["--readme", "start"], "leave out the names, or --readme"],
  [["--from", "x.json", "start"], "leave out the names, or --from"],
])("%j is refused in a sentence", (args, sentence) => {
  expect(() => options(...args)).toThrow(OptionsError);
  expect(() => options(...args)).toThrow(sentence);
});

test("a figure is held against its bound: the less favourable ratio, or the figure itself; unknown is neither", () => {
  expect(verdict({ id: "balance", value: 9, yardstick: 10, ratio: 0.9, cpuRatio: 0.6 })).toBe(true);
  expect(verdict({ id: "balance", value: 9, yardstick: 10, ratio: 0.9, cpuRatio: 0.5 })).toBe(false);
  expect(verdict({ id: "balance", value: 9, yardstick: 10, ratio: 0.9, cpuRatio: null })).toBe(true);
  expect(verdict({ id: "start", value: 9, yardstick: 10, ratio: 0.9, cpuRatio: 1.1 })).toBe(false);
  expect(verdict({ id: "packages", value: 30 })).toBe(true);
  expect(verdict({ id: "packages", value: 31 })).toBe(false);
  expect(verdict({ id: "memory-charge", value: Number.NaN })).toBeNull();
});

test("contestants take turns in every round, first one way round, then the other; the warm-up does not count", async () => {
  const order: string[] = [];
  const contestant = (name: string, count: number) => ({
    name,
    turn: async (round: number) => {
      order.push(`${name}${round}`);
      return { count: round === 0 ? 1_000_000 : count, seconds: round + 1, cpuSeconds: null };
    },
  });
  const [slow, fast] = await takeTurns([contestant("a", 10), contestant("b", 40)], 3, 1);
  expect(order).toEqual(["a0", "b0", "b1", "a1", "a2", "b2", "b3", "a3"]);
  if (!slow || !fast) throw new Error("A contestant was lost.");
  expect(rateFigure("balance", slow, fast)).toMatchObject({ ratio: 0.25, cpuRatio: null });
});

test("the README has a place for the table, which is written anew there and nowhere else", () => {
  const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
  const row = judge({ id: "cashin-data", value: 1_234, yardstick: 10_000, ratio: 0.1234, cpuRatio: 0.2 }, scale);
  const report: Report = {
    date: "2026-01-02T03:04:05Z",
    seconds: 1,
    machine: thisMachine(),
    scale,
    rows: [row],
    tables: [],
  };
  const once = withTable(readme, report);
  expect(once).toContain("| cash-in with `--data` | 1 234/s | constant 10 000/s | 0.12 | ≥ 0.3 | not met |");
  expect(withTable(once, report)).toBe(once);
  const [before, after] = [readme.split("<!-- bench: begin")[0], readme.split("<!-- bench: end")[1]];
  expect(once.startsWith(before ?? "?") && once.endsWith(after ?? "?")).toBe(true);
  expect(() => withTable("# Another page", report)).toThrow("no place for the table");
  expect(reportText(report)).toContain("1 234/s");
});
