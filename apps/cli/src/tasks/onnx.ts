/** The work of `curvature inspect --onnx`: a model of `train` or `fit` as a file for ONNX Runtime. */
import type { Scaling } from "@curvature/linalg";
import { OnnxBuilder } from "@curvature/linalg/onnx";
import { preparedNames } from "@curvature/linalg/tables";
import { networkToOnnx } from "@curvature/objectives/onnx";
import { featureNames } from "@curvature/optim-sgdqn";
import { type ToOnnxOptions, toOnnx } from "@curvature/optim-sgdqn/onnx";
import type { ModelFile } from "../read/model-file.js";
import type { Channel } from "./channel.js";
import { fitModelIn, isFitModel } from "./fit/fit-model.js";
import { linearModelIn } from "./predict.js";

export interface OnnxTaskInput extends ToOnnxOptions {
  readonly model: ModelFile;
}

export interface OnnxTaskOutput {
  readonly file: Uint8Array;
  /** The command that made the model. */
  readonly by: "train" | "fit";
  readonly warnings: readonly string[];
}

export function onnxTask({ model, precision }: OnnxTaskInput, _: Channel): OnnxTaskOutput {
  if (!isFitModel(model.bytes)) {
    const linear = linearModelIn(model);
    const { fitted } = linear;
    const warnings =
      precision === "float" && fitted !== undefined
        ? farWarnings(fitted.scaling, featureNames(fitted), doubleRemedy)
        : [];
    return { file: toOnnx(linear, { precision }), by: "train", warnings };
  }
  const fit = fitModelIn(model.path, model.bytes);
  const columns = fit.preparation === undefined ? undefined : preparedNames(fit.preparation);
  const hasConvolutions = fit.model.shape.layers.some(({ kind }) => kind === "convolution");
  const warnings =
    precision === "float" || hasConvolutions
      ? farWarnings(fit.scaling, columns ?? [], hasConvolutions ? "" : doubleRemedy)
      : [];
  return { file: networkToOnnx({ ...fit, columns }, { precision }), by: "fit", warnings };
}

const doubleRemedy = "leave --precision out, which takes double for such a model, or ";

/** Of columns that lie so far from 0 that float32 rounds off what they say. */
function farWarnings(scaling: Scaling | undefined, names: readonly string[], remedy: string): string[] {
  if (scaling === undefined || scaling.method === "unit-rows") return [];
  const { offsets, scales } = scaling;
  const far = Array.from(offsets.keys()).filter((j) => !OnnxBuilder.floatHolds(offsets[j], scales[j]));
  if (far.length === 0) return [];
  const SHOWN = 5;
  const listed = far
    .slice(0, SHOWN)
    .map((j) => (names[j] === undefined ? `column ${j}` : JSON.stringify(names[j])));
  const rest = far.length > SHOWN ? ` and ${far.length - SHOWN} more` : "";
  const [lie, spread, say] =
    far.length === 1 ? ["lies", "its spread", "it says"] : ["lie", "their spreads", "they say"];
  return [
    `${listed.join(", ")}${rest} ${lie} far from 0 beside ${spread}: single precision, of 24 bits, rounds off much of what ${say}, and the file's answers differ from those of curvature predict. To keep them ${remedy}train the model on values less a number near their mean.`,
  ];
}
