/** Contests of what maps are made with: sums over pairs, by cells and on grids. */
import { join } from "node:path";
import {
  EvenConvolution,
  fromTriplets,
  type PairKernel,
  type PairPrecision,
  PlanePairs,
} from "@curvature/linalg";
import { tsne } from "@curvature/objectives/embedding";
import { type Contest, draws, milliseconds, type Native, perUnit } from "./kernel-contest.ts";

interface PlaneMap {
  readonly x: Float64Array;
  readonly y: Float64Array;
}

const planeMap = (N: number, span: number): PlaneMap => ({
  x: draws(N, 1).map((entry) => entry * span),
  y: draws(N, 2).map((entry) => entry * span),
});

/** Of values: in double precision, and in single, which native code sums in another order. */
const TOLERANCE = { double: 1e-9, single: 1e-5 };

export function allPairs(
  kernel: PairKernel,
  precision: PairPrecision,
  N: number,
  span: number,
  goal: number,
  native: Native,
): Contest {
  const { x, y } = planeMap(N, span);
  const name = `all pairs, ${kernel === "student" ? "Student's" : "Gaussian"}, forces`;
  return {
    kernel: precision === "single" ? `${name}, single precision` : name,
    size: `N = ${N}`,
    goal,
    unit: "ns a pair",
    figure: perUnit((N * (N - 1)) / 2),
    prepare: () => {
      const pairs = new PlanePairs(kernel, N, precision);
      const [fx, fy] = [new Float64Array(N), new Float64Array(N)];
      return () => pairs.forces(x, y, fx, fy);
    },
    hasSimd: true,
    native: native("pairs", precision === "single" ? `${kernel}-single` : kernel, N, span, 0),
    tolerance: TOLERANCE[precision],
  };
}

/** θ of the native tree, at which its forces are about as near as ours: cells meet points there, and have no moments. */
const THETA = 0.3;

/** Value and forces of t-SNE with a ring for a graph, whose attraction is nothing beside the repulsion. */
export function tree(N: number, native: Native): Contest {
  const span = 96;
  const { x, y } = planeMap(N, span);
  const X = Float64Array.from({ length: 2 * N }, (_, k) => (k % 2 === 0 ? x[k >> 1] : y[k >> 1]));
  const neighbor = Array.from({ length: N }, (_, n) => (n + 1) % N);
  const own = Array.from({ length: N }, (_, n) => n);
  const ring = fromTriplets(N, N, {
    rows: [...own, ...neighbor],
    columns: [...neighbor, ...own],
    values: new Array(2 * N).fill(1 / (2 * N)),
  });
  const gradient = new Float64Array(2 * N);
  const evaluated = (): (() => number) => {
    const objective = tsne(ring, { gradient: "barnes-hut" });
    return () => objective.evaluate(X, gradient);
  };
  return {
    kernel: "Barnes-Hut, Student's",
    size: `N = ${N}`,
    goal: 1,
    unit: "ms",
    figure: milliseconds,
    prepare: evaluated,
    hasSimd: false,
    native: native("pairs", "tree", N, span, THETA),
    isOtherWay: true, // a quadtree walked for each point
    tolerance: Number.POSITIVE_INFINITY, // the value is another one; errors of forces stand in the table
    error: () => {
      const [exact, attraction] = [new Float64Array(2 * N), new Float64Array(2 * N)];
      tsne(ring).evaluate(X, exact);
      tsne(ring, { lambda: 0 }).evaluate(X, attraction);
      evaluated()();
      return distance(gradient, exact) / distance(exact, attraction);
    },
  };
}

const distance = (a: Float64Array, b: Float64Array): number =>
  Math.sqrt(a.reduce((total, entry, k) => total + (entry - b[k]) ** 2, 0));

export function convolution(folder: string, n: number, native: Native): Contest {
  const shape = { rows: n, columns: n, paddedRows: 2 * n, paddedColumns: 2 * n };
  const kernel = Float64Array.from({ length: (n + 1) ** 2 }, (_, k) => {
    const [i, j] = [Math.floor(k / (n + 1)), k % (n + 1)];
    return 1 / (1 + (i * i + j * j) / 100);
  });
  const grid = draws(n * n, 1);
  return {
    kernel: "convolution of a grid",
    size: `${n} x ${n} in ${2 * n} x ${2 * n}`,
    goal: 1.35,
    unit: "ms",
    figure: milliseconds,
    prepare: () => {
      const convolve = new EvenConvolution(shape, kernel);
      return () => {
        const field = grid.slice();
        convolve.apply(field);
        return field[0] + field[n * n - 1];
      };
    },
    hasSimd: true,
    native: native("fourier", n, join(folder, "wisdom")),
    tolerance: 1e-8,
  };
}
