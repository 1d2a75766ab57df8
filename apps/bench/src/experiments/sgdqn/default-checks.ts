/** Certificates beside known optima, the law of weights, warnings that must and must not come. */
import { RandomGenerator, type Warning } from "@curvature/linalg";
import { type LinearProblem, linearLoss, primalCost } from "@curvature/objectives/linear";
import {
  createLinearSolver,
  LinearClassifier,
  type LinearClassifierOptions,
  type LinearFitResult,
  LinearRegressor,
} from "@curvature/optim-sgdqn";
import { type KnownProblem, type KnownWeights, matrix, type NumberTable } from "./default-tables.ts";

function problemOf(known: KnownProblem, { points, labels }: NumberTable): LinearProblem {
  const { task, loss, width, lambda, columns: form, mean = [], scale = [], targetShift = 0 } = known;
  const all = rowsOf({ points });
  const used = Array.from(all[0].keys()).filter((j) => new Set(all.map((row) => row[j])).size > 1);
  const rows = all.map((row) =>
    used.map((j, k) => (form === "standardised" ? (row[j] - mean[k]) / scale[k] : row[j])),
  );
  const last = [...labels].sort().at(-1);
  const targets = labels.map((label) => {
    if (task === "regression") return Number(label) - targetShift;
    return label === last ? 1 : -1;
  });
  return {
    rows: matrix(rows),
    targets: Float64Array.from(targets),
    loss: linearLoss(loss, { width }),
    lambda,
    bias: "free",
  };
}

const rowsOf = ({ points }: Pick<NumberTable, "points">): number[][] =>
  Array.from({ length: points.rows }, (_, i) =>
    Array.from(points.data.subarray(i * points.columns, (i + 1) * points.columns)),
  );

export interface Certified {
  readonly isCertified: boolean;
  /** Claims a gap that the known point refutes. */
  readonly isFalse: boolean;
  readonly steps: number;
  readonly seconds: number;
}

export async function certify(
  known: KnownProblem,
  table: NumberTable,
  tolerance: number,
): Promise<Certified> {
  const problem = problemOf(known, table);
  const began = performance.now();
  const solver = createLinearSolver(problem, {
    solver: known.loss === "hinge" ? "auto" : "newton",
    tolerance,
  });
  let steps = 0;
  let last = await solver.step();
  for (;;) {
    if (last.phase === "iteration") steps++;
    if (last.outcome !== undefined) break;
    last = await solver.step();
  }
  const seconds = (performance.now() - began) / 1000;
  const P = primalCost(problem, solver.best.x);
  const { gap } = last.details;
  const claims = last.outcome.status === "converged" ? (gap ?? 0) : undefined;
  const isFalse = claims !== undefined && P - known.optimum > (claims + 1e-12) * P;
  return {
    isCertified: claims !== undefined && claims <= tolerance && !isFalse,
    isFalse,
    steps,
    seconds,
  };
}

/** Of two values of P. */
const valueDifference = (
  { value: a = Number.NaN }: LinearFitResult,
  { value: b = Number.NaN }: LinearFitResult,
) => Math.abs(a - b) / Math.max(a, b);

const difference = (a: ArrayLike<number>, b: ArrayLike<number>): number => {
  if (a.length !== b.length) return 1;
  const sizes = Array.from(a, (value, k) => Math.max(Math.abs(value), Math.abs(b[k])));
  const largest = Math.max(1e-300, ...sizes);
  return Math.max(0, ...Array.from(a, (value, k) => Math.abs(value - b[k]) / largest));
};

export interface WeightsLaw {
  /** Relative differences between the weighted rows and the rows repeated, by default. */
  readonly value: number;
  readonly coefficients: number;
  /** Of the mean losses by λ; undefined where a default fit tries none. */
  readonly curve: number | undefined;
  /** Between coefficients at a λ on standardised columns and the recorded ones. */
  readonly recordedCoefficients: number;
}

/** Far below what is compared. */
const TIGHT = 1e-14;

export async function weightsLaw(known: KnownWeights, table: NumberTable): Promise<WeightsLaw> {
  const { weights, lambdaOfCoefficients } = known;
  const rows = rowsOf(table);
  const copies = rows.flatMap((row, i) => Array.from({ length: weights[i] }, () => row));
  const labels = table.labels.flatMap((label, i) => Array.from({ length: weights[i] }, () => label));
  const [weighted, repeated] = [TIGHT, TIGHT].map((tolerance) => new LinearClassifier<string>({ tolerance }));
  const a = await weighted.fit(table.points, table.labels, { sampleWeights: weights });
  const b = await repeated.fit(matrix(copies), labels);
  const curveOf = ({ triedLambdas }: LinearFitResult): number[] => triedLambdas.map(({ loss }) => loss);
  const hasCurve = a.triedLambdas.length > 0;
  const plain = new LinearClassifier<string>({
    loss: "logistic",
    bias: "free",
    scale: "standard",
    lambda: lambdaOfCoefficients,
    tolerance: TIGHT,
  });
  await plain.fit(table.points, table.labels, { sampleWeights: weights });
  return {
    value: valueDifference(a, b),
    coefficients: difference(coefficientsOf(weighted), coefficientsOf(repeated)),
    curve: hasCurve ? difference(curveOf(a), curveOf(b)) : undefined,
    recordedCoefficients: difference(coefficientsOf(plain), known.coefficients),
  };
}

const coefficientsOf = (model: LinearClassifier<string>): Float64Array => model.coefficients.data;

/** The codes by the letters of the list of warnings. */
export const codes = {
  D1: "uninformative",
  D2: "no-better-than-majority",
  D3: "never-predicted",
  D4: "constant-columns",
  D5: "separable",
  D6: "numbers-as-classes",
  D7: "uneven-weights",
} as const;
type Letter = keyof typeof codes;

export interface WarningCase {
  readonly name: string;
  readonly must: string;
  readonly mustNot: string;
  /** Letters and other codes. */
  readonly found: string;
  readonly holds: boolean;
}

const lettersOf = (warnings: readonly Warning[]): string[] =>
  warnings.map(({ code }) => Object.entries(codes).find(([, known]) => known === code)?.[0] ?? code);

async function warningsOf(
  table: Pick<NumberTable, "points" | "labels">,
  options: LinearClassifierOptions<string> = {},
  sampleWeights?: readonly number[],
): Promise<string[]> {
  const model = new LinearClassifier<string>({ ...options, maxSeconds: 20 });
  return lettersOf((await model.fit(table.points, table.labels, { sampleWeights })).warnings);
}

export async function warningCases(tables: ReadonlyMap<string, NumberTable>): Promise<WarningCase[]> {
  const cases: WarningCase[] = [];
  const add = (
    name: string,
    must: readonly Letter[],
    mustNot: readonly Letter[],
    found: readonly string[],
  ): void => {
    const holds =
      must.every((letter) => found.includes(letter)) && !mustNot.some((letter) => found.includes(letter));
    cases.push({ name, must: must.join(" "), mustNot: mustNot.join(" "), found: found.join(" "), holds });
  };
  const table = (name: string): NumberTable => {
    const found = tables.get(name);
    if (found === undefined) throw new Error(`There is no table ${name}.`);
    return found;
  };
  add("g_rare", ["D3"], ["D1"], await warningsOf(table("g_rare"), { loss: "logistic" }));
  for (const name of ["g_separable", "labor"])
    add(name, ["D5"], ["D1", "D2", "D3"], await warningsOf(table(name)));
  for (const name of ["wbc", "votes", "ionosphere", "g_sensor", "credit", "penguinsex"])
    add(name, [], ["D1", "D2", "D3", "D4", "D5"], await warningsOf(table(name)));
  for (const name of ["g_sensor", "iris"]) {
    const given = table(name);
    const more = { ...given, points: matrix(rowsOf(given).map((row) => [...row, 7])) };
    add(`${name} and a constant column`, ["D4"], [], await warningsOf(more));
    const [alone, beside] = [new LinearClassifier<string>(), new LinearClassifier<string>()];
    await alone.fit(given.points, given.labels);
    await beside.fit(more.points, given.labels);
    const scores = alone.decisionFunction(given.points).data;
    const isSame = beside.decisionFunction(more.points).data.every((score, k) => score === scores[k]);
    const found = isSame ? "the same" : "others";
    cases.push({
      name: `${name}, scores beside a constant column`,
      must: "the same",
      mustNot: "",
      found,
      holds: isSame,
    });
  }
  add("concrete, its target as classes", ["D6"], [], await warningsOf(table("concrete")));
  const iris = table("iris");
  const twos = iris.labels.map(() => 2);
  add("iris, all weights 2", [], ["D7"], await warningsOf(iris, {}, twos));
  const uneven = iris.labels.map((_, i) => (i % 2 === 0 ? 0.5 : 1000));
  add("iris, weights 0.5 and 1000", ["D7"], [], await warningsOf(iris, {}, uneven));
  const sensor = table("g_sensor");
  let fired = 0;
  for (let seed = 1; seed <= 10; seed++) {
    const labels = shuffled(sensor.labels, seed);
    if ((await warningsOf({ points: sensor.points, labels })).includes("D1")) fired++;
  }
  const found = `D1 ${fired} times of 10`;
  cases.push({
    name: "g_sensor, labels shuffled",
    must: "D1 8 times of 10",
    mustNot: "",
    found,
    holds: fired >= 8,
  });
  return cases;
}

function shuffled<T>(values: readonly T[], seed: number): T[] {
  const random = new RandomGenerator(seed);
  const items = [...values];
  for (let i = items.length - 1; i > 0; i--) {
    const j = random.integer(i + 1);
    [items[i], items[j]] = [items[j], items[i]];
  }
  return items;
}

export interface OffsetCase {
  readonly name: string;
  /** Relative difference of P, and of the scores over their spread. */
  readonly value: number;
  readonly scores: number;
  readonly holds: boolean;
}

/** 1.7e9 on every column, and 1e9 on the target, change nothing. */
export async function offsetCases(sensor: NumberTable, mass: NumberTable): Promise<OffsetCase[]> {
  const options = { bias: "free", scale: "standard", lambda: 0.003, tolerance: 1e-13 } as const;
  const far = matrix(rowsOf(sensor).map((row) => row.map((x) => x + 1.7e9)));
  const models = [sensor.points, far].map((points) => ({
    points,
    model: new LinearClassifier<string>({ ...options, loss: "logistic" }),
  }));
  const results = await Promise.all(models.map(({ points, model }) => model.fit(points, sensor.labels)));
  const scores = models.map(({ points, model }) => model.decisionFunction(points).data);
  const columns = compared("g_sensor, columns + 1.7e9", results, scores, 0);
  const targets = mass.labels.map(Number);
  const regressors = [0, 1e9].map((offset) => ({ offset, model: new LinearRegressor(options) }));
  const fits = await Promise.all(
    regressors.map(({ offset, model }) =>
      model.fit(
        mass.points,
        targets.map((y) => y + offset),
      ),
    ),
  );
  const values = regressors.map(({ model }) => model.predict(mass.points));
  return [columns, compared("penguinmass, target + 1e9", fits, values, 1e9)];
}

function compared(
  name: string,
  [a, b]: readonly LinearFitResult[],
  [near, far]: readonly Float64Array[],
  offset: number,
): OffsetCase {
  const value = valueDifference(a, b);
  const spread = Math.max(...near) - Math.min(...near);
  const scores = Math.max(...near.map((score, k) => Math.abs(far[k] - offset - score))) / spread;
  return { name, value, scores, holds: value <= 1e-7 && scores <= 1e-6 };
}
