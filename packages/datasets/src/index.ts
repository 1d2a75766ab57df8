export type { ByteSource } from "./formats/bytes.js";
export {
  type CellsOptions,
  type CellsWriteOptions,
  type CellTable,
  cellsOptions,
  cellsWriteOptions,
  readCells,
  writeCells,
} from "./formats/cells.js";
export { type AnswerFile, readComparisonFiles } from "./formats/comparison-files.js";
export { type ComparisonsOptions, comparisonsOptions } from "./formats/comparison-options.js";
export type { ComparisonTable } from "./formats/comparison-table.js";
export { readComparisons } from "./formats/comparisons.js";
export { type CsvWriteOptions, csvWriteOptions, writeCsv } from "./formats/csv-writer.js";
export {
  type DistancesOptions,
  type DistanceTable,
  distancesOptions,
  readDistances,
} from "./formats/distances.js";
export { type IdxOptions, idxOptions, readIdx, readIdxLabels } from "./formats/idx.js";
export { type JsonWriteOptions, jsonWriteOptions, writeJson } from "./formats/json-writer.js";
export {
  type LibsvmBatch,
  type LibsvmOptions,
  type LibsvmStreamOptions,
  libsvmOptions,
  libsvmStreamOptions,
  readLibsvm,
  streamLibsvm,
} from "./formats/libsvm.js";
export { type LibsvmWriteOptions, libsvmWriteOptions, writeLibsvm } from "./formats/libsvm-writer.js";
export {
  type MatrixMarketOptions,
  matrixMarketOptions,
  readMatrixMarket,
} from "./formats/matrix-market.js";
export { type NpyOptions, npyOptions, readNpy, writeNpy } from "./formats/npy.js";
export type { Table } from "./formats/table.js";
export type { Arc } from "./generators/arc.js";
export { type ClosedLoopsOptions, closedLoops, closedLoopsOptions } from "./generators/closed-loops.js";
export { type Curves, type CurvesOptions, curves, curvesOptions } from "./generators/curves.js";
export {
  type DoubleSwissRoll,
  type DoubleSwissRollOptions,
  doubleSwissRoll,
  doubleSwissRollOptions,
} from "./generators/double-swiss-roll.js";
export {
  type GaussianBlobsOptions,
  gaussianBlobs,
  gaussianBlobsOptions,
} from "./generators/gaussian-blobs.js";
export type { Groups } from "./generators/groups.js";
export { type MoonsOptions, moons, moonsOptions } from "./generators/moons.js";
export {
  type NoisyGrid,
  type NoisyGridOptions,
  noisyGrid,
  noisyGridOptions,
} from "./generators/noisy-grid.js";
export { halfRing, type RingOptions, ring, ringOptions } from "./generators/ring.js";
export { type RingsOptions, rings, ringsOptions } from "./generators/rings.js";
export { type SCurveOptions, sCurve, sCurveOptions } from "./generators/s-curve.js";
export type { Sheet } from "./generators/sheet.js";
export { type SwissRollOptions, swissRoll, swissRollOptions } from "./generators/swiss-roll.js";
export {
  type Knot,
  type TrefoilKnotOptions,
  trefoilKnot,
  trefoilKnotOptions,
} from "./generators/trefoil-knot.js";
export { type TwoRingsOptions, twoRings, twoRingsOptions } from "./generators/two-rings.js";
export {
  type PointsOptions,
  pointsOptions,
  type ReadPoints,
  readPoints,
} from "./tables/read-points.js";
export { readRows, readTable, type SparseRows } from "./tables/read-table.js";
export { type ReadTable, type TableOptions, tableOptions } from "./tables/table-form.js";
