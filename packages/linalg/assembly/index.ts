/** The WebAssembly module of `@curvature/linalg/simd`: one file for each family of kernels. */
export { multiplyPanels } from "./gemm";
export { pairForces32, pairForces64, pairSum64 } from "./pairs";
export { cholesky } from "./cholesky";
export { rotate } from "./rotations";
export { reduce, timesSymmetric } from "./tridiagonal";
export { nearPairs, packPanels, distances } from "./near-pairs";
export {
  decay,
  renew,
  rowSteps32,
  rowSteps64,
} from "./row-steps";
export {
  addColumns32,
  addColumns64,
  dotColumns32,
  dotColumns64,
  multiplyColumns32,
  multiplyColumns64,
} from "./columns";
export { transform } from "./fourier";
export { foldEven, foldOdd, merge, multiplyHalf, separate, unfold } from "./half-steps";
export { solvePair } from "./supernodes";
export { relax } from "./relaxed-pairs";
