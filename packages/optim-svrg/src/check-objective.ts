import { badOption } from "@curvature/linalg";

/** @throws CurvatureError ERR_OPTION unless it is an objective of `ordinalObjective`, as far as its parts show */
export function checkObjective(where: string, objective: unknown): void {
  const isObjective =
    typeof objective === "object" && objective !== null && "comparisons" in objective && "sum" in objective;
  if (!isObjective) throw badOption(where, "the objective", "an objective of ordinalObjective", objective);
}
