/**
 * The convolutional network: convolutions with rectified linear units, each with max pooling after it, one dense rectified
 * linear layer, and a softmax over the classes.
 *
 * The paper's (appendix D.6): CIFAR-10 images, 48 and 128 maps, 240 dense units, which are the defaults for the number of
 * units. The paper does not print the sides of filters and tiles; here they are 5 and 2, so that images of 32 × 32 become
 * 28, 14, 10 and 5 wide.
 */
import {
  badOption,
  CurvatureError,
  integerFrom,
  type MatrixLike,
  type OptionsOf,
  optionTable,
} from "@curvature/linalg";
import { layoutOf } from "../sums/layout.js";
import { type MinibatchSum, minibatchSum } from "../sums/minibatch-sum.js";
import {
  checkedClasses,
  checkedCount,
  checkedData,
  type Labels,
  labelsInMinibatches,
  minibatchEntries,
  minibatchesOf,
} from "../sums/minibatches.js";
import type { LayerShape, ModelShape } from "../sums/model.js";
import { type ImageShape, pixelsOf } from "./convolution.js";
import { widths } from "./dense-layers.js";
import { imageStages } from "./image-stages.js";
import { SoftmaxCrossEntropy } from "./losses.js";
import { Network, networkModel } from "./network.js";

export const convolutionalNetworkOptions = optionTable({
  /** Maps of each convolution. */
  maps: widths(0).default(Object.freeze([48, 128])),
  /** Side of the filters. */
  filterSide: integerFrom(1).default(5),
  /** Side of the tiles of the pooling; 1: none. */
  poolSide: integerFrom(1).default(2),
  /** Units of the dense layer. */
  dense: integerFrom(1).default(240),
  ...minibatchEntries(1e-4),
  /** K. Left out: one more than the largest label. */
  classes: integerFrom(2),
  /** Of the first point. */
  seed: integerFrom(0).default(0),
});
export type ConvolutionalNetworkOptions = OptionsOf<typeof convolutionalNetworkOptions>;

/**
 * Starts at normal weights of deviation 1/√inputs (of a unit) and biases 0. Blocks of x: "filters 1" (maps × channels
 * side²), "biases 1", …, "dense weights", "dense biases", "output weights", "output biases". Has Gauss-Newton products.
 *
 * @param images - D rows of channels × height × width numbers, channel by channel and row by row
 * @param shape - of an image
 * @param labels - D whole numbers from 0 to K − 1
 * @throws CurvatureError ERR_SHAPE, also where a filter does not fit or tiles do not cover an image; ERR_NON_FINITE,
 *   ERR_ARGUMENT (labels), ERR_OPTION, ERR_MEMORY
 */
export function convolutionalNetwork(
  images: MatrixLike,
  shape: ImageShape,
  labels: Labels,
  options?: ConvolutionalNetworkOptions,
): MinibatchSum {
  const name = "convolutionalNetwork";
  const settings = convolutionalNetworkOptions.resolve(name, options);
  const { maps, filterSide, poolSide, dense, lambda, seed } = settings;
  const data = checkedData(name, images, "images");
  checkShape(name, shape, data.columns);
  const checked = checkedClasses(name, labels, data.rows, settings.classes);
  const { classes } = checked;
  const count = checkedCount(name, data.rows, settings.count);
  const minibatches = minibatchesOf(data, count);
  const shapes = shapesOfImages(name, shape, maps, filterSide, poolSide);
  const pooled = pixelsOf(shapes[maps.length]);
  const layout = layoutOf([
    ...maps.flatMap((number, l) => [
      [`filters ${l + 1}`, number, shapes[l].channels * filterSide * filterSide] as const,
      [`biases ${l + 1}`, 1, number] as const,
    ]),
    ["dense weights", dense, pooled],
    ["dense biases", 1, dense],
    ["output weights", classes, dense],
    ["output biases", 1, classes],
  ]);
  const activation = "rectified-linear";
  const convolutions = maps.flatMap((channels, l): LayerShape[] => {
    const [filters, biases] = layout.slice(2 * l);
    const [image, pooledTo] = shapes.slice(l);
    const convolution = {
      kind: "convolution",
      image,
      side: filterSide,
      filters,
      biases,
      activation,
    } as const;
    if (poolSide === 1) return [convolution];
    const made = { channels, height: pooledTo.height * poolSide, width: pooledTo.width * poolSide };
    return [convolution, { kind: "max-pool", image: made, side: poolSide }];
  });
  const [W, b, V, c] = layout.slice(2 * maps.length);
  const layerOf = { kind: "dense", isTransposed: false } as const;
  const model: ModelShape = {
    inputs: data.columns,
    layout,
    layers: [
      ...convolutions,
      { ...layerOf, weights: W, biases: b, activation },
      { ...layerOf, weights: V, biases: c, activation: "linear" },
    ],
    link: "softmax",
  };
  const make = (rows: number) => imageStages(model.layers, rows, "scaled");
  const labelsOf = labelsInMinibatches(checked.labels, count);
  const loss = new SoftmaxCrossEntropy(labelsOf, classes);
  return minibatchSum(new Network(layout, make, minibatches, loss), {
    name,
    minibatches,
    model: networkModel(name, model, make),
    targets: labelsOf,
    shape: [filterSide, poolSide, dense, classes, shape.channels, shape.height, Float64Array.from(maps)],
    lambda,
    seed,
  });
}

function checkShape(name: string, shape: ImageShape, pixels: number): void {
  const { channels, height, width } =
    typeof shape === "object" && shape !== null
      ? shape
      : { channels: undefined, height: undefined, width: undefined };
  for (const [path, size] of [
    ["channels", channels],
    ["height", height],
    ["width", width],
  ] as const)
    if (typeof size !== "number" || !Number.isSafeInteger(size) || size < 1)
      throw badOption(name, `shape.${path}`, "a whole number of at least 1", size);
  if (pixelsOf(shape) === pixels) return;
  throw new CurvatureError(
    "ERR_SHAPE",
    `images of ${channels} x ${height} x ${width} have ${pixelsOf(shape)} numbers, but a row has ${pixels}.`,
    { where: name, path: "shape", expected: `${pixels} numbers`, received: pixelsOf(shape) },
  );
}

/** Of the image and of what each convolution with its pooling makes of it. */
function shapesOfImages(
  name: string,
  shape: ImageShape,
  maps: readonly number[],
  filterSide: number,
  poolSide: number,
): ImageShape[] {
  const shapes = [shape];
  maps.forEach((channels, l) => {
    const { height, width } = shapes[l];
    const [high, wide] = [height - filterSide + 1, width - filterSide + 1];
    if (high < 1 || wide < 1)
      throw new CurvatureError(
        "ERR_SHAPE",
        `filters of ${filterSide} x ${filterSide} do not fit into the ${height} x ${width} images of convolution ${l + 1}. Take smaller filters or fewer convolutions.`,
        { where: name, path: "filterSide", received: filterSide },
      );
    if (high % poolSide !== 0 || wide % poolSide !== 0)
      throw new CurvatureError(
        "ERR_SHAPE",
        `tiles of ${poolSide} x ${poolSide} do not cover the ${high} x ${wide} images that convolution ${l + 1} makes. Choose filterSide and poolSide so that they do.`,
        { where: name, path: "poolSide", received: poolSide },
      );
    shapes.push({ channels, height: high / poolSide, width: wide / poolSide });
  });
  return shapes;
}
