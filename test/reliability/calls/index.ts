/**
 * A valid call of the public functions and classes of every package, small enough to be made a thousand times. The
 * harness in `extremes-worker.ts` replaces one of their arguments, options or entries at a time. Kernels, which take
 * what their callers have checked (`dot`, `gemm`, `PlanePairs`, products and triangles of matrices …), are not called,
 * nor is the error class.
 */
import * as cluster from "@curvature/cluster";
import * as datasets from "@curvature/datasets";
import * as digits from "@curvature/datasets/digits";
import * as eurodist from "@curvature/datasets/eurodist";
import * as linalg from "@curvature/linalg";
import * as ml from "@curvature/linalg/ml";
import * as linalgOnnx from "@curvature/linalg/onnx";
import * as simd from "@curvature/linalg/simd";
import * as tables from "@curvature/linalg/tables";
import * as threads from "@curvature/linalg/threads";
import * as mapView from "@curvature/map-view";
import * as embedding from "@curvature/objectives/embedding";
import * as embeddingThreads from "@curvature/objectives/embedding/threads";
import * as linear from "@curvature/objectives/linear";
import * as networks from "@curvature/objectives/networks";
import * as networkOnnx from "@curvature/objectives/onnx";
import * as ordinal from "@curvature/objectives/ordinal";
import * as sums from "@curvature/objectives/sums";
import * as core from "@curvature/optim-core";
import * as sdp from "@curvature/optim-sdp";
import * as sfo from "@curvature/optim-sfo";
import * as sgdqn from "@curvature/optim-sgdqn";
import * as linearOnnx from "@curvature/optim-sgdqn/onnx";
import * as spectral from "@curvature/optim-spectral";
import * as spectralWorker from "@curvature/optim-spectral/worker";
import * as svrg from "@curvature/optim-svrg";
import { type Call, call } from "./call.ts";
import { coreCalls } from "./core.ts";
import { datasetCalls } from "./datasets.ts";
import { embeddingCalls } from "./embedding.ts";
import { linalgCalls } from "./linalg.ts";
import { linearCalls } from "./linear.ts";
import { mapViewCalls } from "./map-view.ts";
import { mlCalls } from "./ml.ts";
import { networkCalls } from "./networks.ts";
import { linalgOnnxCalls, linearOnnxCalls, networkOnnxCalls } from "./onnx.ts";
import { ordinalCalls } from "./ordinal.ts";
import { restoreCalls } from "./restore.ts";
import { sdpCalls } from "./sdp.ts";
import { sfoCalls } from "./sfo.ts";
import { sgdqnCalls } from "./sgdqn.ts";
import { spectralCalls, workerCalls } from "./spectral.ts";
import { sumCalls } from "./sums.ts";
import { svrgCalls } from "./svrg.ts";
import { tableCalls } from "./tables.ts";
import { threadCalls } from "./threads.ts";

interface Package {
  readonly exports: object;
  readonly calls: Readonly<Record<string, Call>>;
}

export const packages: Readonly<Record<string, Package>> = {
  linalg: { exports: linalg, calls: linalgCalls },
  "linalg/ml": { exports: ml, calls: mlCalls },
  "linalg/onnx": { exports: linalgOnnx, calls: linalgOnnxCalls },
  "linalg/simd": { exports: simd, calls: {} },
  "linalg/tables": {
    exports: tables,
    calls: tableCalls,
  },
  "linalg/threads": { exports: threads, calls: threadCalls },
  "map-view": { exports: mapView, calls: mapViewCalls },
  datasets: { exports: datasets, calls: datasetCalls },
  "datasets/digits": { exports: digits, calls: {} },
  "datasets/eurodist": { exports: eurodist, calls: {} },
  "objectives/embedding": { exports: embedding, calls: embeddingCalls },
  "objectives/embedding/threads": {
    exports: embeddingThreads,
    calls: {
      embeddingThreads: call(
        () => [1],
        (...given) => embeddingThreads.embeddingThreads(...given).close(),
      ),
    },
  },
  "objectives/linear": { exports: linear, calls: linearCalls },
  "objectives/ordinal": { exports: ordinal, calls: ordinalCalls },
  "objectives/networks": { exports: networks, calls: networkCalls },
  "objectives/onnx": { exports: networkOnnx, calls: networkOnnxCalls },
  "objectives/sums": { exports: sums, calls: sumCalls },
  "optim-core": { exports: core, calls: coreCalls },
  "optim-spectral": { exports: spectral, calls: spectralCalls },
  "optim-spectral/worker": { exports: spectralWorker, calls: workerCalls },
  "optim-sdp": { exports: sdp, calls: sdpCalls },
  "optim-sfo": { exports: sfo, calls: sfoCalls },
  "optim-svrg": { exports: svrg, calls: svrgCalls },
  "optim-sgdqn": { exports: sgdqn, calls: sgdqnCalls },
  "optim-sgdqn/onnx": { exports: linearOnnx, calls: linearOnnxCalls },
  cluster: { exports: cluster, calls: {} },
  "all solvers": { exports: {}, calls: restoreCalls },
};
