/** A dose of the fuzz test; its long form is `npm run proof:fuzz -- 10m`. */
import { expect, test } from "vitest";
import { controlDocumentOfTests } from "../support/control-document.ts";
import { documentOfTests } from "../support/openapi.ts";
import { campaign } from "./campaign.ts";
import { namedOperations } from "./control-operations.ts";
import { setStage } from "./stage.ts";

const SEED = 20_260_101;

test("ENV-03 calls made up from the OpenAPI documents: documented answers, nothing worse", async () => {
  await using stage = await setStage();
  const { counts, failure } = await campaign(stage, { runs: 48, seed: SEED });
  expect(failure).toBeNull();
  // Behind every endpoint's checks it was looked at too, and not only refused.
  for (const { area, method, path } of stage.operations) {
    if (area !== "service") continue;
    const statuses = [...(counts.byOperation.get(`${method} ${path}`)?.keys() ?? [])];
    expect(statuses, path).toEqual(expect.arrayContaining(["2xx", "4xx"]));
  }
});

test("every call of both documents is made up, and what the tables add is about calls that there are", async () => {
  await using stage = await setStage();
  const names = stage.operations.map(({ method, path }) => `${method} ${path}`);
  for (const document of [documentOfTests(), controlDocumentOfTests(true)]) {
    const calls = Object.entries<object>(document.paths).flatMap(([path, methods]) => {
      // At a world's own address.
      const own = path.replace("/worlds/{world}/_sandbox", "/_sandbox");
      return Object.keys(methods).map((method) => `${method.toUpperCase()} ${own}`);
    });
    expect(calls.filter((call) => !names.includes(call))).toEqual([]);
  }
  const ids = stage.operations.map(({ id }) => id);
  expect(namedOperations.filter((id) => !ids.includes(id))).toEqual([]);
});
