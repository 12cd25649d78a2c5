/** A dose of the fuzz test; its long form is `npm run proof:fuzz -- 10m`. */
import { expect, test } from "vitest";
import { campaign } from "./campaign.ts";
import { answerKey, described } from "./control-answers.ts";
import { setStage } from "./stage.ts";

const SEED = 20_260_101;

test("ENV-03 calls made up from the OpenAPI document and the control routes: documented answers, nothing worse", async () => {
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

test("the answers of every control call are described, and no others", async () => {
  await using stage = await setStage();
  const keys = stage.operations
    .filter(({ area }) => area === "control")
    .map(({ method, path }) => answerKey(method, path));
  // A stream and a file are no JSON; they are judged by their headers.
  const others = ["GET /journal/stream", "GET /disputes/{id}/files/{number}"];
  expect([...described, ...others].sort()).toEqual([...new Set(keys)].sort());
});
