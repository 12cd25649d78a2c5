/** Where sandbox and model part. */

/** What the sandbox did otherwise than the model. */
export class Disagreement extends Error {
  override readonly name = "Disagreement";
}

/** Fails unless what is there has all that is expected of it, as deep as that goes. @throws {Disagreement} */
export function agree(what: string, expected: unknown, found: unknown): void {
  const fault = differenceIn(expected, found, "");
  if (fault !== null) throw new Disagreement(`${what}: ${fault}`);
}

/** In words where something is missing or otherwise; members that are not expected play no part. */
function differenceIn(expected: unknown, found: unknown, path: string): string | null {
  const isPlain = typeof expected !== "object" || expected === null;
  if (isPlain) return expected === found ? null : told(expected, found, path);
  if (typeof found !== "object" || found === null) return told(expected, found, path);
  if (Array.isArray(expected) && (!Array.isArray(found) || found.length !== expected.length)) {
    return told(expected, found, path);
  }
  for (const [name, member] of Object.entries(expected)) {
    const fault = differenceIn(
      member,
      (found as Record<string, unknown>)[name],
      path === "" ? name : `${path}.${name}`,
    );
    if (fault !== null) return fault;
  }
  return null;
}

function told(expected: unknown, found: unknown, path: string): string {
  const where = path === "" ? "" : `${path}: `;
  return `${where}the model has ${JSON.stringify(expected)}, the sandbox ${JSON.stringify(found)}.`;
}
