/**
 * What a stranger does first with each package, as the body of an async function of `imported` (the package's modules by
 * their specifiers) and `expect(condition)`. It runs as ESM and CommonJS in Node, and bundled in a context that has what
 * browsers have and nothing of Node.
 */
export interface Consumer {
  readonly program: string;
  /** Why there is no browser bundle of it, where there is none. */
  readonly notForBrowsers?: string;
  /** What comes along in an install, of the house. */
  readonly brings: readonly string[];
  /** Optional peer dependencies that the program needs, which are installed beside the package. */
  readonly peers?: readonly string[];
}

const twoRings = `
const points = Array.from({ length: 30 }, (_, i) => {
  const [angle, radius] = [(2 * Math.PI * i) / 15, i < 15 ? 1 : 0.5];
  return [radius * Math.cos(angle), radius * Math.sin(angle)];
});`;

export const consumers: Readonly<Record<string, Consumer>> = {
  "@curvature/linalg": {
    brings: [],
    peers: ["ml-matrix", "ml-sparse-matrix"],
    program: `
      const { CurvatureError, DenseCholesky, multiply, toDense, zeros } = imported["@curvature/linalg"];
      const product = () => multiply(toDense([[1, 2], [3, 4]], "A"), toDense([[5], [6]], "B"), zeros(2, 1)).data.join();
      expect(product() === "17,39");
      const { enableSimd } = imported["@curvature/linalg/simd"];
      expect(enableSimd() === true && product() === "17,39"); // in the one linalg that is loaded
      const threads = imported["@curvature/linalg/threads"].startThreads(1, 1000);
      expect(threads.count === 1);
      threads.close();
      const odd = imported["@curvature/linalg/tables"].dataWarnings(zeros(12, 2), { labels: Float64Array.from({ length: 12 }, (_, i) => i) });
      expect(odd.length === 0);
      const { luDecomposition, toMl } = imported["@curvature/linalg/ml"];
      const ml = toMl(toDense([[2, 0], [0, 3]], "A"));
      expect(ml.rows === 2 && Math.abs(luDecomposition(toDense([[2, 0], [0, 3]], "A")).determinant - 6) < 1e-12);
      try {
        toDense([[Number.NaN]], "A");
        expect(false);
      } catch (error) {
        expect(error instanceof CurvatureError && error.code === "ERR_NON_FINITE");
      }
      expect(new DenseCholesky(toDense([[4]], "A")).factor.data[0] === 2);`,
  },
  "@curvature/map-view": {
    brings: ["linalg"],
    program: `
      const { htmlMap, svgMap } = imported["@curvature/map-view"];
      const map = [[0, 0], [1, 2], [3, 1]];
      const names = ["Ada", "Ben", "<Cy>"];
      expect(svgMap(map, { names }).includes(">Ben</text>"));
      expect(htmlMap(map, { names }).startsWith("<!doctype html>"));
      const { areNames } = imported["@curvature/map-view/pictures"];
      expect(!areNames(names));
      try {
        imported["@curvature/map-view/mount"].mountMap(undefined, map);
        expect(false);
      } catch (error) {
        expect(error.code === "ERR_ARGUMENT");
      }`,
  },
  "@curvature/webgpu": {
    brings: ["linalg"],
    program: `
      const { nearestOnGpu, openGpu } = imported["@curvature/webgpu"];
      try {
        const gpu = await openGpu();
        expect((await nearestOnGpu(gpu, [[0], [1], [3]], 1)).indices.join() === "1,0,1");
        gpu.close();
      } catch (error) {
        expect(error.code === "ERR_DEVICE"); // most machines of tests have none
      }
      expect(imported["@curvature/webgpu/kernels"].singleBits(1) === 0x3f800000);`,
  },
  "@curvature/optim-core": {
    brings: ["linalg"],
    program: `
      const { gradientNormBelow, Lbfgs, maxIterations, run } = imported["@curvature/optim-core"];
      const bowl = {
        dimension: 2,
        evaluate(x, gradient) {
          gradient?.set([x[0], 9 * x[1]]);
          return 0.5 * (x[0] * x[0] + 9 * x[1] * x[1]);
        },
      };
      const solver = () => new Lbfgs(bowl, Float64Array.of(3, 4));
      const result = await run(solver(), { stop: [gradientNormBelow(1e-8), maxIterations(50)] });
      expect(result.status === "converged" && result.value < 1e-12);
      const { solverConformance } = imported["@curvature/optim-core/conformance"];
      const checks = solverConformance({
        name: "lbfgs",
        create: (seed, faults) => new Lbfgs(faults.objective(bowl), Float64Array.of(3, 4)),
      });
      expect(checks.length > 5);
      await checks[0].check();`,
  },
  "@curvature/objectives": {
    brings: ["linalg", "optim-core"],
    program: `
      const { entropicAffinities, jointAffinities, tsne } = imported["@curvature/objectives/embedding"];
      const points = Array.from({ length: 20 }, (_, n) => [n % 3, n / 3, (n * n) % 7]);
      const objective = tsne(jointAffinities(entropicAffinities(points, { perplexity: 5 }).conditional));
      const X = Float64Array.from({ length: objective.dimension }, (_, k) => ((k * 37) % 11) / 11);
      expect(objective.evaluate(X, new Float64Array(X.length)) + objective.entropyConstant > 0);
      const threads = imported["@curvature/objectives/embedding/threads"].embeddingThreads(1);
      expect(threads.count === 1);
      threads.close();
      const { errorShare } = imported["@curvature/objectives/ordinal"];
      const comparisons = { objects: 3, quadruplets: Int32Array.of(0, 1, 0, 2) };
      expect(errorShare(comparisons, Float64Array.of(0, 1, 2)) === 0);
      const { multilayerPerceptron } = imported["@curvature/objectives/networks"];
      const labels = points.map(([a]) => (a > 1 ? 1 : 0));
      const sum = multilayerPerceptron(points, labels, { hidden: [4], count: 2, seed: 1 });
      expect(sum.evaluate(0, sum.initial) > 0);
      for (const part of ["linear", "sums"])
        expect(Object.values(imported["@curvature/objectives/" + part]).some((each) => typeof each === "function"));`,
  },
  "@curvature/datasets": {
    brings: ["linalg"],
    program: `
      const { readPoints, swissRoll } = imported["@curvature/datasets"];
      const text = "length,width,species\\n5.1,3.5,setosa\\n6.3,3.3,virginica\\n";
      const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0));
      const { points, labels } = await readPoints(bytes, { name: "flowers.csv", labels: "species" });
      expect(points.rows === 2 && points.columns === 2 && labels[1] === "virginica");
      expect(swissRoll({ count: 10, seed: 7 }).points.rows === 10);
      expect((await imported["@curvature/datasets/digits"].loadDigits()).points.rows === 1797);
      expect(imported["@curvature/datasets/eurodist"].loadEurodist().names.length === 21);`,
  },
  "@curvature/optim-spectral": {
    brings: ["linalg", "objectives", "optim-core", "webgpu"],
    program: `
      const { embed } = imported["@curvature/optim-spectral"];
      const points = Array.from({ length: 30 }, (_, i) => [i % 5, Math.floor(i / 5), (i * 7) % 11]);
      const result = await embed(points, { perplexity: 5, maxEvaluations: 10 });
      expect(result.embedding.rows === 30 && result.klDivergence > 0);
      expect((await result.transform([[1, 1, 7]])).embedding.columns === 2);
      const { setWorkerScript } = imported["@curvature/optim-spectral/worker"];
      setWorkerScript(undefined);`,
  },
  "@curvature/optim-sdp": {
    brings: ["linalg", "optim-core"],
    program: `
      const { nomad } = imported["@curvature/optim-sdp"];${twoRings}
      const { lower, upper, labels } = await nomad(points, { clusters: 6 });
      expect(lower <= upper && labels.length === 30);`,
  },
  "@curvature/optim-sfo": {
    brings: ["linalg", "optim-core"],
    program: `
      const { minimizeSum } = imported["@curvature/optim-sfo"];
      const { x } = await minimizeSum({
        dimension: 1,
        count: 4,
        initial: Float64Array.of(9),
        evaluate(i, at, gradient) {
          gradient?.set([2 * (at[0] - i)]);
          return (at[0] - i) ** 2;
        },
      });
      expect(Math.abs(x[0] - 1.5) < 1e-6);`,
  },
  "@curvature/optim-sgdqn": {
    brings: ["linalg", "objectives", "optim-core"],
    program: `
      const { LinearClassifier, loadModel, saveModel } = imported["@curvature/optim-sgdqn"];${twoRings}
      const labels = points.map(([x]) => (x > 0 ? "right" : "left"));
      const model = new LinearClassifier({ lambda: 1e-3 });
      await model.fit(points, labels);
      expect(model.score(points, labels) > 0.9);
      expect(loadModel(saveModel(model)).predict(points).length === 30);
      expect(imported["@curvature/optim-sgdqn/onnx"].toOnnx(model).length > 500);`,
  },
  "@curvature/optim-svrg": {
    brings: ["linalg", "objectives", "optim-core"],
    program: `
      const { ordinalEmbedding, tripletsFromPoints } = imported["@curvature/optim-svrg"];${twoRings}
      const { train } = tripletsFromPoints(points.slice(0, 10), { count: 200, seed: 1 });
      const { embedding } = await ordinalEmbedding(train, { solver: "svrg-sbb", maxPasses: 20, seed: 1 });
      expect(embedding.rows === 10 && embedding.columns === 2);`,
  },
  "@curvature/cluster": {
    brings: ["linalg", "optim-core"],
    notForBrowsers: "it starts threads and talks to Redis",
    program: `
      const { sweep } = imported["@curvature/cluster"];
      const executor = {
        async *run(units) {
          for (const { id, seed } of [...units].reverse()) yield { id, status: "done", result: seed, seconds: 0 };
        },
        forget: async () => undefined,
        close: async () => undefined,
      };
      const results = [];
      const plan = { command: "fit", grid: { rank: [1, 2] }, restarts: 2, seed: 7 };
      for await (const end of sweep(plan, executor)) results.push(end.result);
      expect(results.join() === "7,8,7,8");
      expect(typeof imported["@curvature/cluster/redis"].bullmqExecutor === "function");`,
  },
};
