/**
 * Prints one line per solver: iterations and the SHA-256 of the bytes of a whole run (every iteration's value and
 * the final result). Runs the built packages under whichever Node calls it, with SIMD if called with `simd`.
 */
import { createHash } from "node:crypto";
import { moons } from "@curvature/datasets";
import { loadDigits } from "@curvature/datasets/digits";
import { loadEurodist } from "@curvature/datasets/eurodist";
import {
  DenseCholesky,
  outerGram,
  principalComponents,
  RandomGenerator,
  symmetricEigen,
} from "@curvature/linalg";
import { enableSimd } from "@curvature/linalg/simd";
import { nomad, separateCurves } from "@curvature/optim-sdp";
import { minimizeSum } from "@curvature/optim-sfo";
import { LinearClassifier } from "@curvature/optim-sgdqn";
import { embed } from "@curvature/optim-spectral";
import { ordinalEmbedding, tripletsFromDistances } from "@curvature/optim-svrg";

if (process.argv[2] === "simd" && !enableSimd()) throw new Error("There is no SIMD here.");
const { points, labels } = await loadDigits();
const few = { rows: 200, columns: points.columns, data: points.data.slice(0, 200 * points.columns) };

/** @param run - takes a listener, resolves with the result and its numbers */
async function hashRun(name, run) {
  const digest = createHash("sha256");
  const value = new Float64Array(1);
  const { result, numbers } = await run((iteration) => {
    value[0] = iteration.value ?? 0;
    digest.update(new Uint8Array(value.buffer));
  });
  digest.update(new Uint8Array(numbers.slice().buffer));
  process.stdout.write(`${name} ${result.iterations} ${digest.digest("hex")}\n`);
}

const hash = (name, options, data = few) =>
  hashRun(name, async (onIteration) => {
    const result = await embed(data, { perplexity: 12, seed: 3, tolerance: 0, ...options, onIteration });
    return { result, numbers: result.embedding.data };
  });

for (const solver of ["sd", "sd-lbfgs", "sdminus", "fp", "diagh", "gd", "cg", "lbfgs"]) {
  await hash(solver, { solver, maxIterations: 110 });
}
await hash("auto", { maxEvaluations: 140 });
const half = { rows: 400, columns: points.columns, data: points.data.slice(0, 400 * points.columns) };
for (const method of ["tsne", "ssne"])
  await hash(`auto ${method} in single precision`, { method, gradient: "single", maxEvaluations: 140 }, half);
await hash("auto ee", { method: "ee", maxEvaluations: 140 });
await hash("auto ssne", { method: "ssne", maxEvaluations: 140 });
await hash("sd sne, laplacian start", {
  method: "sne",
  solver: "sd",
  initialization: "laplacian",
  maxIterations: 110,
});
await hash("sd homotopy", { method: "ee", solver: "sd", homotopy: true, kappa: 20, maxIterations: 150 });

const digits = labels.subarray(0, few.rows);
for (const loss of ["logistic", "squared-hinge", "hinge"]) {
  await hashRun(`linear ${loss}`, async (onIteration) => {
    const model = new LinearClassifier({ loss });
    const result = await model.fit(few, digits, { onIteration });
    return { result, numbers: model.decisionFunction(few).data };
  });
}
for (const solver of ["newton", "dcd", "sgdqn", "svmsgd2", "asgd"]) {
  await hashRun(`linear ${solver}`, async (onIteration) => {
    const given = { loss: "squared-hinge", bias: "regularized", lambda: 0.05, scale: "max-abs", seed: 3 };
    const model = new LinearClassifier({ solver, ...given });
    const result = await model.fit(few, digits, { onIteration });
    return { result, numbers: model.decisionFunction(few).data };
  });
}

const { distances } = await loadEurodist();
const { train } = tripletsFromDistances(distances, { count: 1000, seed: 3 });
for (const solver of ["auto", "svrg-sbb", "sgd"]) {
  await hashRun(`ordinal ${solver}`, async (onIteration) => {
    const result = await ordinalEmbedding(train, { solver, seed: 3, maxPasses: 60, onIteration });
    return { result, numbers: result.embedding.data };
  });
}

const squares = {
  dimension: few.columns,
  count: 25,
  initial: new Float64Array(few.columns),
  /** Σ (aᵀx − 1)² / 100 + (aᵀx)⁴ / 10⁶ over every 25th row a. */
  evaluate(index, x, gradient) {
    let sum = 0;
    gradient?.fill(0);
    for (let i = index; i < few.rows; i += 25) {
      const a = few.data.subarray(i * few.columns, (i + 1) * few.columns);
      const s = a.reduce((total, entry, k) => total + entry * x[k], 0);
      sum += ((s - 1) * (s - 1)) / 100 + (s * s * s * s) / 1e6;
      const slope = (s - 1) / 50 + (4 * s * s * s) / 1e6;
      if (gradient !== undefined) for (let k = 0; k < few.columns; k++) gradient[k] += slope * a[k];
    }
    return sum;
  },
};
await hashRun("sfo", async (onIteration) => {
  const result = await minimizeSum(squares, { seed: 3, maxPasses: 10, onIteration });
  return { result, numbers: result.x };
});

for (const [input, data] of [
  ["points", few],
  ["gram", outerGram(few)],
]) {
  await hashRun(`nomad ${input}`, async (onIteration) => {
    const result = await nomad(data, { input, clusters: 8, seed: 3, onIteration });
    return { result, numbers: Float64Array.of(result.lower, result.upper, ...result.Q.data) };
  });
}
await hashRun("separateCurves", async (onIteration) => {
  const { points: curves } = moons({ pointsPerMoon: 120, spacing: "random", seed: 3 });
  const result = await separateCurves(curves, { onIteration });
  const cuts = result.kernels.flatMap((kernel) => kernel.cuts);
  return { result, numbers: Float64Array.from([...result.labels, ...cuts, result.cut, result.cutLower]) };
});

await hashRun("dense linear algebra", async () => {
  const G = outerGram(few);
  for (let i = 0; i < few.rows; i++) G.data[i * (few.rows + 1)] += 1;
  const { factor } = new DenseCholesky(G);
  const { values, vectors } = symmetricEigen(G);
  return { result: { iterations: 1 }, numbers: Float64Array.of(...factor.data, ...values, ...vectors.data) };
});

/** Points of which no matrix is formed. */
await hashRun("principal components of wide points", async () => {
  const random = new RandomGenerator(3);
  const data = Float64Array.from({ length: 1100 * 1301 }, (_, k) => random.uniform() / (1 + (k % 1301)));
  const { components, scores } = principalComponents({ rows: 1100, columns: 1301, data }, { count: 5 });
  return { result: { iterations: 1 }, numbers: Float64Array.of(...components.data, ...scores.data) };
});
