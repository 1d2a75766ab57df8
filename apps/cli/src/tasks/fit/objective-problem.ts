/**
 * The objectives that are made from data: rows, labels as classes, and the sizes that the command line gives.
 */
import { applyScaling, CurvatureError, type DenseMatrix, fitScaling } from "@curvature/linalg";
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
import { isNumber, numbersIfAll } from "../../read/label-values.js";
import type { RowLabels } from "../../read/rows.js";
import type { TargetScaling } from "./fit-model.js";
import { type ObjectiveName, type ObjectiveSettings, objectives } from "./objectives.js";
import type { FitProblem, FitValidation } from "./problem.js";

/** Plain data. */
export interface ObjectiveRequest extends ObjectiveSettings {
  readonly objective: ObjectiveName;
  readonly points: DenseMatrix;
  /** One for each row, of objectives that have them. */
  readonly labels: RowLabels | undefined;
  /** Rows that are held out, prepared and rescaled as those above. */
  readonly heldOut?: HeldOut | undefined;
}

type HeldOut = Pick<ObjectiveRequest, "points" | "labels">;

/** @throws CurvatureError as the objective does; ERR_PARSE for labels that are no classes, or no numbers */
export function problemFromData(request: ObjectiveRequest): FitProblem {
  const { objective, labels, targets: asked } = request;
  const { classes: wanted } = objectives[objective];
  const areNumbers = wanted !== undefined && asked === "numbers";
  const targets = areNumbers ? targetsOf(labels ?? []) : undefined;
  const classes = wanted === undefined || areNumbers ? undefined : classesOf(labels ?? [], wanted, objective);
  const sum = sumOf(request, classes?.codes ?? noCodes, classes?.names.length ?? 0, targets?.scaled);
  const { dimension, count, initial, fingerprint, whole, layout, model } = sum;
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
    model,
    classes: classes?.names ?? [],
    targets: targets?.scaling,
    validation: request.heldOut && validationOn(request, request.heldOut, classes, targets?.scaling),
  };
}

/** Numbers to be predicted, of mean 0 and deviation 1. @param known - of later rows: the scaling of those before */
function targetsOf(
  labels: RowLabels,
  known?: TargetScaling,
): { readonly scaled: DenseMatrix; readonly scaling: TargetScaling } {
  const words = labels instanceof Float64Array ? [] : labels;
  const row = words.findIndex((label) => !isNumber(label));
  if (row >= 0) {
    throw wrongLabels(
      `Row ${row + 1} of the data has the label ${JSON.stringify(words[row].slice(0, 60))}, but regression needs numbers. Choose --loss logistic for classes, or another label column.`,
    );
  }
  const numbers = Float64Array.from<number | string>(labels, Number);
  const column = { rows: numbers.length, columns: 1, data: numbers };
  const scaling =
    known === undefined
      ? fitScaling(column, "standard")
      : {
          method: "standard" as const,
          offsets: Float64Array.of(known.mean),
          scales: Float64Array.of(known.deviation),
        };
  return {
    scaled: applyScaling(scaling, column),
    scaling: { mean: scaling.offsets[0], deviation: scaling.scales[0] },
  };
}

/** The same objective on rows that are held out, their mean loss alone: F is as many of them as there are subfunctions. */
function validationOn(
  request: ObjectiveRequest,
  { points, labels = [] }: HeldOut,
  classes: Classes | undefined,
  targets: TargetScaling | undefined,
): FitValidation {
  const heldOut = { ...request, points, count: 1, lambda: 0 };
  const codes = classes === undefined ? noCodes : knownCodes(labels, classes);
  const scaled = targets && targetsOf(labels, targets).scaled;
  const sum = sumOf(heldOut, codes, classes?.names.length ?? 0, scaled);
  return { rows: points.rows, evaluate: (x) => sum.evaluate(0, x) };
}

/** @throws CurvatureError ERR_PARSE for a class that no other row has */
function knownCodes(labels: RowLabels, { names }: Classes): Int32Array {
  const areNumbers = typeof names[0] === "number";
  const codeOf = new Map(names.map((name, code) => [name, code]));
  return Int32Array.from(Array.from(labels, String), (label) => {
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
function classesOf(labels: RowLabels, wanted: "two" | "any", objective: string): Classes {
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
  return { names, codes: Int32Array.from({ length: labels.length }, (_, i) => codeOf.get(read[i]) ?? 0) };
}

/** @throws CurvatureError ERR_PARSE for an empty label */
export function checkLabels(labels: RowLabels): void {
  const empty = labels instanceof Float64Array ? -1 : labels.indexOf("");
  if (empty >= 0)
    throw wrongLabels(`Row ${empty + 1} of the data has no label. Give it one, or take the row out.`);
}

const wrongLabels = (message: string): CurvatureError =>
  new CurvatureError("ERR_PARSE", message, { path: "labels" });

/**
 * @param codes - of the rows' classes, for objectives that have them
 * @param targets - of a regression
 */
function sumOf(
  request: ObjectiveRequest,
  codes: Int32Array,
  classes: number,
  targets: DenseMatrix | undefined,
): MinibatchSum {
  const { objective, points, count, lambda, seed, hidden, activation, filterSide, decoder, contraction } =
    request;
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
      return targets === undefined
        ? multilayerPerceptron(points, codes, { ...seeded, hidden, activation, classes })
        : multilayerPerceptron(points, targets, { ...seeded, hidden, activation });
    case "convnet":
      return convolutionalNetwork(points, imageOf(request), codes, {
        ...seeded,
        maps: hidden?.slice(0, -1),
        dense: hidden?.at(-1),
        filterSide,
        classes,
      });
    case "autoencoder":
      return autoencoder(points, {
        ...{ ...seeded, hidden: hidden?.[0], contraction },
        decoder: decoder ?? (points.data.every((entry) => entry >= 0 && entry <= 1) ? "sigmoid" : "linear"),
      });
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
