/** λ, and Huber's δ, where the user leaves them to the data. */
import type { LinearProblem } from "@curvature/objectives/linear";
import type { MulticlassProblem } from "../multiclass/problem.js";
import { chooseLambda, type LambdaChoice } from "../path/choose-lambda.js";
import { defaultLambda, meanSquaredNorm } from "../path/default-lambda.js";
import type { LinearTask } from "../path/task.js";
import { deviationOf, majorityOf, weightedMedian } from "../robust.js";
import type { LinearSettings } from "./options.js";
import { lossOf, type Task } from "./task.js";

/** Of the standard deviation of normal noise: δ at which Huber's estimate is 95 % efficient. */
const EFFICIENT = 1.345;
/** Of δ, at which it counts as found. */
const STILL = 0.02;
const MAX_WIDTHS = 8;

export interface Resolved extends Omit<LambdaChoice, "rule"> {
  readonly width: number;
  /** What decided: the user, rows left out, or the size of the data. */
  readonly rule: LambdaChoice["rule"] | "given";
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
  const canChoose = problem.rows.rows > 1;
  const choice = (width: number, isLeast: boolean): Promise<LambdaChoice> => {
    meanSquaredNorm(problem.rows, "fit"); // which says whether the squares overflow
    const asked = { ...problem, loss: lossOf(settings, width) };
    const task: LinearTask =
      targets.length === 1 || classOfRow === undefined
        ? asked
        : multiclass(asked, classOfRow, targets.length);
    const lambdas = typeof lambda === "number" ? [lambda] : settings.lambdas;
    const select = "select" in settings ? settings.select : "log-loss";
    // Weights of classes say what an error costs, not how many rows there are.
    const ofRows = weights ?? (problem.importances && new Float64Array(problem.rows.rows).fill(1));
    return chooseLambda(task, { weights: ofRows, seed, signal, maxSeconds, least: isLeast, lambdas, select });
  };
  if (loss === "huber" && lossWidth === "auto") {
    const y = targets[0];
    // Where one target is that of most rows, it is fitted exactly, and says nothing of the others' noise.
    const usual = majorityOf(y, problem.importances)?.value;
    const noise = (residuals: Float64Array, kept: Int32Array | undefined): number => {
      const said = Int32Array.from(residuals.keys()).filter((k) => y[kept?.[k] ?? k] !== usual);
      const importances = partOf(partOf(problem.importances, kept), said);
      return (
        EFFICIENT *
          deviationOf(
            Float64Array.from(said, (k) => residuals[k]),
            importances,
          ) || 1
      );
    };
    const center = weightedMedian(y, problem.importances);
    let width = noise(
      y.map((each) => each - center),
      undefined,
    );
    if (!canChoose) return { ...sized(problem, lambda), width };
    for (let k = 0; ; k++) {
      const chosen = await choice(width, true);
      const rule = lambda === "auto" ? chosen.rule : "given";
      const { leftOut } = chosen;
      if (leftOut === undefined) return { ...chosen, width, rule };
      const { rows: kept, scores } = leftOut;
      const next = noise(
        scores.map((score, i) => (kept === undefined ? y[i] : y[kept[i]]) - score),
        kept,
      );
      if (k === MAX_WIDTHS || Math.abs(next - width) <= STILL * width) return { ...chosen, width, rule };
      width = next;
    }
  }
  const width = lossWidth === "auto" ? 1 : lossWidth;
  if (typeof lambda === "number" || !canChoose) return { ...sized(problem, lambda), width };
  return { ...(await choice(width, loss === "huber")), width };
}

function sized({ rows }: LinearProblem, lambda: LinearSettings["lambda"]): Omit<Resolved, "width"> {
  const [used, rule] =
    lambda === "auto" ? [defaultLambda(rows), "size" as const] : [lambda, "given" as const];
  return { lambda: used, rule, anchor: used, tried: [], leftOut: undefined, isSeparable: false };
}

const multiclass = (
  { rows, loss, lambda, bias, importances }: LinearProblem,
  labels: Int32Array,
  classes: number,
): MulticlassProblem => ({ rows, labels, classes, loss, lambda, bias, importances });

const partOf = (values: Float64Array | undefined, kept: Int32Array | undefined): Float64Array | undefined =>
  values === undefined || kept === undefined ? values : Float64Array.from(kept, (i) => values[i]);
