/** Calls of readers and generators. */
import * as datasets from "@curvature/datasets";
import { square } from "./arguments.ts";
import { bytesOf, type Call, call, drained, drainedStream } from "./call.ts";

const generated = (
  make: (options: object) => unknown,
  options: object,
  given: Record<string, number> = {},
): Call => call(() => [given], make, options);
const read = (
  reader: (source: Uint8Array, options: object) => unknown,
  text: string,
  options: object,
): Call => call(() => [bytesOf(text), {}], reader, options);

export const datasetCalls = {
  readCells: read(datasets.readCells, "a,b\n1,2\n", datasets.cellsOptions.defaults),
  readComparisons: read(datasets.readComparisons, "0,1,2\n1,2,0\n", datasets.comparisonsOptions.defaults),
  readComparisonFiles: call(
    () => [[{ name: "a.csv", source: bytesOf("0,1,2\n1,2,0\n") }], {}],
    datasets.readComparisonFiles,
    datasets.comparisonsOptions.defaults,
  ),
  readDistances: read(datasets.readDistances, "0,1\n1,0\n", datasets.distancesOptions.defaults),
  readLibsvm: read(datasets.readLibsvm, "1 1:2\n-1 2:3\n", datasets.libsvmOptions.defaults),
  streamLibsvm: read(
    (source, options) => drainedStream(datasets.streamLibsvm(source, options)),
    "1 1:2\n-1 2:3\n",
    datasets.libsvmStreamOptions.defaults,
  ),
  readPoints: read(datasets.readPoints, "1,2\n3,4\n", datasets.pointsOptions.defaults),
  readRows: read(datasets.readRows, "1,2\n3,4\n", datasets.tableOptions.defaults),
  readTable: read(datasets.readTable, "1,2\n3,4\n", datasets.tableOptions.defaults),
  readNpy: call(() => [datasets.writeNpy(square()), {}], datasets.readNpy, datasets.npyOptions.defaults),
  readMatrixMarket: call(
    () => ["%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2 3\n", {}],
    datasets.readMatrixMarket,
    datasets.matrixMarketOptions.defaults,
  ),
  readIdx: call(
    () => [Uint8Array.of(0, 0, 8, 2, 0, 0, 0, 1, 0, 0, 0, 1, 9), {}],
    datasets.readIdx,
    datasets.idxOptions.defaults,
  ),
  readIdxLabels: call(
    () => [Uint8Array.of(0, 0, 8, 1, 0, 0, 0, 1, 9), {}],
    datasets.readIdxLabels,
    datasets.idxOptions.defaults,
  ),
  writeCsv: call(
    () => [square(), {}],
    (...given) => drained(datasets.writeCsv(...given)),
    datasets.csvWriteOptions.defaults,
  ),
  writeCells: call(
    () => [[["a", 1]], {}],
    (...given) => drained(datasets.writeCells(...given)),
    datasets.cellsWriteOptions.defaults,
  ),
  writeJson: call(
    () => [square(), {}],
    (...given) => drained(datasets.writeJson(...given)),
    datasets.jsonWriteOptions.defaults,
  ),
  writeLibsvm: call(
    () => [square(), [1, 2, 3], {}],
    (...given) => drained(datasets.writeLibsvm(...given)),
    datasets.libsvmWriteOptions.defaults,
  ),
  writeNpy: call(() => [square()], datasets.writeNpy),
  closedLoops: generated(datasets.closedLoops, datasets.closedLoopsOptions.defaults, {
    loops: 2,
    pointsPerLoop: 4,
  }),
  curves: generated(datasets.curves, datasets.curvesOptions.defaults, { count: 2, side: 8 }),
  doubleSwissRoll: generated(datasets.doubleSwissRoll, datasets.doubleSwissRollOptions.defaults),
  gaussianBlobs: generated(datasets.gaussianBlobs, datasets.gaussianBlobsOptions.defaults),
  moons: generated(datasets.moons, datasets.moonsOptions.defaults),
  noisyGrid: generated(datasets.noisyGrid, datasets.noisyGridOptions.defaults, { side: 3 }),
  ring: generated(datasets.ring, datasets.ringOptions.defaults),
  halfRing: generated(datasets.halfRing, datasets.ringOptions.defaults),
  rings: generated(datasets.rings, datasets.ringsOptions.defaults),
  sCurve: generated(datasets.sCurve, datasets.sCurveOptions.defaults),
  swissRoll: generated(datasets.swissRoll, datasets.swissRollOptions.defaults),
  trefoilKnot: generated(datasets.trefoilKnot, datasets.trefoilKnotOptions.defaults),
  twoRings: generated(datasets.twoRings, datasets.twoRingsOptions.defaults),
};
