/** `@curvature/linalg/onnx`: a writer of ONNX models, for packages whose models other programs are to compute with. */
export { OnnxBuilder, type OnnxPrecision } from "./builder.js";
export {
  type OnnxElement,
  type OnnxGraph,
  type OnnxNode,
  type OnnxTensor,
  type OnnxValue,
  onnxModel,
} from "./model.js";
