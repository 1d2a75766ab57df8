/** The work of `curvature inspect --onnx`: a model as a file for ONNX Runtime. */
import { type ToOnnxOptions, toOnnx } from "@curvature/optim-sgdqn/onnx";
import type { Channel } from "./channel.js";
import { loadedModel, type ModelFile } from "./predict.js";

export interface OnnxTaskInput extends ToOnnxOptions {
  readonly model: ModelFile;
}

export const onnxTask = ({ model, precision }: OnnxTaskInput, _: Channel): Uint8Array =>
  toOnnx(loadedModel(model), { precision });
