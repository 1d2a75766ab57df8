/** The work of `curvature inspect --onnx`: a model of `train` or `fit` as a file for ONNX Runtime. */
import { preparedNames } from "@curvature/linalg/tables";
import { networkToOnnx } from "@curvature/objectives/onnx";
import { type ToOnnxOptions, toOnnx } from "@curvature/optim-sgdqn/onnx";
import type { Channel } from "./channel.js";
import { fitModelIn, isFitModel } from "./fit/fit-model.js";
import { linearModelIn, type ModelFile } from "./predict.js";

export interface OnnxTaskInput extends ToOnnxOptions {
  readonly model: ModelFile;
}

export interface OnnxTaskOutput {
  readonly file: Uint8Array;
  /** The command that made the model. */
  readonly by: "train" | "fit";
}

export function onnxTask({ model, precision }: OnnxTaskInput, _: Channel): OnnxTaskOutput {
  if (!isFitModel(model.bytes)) return { file: toOnnx(linearModelIn(model), { precision }), by: "train" };
  const fit = fitModelIn(model.path, model.bytes);
  const columns = fit.preparation === undefined ? undefined : preparedNames(fit.preparation);
  return { file: networkToOnnx({ ...fit, columns }, { precision }), by: "fit" };
}
