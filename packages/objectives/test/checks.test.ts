/** Every kind of objective refuses arrays and indices that do not fit it, in the same words. */
import type { CurvatureError } from "@curvature/linalg";
import { elasticEmbedding, outOfSampleObjective, sne, tsne } from "@curvature/objectives/embedding";
import {
  type LinearProblem,
  linearLoss,
  linearObjective,
  linearSum,
  primalCost,
  scores,
} from "@curvature/objectives/linear";
import { ordinalObjective } from "@curvature/objectives/ordinal";
import { softmaxRegression } from "@curvature/objectives/sums";
import { describe, expect, test } from "vitest";

const third = [
  [0, 1 / 6, 1 / 6],
  [1 / 6, 0, 1 / 6],
  [1 / 6, 1 / 6, 0],
];
const halves = third.map((row) => row.map((p) => 3 * p));
const rows = { rows: 3, columns: 2, data: Float64Array.of(1, 2, 3, 4, 5, 7) };
const problem: LinearProblem = {
  rows,
  targets: Float64Array.of(1, -1, 1),
  loss: linearLoss("logistic"),
  lambda: 0.1,
  bias: "free",
};
const comparisons = { objects: 5, quadruplets: Int32Array.of(0, 1, 2, 3, 1, 2, 3, 4) };
const few = ordinalObjective(comparisons, "ste", 2);
// too many pairs for their losses to be shared
const many = ordinalObjective({ ...comparisons, objects: 50 }, "ste", 2, { ridge: 0.1 });
const softmax = softmaxRegression(rows, [0, 1, 1], { count: 2 });

function refused(object: object, method: string, ...values: unknown[]): Partial<CurvatureError> {
  try {
    Reflect.apply(Reflect.get(object, method), object, values);
  } catch (error) {
    return error as CurvatureError;
  }
  return { message: `${method} took ${values.length} values` };
}

const bad = (length: number): unknown[] => [
  new Float64Array(length - 1),
  new Float64Array(length + 1),
  new Float32Array(length),
  Array.from({ length }, () => 0),
  null,
];

describe.each([
  { name: "tsne", objective: tsne(third) },
  { name: "sne", objective: sne(halves) },
  { name: "ee", objective: elasticEmbedding({ attraction: third, repulsion: "constant" }) },
  { name: "outOfSampleObjective", objective: outOfSampleObjective("tsne", rows, [[0.5, 0.25, 0.25]]) },
  { name: "ordinalObjective", objective: few },
  { name: "ordinalObjective", objective: many },
  { name: "linearObjective", objective: linearObjective(problem) },
  { name: "softmaxRegression", objective: softmax.whole },
])("$name", ({ name, objective }) => {
  const { dimension } = objective;
  const x = new Float64Array(dimension);
  const expected = `must be a Float64Array of length ${dimension}; received`;

  test("a point of another form", () => {
    for (const point of [...bad(dimension), undefined])
      expect(refused(objective, "evaluate", point)).toMatchObject({
        code: "ERR_SHAPE",
        path: "x",
        message: expect.stringContaining(`${name}: x ${expected}`),
      });
  });

  test("a gradient of another form", () => {
    for (const gradient of bad(dimension))
      expect(refused(objective, "evaluate", x, gradient)).toMatchObject({
        code: "ERR_SHAPE",
        path: "gradient",
        message: expect.stringContaining(`${name}: gradient ${expected}`),
      });
  });

  test("vectors of products with the Hessian", () => {
    if (objective.hessianVector === undefined) return;
    for (const vector of bad(dimension)) {
      expect(refused(objective, "hessianVector", vector, x, x)).toMatchObject({ path: "x" });
      expect(refused(objective, "hessianVector", x, vector, x)).toMatchObject({ path: "v" });
      expect(refused(objective, "hessianVector", x, x, vector)).toMatchObject({ path: "out" });
    }
  });
});

describe.each([
  { name: "ordinalObjective", sum: few.sum },
  { name: "linearSum", sum: linearSum(problem) },
  { name: "softmaxRegression", sum: softmax },
])("the parts of $name", ({ name, sum }) => {
  const x = new Float64Array(sum.dimension);

  test("an index that none has", () => {
    for (const index of [-1, sum.count, 0.5, Number.NaN])
      for (const method of ["evaluate", "evaluateSparse"])
        if (method in sum)
          expect(refused(sum, method, index, x, new Int32Array(8), new Float64Array(8))).toMatchObject({
            code: "ERR_ARGUMENT",
            path: "index",
            message: expect.stringContaining(`${name}: index must be a whole number from 0 to`),
          });
    expect(refused(sum, "evaluateBatch", Int32Array.of(0, sum.count), x)).toMatchObject({ path: "index" });
    expect(refused(sum, "evaluateBatch", [0], x)).toMatchObject({ code: "ERR_ARGUMENT", path: "indices" });
  });

  test("arrays of another form", () => {
    for (const vector of bad(sum.dimension)) {
      expect(refused(sum, "evaluate", 0, vector)).toMatchObject({ code: "ERR_SHAPE", path: "x" });
      expect(refused(sum, "evaluate", 0, x, vector)).toMatchObject({ path: "gradient" });
      expect(refused(sum, "evaluateBatch", Int32Array.of(0), vector)).toMatchObject({ path: "x" });
      if ("evaluateSparse" in sum)
        expect(refused(sum, "evaluateSparse", 0, vector, new Int32Array(8), x)).toMatchObject({ path: "x" });
    }
  });
});

test("one of the new points by itself", () => {
  const objective = outOfSampleObjective("tsne", rows, [[0.5, 0.25, 0.25]]);
  const x = new Float64Array(2);
  for (const method of ["evaluatePoint", "scaleAt"]) {
    expect(refused(objective, method, 1, x)).toMatchObject({ code: "ERR_ARGUMENT", path: "index" });
    for (const vector of bad(2)) expect(refused(objective, method, 0, vector)).toMatchObject({ path: "x" });
  }
});

test("scores and costs of a linear model", () => {
  const [w, out] = [new Float64Array(3), new Float64Array(3)];
  for (const vector of bad(3)) {
    expect(() => Reflect.apply(scores, undefined, [rows, vector, "free", out])).toThrow("scores: w must be");
    expect(() => Reflect.apply(scores, undefined, [rows, w, "free", vector])).toThrow("scores: out must be");
    expect(() => Reflect.apply(primalCost, undefined, [problem, vector])).toThrow("primalCost: w must be");
  }
});
