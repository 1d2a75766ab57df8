/** What the experiments on the theorems of SGD-QN compute with. */
import { DenseCholesky, inverse, normal, permutation, RandomGenerator } from "@curvature/linalg";
import { linearLoss } from "@curvature/objectives/linear";
import { createStochasticSolver } from "@curvature/optim-sgdqn";
import { describe, expect, test } from "vitest";
import { DiagonalGains, searchedT0 } from "../src/experiments/sgdqn/diagonal-gains.ts";
import {
  costAt,
  type DenseProblem,
  directions,
  genericSgd,
  minimum,
  moments,
  predicted,
  product,
} from "../src/experiments/sgdqn/second-order.ts";

const [n, d] = [400, 5];
const random = new RandomGenerator(3);
const data = Float64Array.from({ length: n * d }, (_, k) => normal(random) / (1 + (k % d)));
const targets = Float64Array.from({ length: n }, (_, i) =>
  data[i * d] + data[i * d + 4] + 0.3 * normal(random) > 0 ? 1 : -1,
);
const problem = (loss: "logistic" | "squared-hinge" | "squared-error"): DenseProblem => ({
  rows: { rows: n, columns: d, data },
  targets,
  loss: linearLoss(loss),
  lambda: 1e-3,
});
const diagonal = (entries: readonly number[]) => ({
  rows: entries.length,
  columns: entries.length,
  data: Float64Array.from({ length: entries.length ** 2 }, (_, k) =>
    k % (entries.length + 1) === 0 ? entries[k % entries.length] : 0,
  ),
});

describe("moments", () => {
  test("H is the slope of the gradient, which is that of P", () => {
    const logistic = problem("logistic");
    const w = Float64Array.of(0.5, -0.2, 0.1, 0.4, -0.3);
    const { gradient, H } = moments(logistic, w);
    const step = 1e-5;
    for (let j = 0; j < d; j++) {
      const moved = (by: number) => w.map((one, k) => (k === j ? one + by : one));
      const slope = (costAt(logistic, moved(step)) - costAt(logistic, moved(-step))) / (2 * step);
      expect(slope).toBeCloseTo(gradient[j], 8);
      const [up, down] = [moments(logistic, moved(step)), moments(logistic, moved(-step))];
      for (let k = 0; k < d; k++)
        expect((up.gradient[k] - down.gradient[k]) / (2 * step)).toBeCloseTo(H.data[j * d + k], 8);
    }
  });

  test("counts are rows that are there more than once", () => {
    const w = new Float64Array(d).fill(0.1);
    const counts = Float64Array.from({ length: n }, (_, i) => (i < 2 ? 3 - i : 0));
    const thrice: DenseProblem = {
      ...problem("logistic"),
      rows: {
        rows: 5,
        columns: d,
        data: Float64Array.from({ length: 5 * d }, (_, k) => data[k < 3 * d ? k % d : d + (k % d)]),
      },
      targets: Float64Array.from({ length: 5 }, (_, i) => targets[i < 3 ? 0 : 1]),
    };
    const [counted, repeated] = [moments({ ...problem("logistic"), counts }, w), moments(thrice, w)];
    expect(counted.cost).toBeCloseTo(repeated.cost, 12);
    for (const name of ["H", "G"] as const)
      for (let k = 0; k < d * d; k++) expect(counted[name].data[k]).toBeCloseTo(repeated[name].data[k], 12);
  });
});

test.each(["logistic", "squared-hinge", "squared-error"] as const)(
  "the minimum of the %s loss has no slope",
  (loss) => {
    const w = minimum(problem(loss), new Float64Array(d));
    expect(Math.max(...moments(problem(loss), w).gradient.map(Math.abs))).toBeLessThan(1e-7);
  },
);

describe("what the theorems say", () => {
  const H = diagonal([1, 4, 9]);
  const G = diagonal([2, 3, 5]);

  test("of SGD along the axes", () => {
    const { eigenvalues, low, high, limit } = predicted({ H, G }, diagonal([1, 1, 1]));
    expect(Array.from(eigenvalues, (mu) => Math.round(1e9 * mu) / 1e9)).toEqual([1, 4, 9]);
    const trace = 2 + 12 + 45;
    expect(low).toBeCloseTo(trace / 17 / 2, 12);
    expect(high).toBeCloseTo(trace / 2, 12);
    expect(limit).toBeCloseTo((2 / 1 + 12 / 7 + 45 / 17) / 2, 12);
  });

  test("of second-order SGD its two sides are one", () => {
    const w = minimum(problem("logistic"), new Float64Array(d));
    const found = moments(problem("logistic"), w);
    const inverted = inverse(new DenseCholesky(found.H));
    const { low, high, limit } = predicted(found, inverted);
    const trace = product(inverted, found.G).data.reduce(
      (sum, one, k) => sum + (k % (d + 1) === 0 ? one : 0),
      0,
    );
    for (const side of [low, high, limit]) expect(side).toBeCloseTo(trace / 2, 9);
  });

  test("nothing of gains that are too small", () => {
    expect(predicted({ H, G }, diagonal([0.4, 0.4, 0.4])).high).toBe(Number.POSITIVE_INFINITY);
    const seen = directions(H, Float64Array.of(0.4, 0.4, 0.4), Float64Array.of(3, 1, 0));
    expect(seen.slow).toBe(1);
    expect(seen.slowShare).toBeCloseTo(9 / (9 + 4), 12);
  });
});

test("steps with a full matrix are those of turned rows with a diagonal one", () => {
  const quadratic = problem("squared-error");
  const turn = {
    rows: d,
    columns: d,
    data: Float64Array.from({ length: d * d }, (_, k) => (k % (d + 1) === 0 ? 1 : 0) - 2 / d),
  };
  const gains = diagonal([1, 2, 3, 4, 5]);
  const turned = { ...quadratic, rows: product(quadratic.rows, turn) };
  const full = product(product(turn, gains), turn);
  const rowAt = (t: number): number => (7 * t) % n;
  const [w] = genericSgd(quadratic, full, 100, [200], rowAt);
  const [u] = genericSgd(turned, gains, 100, [200], rowAt);
  const back = product({ rows: 1, columns: d, data: u }, turn).data;
  for (let j = 0; j < d; j++) expect(w[j]).toBeCloseTo(back[j], 12);
});

test("SGD-QN by the erratum's steps is the package's, in single precision", () => {
  const hinged = problem("squared-hinge");
  const order = permutation(new RandomGenerator(0), n);
  const curvature = { kind: "secant", least: 0.1, most: 100, isShared: false } as const;
  const t0 = searchedT0(hinged, curvature, 16, order);
  const solver = createStochasticSolver(
    { ...hinged, bias: "none" },
    { solver: "sgdqn", t0: "search", skip: 16, maxPasses: 3 },
  );
  let last = solver.step();
  while (last.outcome === undefined) last = solver.step();
  expect(last.details.t0).toBe(t0);
  const gains = new DiagonalGains(hinged, curvature, { t0, skip: 16 });
  for (let pass = 0; pass < 3; pass++) gains.visit(order, 0, n);
  for (let j = 0; j < d; j++) expect(gains.w[j]).toBeCloseTo(solver.last.x[j], 5);
});
