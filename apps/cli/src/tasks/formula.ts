/**
 * The work of `curvature fit --formula`: the parameters by nonlinear least squares, from stated starts or from those of a
 * search, with what is known of their errors, and the curve with its band.
 */
import { CurvatureError, type DenseMatrix, optionName, warning } from "@curvature/linalg";
import { type LeastSquaresResult, leastSquares, type RunResult } from "@curvature/optim-core";
import type { FormulaParameter } from "../formula/model.js";
import type { FormulaNames } from "../formula/names.js";
import type { Formula } from "../formula/parse-formula.js";
import { Tape } from "../formula/tape.js";
import { inFlags } from "../run/flag-names.js";
import type { Channel } from "./channel.js";
import { Band, type Uncertainty } from "./formula/band.js";
import type { FormulaSettings } from "./formula/options.js";
import {
  counting,
  type FormulaRows,
  formulaRows,
  type ResidualProblem,
  residualProblem,
} from "./formula/residuals.js";
import { type Bounds, type FoundStart, foundStart } from "./formula/start-search.js";

type Loss = FormulaSettings["loss"];

export interface FormulaTaskInput extends Bounds {
  readonly formula: Formula;
  readonly names: FormulaNames;
  /** A column for each of the names' columns. */
  readonly points: DenseMatrix;
  readonly weights: Float64Array | undefined;
  /** Of each parameter, where it is stated. */
  readonly start: readonly (number | undefined)[];
  readonly settings: FormulaSettings & {
    readonly maxEvaluations: number | undefined;
    readonly maxSeconds: number;
    readonly seed: number;
  };
}

export interface FormulaTaskOutput {
  readonly result: Omit<RunResult, "x" | "last" | "history" | "cause" | "test" | "options">;
  readonly parameters: readonly FittedParameter[];
  /** Where the starts were sought. */
  readonly search: Omit<FoundStart, "x"> | undefined;
  readonly degreesOfFreedom: number;
  readonly residualStandardDeviation: number | undefined;
  readonly uncertainty: Uncertainty;
  /** Where the formula has a constant term; see `r2Of`. */
  readonly r2: number | undefined;
  /** As used; only robust ones have a scale. */
  readonly loss: { readonly name: Loss; readonly scale: number | undefined };
  /** By row, those of weight 0 too. */
  readonly response: Float64Array;
  readonly fitted: Float64Array;
  /** Where there is one variable. */
  readonly curve: readonly CurvePoint[] | undefined;
  readonly phases: Readonly<Record<string, number>>;
  readonly warnings: readonly string[];
}

interface FittedParameter extends FormulaParameter {
  readonly start: number;
}

/** The curve at a value of its variable. */
interface CurvePoint {
  readonly x: number;
  readonly y: number;
  /** Half the width of the confidence interval of the mean. */
  readonly within: number | undefined;
}

export async function formulaTask(input: FormulaTaskInput, channel: Channel): Promise<FormulaTaskOutput> {
  const { formula, names, lower, upper, settings } = input;
  const { level, maxEvaluations, maxSeconds } = settings;
  const { signal } = channel;
  const started = performance.now();
  const tape = new Tape(formula.model, names.columns, names.parameters);
  const all = formulaRows(formula, names, input.points, input.weights);
  const rows = counting(all);
  if (rows.points.rows === 0)
    throw new CurvatureError(
      "ERR_SHAPE",
      "No row is left to fit the formula to. Give some, with weights above 0.",
    );
  const { x: start, ...search } = await startOf(tape, rows, input, channel);
  const found = performance.now();
  channel.phase("fitting");
  const problem = residualProblem(tape, rows);
  const { loss, lossScale } = await lossOf(problem, start, input, signal);
  const fit = await leastSquares(problem, start, {
    ...{ loss, lossScale, lower, upper, level, maxEvaluations, maxSeconds, signal },
  });
  const fitted = Float64Array.from({ length: all.points.rows }, (_, i) =>
    tape.value(all.points.data, i * all.points.columns, fit.x),
  );
  const { x, standardErrors, intervals, degreesOfFreedom } = fit;
  const known = (value: number): number | undefined => (Number.isFinite(value) ? value : undefined);
  const uncertainty = uncertaintyOf(fit, known(fit.residualStandardDeviation));
  return {
    result: plainResult(fit),
    parameters: names.parameters.map((name, j) => ({
      name,
      start: start[j],
      value: x[j],
      standardError: known(standardErrors[j]),
      interval: intervals[j].every(Number.isFinite) ? intervals[j] : undefined,
    })),
    search: search.tried === 0 ? undefined : search,
    degreesOfFreedom,
    residualStandardDeviation: known(fit.residualStandardDeviation),
    uncertainty,
    r2: loss === "squared" ? r2Of(rows, fit.residuals) : undefined,
    loss: { name: loss, scale: lossScale },
    response: all.response,
    fitted,
    curve: names.variables.length === 1 ? curveOf(tape, rows, names, x, uncertainty) : undefined,
    phases: { search: (found - started) / 1000, fitting: (performance.now() - found) / 1000 },
    warnings: [...searchWarning(search), ...warningsOf(fit, names.parameters)],
  };
}

/** The stated start, completed by a search where it is not whole. @throws CurvatureError ERR_OPTION where there is none */
async function startOf(
  tape: Tape,
  rows: FormulaRows,
  { names, start, lower, upper, settings }: FormulaTaskInput,
  { phase, signal }: Channel,
): Promise<FoundStart> {
  const name = "looking for a start";
  phase(name);
  if (start.every((value) => value !== undefined)) {
    const x = Float64Array.from(start);
    checkStart(tape, rows, x, names);
    return { x, tried: 0, finalists: 0, reached: 0 };
  }
  const variables = names.variables.map((each) => names.columns.indexOf(each));
  const found = await foundStart(tape, rows, start, { lower, upper }, variables, {
    seed: settings.seed,
    signal,
    onStart: (share) => phase(name, share),
  });
  if (found !== undefined) return found;
  signal.throwIfAborted();
  throw new CurvatureError(
    "ERR_OPTION",
    `From none of the starts that were tried the formula is a number in all rows. Say where to begin with ${optionName("start")}, as ${names.parameters.map((each) => `${each}=1`).join(",")}.`,
    { path: "start" },
  );
}

/** @throws CurvatureError ERR_OPTION where the formula is no number at the start */
function checkStart(
  tape: Tape,
  { points }: FormulaRows,
  x: Float64Array,
  { columns, variables }: FormulaNames,
): void {
  for (let i = 0; i < points.rows; i++) {
    const value = tape.value(points.data, i * points.columns, x);
    if (Number.isFinite(value)) continue;
    const cells = variables.map(
      (name) => `${name} = ${points.data[i * points.columns + columns.indexOf(name)]}`,
    );
    throw new CurvatureError(
      "ERR_OPTION",
      `${optionName("start")}: there the formula is ${value} where ${cells.join(", ")}. Begin elsewhere, or leave some parameters out to have their start sought.`,
      { path: "start" },
    );
  }
}

/** Where a robust loss begins to yield, in units of the residuals' spread: 95 % as efficient as squares where errors are normal. */
const yields = { huber: 1.345, "soft-l1": 1.345, cauchy: 2.385 } as const;
/** Fits that find the spread, each with that of the one before. */
const SPREADS = 4;

/** The loss with its scale, which is found by the median of the residuals where nobody says it. */
async function lossOf(
  problem: ResidualProblem,
  start: Float64Array,
  { settings, lower, upper }: FormulaTaskInput,
  signal: AbortSignal,
): Promise<{ readonly loss: Loss; readonly lossScale: number | undefined }> {
  const { loss, lossScale, maxSeconds } = settings;
  if (loss === "squared" || lossScale !== undefined) return { loss, lossScale };
  let residuals = problem.residuals(start);
  let [x, scale] = [start, 0];
  for (let k = 0; k < SPREADS && !signal.aborted; k++) {
    const sizes = residuals.map(Math.abs).sort();
    scale = yields[loss] * 1.4826 * sizes[Math.floor(sizes.length / 2)];
    if (!(scale > 0)) return { loss: "squared", lossScale: undefined }; // half of the rows fit exactly
    ({ x, residuals } = await leastSquares(problem, x, {
      loss,
      lossScale: scale,
      lower,
      upper,
      maxSeconds,
      signal,
    }));
  }
  return { loss, lossScale: scale };
}

/**
 * 1 − Σ r² / Σ (y − ȳ)², only where residuals add up to 0 and are orthogonal to what was fitted, as in formulas with a constant term:
 * elsewhere it is no share of anything.
 */
function r2Of({ response, roots }: FormulaRows, residuals: Float64Array): number | undefined {
  const sums = { weights: 0, response: 0, residuals: 0, sizes: 0 };
  for (const [i, y] of response.entries()) {
    const root = roots?.[i] ?? 1;
    sums.weights += root * root;
    sums.response += root * root * y;
    sums.residuals += root * residuals[i];
    sums.sizes += Math.abs(root * residuals[i]);
  }
  const mean = sums.response / sums.weights;
  let [total, left, across] = [0, 0, 0];
  for (const [i, y] of response.entries()) {
    const root = roots?.[i] ?? 1;
    total += (root * (y - mean)) ** 2;
    left += residuals[i] ** 2;
    across += residuals[i] * (root * (y - mean) + residuals[i]);
  }
  const isShare = Math.abs(sums.residuals) <= 1e-6 * sums.sizes && Math.abs(across) <= 1e-6 * total;
  return isShare && total > 0 ? 1 - left / total : undefined;
}

const CURVE_POINTS = 201;

function curveOf(
  tape: Tape,
  { points }: FormulaRows,
  { columns, variables }: FormulaNames,
  parameters: Float64Array,
  uncertainty: Uncertainty,
): readonly CurvePoint[] {
  const at = columns.indexOf(variables[0]);
  const places = Float64Array.from({ length: points.rows }, (_, i) => points.data[i * points.columns + at]);
  const [low, high] = [places.reduce((a, b) => Math.min(a, b)), places.reduce((a, b) => Math.max(a, b))];
  const band = new Band(tape, parameters, uncertainty);
  const row = new Float64Array(points.columns);
  return Array.from({ length: CURVE_POINTS }, (_, k): CurvePoint => {
    row[at] = low + ((high - low) * k) / (CURVE_POINTS - 1);
    const { value, within } = band.at(row, 0);
    return { x: row[at], y: value, within };
  }).filter(({ y }) => Number.isFinite(y));
}

function uncertaintyOf(
  { x, covariance, standardErrors, intervals, active }: LeastSquaresResult,
  residualStandardDeviation: number | undefined,
): Uncertainty {
  const known = standardErrors.findIndex((error) => error > 0 && Number.isFinite(error));
  const isHeld = (i: number): boolean => active.includes(i);
  return {
    covariance:
      covariance &&
      Array.from({ length: covariance.rows }, (_, i) =>
        Array.from({ length: covariance.columns }, (__, j) =>
          isHeld(i) || isHeld(j) ? 0 : covariance.data[i * covariance.columns + j],
        ),
      ),
    active: Array.from(active),
    quantile: known < 0 ? undefined : (intervals[known][1] - x[known]) / standardErrors[known],
    residualStandardDeviation,
  };
}

/** A lowest point that one start alone has found is perhaps not the lowest. */
const searchWarning = ({ tried, reached }: Omit<FoundStart, "x">): string[] =>
  tried > 0 && reached === 1
    ? [
        `One start alone of ${tried} that were tried came as low as this: there may be better parameters. Say where to begin with --start, or bound the parameters.`,
      ]
    : [];

/** With the parameters by their names. */
function warningsOf(
  { warnings, undetermined, active }: LeastSquaresResult,
  names: readonly string[],
): string[] {
  const listed = (parameters: readonly number[]): string => parameters.map((j) => names[j]).join(", ");
  const own = [
    warning(
      "rank-deficient",
      `The data do not determine ${listed(undetermined)}: no standard errors are known of them. Fix some with ${optionName("lower")} and ${optionName("upper")}, or write the formula with fewer.`,
    ),
    warning(
      "at-a-bound",
      `A bound holds ${listed(active)}: no standard errors are known of them, and those of the others are as if they were fixed.`,
    ),
  ];
  return warnings.map((each) => inFlags(own.find(({ code }) => code === each.code) ?? each));
}

/** What goes to another thread and into a report. */
function plainResult(fit: FormulaTaskOutput["result"]): FormulaTaskOutput["result"] {
  const { value, gradientNorm, iterations, evaluations, gradientEvaluations, monitoringEvaluations } = fit;
  const { passes, elapsedSeconds, status, usable, message } = fit;
  return {
    ...{ value, gradientNorm, iterations, evaluations, gradientEvaluations, monitoringEvaluations },
    ...{ passes, elapsedSeconds, status, usable, message },
  };
}
