/** Chains of dense layers, their place in x, and the option for their widths. */
import { finite, type Option, option } from "@curvature/linalg";
import type { MatrixProduct } from "../sums/matrix-product.js";
import { layoutOf, type ParameterBlock } from "../sums/minibatch-sum.js";
import type { Activation } from "./activations.js";
import { DenseLayer, type Start } from "./dense.js";
import type { Stage } from "./network.js";

const isWidth = (width: unknown): width is number => Number.isSafeInteger(width) && Number(width) >= 1;

/** Of layers, `least` of them at least. */
export const widths = (least: number): Option<readonly number[]> =>
  option(
    `an array of whole numbers of at least 1${least === 0 ? "" : ", and not empty"}`,
    (value): value is readonly number[] =>
      Array.isArray(value) && value.length >= least && value.findIndex((width) => !isWidth(width)) < 0,
    (text) => text.split(",").map((width) => finite.read(width.trim())),
  );

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
