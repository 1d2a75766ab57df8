import { CurvatureError, shown } from "@curvature/linalg";

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 1;

/** @throws CurvatureError ERR_ARGUMENT that says which part of the problem is missing or wrong */
export function checkProblem(problem: unknown): void {
  if (typeof problem !== "object" || problem === null)
    throw new CurvatureError(
      "ERR_ARGUMENT",
      `minimizeSum: the problem must be an object { dimension, count, evaluate }; received ${shown(problem)}.`,
      { path: "problem", received: problem },
    );
  for (const name of ["dimension", "count"] as const) {
    const value: unknown = name in problem ? Reflect.get(problem, name) : undefined;
    if (!isCount(value))
      throw new CurvatureError(
        "ERR_ARGUMENT",
        `minimizeSum: the problem's ${name} must be a whole number of at least 1; received ${shown(value)}.`,
        { path: `problem.${name}`, expected: "a whole number of at least 1", received: value },
      );
  }
  const evaluate: unknown = Reflect.get(problem, "evaluate");
  if (typeof evaluate !== "function")
    throw new CurvatureError(
      "ERR_ARGUMENT",
      `minimizeSum: the problem's evaluate must be a function (index, x, gradient?) that returns a number; received ${shown(evaluate)}.`,
      { path: "problem.evaluate", received: evaluate },
    );
}
