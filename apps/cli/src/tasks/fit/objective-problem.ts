/**
 * The objectives that are made from data: rows, labels as classes, and the sizes that the command line gives.
 */
import { CurvatureError, type DenseMatrix } from "@curvature/linalg";
import {
  autoencoder,
  convolutionalNetwork,
  deepAutoencoder,
  type ImageShape,
  type MinibatchSum,
  multilayerPerceptron,
} from "@curvature/objectives/networks";
import {
  independentComponents,
  isingModel,
  logisticRegression,
  softmaxRegression,
} from "@curvature/objectives/sums";
import { isNumber, numbersIfAll } from "../../read/data.js";
import type { RowLabels } from "../../read/rows.js";
import { type ObjectiveName, type ObjectiveSettings, objectives } from "./objectives.js";
import type { FitProblem, FitValidation } from "./problem.js";

/** Plain data. */
export interface ObjectiveRequest extends ObjectiveSettings {
  readonly objective: ObjectiveName;
  readonly points: DenseMatrix;
  /** One for each row, of objectives that have classes. */
  readonly labels: readonly string[] | undefined;
  /** Rows that are held out, prepared and rescaled as those above. */
  readonly heldOut?: Pick<ObjectiveRequest, "points" | "labels"> | undefined;
}

/** @throws CurvatureError as the objective does; ERR_PARSE for labels that are no classes */
export function problemFromData(request: ObjectiveRequest): FitProblem {
  const { objective, labels } = request;
  const { classes: wanted } = objectives[objective];
  const classes = wanted === undefined ? undefined : classesOf(labels ?? [], wanted, objective);
  const sum = sumOf(request, classes?.codes ?? noCodes, classes?.names.length ?? 0);
  const { dimension, count, initial, fingerprint, whole, layout } = sum;
  return {
    name: objective,
    dimension,
    count,
    initial,
    fingerprint,
    evaluate: (index, x, gradient) => sum.evaluate(index, x, gradient),
    evaluateBatch: (indices, x, gradient) => sum.evaluateBatch(indices, x, gradient),
    whole,
    layout,
    trainingError:
      classes === undefined || classes.names.length > maxClasses
        ? undefined
        : (x) => errorAt(x, request, classes),
    classes: classes?.names ?? [],
    validation: request.heldOut && validationOn(request, request.heldOut, classes),
  };
}

/** The same objective on rows that are held out, their mean loss alone: F is as many of them as there are subfunctions. */
function validationOn(
  request: ObjectiveRequest,
  { points, labels }: Pick<ObjectiveRequest, "points" | "labels">,
  classes: Classes | undefined,
): FitValidation {
  const heldOut = { ...request, points, count: 1, lambda: 0 };
  const codes = classes === undefined ? noCodes : knownCodes(labels ?? [], classes);
  const sum = sumOf(heldOut, codes, classes?.names.length ?? 0);
  return {
    rows: points.rows,
    evaluate: (x) => sum.evaluate(0, x),
    error:
      classes === undefined || classes.names.length > maxClasses
        ? undefined
        : (x) => errorAt(x, heldOut, { ...classes, codes }),
  };
}

/** @throws CurvatureError ERR_PARSE for a class that no other row has */
function knownCodes(labels: readonly string[], { names }: Classes): Int32Array {
  const areNumbers = typeof names[0] === "number";
  const codeOf = new Map(names.map((name, code) => [name, code]));
  return Int32Array.from(labels, (label) => {
    const code = codeOf.get(areNumbers && isNumber(label) ? Number(label) : label);
    if (code !== undefined) return code;
    const named = label === "" ? "an empty label" : `the class ${JSON.stringify(label.slice(0, 60))}`;
    throw new CurvatureError(
      "ERR_PARSE",
      `A row that is held out has ${named}, which no row has that is fitted. Give more rows of it, leave it out, or take another share or --seed.`,
      { path: "validation", received: label },
    );
  });
}

/** Labels as the codes 0, 1, … of their classes. */
interface Classes {
  readonly names: readonly (string | number)[];
  readonly codes: Int32Array;
}

const noCodes = new Int32Array(0);

/** Numbers in their order, words in that of their characters. */
function classesOf(labels: readonly string[], wanted: "two" | "any", objective: string): Classes {
  checkLabels(labels);
  const read = numbersIfAll(labels);
  const names: (string | number)[] =
    read instanceof Float64Array ? [...new Set(read)].sort((a, b) => a - b) : [...new Set(read)].sort();
  if (names.length < 2 || (wanted === "two" && names.length > 2)) {
    const needed = wanted === "two" ? "two classes" : "two classes or more";
    const remedy = names.length > 2 ? " Take softmax for more." : "";
    throw wrongLabels(`${objective} needs labels of ${needed}; there are ${names.length}.${remedy}`);
  }
  const codeOf = new Map(names.map((name, code) => [name, code]));
  return { names, codes: Int32Array.from(labels, (_, i) => codeOf.get(read[i]) ?? 0) };
}

/** @throws CurvatureError ERR_PARSE for an empty label */
export function checkLabels(labels: RowLabels): void {
  const empty = labels instanceof Float64Array ? -1 : labels.indexOf("");
  if (empty >= 0)
    throw wrongLabels(`Row ${empty + 1} of the data has an empty label. Give every row a label.`);
}

const wrongLabels = (message: string): CurvatureError =>
  new CurvatureError("ERR_PARSE", message, { path: "labels" });

/** @param codes - of the rows' classes, for objectives that have them */
function sumOf(request: ObjectiveRequest, codes: Int32Array, classes: number): MinibatchSum {
  const { objective, points, count, lambda, seed, hidden, filterSide, decoder, contraction } = request;
  const seeded = { count, lambda, seed };
  switch (objective) {
    case "logistic":
      return logisticRegression(
        points,
        codes.map((code) => 2 * code - 1),
        { count, lambda },
      );
    case "softmax":
      return softmaxRegression(points, codes, { count, lambda, classes });
    case "mlp":
      return multilayerPerceptron(points, codes, { ...seeded, hidden, classes });
    case "convnet":
      return convolutionalNetwork(points, imageOf(request), codes, {
        ...seeded,
        maps: hidden?.slice(0, -1),
        dense: hidden?.at(-1),
        filterSide,
        classes,
      });
    case "autoencoder":
      return autoencoder(points, { ...seeded, hidden: hidden?.[0], decoder, contraction });
    case "deep-autoencoder":
      return deepAutoencoder(points, { ...seeded, hidden });
    case "ica":
      return independentComponents(points, seeded);
    case "ising":
      return isingModel(points, seeded);
  }
}

/** As given, or a square of one channel. */
function imageOf({ image, points }: ObjectiveRequest): ImageShape {
  if (image !== undefined) return image;
  const side = Math.round(Math.sqrt(points.columns));
  if (side * side === points.columns) return { channels: 1, height: side, width: side };
  throw new CurvatureError(
    "ERR_OPTION",
    `The ${points.columns} columns are no square image of one channel. Say what they are with --image, as 3x32x32.`,
    { path: "image", received: points.columns },
  );
}

/** More of them are not worth their time. */
const maxClasses = 100;

/**
 * A row belongs to the class whose label would cost it least: with a minibatch for each row, and labels that say class k
 * for all of them, f_i is what row i costs as one of class k. Ties go to the first.
 */
function errorAt(x: Float64Array, request: ObjectiveRequest, { names, codes }: Classes): number {
  const rows = codes.length;
  const least = new Float64Array(rows).fill(Number.POSITIVE_INFINITY);
  const nearest = new Int32Array(rows);
  for (let k = 0; k < names.length; k++) {
    const costs = sumOf({ ...request, count: rows }, new Int32Array(rows).fill(k), names.length);
    for (let i = 0; i < rows; i++) {
      const cost = costs.evaluate(i, x);
      if (!(cost < least[i])) continue;
      least[i] = cost;
      nearest[i] = k;
    }
  }
  return nearest.reduce((wrong, k, i) => wrong + Number(k !== codes[i]), 0) / rows;
}
