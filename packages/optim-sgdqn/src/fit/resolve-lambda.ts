/** λ, and Huber's δ, where the user leaves them to the data. */
import type { LinearProblem } from "@curvature/objectives/linear";
import type { MulticlassProblem } from "../multiclass/problem.js";
import { chooseLambda, hasFactor, type LambdaChoice } from "../path/choose-lambda.js";
import { defaultLambda } from "../path/default-lambda.js";
import type { LinearTask } from "../path/task.js";
import type { LinearSettings } from "./options.js";
import { lossOf, type Task } from "./task.js";

/** Of the standard deviation of normal noise: δ at which Huber's estimate is 95 % efficient. */
const EFFICIENT = 1.345;
/** The standard deviation of normal noise over its median absolute deviation. */
const NORMAL = 1.4826;
/** Of δ, at which it counts as found. */
const STILL = 0.02;
const MAX_WIDTHS = 8;

export interface Resolved extends LambdaChoice {
  readonly width: number;
  /** What decided: the user, approximate leave-one-out, or the size of the data. */
  readonly rule: "given" | "leave-one-out" | "size";
}

/**
 * @param problem - on the scaled rows; its λ and its loss's width are of no account
 * @throws CurvatureError (the promise rejects) as `chooseLambda`; the signal's reason
 */
export async function resolveLambda(
  problem: LinearProblem,
  { settings, classOfRow, targets, weights }: Task,
  signal: AbortSignal | undefined,
): Promise<Resolved> {
  const { lambda, lossWidth, loss, seed, maxSeconds } = settings;
  const canChoose = hasFactor(problem.rows) && problem.rows.rows > 1;
  const choice = (width: number, isLeast: boolean): Promise<LambdaChoice> => {
    const asked = { ...problem, loss: lossOf(settings, width) };
    const task: LinearTask =
      targets.length === 1 || classOfRow === undefined
        ? asked
        : multiclass(asked, classOfRow, targets.length);
    const lambdas = typeof lambda === "number" ? [lambda] : undefined;
    return chooseLambda(task, { weights, seed, signal, maxSeconds, least: isLeast, lambdas });
  };
  if (loss === "huber" && lossWidth === "auto") {
    const y = targets[0];
    const noise = (residuals: Float64Array, kept: Int32Array | undefined): number =>
      EFFICIENT * deviationOf(residuals, partOf(problem.importances, kept)) || 1;
    const center = weightedMedian(y, problem.importances);
    let width = noise(
      y.map((each) => each - center),
      undefined,
    );
    if (!canChoose) return { ...sized(problem, lambda), width, rule: ruleOf(lambda, false) };
    for (let k = 0; ; k++) {
      const chosen = await choice(width, true);
      const { leaveOneOut } = chosen;
      if (leaveOneOut === undefined) return { ...chosen, width, rule: ruleOf(lambda, true) };
      const { rows: kept, scores } = leaveOneOut;
      const next = noise(
        scores.map((score, i) => (kept === undefined ? y[i] : y[kept[i]]) - score),
        kept,
      );
      if (k === MAX_WIDTHS || Math.abs(next - width) <= STILL * width)
        return { ...chosen, width, rule: ruleOf(lambda, true) };
      width = next;
    }
  }
  const width = lossWidth === "auto" ? 1 : lossWidth;
  if (typeof lambda === "number" || !canChoose)
    return { ...sized(problem, lambda), width, rule: ruleOf(lambda, false) };
  return { ...(await choice(width, loss === "huber")), width, rule: "leave-one-out" };
}

const ruleOf = (lambda: LinearSettings["lambda"], isChosen: boolean): Resolved["rule"] => {
  if (lambda !== "auto") return "given";
  return isChosen ? "leave-one-out" : "size";
};

function sized({ rows }: LinearProblem, lambda: LinearSettings["lambda"]): LambdaChoice {
  const used = lambda === "auto" ? defaultLambda(rows) : lambda;
  return { lambda: used, anchor: used, tried: [], leaveOneOut: undefined, isSeparable: false };
}

const multiclass = (
  { rows, loss, lambda, bias, importances }: LinearProblem,
  labels: Int32Array,
  classes: number,
): MulticlassProblem => ({ rows, labels, classes, loss, lambda, bias, importances });

const partOf = (values: Float64Array | undefined, kept: Int32Array | undefined): Float64Array | undefined =>
  values === undefined || kept === undefined ? values : Float64Array.from(kept, (i) => values[i]);

/** Robust: 1.4826 times the median absolute deviation, and where that is 0 the root mean square about the median. */
function deviationOf(values: Float64Array, weights: Float64Array | undefined): number {
  const center = weightedMedian(values, weights);
  const distances = values.map((value) => Math.abs(value - center));
  const robust = NORMAL * weightedMedian(distances, weights);
  if (robust > 0) return robust;
  let [squares, total] = [0, 0];
  for (let i = 0; i < distances.length; i++) {
    const weight = weights?.[i] ?? 1;
    squares += weight * distances[i] * distances[i];
    total += weight;
  }
  return Math.sqrt(squares / total);
}

/** The middle of the two middle ones, where there are two. */
function weightedMedian(values: Float64Array, weights: Float64Array | undefined): number {
  const order = Uint32Array.from(values.keys()).sort((i, j) => values[i] - values[j]);
  const kept = order.filter((i) => weights === undefined || weights[i] > 0);
  let total = 0;
  for (const i of kept) total += weights?.[i] ?? 1;
  let sum = 0;
  for (const [k, i] of kept.entries()) {
    sum += weights?.[i] ?? 1;
    const isMiddle = Math.abs(2 * sum - total) <= 1e-12 * total;
    if (isMiddle && k + 1 < kept.length) return (values[i] + values[kept[k + 1]]) / 2;
    if (2 * sum >= total) return values[i];
  }
  return 0;
}
