/** Random programs by the dozen, and the smallest one that shows a disagreement. */
import fc from "fast-check";
import { type Played, type Program, play, programs, StepFailed } from "./play.ts";
import { Rig } from "./stage.ts";

interface ProofOptions {
  readonly runs: number;
  readonly seed: number;
  /** At most so many in a program. */
  readonly steps: number;
}

interface Proof {
  readonly failed: boolean;
  /** What was done and found, to be read. */
  readonly text: string;
  /** How often each command ended how. */
  readonly counts: ReadonlyMap<string, ReadonlyMap<string, number>>;
}

/** Plays so many programs; where one fails, the smallest of its kind is looked for. */
export async function prove({ runs, seed, steps }: ProofOptions): Promise<Proof> {
  await using rig = await Rig.start();
  const counts = new Map<string, Map<string, number>>();
  let [programCount, stepCount] = [0, 0];
  const property = fc.asyncProperty(programs(steps), async (program) => {
    const played = await play(rig, program);
    programCount++;
    stepCount += played.length;
    for (const { step, outcome } of played) count(counts, step.do, outcome);
  });
  const details = await fc.check(property, { numRuns: runs, seed, unbiased: true });
  const figures = `seed ${seed}: ${programCount} programs of at most ${steps} steps, ${stepCount} steps`;
  if (!details.failed)
    return { failed: false, text: `${figures}, all as the model has them.\n${countsText(counts)}`, counts };
  const [program] = details.counterexample ?? [];
  const error = details.errorInstance;
  const told = program ? failureText(program, error) : String(error);
  const replay = `Again: npm run proof:model -- ${runs} ${seed} ${steps}`;
  return { failed: true, text: [figures, told, replay].join("\n"), counts };
}

/** A program and where it failed, readable, and as data that a regression test takes. */
function failureText(program: Program, error: unknown): string {
  const played: readonly Played[] = error instanceof StepFailed ? error.played : [];
  const steps = program.steps.slice(0, played.length + 1);
  const lines = steps.map((step, index) => {
    const outcome = played[index]?.outcome ?? "FAILED";
    return `  ${index + 1}. world ${step.on}: ${step.do} ${JSON.stringify(step.with)} → ${outcome}`;
  });
  const message = error instanceof Error ? error.message : String(error);
  return [
    message,
    `world: ${JSON.stringify(program.setup)}`,
    ...lines,
    `As data: ${JSON.stringify({ ...program, steps })}`,
  ].join("\n");
}

function count(counts: Map<string, Map<string, number>>, command: string, outcome: string): void {
  const own = counts.get(command) ?? new Map<string, number>();
  counts.set(command, own.set(outcome, (own.get(outcome) ?? 0) + 1));
}

function countsText(counts: ReadonlyMap<string, ReadonlyMap<string, number>>): string {
  const lines = [...counts].sort().map(([command, outcomes]) => {
    const parts = [...outcomes]
      .sort(([, left], [, right]) => right - left)
      .map(([outcome, times]) => `${outcome} ${times}`);
    return `${command}: ${parts.join(", ")}`;
  });
  return lines.join("\n");
}
