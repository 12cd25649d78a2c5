/** Edges of what can be typed into or pressed are seen on every ground that they stand on, in light and in the dark. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const styles = (name: string) =>
  readFileSync(new URL(`../../src/dashboard/styles/${name}.css`, import.meta.url), "utf8");

/** The light and the dark of each colour. */
const colours = new Map(
  [...styles("tokens").matchAll(/--([\w-]+): light-dark\((#\w{6}), (#\w{6})\)/g)].map(([, name = "", ...both]) => [
    name,
    both,
  ]),
);

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [lighter = 0, darker = 0] = [luminance(one), luminance(other)].sort((left, right) => right - left);
  return (lighter + 0.05) / (darker + 0.05);
}

test.each(["ground", "surface", "raised", "hover"])("on %s", (ground) => {
  for (const theme of [0, 1]) {
    const [edge, below] = [colours.get("edge")?.[theme], colours.get(ground)?.[theme]];
    // One that is missing has a contrast that is no number.
    expect(contrast(String(edge), String(below)), String(theme)).toBeGreaterThanOrEqual(3);
  }
});

test.each([".button {", "textarea {", ".chips {"])("%s has them", (selector) => {
  const text = `\n${styles("controls")}`;
  const from = text.indexOf(`\n${selector}`);
  expect(text.slice(from, text.indexOf("}", from))).toContain("border: 1px solid var(--edge)");
});
