/**
 * Step-by-step traces of the authors' program: two of 300 steps with the corrections that this solver has, one of the program
 * as it is.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { SumOfFunctions } from "@curvature/optim-core";
import { expect, test } from "vitest";
import { Sfo } from "../src/sfo.js";
import { quadraticSum } from "./problems/quadratic.js";
import { breastCancer } from "./problems/reference.js";

interface Row {
  readonly step: number;
  readonly index: number;
  readonly f: number;
  readonly evals: number;
  readonly failed: boolean;
  readonly stepScale: number;
  readonly active: number;
  readonly xNormEval: number;
  readonly K: number;
}

interface Trace {
  readonly rows: readonly Row[];
  readonly xAfterAllSteps: readonly number[];
}

const fixture = (name: string) =>
  JSON.parse(readFileSync(join(import.meta.dirname, "fixtures", name), "utf8"));
const traces: readonly Trace[] = fixture("golden.json").traces;

/** As the traces were made: nothing at random, the program's first Hessian, an absolute shortest step, no rebuilds and no restarts. */
function replay(
  sum: SumOfFunctions,
  scale: number,
): { readonly rows: readonly Row[]; readonly x: Float64Array } {
  const x0 = Float64Array.from({ length: sum.dimension }, (_, k) => scale * Math.cos(k + 1));
  const solver = new Sfo(
    sum,
    x0,
    { selection: "distance", deterministic: true, initialHessian: 1e5 },
    { rebuildEvery: Number.POSITIVE_INFINITY, isRelative: false, isMonitored: false },
  );
  const gradient = new Float64Array(sum.dimension);
  const rows: Row[] = [];
  for (let step = 0; step < 300; step++) {
    let first: { index: number; f: number; xNormEval: number } | undefined;
    for (;;) {
      const [{ index, point, ticket }] = solver.ask();
      const f = Number(sum.evaluate(index, point, gradient));
      first ??= { index, f, xNormEval: Math.sqrt(point.reduce((s, v) => s + v * v, 0)) };
      const iteration = solver.tell(ticket, f, gradient);
      if (iteration === undefined) continue;
      const { hasFailed, stepScale, activeSubfunctions, subspaceDimension } = iteration.details;
      rows.push({
        step,
        ...first,
        evals: iteration.evaluations,
        failed: hasFailed,
        stepScale,
        active: activeSubfunctions,
        K: subspaceDimension,
      });
      break;
    }
  }
  return { rows, x: solver.last.x };
}

test.each([
  { name: "in the full space", trace: traces[1], sum: breastCancer(), scale: 0.1 },
  { name: "in a subspace that collapses five times", trace: traces[2], sum: quadraticSum(), scale: 1 },
])("every step of the reference trace $name", { tags: ["full"] }, ({ trace, sum, scale }) => {
  const { rows, x } = replay(sum, scale);
  for (const [step, { f, xNormEval, ...expected }] of trace.rows.entries()) {
    const row = rows[step];
    expect(row).toMatchObject({
      step: expected.step,
      index: expected.index,
      evals: expected.evals,
      failed: expected.failed,
      active: expected.active,
      K: expected.K,
    });
    expect(Math.abs(row.f - f), `f in step ${step}`).toBeLessThan(1e-6 * Math.abs(f));
    expect(Math.abs(row.xNormEval - xNormEval)).toBeLessThan(1e-6 * xNormEval);
    expect(row.stepScale).toBeCloseTo(expected.stepScale, 12);
  }
  trace.xAfterAllSteps.forEach((entry, k) => {
    expect(Math.abs(x[k] - entry)).toBeLessThan(1e-5 * (1 + Math.abs(entry)));
  });
});

/**
 * In step 22 subfunction 5 fails in its very first evaluation. The program then records a pair from the point where the run
 * began, at which it never evaluated the subfunction, with the whole gradient as the change; here pairs come from two recorded
 * evaluations only. All before is the same, and that step's evaluations too.
 */
test("the trace of the program as it is, up to the first step that differs by design", () => {
  const { rows } = replay(breastCancer(), 0.1);
  const reference = traces[0].rows;
  for (const [step, row] of rows.slice(0, 23).entries()) {
    const { index, evals, failed, active, f, xNormEval } = reference[step];
    expect(row).toMatchObject({ index, evals, failed, active });
    expect(Math.abs(row.f - f), `f in step ${step}`).toBeLessThan(1e-9 * Math.abs(f));
    expect(Math.abs(row.xNormEval - xNormEval)).toBeLessThan(1e-9 * xNormEval);
  }
  expect(reference[22]).toMatchObject({ index: 5, failed: true });
  expect(reference.slice(0, 22).every(({ index, failed }) => index !== 5 && !failed)).toBe(true);
  expect(Math.abs(rows[23].xNormEval - reference[23].xNormEval)).toBeGreaterThan(1e-4);
});
