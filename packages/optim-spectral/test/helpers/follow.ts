/** SD against a recorded run. */
import { expect } from "vitest";
import { attractiveGraph, PartialHessian, spectralDirection } from "../../src/index.js";
import { type DataName, type ModelName, model, reference, start } from "./reference.js";

/** E and ‖∇E‖ at the recorded start, to 1e-10. */
export function expectRecordedStart(data: DataName, name: ModelName, kind: "rand" | "warm"): void {
  const key = `${data}_${name}_${kind}`;
  const objective = model(data, name);
  const { E0, gradientNorm } = reference.runs[key];
  const G = new Float64Array(objective.dimension);
  const E = objective.evaluate(start(data, key), G);
  let squares = 0;
  for (const g of G) squares += g * g;
  expect(Math.abs(E / E0 - 1)).toBeLessThan(1e-10);
  expect(Math.abs(Math.sqrt(squares) / gradientNorm - 1)).toBeLessThan(1e-10);
}

/**
 * Ten iterations to 1e-6 with the recorded evaluations, all later ones that are recorded to 1 %; and the way to 1 % of E_0 − best, where the
 * recorded run made it, in the recorded iterations and evaluations and a fifth.
 */
export function expectRecordedCurve(data: DataName, name: ModelName, kind: "rand" | "warm"): void {
  const key = `${data}_${name}_${kind}`;
  const { sd, bestE, E0, reach } = reference.runs[key];
  const objective = model(data, name);
  const direction = spectralDirection(attractiveGraph(objective.attractiveWeights()), "all");
  const solver = new PartialHessian(objective, start(data, key), direction);
  let compared = 0;
  let reached: readonly [number, number] | undefined;
  for (let k = 1; k <= (sd.it.at(-1) ?? 0); k++) {
    const { value = Number.NaN, evaluations } = solver.step();
    if (reached === undefined && value <= bestE + 0.01 * (E0 - bestE)) reached = [k, evaluations];
    const at = sd.it.indexOf(k);
    if (at < 0) continue;
    compared += 1;
    expect(Math.abs(value / sd.E[at] - 1), `iteration ${k}`).toBeLessThan(k <= 10 ? 1e-6 : 1e-2);
    if (k <= 10) expect(evaluations, `evaluations after iteration ${k}`).toBe(sd.fevals[at]);
  }
  expect(compared).toBeGreaterThan(20);
  const recorded = reach.SD["0.01"];
  if (recorded === null) return;
  expect(reached?.[0]).toBeLessThanOrEqual(1.2 * recorded[0]);
  expect(reached?.[1]).toBeLessThanOrEqual(1.2 * recorded[1]);
}
