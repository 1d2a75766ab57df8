/** Small linear problems of every kind that a stranger could have: see the draws. */
import type { RandomGenerator } from "@curvature/linalg";
import {
  type Bias,
  type LinearLossName,
  type LinearProblem,
  linearLoss,
  type Rows,
} from "@curvature/objectives/linear";

const lossNames: readonly LinearLossName[] = [
  "hinge",
  "squared-hinge",
  "smoothed-hinge",
  "logistic",
  "modified-huber",
  "squared-error",
  "huber",
];
const biases: readonly Bias[] = ["free", "regularized", "none"];

export function drawnProblem(random: RandomGenerator): LinearProblem {
  const { uniform, power, pick } = draws(random);
  const n = Math.round(power(0, Math.log10(80)));
  const d = Math.round(power(0, Math.log10(30)));
  const columns = drawnColumns(random, n, d);
  const weights = Array.from({ length: d }, () => uniform() - 0.5);
  const scores = Array.from({ length: n }, (_, i) =>
    columns.reduce((sum, { shape }, j) => sum + shape[i] * weights[j], 0),
  );
  const loss = linearLoss(pick(lossNames), { width: power(-2, 1) });
  const targets = Float64Array.from(
    loss.task === "classification" ? drawnClasses(random, scores) : drawnTargets(random, scores),
  );
  const lambda = power(-10, 3);
  const bias = pick(biases);
  const importances = drawnImportances(random, n);
  return { rows: drawnRows(random, columns, n), targets, loss, lambda, bias, importances };
}

export const draws = (random: RandomGenerator) => {
  const uniform = (): number => random.uniform();
  return {
    uniform,
    /** 10 to a power from `least` to `most`. */
    power: (least: number, most: number): number => 10 ** (least + (most - least) * random.uniform()),
    pick: <T>(items: readonly T[]): T => items[random.integer(items.length)],
    chance: (share: number): boolean => random.uniform() < share,
  };
};

interface Column {
  /** Of size 1, about. */
  readonly shape: readonly number[];
  /** As the rows have it. */
  readonly entries: readonly number[];
}

function drawnColumns(random: RandomGenerator, n: number, d: number): Column[] {
  const { uniform, power, pick, chance } = draws(random);
  const scaling = pick(["none", "none", "one", "each"]);
  const shifting = pick(["none", "none", "small", "large"]);
  const common = power(-8, 8);
  const repeats = chance(0.2);
  const source = Array.from({ length: n }, (_, i) =>
    repeats && i > 0 && chance(0.5) ? random.integer(i) : i,
  );
  const columns: Column[] = [];
  for (let j = 0; j < d; j++) {
    if (j > 0 && chance(0.1)) {
      columns.push(columns[random.integer(j)]);
      continue;
    }
    const kind = pick(["even", "even", "whole", "flags", "wild", "constant"]);
    const drawn = Array.from({ length: n }, () => {
      if (kind === "constant") return 1;
      if (kind === "whole") return random.integer(5);
      if (kind === "flags") return Number(chance(0.3));
      return kind === "wild" ? (uniform() - 0.5) * power(-2, 3) : 2 * uniform() - 1;
    });
    const shape = source.map((i) => drawn[i]);
    const own = power(-8, 8);
    const scale = scaling === "none" ? 1 : scaling === "one" ? common : own;
    const far = power(0, 9);
    const offset = shifting === "none" ? 0 : shifting === "small" ? 10 * (uniform() - 0.5) : far;
    columns.push({ shape, entries: shape.map((x) => x * scale + offset) });
  }
  return columns;
}

function drawnRows(random: RandomGenerator, columns: readonly Column[], n: number): Rows {
  const { chance } = draws(random);
  const [isSingle, isSparse] = [chance(0.3), chance(0.4)];
  const d = columns.length;
  const dense = Array.from({ length: n * d }, (_, k) => columns[k % d].entries[Math.floor(k / d)]);
  const numbers = (values: readonly number[]) =>
    isSingle ? Float32Array.from(values) : Float64Array.from(values);
  if (!isSparse) return rowsOf(n, d, numbers(dense));
  const rowPointers = new Int32Array(n + 1);
  const columnIndices: number[] = [];
  const values: number[] = [];
  const density = random.uniform();
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < d; j++) {
      if (dense[i * d + j] === 0 || (chance(0.5) && !chance(density))) continue;
      columnIndices.push(j);
      values.push(dense[i * d + j]);
    }
    rowPointers[i + 1] = values.length;
  }
  const pattern = { rows: n, columns: d, rowPointers, columnIndices: Int32Array.from(columnIndices) };
  const stored = numbers(values);
  return stored instanceof Float32Array ? { ...pattern, values: stored } : { ...pattern, values: stored };
}

const rowsOf = (rows: number, columns: number, data: Float32Array | Float64Array): Rows =>
  data instanceof Float32Array ? { rows, columns, data } : { rows, columns, data };

function drawnClasses(random: RandomGenerator, scores: readonly number[]): number[] {
  const { pick, chance, uniform } = draws(random);
  const kind = pick(["noisy", "noisy", "separable", "random", "one class", "one row"]);
  const middle = [...scores].sort((a, b) => a - b)[scores.length >> 1];
  return scores.map((score, i) => {
    if (kind === "one class") return 1;
    if (kind === "one row") return i === 0 ? -1 : 1;
    if (kind === "random") return chance(0.5) ? 1 : -1;
    return score + (kind === "noisy" ? uniform() - 0.5 : 0) > middle ? 1 : -1;
  });
}

function drawnTargets(random: RandomGenerator, scores: readonly number[]): number[] {
  const { pick, power, uniform } = draws(random);
  const kind = pick(["noisy", "noisy", "noisy", "exact", "constant", "gross"]);
  const scale = pick([1, 1, power(-6, 6)]);
  const offset = pick([0, 0, 10 * uniform(), power(0, 9.3)]);
  const noise = power(-6, 1);
  return scores.map((score) => {
    if (kind === "constant") return offset;
    const error = kind === "exact" ? 0 : noise * (uniform() - 0.5) * (kind === "gross" ? power(0, 4) : 1);
    return scale * (score + error) + offset;
  });
}

function drawnImportances(random: RandomGenerator, n: number): Float64Array | undefined {
  const { pick, power } = draws(random);
  const kind = pick(["none", "none", "counts", "wild", "one row"]);
  if (kind === "none") return undefined;
  const chosen = random.integer(n);
  return Float64Array.from({ length: n }, (_, i) => {
    if (kind === "wild") return power(-6, 6);
    return kind === "counts" ? random.integer(4) : Number(i === chosen);
  });
}
