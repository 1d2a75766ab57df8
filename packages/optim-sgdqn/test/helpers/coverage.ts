/** How often intervals of the coefficients hold the true ones: rows drawn from a known model, again and again. */
import { normal, RandomGenerator } from "@curvature/linalg";
import { LinearClassifier, LinearRegressor } from "@curvature/optim-sgdqn";

export interface Design {
  readonly kind: "logistic" | "squared-error";
  readonly n: number;
  /** Between any two columns. */
  readonly correlation: number;
  /** True ones, of columns of variance 1. */
  readonly coefficients: readonly number[];
  readonly intercept: number;
  /** Standard deviation, of the squared error. */
  readonly noise: number;
}

/** The columns' units: coefficients are to be found in them. */
const UNITS = [1, 100, 0.01];
const OFFSETS = [0, 5, -300];

export interface Coverage {
  /** By coefficient, and of the intercept at last: shares of the draws whose interval of 95 % holds the true one. */
  readonly held: readonly number[];
  /** The mean of the standard errors over the standard deviation of the estimates. */
  readonly ratio: readonly number[];
}

export async function coverage(design: Design, draws: number, seed: number): Promise<Coverage> {
  const { kind, n, correlation, coefficients, intercept, noise } = design;
  const d = coefficients.length;
  const random = new RandomGenerator(seed);
  const held = new Array<number>(d + 1).fill(0);
  const estimates: number[][] = [];
  const errors: number[][] = [];
  const unit = (j: number): number => UNITS[j % UNITS.length];
  const offset = (j: number): number => OFFSETS[j % OFFSETS.length] * unit(j);
  const truth = [
    ...coefficients.map((c, j) => c / unit(j)),
    intercept - coefficients.reduce((sum, c, j) => sum + (c / unit(j)) * offset(j), 0),
  ];
  for (let draw = 0; draw < draws; draw++) {
    const data = new Float64Array(n * d);
    const scores = new Float64Array(n).fill(intercept);
    for (let i = 0; i < n; i++) {
      const common = normal(random);
      for (let j = 0; j < d; j++) {
        const x = Math.sqrt(correlation) * common + Math.sqrt(1 - correlation) * normal(random);
        scores[i] += coefficients[j] * x;
        data[i * d + j] = x * unit(j) + offset(j);
      }
    }
    const rows = { rows: n, columns: d, data };
    const model = kind === "logistic" ? new LinearClassifier<number>() : new LinearRegressor();
    if (model instanceof LinearClassifier)
      await model.fit(
        rows,
        scores.map((s) => Number(random.uniform() < 1 / (1 + Math.exp(-s)))),
      );
    else
      await model.fit(
        rows,
        scores.map((s) => s + noise * normal(random)),
      );
    const found = [...model.coefficients.data, model.intercepts[0]];
    const deviations = [...(model.fitted?.standardErrors ?? [])];
    estimates.push(found);
    errors.push(deviations);
    for (const [j, value] of truth.entries())
      if (Math.abs(found[j] - value) <= 1.96 * deviations[j]) held[j] += 1 / draws;
  }
  const mean = (values: readonly number[]): number => values.reduce((sum, v) => sum + v, 0) / values.length;
  const ratio = truth.map((_, j) => {
    const column = estimates.map((each) => each[j]);
    const center = mean(column);
    const spread = Math.sqrt(mean(column.map((v) => (v - center) ** 2)));
    return mean(errors.map((each) => each[j])) / spread;
  });
  return { held, ratio };
}

const sizes = [0, 0.2, 0.5, 1, 2];

export const designs: readonly Design[] = (["logistic", "squared-error"] as const).flatMap((kind) =>
  [100, 1000].flatMap((n) =>
    [0, 0.7].map((correlation) => ({
      kind,
      n,
      correlation,
      coefficients: sizes,
      intercept: 0.5,
      noise: 2,
    })),
  ),
);
