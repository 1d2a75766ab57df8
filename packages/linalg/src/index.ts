export {
  checkFinite,
  type DenseMatrix,
  type MatrixLike,
  type MlMatrixLike,
  toDense,
  zeros,
} from "./dense/matrix.js";
export { CurvatureError, type ErrorCode, type ErrorDetails } from "./errors.js";
export {
  anything,
  badOption,
  between,
  callback,
  checkOptions,
  either,
  flag,
  integerFrom,
  nearestName,
  nonNegative,
  oneOf,
  optional,
  positive,
  type Rule,
  type Rules,
  shown,
  text,
} from "./options.js";
export { RandomGenerator } from "./random/generator.js";
export type { SparseMatrix } from "./sparse/csr.js";
