/** Where a fit begins, if its user says so: the parameters of a saved model, or numbers of a file. */
import { CurvatureError } from "@curvature/linalg";
import { preparedNames } from "@curvature/linalg/tables";
import { type FitModel, fitModelIn, isFitModel } from "./fit-model.js";
import type { FitProblem } from "./problem.js";

/** Plain data. */
export interface InitialPoint {
  readonly path: string;
  /** Of a model's file, or numbers. */
  readonly content: Uint8Array | Float64Array;
}

/**
 * @param rows - how those of the data become inputs, where they are data
 * @throws CurvatureError ERR_SHAPE for parameters of another problem, ERR_PARSE for a damaged model
 */
export function checkedInitial(
  { path, content }: InitialPoint,
  problem: FitProblem,
  rows: Pick<FitModel, "preparation" | "scaling"> | undefined,
): Float64Array {
  const { dimension, layout, model, classes } = problem;
  const refused = (what: string): CurvatureError =>
    new CurvatureError("ERR_SHAPE", `--initial: ${path} ${what}`, { path: "initial", received: path });
  const isModel = content instanceof Uint8Array;
  const saved = isModel && isFitModel(content) ? fitModelIn(path, content) : undefined;
  if (isModel && saved === undefined)
    throw refused(
      "is a model of another command. Take a model of curvature fit --objective, or a file of numbers.",
    );
  const numbers = saved?.parameters ?? (isModel ? new Float64Array(0) : content);
  if (numbers.length !== dimension) {
    const parts = (layout ?? []).map(({ name, rows, columns }) => `${name}: ${rows} x ${columns}`).join(", ");
    throw refused(
      `has ${numbers.length} parameters, and ${problem.name} has ${dimension}${parts === "" ? "" : ` (${parts})`}.`,
    );
  }
  if (saved === undefined) return numbers;
  if (JSON.stringify(saved.model.shape) !== JSON.stringify(model?.shape))
    throw refused(`is a ${saved.objective} of other layers. Give the sizes that it was fitted with.`);
  if (JSON.stringify(saved.classes) !== JSON.stringify(classes))
    throw refused(`has the classes ${saved.classes.join(", ")}, and the data have ${classes.join(", ")}.`);
  const columns = columnsOf(saved);
  const own = rows && columnsOf(rows);
  const k = columns?.findIndex((name, j) => name !== own?.[j]) ?? -1;
  if (columns !== undefined && own !== undefined && k >= 0)
    throw refused(
      `has ${JSON.stringify(columns[k])} as its column ${k + 1}, where the data have ${JSON.stringify(own[k])}. Begin with data of its columns, in its order.`,
    );
  const [its, ours] = [saved.scaling?.method, rows?.scaling?.method];
  if (its !== ours)
    throw refused(
      `was fitted to columns ${scaledInWords(its)}, and these are ${scaledInWords(ours)}. Give the --scale that it was fitted with.`,
    );
  return numbers;
}

const columnsOf = ({ preparation }: Pick<FitModel, "preparation">): readonly string[] | undefined =>
  preparation?.isNamed === true ? preparedNames(preparation) : undefined;

const scaledInWords = (method: string | undefined): string =>
  method === undefined ? "as they are" : `rescaled (${method})`;
