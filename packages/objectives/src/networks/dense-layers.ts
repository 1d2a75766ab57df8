/** Chains of dense layers, their place in x, and the option for their widths. */
import { finite, type Option, option } from "@curvature/linalg";
import { layoutOf } from "../sums/layout.js";
import type { ModelShape } from "../sums/model.js";
import type { ActivationName } from "./activations.js";

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
export function denseLayers(
  sizes: readonly number[],
  activations: readonly ActivationName[],
): Pick<ModelShape, "inputs" | "layout" | "layers"> {
  const layout = layoutOf(
    activations.flatMap((_, l) => [
      [`weights ${l + 1}`, sizes[l + 1], sizes[l]] as const,
      [`biases ${l + 1}`, 1, sizes[l + 1]] as const,
    ]),
  );
  const layers = activations.map(
    (activation, l) =>
      ({
        kind: "dense",
        weights: layout[2 * l],
        biases: layout[2 * l + 1],
        isTransposed: false,
        activation,
      }) as const,
  );
  return { inputs: sizes[0], layout, layers };
}
