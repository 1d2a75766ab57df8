/** How a model does on rows that it has not seen, fold by fold. */
import { CurvatureError } from "@curvature/linalg";
import { failureOf } from "../run/failure.js";
import type { Channel } from "./channel.js";
import { type Figures, figuresOf, type LabeledData } from "./linear-model.js";
import { fitted, type ModelRequest } from "./model-fit.js";
import { foldOf, part } from "./row-selection.js";

/**
 * The figures of each fold, by a model that has not seen it; those until the signal comes. None where one is not to be had: the
 * mean of the others would make a setting look better than it is.
 */
export async function crossValidated(
  request: ModelRequest,
  data: LabeledData,
  folds: number | undefined,
  { signal, phase }: Channel,
  warn: (sentence: string) => unknown,
): Promise<Figures[]> {
  if (folds === undefined) return [];
  const { seed = 0 } = request.options;
  const fold = foldOf(data.labels, folds, request.kind === "classification", seed);
  const figures: Figures[] = [];
  for (let k = 0; k < folds && !signal.aborted; k++) {
    const name = `fold ${k + 1} of ${folds}`;
    phase(name);
    try {
      const kept = part(data, (i) => fold[i] !== k);
      const { model, result } = await fitted(request, kept, { signal });
      if (!result.usable) throw new CurvatureError("ERR_NO_CONVERGENCE", result.message);
      if (!signal.aborted)
        figures.push(
          figuresOf(
            model,
            part(data, (i) => fold[i] === k),
          ),
        );
    } catch (error) {
      if (signal.aborted) break;
      warn(`There is no cross-validated figure, since there is none of ${name}: ${failureOf(error).message}`);
      return [];
    }
  }
  return figures;
}
