import { readFileSync } from "node:fs";
import { ConjugateGradient, Lbfgs } from "@curvature/optim-core";
import { describe, expect, test } from "vitest";
import {
  attractiveGraph,
  type Direction,
  diagonalHessianDirection,
  fixedPointDirection,
  gradientDirection,
  PartialHessian,
  spectralDirection,
  spectralLbfgs,
  spectralMinusDirection,
  spectralSolve,
} from "../src/index.js";
import { expectRecordedCurve, expectRecordedStart } from "./helpers/follow.js";
import { affinities, type ModelName, model, reference, start } from "./helpers/reference.js";

const graphOf = (name: ModelName) => attractiveGraph(model("coil", name).attractiveWeights());

/** Iterations on COIL-10, EE, from noise until E ≤ best + (E_0 − best) / 10; infinite if it takes more than `most`. */
function reach(solver: PartialHessian | ConjugateGradient | Lbfgs, most = 100): number {
  const { bestE, E0 } = reference.runs.coil_ee_rand;
  for (let k = 0; k < most; k++) {
    const { value = Number.NaN, index } = solver.step();
    if (value <= bestE + 0.1 * (E0 - bestE)) return index;
  }
  return Number.POSITIVE_INFINITY;
}

test("the affinities of COIL-10 are the recorded ones to 1e-8", () => {
  const { beta, P, repulsion } = affinities("coil");
  const recorded = JSON.parse(
    readFileSync(new URL("./fixtures/coil10-affinities.json", import.meta.url), "utf8"),
  );
  const apart = (ours: ArrayLike<number>, theirs: readonly number[]): number =>
    Math.max(...theirs.map((value, k) => (value === 0 ? Math.abs(ours[k]) : Math.abs(ours[k] / value - 1))));
  expect(recorded.beta).toHaveLength(720);
  expect(apart(beta, recorded.beta)).toBeLessThan(1e-8);
  expect(apart(P.data, recorded.P_first_row_first20)).toBeLessThan(1e-8);
  expect(apart(repulsion.data, recorded.Wn_first_row_first20)).toBeLessThan(1e-8);
  expect(apart([model("coil", "tsne").entropyConstant], [recorded.sumPlogP])).toBeLessThan(1e-8);
});

describe.each([
  ["ee", "rand"],
  ["ee", "warm"],
  ["ssne", "rand"],
  ["ssne", "warm"],
  ["tsne", "rand"],
  ["tsne", "warm"],
] as const)("COIL-10 %s %s", (name, kind) => {
  test("E and the gradient's norm at the recorded start, to 1e-10", () => {
    expectRecordedStart("coil", name, kind);
  });
  test("SD follows the recorded curve", { tags: kind === "rand" ? ["full"] : [] }, () => {
    expectRecordedCurve("coil", name, kind);
  });
});

describe("how fast", { tags: ["full"] }, () => {
  test("the directions come in the paper's order on COIL-10, EE, to 10 %", () => {
    const objective = model("coil", "ee");
    const X0 = start("coil", "coil_ee_rand");
    const graph = graphOf("ee");
    const along = (direction: Direction): PartialHessian => new PartialHessian(objective, X0, direction);
    const sd = reach(along(spectralDirection(graph, "all")));
    const minus = reach(along(spectralMinusDirection(graph)));
    const fp = reach(along(fixedPointDirection(graph)));
    const diagonal = reach(along(diagonalHessianDirection(graph)));
    const cg = reach(new ConjugateGradient(objective, X0));
    const lbfgs = reach(new Lbfgs(objective, X0, { memory: 100 }));
    expect(minus).toBeLessThanOrEqual(sd);
    expect(sd).toBeLessThan(Math.min(cg, lbfgs, fp));
    expect(Math.max(cg, lbfgs, fp)).toBeLessThan(diagonal);
    expect(reach(along(gradientDirection()), diagonal)).toBe(Number.POSITIVE_INFINITY); // not there yet
  });

  test("SD-LBFGS ends no more than 1 % above the recorded minimum", () => {
    for (const [name, iterations] of [
      ["ee", 100],
      ["ssne", 100],
      ["tsne", 100],
    ] as const) {
      const objective = model("coil", name);
      const { solve } = spectralSolve(graphOf(name), "all");
      const solver = spectralLbfgs(objective, start("coil", `coil_${name}_rand`), solve);
      let value = Number.POSITIVE_INFINITY;
      for (let k = 0; k < iterations; k++) value = solver.step().value ?? Number.NaN;
      expect(value).toBeLessThanOrEqual(1.01 * reference.minima[name].finalE);
    }
  });
});

describe("kappa", { tags: ["full"] }, () => {
  test.each([
    ["ee", 7],
    ["ee", 20],
    ["ee", 60],
    ["tsne", 7],
    ["tsne", 60],
  ] as const)("the curve of %s with kappa = %i, the full degree kept", (name, kappa) => {
    const solver = new PartialHessian(
      model("coil", name),
      start("coil", `coil_${name}_rand`),
      spectralDirection(graphOf(name), kappa),
    );
    const recorded = reference.kappa[`${name}-k${kappa}-fullDegree`].E_at;
    for (let k = 1; k <= 25; k++) {
      const { value } = solver.step();
      if (recorded[k] === undefined) continue;
      expect(Math.abs((value ?? Number.NaN) / recorded[k] - 1), `iteration ${k}`).toBeLessThan(
        k <= 10 ? 1e-6 : 1e-2,
      );
    }
  });
});
