import { CurvatureError } from "@curvature/linalg";

/** The value of an evaluation that must be there at once. @throws CurvatureError ERR_ARGUMENT for a promise */
export function numberFrom(where: string, value: number | Promise<number>): number {
  if (typeof value === "number") return value;
  Promise.resolve(value).then(undefined, () => undefined); // its rejection, if any, has no other listener
  throw new CurvatureError(
    "ERR_ARGUMENT",
    `${where}: an evaluation of the sum returned no number. Terms must be evaluated at once, not by promises.`,
    { path: "evaluate", expected: "a number", received: value },
  );
}
