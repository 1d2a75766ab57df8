export { decimalBelow } from "./decimal-below.js";
export { DenseCholesky, inverse } from "./dense/cholesky.js";
export { squaredDistances, squaredDistancesBetween } from "./dense/distances.js";
export {
  type LinearLeastSquaresOptions,
  type LinearLeastSquaresResult,
  linearLeastSquares,
  linearLeastSquaresOptions,
} from "./dense/least-squares.js";
export { lostComponents } from "./dense/lost-components.js";
export {
  checkDenseForm,
  checkFinite,
  type DenseMatrix,
  type MatrixLike,
  type MlMatrixLike,
  toDense,
  zeros,
} from "./dense/matrix.js";
export { PivotedQr } from "./dense/pivoted-qr.js";
export {
  type PrincipalComponents,
  type PrincipalComponentsOptions,
  principalComponents,
  principalComponentsOptions,
} from "./dense/principal-components.js";
export type { PrincipalThreads } from "./dense/principal-threads.js";
export {
  gram,
  gramRows,
  matrixTimesVector,
  multiply,
  multiplyGenerated,
  multiplyTranspose,
  outerGram,
  symmetricTimesVector,
  transpose,
  transposeMultiply,
  transposeTimesVector,
} from "./dense/product.js";
export { type RelaxedSums, relaxedEntries, relaxRows, symmetricEntries } from "./dense/relaxed-rows.js";
export {
  type SingularValues,
  type Svd,
  type SvdOptions,
  singularValues,
  svd,
  svdOptions,
} from "./dense/svd.js";
export { type LanczosOptions, lanczos, lanczosOptions } from "./eigen/lanczos.js";
export {
  finishedPairs,
  type OperatorPairs,
  type SpectrumEnd,
  type SymmetricOperator,
} from "./eigen/operator.js";
export type { EigenPairs } from "./eigen/pairs.js";
export { type BlockEigenOptions, blockEigen, blockEigenOptions } from "./eigen/subspace.js";
export { symmetricEigen, symmetricEigenvalues } from "./eigen/symmetric.js";
export { tridiagonalEigen } from "./eigen/tridiagonal.js";
export { Tridiagonalization, type TridiagonalizationState } from "./eigen/tridiagonalization.js";
export {
  CurvatureError,
  type ErrorCode,
  type ErrorDetails,
  optionName,
  type Warning,
  warning,
  withOptionNames,
} from "./errors.js";
export { type ConvolutionShape, EvenConvolution } from "./fourier/even-convolution.js";
export { fastLength } from "./fourier/fast-length.js";
export { Fft } from "./fourier/fft.js";
export type { Column, Precision, TallColumns } from "./kernels/columns.js";
export { type Block, ProductWorkspace } from "./kernels/gemm.js";
export type { Panel } from "./kernels/generated.js";
export type { NearPairs } from "./kernels/near-pairs.js";
export { nearPairs } from "./kernels/near-pairs-search.js";
export type { PairKernel } from "./kernels/pairs.js";
export type { PairPrecision } from "./kernels/pairs-plane.js";
export { PlanePairs } from "./kernels/pairs-plane.js";
export { usePairThreads } from "./kernels/pairs-threads.js";
export { gemm } from "./kernels/product.js";
export { takeRowMemory } from "./kernels/row-memory.js";
export { type RowMemory, STEP_ROWS, type StepLoss } from "./kernels/row-steps.js";
export { installKernels } from "./kernels/table.js";
export { tallColumns } from "./kernels/tall-columns.js";
export { axpy, dot, maxAbs, norm2, powerOfTwoBelow, scale, squaredDistance, xpby } from "./kernels/vector.js";
export {
  atLeast,
  badArgument,
  badOption,
  between,
  callable,
  checkArgument,
  type DefaultedOption,
  either,
  finite,
  flag,
  havingMethod,
  instance,
  integerFrom,
  integerOrInfinity,
  nearestName,
  nonNegative,
  nonNegativeOrInfinity,
  numberThat,
  type Option,
  type OptionEntries,
  type OptionsOf,
  type OptionTable,
  object,
  oneOf,
  option,
  optionTable,
  positive,
  positiveOrInfinity,
  type Relation,
  type Rule,
  type SettingsOf,
  shown,
  strictlyBetween,
  text,
} from "./options.js";
export { exp } from "./portable/exp.js";
export { log, log1p } from "./portable/log.js";
export { cos, sin } from "./portable/trigonometric.js";
export { printable } from "./printable.js";
export {
  fillNormal,
  type Indexable,
  normal,
  permutation,
  RandomGenerator,
  sampleWithoutReplacement,
  shuffle,
} from "./random/generator.js";
export { applyScaling, fitScaling } from "./scaling.js";
export type { Scaling, ScalingMethod } from "./scaling-form.js";
export { selectRows } from "./select-rows.js";
export {
  LinearConjugateGradient,
  type LinearConjugateGradientOptions,
  type LinearConjugateGradientResult,
  type LinearOperator,
  linearConjugateGradientOptions,
} from "./solve/linear-conjugate-gradient.js";
export { type CholeskyOptions, choleskyOptions, SparseCholesky } from "./sparse/cholesky.js";
export {
  analyzeCholesky,
  type CholeskyAnalysis,
  type CholeskyAnalysisOptions,
  choleskyAnalysisOptions,
} from "./sparse/cholesky-analysis.js";
export { connectedComponents } from "./sparse/components.js";
export { type SparseMatrix, storedEntries } from "./sparse/csr.js";
export { type Components, DisjointSets } from "./sparse/disjoint-sets.js";
export { IncompleteCholesky } from "./sparse/incomplete-cholesky.js";
export { approximateMinimumDegree } from "./sparse/ordering-amd.js";
export { nestedDissection } from "./sparse/ordering-nested-dissection.js";
export { permuteSymmetric } from "./sparse/permute.js";
export { sparseTimesBlock, sparseTimesVector } from "./sparse/products.js";
export {
  lowerTriangle,
  sparseDiagonal,
  sparseRowSums,
  symmetricPart,
  transposeSparse,
} from "./sparse/structure.js";
export { isSparse, type MlSparseMatrixLike, type SparseMatrixLike, toSparse } from "./sparse/to-sparse.js";
export { fromTriplets, type Triplets } from "./sparse/triplets.js";
