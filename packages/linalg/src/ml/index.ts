/** `@curvature/linalg/ml`: the bridge to ml-matrix and ml-sparse-matrix, and the only place that loads them. */
export {
  choleskyDecomposition,
  eigenvalueDecomposition,
  luDecomposition,
  qrDecomposition,
  singularValueDecomposition,
} from "./decompositions.js";
export { fromMlSparse, toMlSparse } from "./sparse.js";
export { fromMl, MatrixView, toMl } from "./view.js";
