/** The two step-by-step traces of the reference implementation with the fixes that this one has (300 steps each). */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { SumOfFunctions } from "@curvature/optim-core";
import { expect, test } from "vitest";
import { Sfo } from "../src/sfo.js";
import { logisticSum, standardizedWithConstant } from "./problems/logistic.js";
import { quadraticSum } from "./problems/quadratic.js";

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

function breastCancer(): SumOfFunctions {
  const { rows, cols, X, y } = fixture("data-breast-cancer.json");
  const data = Array.from({ length: rows }, (_, i) => X.slice(i * cols, (i + 1) * cols));
  const signs = y.map((label: number) => 2 * label - 1);
  return logisticSum(standardizedWithConstant(data), signs, 25, 1e-3);
}

/** As the traces were made: nothing at random, an absolute shortest step, no rebuilds and no restarts. */
function replay(
  sum: SumOfFunctions,
  scale: number,
): { readonly rows: readonly Row[]; readonly x: Float64Array } {
  const x0 = Float64Array.from({ length: sum.dimension }, (_, k) => scale * Math.cos(k + 1));
  const solver = new Sfo(
    sum,
    x0,
    { selection: "distance", deterministic: true },
    { rebuildEvery: Number.POSITIVE_INFINITY, isRelative: false, isWatched: false },
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
])("every step of the reference trace $name", ({ trace, sum, scale }) => {
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
