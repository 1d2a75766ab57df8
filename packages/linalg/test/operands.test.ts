/** Operands that do not fit, thrown at every export: a CurvatureError that says where, not NaN, a TypeError or no end. */
import { describe, expect, test } from "vitest";
import * as linalg from "../src/index.js";
import * as ml from "../src/ml/index.js";
import * as onnx from "../src/onnx/index.js";
import * as simd from "../src/simd/index.js";
import * as threads from "../src/threads/index.js";
import { denseCalls } from "./operands/dense.js";
import { otherCalls } from "./operands/others.js";
import { sparseCalls } from "./operands/sparse.js";
import { subPathCalls } from "./operands/sub-paths.js";

/** What has operands, and a call for each way in which they do not fit. */
const refused = { ...denseCalls, ...sparseCalls, ...otherCalls, ...subPathCalls };

/** Kernels and inner loops, which say that they check nothing. */
const unchecked = [
  ...["axpy", "dot", "maxAbs", "norm2", "scale", "squaredDistance", "xpby"],
  ...[
    "gemm",
    "ProductWorkspace",
    "matrixTimesVector",
    "symmetricTimesVector",
    "transposeTimesVector",
    "nearPairs",
    "PivotedQr",
    "storedEntries",
  ],
  ...["installKernels", "usePairThreads"],
];

/** What has a result for every operand: functions of numbers, looks at values, errors, rules, constants. */
const total = [
  ...[
    "cos",
    "decimalBelow",
    "exp",
    "log",
    "log1p",
    "powerOfTwoBelow",
    "sin",
    "isSparse",
    "takeRowMemory",
    "STEP_ROWS",
  ],
  ...["CurvatureError", "badArgument", "badOption", "nearestName", "printable", "shown"],
  ...[
    "optionName",
    "withOptionNames",
    "warning",
    "optionTable",
    "option",
    "numberThat",
    "object",
    "instance",
  ],
  ...[
    "atLeast",
    "between",
    "strictlyBetween",
    "callable",
    "either",
    "finite",
    "flag",
    "havingMethod",
    "integerFrom",
  ],
  ...["integerOrInfinity", "nonNegative", "nonNegativeOrInfinity", "oneOf", "positiveOrInfinity"],
  ...["positive", "text", "simd: simdRefusal", "simd: disableSimd"],
  ...["lanczosOptions", "blockEigenOptions", "principalComponentsOptions", "linearConjugateGradientOptions"],
  ...[
    "choleskyOptions",
    "choleskyAnalysisOptions",
    "svdOptions",
    "linearLeastSquaresOptions",
    "finishedPairs",
  ],
];

test("every export is on one of the lists", () => {
  const exported = Object.entries({
    "": linalg,
    "ml: ": ml,
    "onnx: ": onnx,
    "simd: ": simd,
    "threads: ": threads,
  }).flatMap(([place, names]) => Object.keys(names).map((name) => place + name));
  expect([...Object.keys(refused), ...unchecked, ...total].sort()).toEqual(exported.sort());
});

describe.each(Object.entries(refused))("%s", (_, calls) => {
  test.each(Object.entries(calls))("%s", (_, call) => {
    expect(call).toThrowError(linalg.CurvatureError);
    expect(call).toThrowError(expect.objectContaining({ path: expect.any(String) }));
  });
});
