/** What a function of the caller's answers with: its value, or its value with its gradient. */
import { CurvatureError, shown } from "@curvature/linalg";

export const isJoint = (answer: unknown): answer is { readonly value: number; readonly gradient: unknown } =>
  typeof answer === "object" &&
  answer !== null &&
  "value" in answer &&
  typeof answer.value === "number" &&
  "gradient" in answer;

export const badAnswer = (where: string, expected: string, received: unknown): CurvatureError =>
  new CurvatureError("ERR_ARGUMENT", `f must return ${expected}; received ${shown(received)}.`, {
    ...{ where, path: "f", expected, received },
  });
