/** SVRG-SBB on answers from points that are drawn. */
import { RandomGenerator } from "@curvature/linalg";
import { type Comparisons, ordinalObjective } from "@curvature/objectives/ordinal";
import { createOrdinalSolver } from "@curvature/optim-svrg";
import { normals } from "./drawn.ts";
import { secondsOfPass, type Workload } from "./workload.ts";

const OBJECTS = 500;

function answers(count: number, p: number): Comparisons {
  const random = new RandomGenerator(1);
  const X = normals(OBJECTS * p, 1);
  const distance = (i: number, j: number): number => {
    let sum = 0;
    for (let t = 0; t < p; t++) sum += (X[i * p + t] - X[j * p + t]) ** 2;
    return sum;
  };
  const quadruplets = new Int32Array(4 * count);
  for (let q = 0; q < count; ) {
    const [i, j, k] = [0, 0, 0].map(() => random.integer(OBJECTS));
    if (i === j || i === k || j === k) continue;
    quadruplets.set(distance(i, j) < distance(i, k) ? [i, j, i, k] : [i, k, i, j], 4 * q++);
  }
  return { objects: OBJECTS, quadruplets };
}

function pass(count: number, p: number): number {
  const objective = ordinalObjective(answers(count, p), "ste", p);
  const solver = createOrdinalSolver(objective, normals(OBJECTS * p, 0.1), { solver: "svrg-sbb" });
  return secondsOfPass(solver, 3, 9);
}

export const ordinalWorkloads: readonly Workload[] = [
  {
    key: "svrg-answers",
    solver: "SVRG-SBB",
    unit: "a pass",
    variable: `N answers, ${OBJECTS} objects, p = 5`,
    sizes: [40_000, 160_000, 640_000, 2_560_000],
    theory: { time: 1, memory: 1, words: "N p; N" },
    work: (count) => pass(count, 5),
  },
  {
    key: "svrg-dimensions",
    solver: "SVRG-SBB",
    unit: "a pass",
    variable: "p dimensions, 50,000 answers",
    sizes: [32, 64, 128, 256, 512],
    theory: { time: 1, memory: undefined, words: "N p; N + n p" },
    work: (p) => pass(50_000, p),
  },
];
