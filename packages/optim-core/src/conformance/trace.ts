/**
 * What the checks compare: whole states and whole runs, bit for bit.
 */
import { CurvatureError } from "@curvature/linalg";
import { encode } from "../codec.js";
import { hash128 } from "../hash.js";
import type { Iteration, Snapshot, Solver } from "../solver.js";

/** 32 hexadecimal digits that tell two plain values apart if one bit differs; the same on every engine. */
export function bitsOf(value: unknown): string {
  const words = hash128(encode("CONFORM", value));
  return Array.from(words, (word) => word.toString(16).padStart(8, "0")).join("");
}

/** The bits of a solver's whole state, and of its points as they show. */
export function stateBits(solver: Solver): string {
  const { best, last } = solver;
  return bitsOf({ snapshot: plain(solver.save()), best: { ...best }, last: { ...last } });
}

const plain = ({ solver, version, state }: Snapshot): object => ({ solver, version, state });

/** Makes at most `steps` steps and gives every iteration to `see`; ends early with the solver. */
export async function advance(
  solver: Solver,
  steps: number,
  see: (iteration: Iteration) => void = () => undefined,
): Promise<void> {
  for (let k = 0; k < steps; k++) {
    const iteration = await solver.step();
    see(iteration);
    if (iteration.outcome !== undefined) return;
  }
}

/** The bits after each of the steps. */
export async function trace(solver: Solver, steps: number): Promise<readonly string[]> {
  const bits: string[] = [];
  await advance(solver, steps, (iteration) => bits.push(bitsOf({ ...iteration })));
  bits.push(stateBits(solver));
  return bits;
}

/** The bits of the numbers of a run: of every iteration, and of the points at its end; however a state is laid out. */
export async function runBits(solver: Solver, steps: number): Promise<string> {
  const iterations: (number | undefined)[][] = [];
  await advance(solver, steps, ({ index, value, gradientNorm, stepLength, evaluations, passes }) =>
    iterations.push([index, value, gradientNorm, stepLength, evaluations, passes]),
  );
  const { best, last } = solver;
  return bitsOf({ iterations, best: { ...best }, last: { ...last } });
}

/** @throws CurvatureError ERR_ARGUMENT: the solver under test does not conform */
export function ensure(holds: boolean, sentence: string, received?: unknown): asserts holds {
  if (!holds)
    throw new CurvatureError("ERR_ARGUMENT", `Not conforming: ${sentence}.`, { path: "solver", received });
}

/** Where two traces part, in words. */
export function ensureSame(expected: readonly string[], received: readonly string[], what: string): void {
  const at = expected.findIndex((bits, k) => bits !== received[k]);
  ensure(
    at < 0 && expected.length === received.length,
    `${what}: ${at === expected.length - 1 ? "the final states differ" : `iteration ${at + 1} differs`}`,
  );
}
