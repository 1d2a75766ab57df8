/** The two sets of several classes, and how well LIBLINEAR does on them. */
import type { DenseMatrix } from "@curvature/linalg";
import { linearLoss } from "@curvature/objectives/linear";
import { classScores, largestScore, type MulticlassProblem } from "../../src/multiclass/problem.js";
import { fixture } from "./rows.js";

/** Squared hinge with a regularised bias; λ is 1e-4 for letter and 1e-3 for pendigits. */
export function benchmark(name: "letter" | "pendigits", part: "train" | "test"): MulticlassProblem {
  const { rows, labels } = fixture(name, part);
  const [classes, lambda, first] = name === "letter" ? [26, 1e-4, 1] : [10, 1e-3, 0];
  const loss = linearLoss("squared-hinge");
  return {
    rows,
    labels: Int32Array.from(labels, (y) => y - first),
    classes,
    loss,
    lambda,
    bias: "regularized",
  };
}

/** Test errors in % of `liblinear-train -s 2 -B 1 -e 1e-8 -c <1/(2 λ n)>`, LIBLINEAR 2.30 of Debian 12. */
export const liblinearErrors = { letter: 30.26, pendigits: 11.0921 } as const;

export function errorPercent(problem: MulticlassProblem, parameters: DenseMatrix): number {
  const { data } = classScores(problem.rows, parameters, problem.bias);
  const { classes } = problem;
  const wrong = problem.labels.filter((label, i) => largestScore(data, i * classes, classes) !== label);
  return (100 * wrong.length) / problem.labels.length;
}
