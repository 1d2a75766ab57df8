/** Chains of dense layers, their place in x, and the door for their widths. */
import { anything, badOption, type Rule } from "@curvature/linalg";
import type { MatrixProduct } from "../sums/matrix-product.js";
import { layoutOf, type ParameterBlock } from "../sums/minibatch-sum.js";
import type { Activation } from "./activations.js";
import { DenseLayer, type Start } from "./dense.js";
import type { Stage } from "./network.js";

/** Checked by `checkedWidths`, which can name the entry. */
export const widths: Rule = anything;

/** @throws CurvatureError ERR_OPTION */
export function checkedWidths(where: string, given: readonly number[], name = "hidden"): readonly number[] {
  if (!Array.isArray(given))
    throw badOption(where, name, "an array of widths, whole numbers of at least 1", given);
  for (let l = 0; l < given.length; l++) {
    const width: unknown = given[l];
    if (typeof width !== "number" || !Number.isSafeInteger(width) || width < 1)
      throw badOption(where, `${name}[${l}]`, "a whole number of at least 1", width);
  }
  return [...given];
}

/**
 * Layers between the given sizes.
 *
 * @param sizes - of inputs, hidden layers and outputs
 * @param activations - one for each layer
 */
export function denseStages(
  sizes: readonly number[],
  activations: readonly Activation[],
  product: MatrixProduct,
  start: Start,
): { readonly layout: readonly ParameterBlock[]; readonly stages: readonly Stage[] } {
  const layout = layoutOf(
    activations.flatMap((_, l) => [
      [`weights ${l + 1}`, sizes[l + 1], sizes[l]] as const,
      [`biases ${l + 1}`, 1, sizes[l + 1]] as const,
    ]),
  );
  const stages = activations.map((activation, l) => ({
    layer: new DenseLayer(layout[2 * l], layout[2 * l + 1], product, start),
    activation,
  }));
  return { layout, stages };
}
