/**
 * Every finite-sum objective of the packages, on data that come with them: linear losses and ordinal losses, which are sums
 * over rows and answers, and the models over minibatches.
 */
import { loadDigits } from "@curvature/datasets/digits";
import { type LinearProblem, linearLoss, linearLossNames, linearSum } from "@curvature/objectives/linear";
import { ordinalLossNames, ordinalObjective } from "@curvature/objectives/ordinal";
import { asObjective, type Objective, type SumOfFunctions } from "@curvature/optim-core";
import { problemNames, problemOf } from "../sfo/problems.ts";
import { cities } from "../svrg/sets.ts";

export interface FiniteSum {
  readonly name: string;
  readonly description: string;
  readonly sum: SumOfFunctions;
  /** F, with products of curvature where the model has them. */
  readonly whole: Objective;
  readonly start: Float64Array;
  /** Where it is the risk of a linear model. */
  readonly linear?: LinearProblem;
}

/** @param rows - of the digits, at most, for the linear models and the others */
export async function finiteSums(rows: {
  readonly linear: number;
  readonly models: number;
}): Promise<FiniteSum[]> {
  return [...(await linearSums(rows.linear)), ...ordinalSums(), ...modelSums(rows.models)];
}

async function linearSums(rows: number): Promise<FiniteSum[]> {
  const { points, labels } = await loadDigits();
  const { columns } = points;
  const pixels = { rows, columns, data: points.data.slice(0, rows * columns).map((value) => value / 16) };
  return linearLossNames.map((name) => {
    const isRegression = name === "squared-error" || name === "huber";
    const targets = Float64Array.from({ length: rows }, (_, i) =>
      isRegression ? labels[i] / 9 : 2 * (labels[i] % 2) - 1,
    );
    const linear = { rows: pixels, targets, loss: linearLoss(name), lambda: 1e-3, bias: "none" } as const;
    const sum = linearSum(linear);
    return {
      name: `linear, ${name}`,
      description: `${isRegression ? "the digit, from 0 to 1," : "odd digits against even ones"} from ${rows} x ${columns} pixels, λ = 1e-3, a sum over the rows, from 0`,
      sum,
      whole: asObjective(sum),
      start: new Float64Array(sum.dimension),
      linear,
    };
  });
}

function ordinalSums(): FiniteSum[] {
  const { train, dimensions, starts } = cities();
  return ordinalLossNames.map((name) => {
    const objective = ordinalObjective(train, name, dimensions);
    return {
      name: `ordinal, ${name}`,
      description: `21 cities in the plane, a sum over ${train.quadruplets.length / 4} answers, from the first recorded start`,
      sum: objective.sum,
      whole: objective,
      start: starts[0],
    };
  });
}

function modelSums(rows: number): FiniteSum[] {
  return problemNames.map((key) => {
    const { title, description, sum } = problemOf(key, rows);
    return { name: title, description, sum, whole: sum.whole, start: sum.initial };
  });
}

/** The same F as a sum over so many parts of it: methods that keep something for each subfunction want few. */
export function inMinibatches(sum: SumOfFunctions, count: number): SumOfFunctions {
  const { evaluateBatch } = sum;
  if (evaluateBatch === undefined || sum.count <= count) return sum;
  const parts = Array.from({ length: count }, (_, part) =>
    Int32Array.from({ length: Math.ceil((sum.count - part) / count) }, (_, k) => part + k * count),
  );
  return {
    dimension: sum.dimension,
    count,
    evaluate: (part, x, gradient) => evaluateBatch.call(sum, parts[part], x, gradient),
  };
}
