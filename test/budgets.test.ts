// @module-tag full
/**
 * What one import costs in an app for browsers, minified and gzipped, and what must not come along with it.
 *
 * `own` counts the package's own part that is loaded at once, `all` what is loaded at once of the house, `later` what the
 * package may load of its own on demand, all of it. Budgets leave some five per cent of room above what was measured;
 * whoever needs more raises the number here, and so sees it.
 *
 * A façade (`embed`, `nomad`, …) keeps within 8 KiB: its solvers come when it is called and its options are in order. That
 * is so with bundlers that look at what is used of a file (those of Vite, Rollup, webpack); esbuild loads all at once. A
 * solver that is imported by name keeps within 8 KiB, too, but for three.
 */
import { readdirSync, readFileSync } from "node:fs";
import { builtinModules, stripTypeScriptTypes } from "node:module";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { bundle } from "./bundle.ts";

const root = resolve(import.meta.dirname, "..");

interface Budget {
  readonly from: string;
  readonly names: readonly string[];
  /** KiB */
  readonly own: number;
  /** KiB */
  readonly all: number;
  /** KiB; nothing unless it is said. */
  readonly later?: number;
  /** Packages of the house that may come along. */
  readonly brings: readonly string[];
  /** Solvers of `optim-core` that it uses. */
  readonly solvers?: readonly string[];
  /** Whether it is there to load WebAssembly. */
  readonly simd?: boolean;
}

const linalg: readonly string[] = [];
const core = ["linalg"];
const objective = ["linalg", "optim-core"];
const solver = ["linalg", "objectives", "optim-core"];

/** The vectors' kernels beside dense matrices: the smallest that one can do anything with. */
const vectors = ["toDense", "zeros", "axpy", "dot", "maxAbs", "norm2", "scale", "squaredDistance", "xpby"];

const budgets: readonly Budget[] = [
  { from: "linalg", names: vectors, own: 2.2, all: 2.2, brings: linalg },
  { from: "linalg", names: ["multiply"], own: 2.3, all: 2.3, brings: linalg },
  { from: "linalg", names: ["SparseCholesky"], own: 13.8, all: 13.8, brings: linalg },
  { from: "linalg/onnx", names: ["OnnxBuilder", "onnxModel"], own: 3.6, all: 3.6, brings: linalg },
  { from: "linalg/simd", names: ["enableSimd"], own: 19, all: 19, brings: linalg, simd: true },
  { from: "linalg/threads", names: ["startThreads"], own: 13.3, all: 13.3, brings: linalg, simd: true },
  { from: "optim-core", names: ["run"], own: 6.4, all: 7.9, brings: core },
  { from: "optim-core", names: ["Lbfgs"], own: 9.7, all: 11.5, brings: core },
  { from: "optim-core", names: ["minimize"], own: 2.5, all: 4.2, later: 34, brings: core },
  { from: "optim-core", names: ["Adam"], own: 5.3, all: 7.1, brings: core, solvers: ["adam"] },
  { from: "optim-core", names: ["Lbfgs", "run"], own: 14.9, all: 16.5, brings: core },
  { from: "optim-core", names: ["leastSquares"], own: 2.6, all: 4.4, later: 21.8, brings: core },
  { from: "map-view", names: ["svgMap"], own: 10.3, all: 14, brings: core },
  { from: "map-view", names: ["htmlMap"], own: 15.4, all: 18.4, brings: core }, // with the viewer's program, as text
  { from: "map-view/mount", names: ["mountMap"], own: 14.5, all: 18.2, brings: core },
  { from: "objectives/embedding", names: ["tsne"], own: 13.7, all: 25.2, brings: objective },
  { from: "objectives/embedding", names: ["entropicAffinities"], own: 13.2, all: 18.8, brings: core },
  {
    from: "objectives/embedding/threads", // with the program of its threads, and the WebAssembly that they are given
    names: ["embeddingThreads"],
    own: 39.4,
    all: 54.5,
    brings: objective,
    simd: true,
  },
  { from: "objectives/linear", names: ["linearLoss"], own: 1.1, all: 3.4, brings: objective },
  { from: "objectives/ordinal", names: ["ordinalObjective"], own: 5.4, all: 8.5, brings: objective },
  { from: "objectives/networks", names: ["multilayerPerceptron"], own: 5.1, all: 10.8, brings: objective },
  { from: "objectives/onnx", names: ["networkToOnnx"], own: 7.2, all: 14, brings: core },
  { from: "datasets", names: ["readTable"], own: 7.7, all: 9.4, later: 33.5, brings: core },
  { from: "datasets", names: ["readPoints"], own: 7.9, all: 14.2, later: 33.5, brings: core },
  { from: "datasets", names: ["swissRoll"], own: 1.3, all: 4.2, brings: core },
  {
    from: "optim-spectral",
    names: ["embed"],
    own: 0.97,
    all: 3.6,
    later: 26.9,
    brings: solver,
    solvers: ["cg", "gd"],
  },
  { from: "optim-spectral/worker", names: ["embed"], own: 4, all: 8.8, later: 4, brings: solver },
  {
    from: "optim-sdp",
    names: ["nomad"],
    own: 0.9,
    all: 3.2,
    later: 42.8,
    brings: objective,
    solvers: ["cg", "lbfgsb"],
  },
  { from: "optim-sfo", names: ["minimizeSum"], own: 1.4, all: 4.1, later: 21.2, brings: objective },
  {
    from: "optim-svrg",
    names: ["ordinalEmbedding"],
    own: 9,
    all: 36.6,
    later: 14.2,
    brings: solver,
    solvers: ["gd", "sgd"],
  },
  {
    from: "optim-sgdqn",
    names: ["LinearClassifier"],
    own: 9.8,
    all: 33,
    later: 59.6,
    brings: solver,
    solvers: ["sgd"],
  },
  {
    from: "optim-sgdqn",
    names: ["LinearRegressor"],
    own: 6.7,
    all: 29.6,
    later: 58.5,
    brings: solver,
    solvers: ["sgd"],
  },
  { from: "optim-sgdqn/onnx", names: ["toOnnx"], own: 3.2, all: 14.5, brings: solver },
  { from: "optim-sgdqn", names: ["createLearner"], own: 5.1, all: 8.5, brings: solver, solvers: ["sgd"] },
];

/** What a solver that is imported by name costs of its own package, in KiB. */
const solvers: readonly (readonly [from: string, name: string, own: number])[] = [
  ["optim-spectral", "PartialHessian", 8],
  ["optim-spectral", "HomotopyLbfgs", 8],
  ["optim-spectral", "Homotopy", 8],
  ["optim-sdp", "Multipliers", 8],
  ["optim-sdp", "ConditionalGradient", 8],
  ["optim-sdp", "Admm", 8],
  ["optim-sdp", "BurerMonteiro", 10.2],
  ["optim-sfo", "Sfo", 15.1],
  ["optim-svrg", "Svrg", 8],
  ["optim-svrg", "GramDescent", 8],
  ["optim-sgdqn", "Newton", 14.6],
  ["optim-sgdqn", "DualCoordinateDescent", 8],
  ["optim-sgdqn", "LinearLbfgs", 9],
];

const coreSolvers = [
  ...["adagrad", "adam", "cg", "gd", "hessian-free", "lbfgsb"],
  ...["minibatch-lbfgs", "momentum", "sag", "sgd"],
];

/** How a WebAssembly module begins, as linalg's `assembly/build.mjs` writes it. */
const WASM = "(}/}A};";

/** Packages for work past one machine, ml-matrix, and modules of Node's by a name that a bundler would look for. */
const unwanted =
  /\b(bullmq|ioredis|redis)\b|["'`](ml-matrix|ml-sparse-matrix)["'`]|\b(require\(|from\s*|import\s*)["'](node:)?(fs|os|path|zlib|worker_threads)["']/;

const kib = (text: string): number => gzipSync(text, { level: 9 }).length / 1024;

describe.each(budgets)(
  "$names from $from",
  ({ from, names, own, all, later, brings, solvers = [], simd = false }) => {
    const code = `export { ${names.join(", ")} } from "@curvature/${from}";`;
    const home = from.split("/")[0];

    test(`${own} KiB of its own`, async () => {
      const part = await bundle(code, root, { only: `@curvature/${home}` });
      expect(part.text.length).toBeGreaterThan(300);
      expect(kib(part.text)).toBeLessThan(own);
      expect(part.later === "" ? 0 : kib(part.later)).toBeLessThanOrEqual(later ?? 0);
    });

    test(`${all} KiB in all, and nothing that was not asked for`, async () => {
      const whole = await bundle(code, root);
      expect(kib(whole.text)).toBeLessThan(all);
      expect(whole.external).toEqual([]);
      const homes = new Set(whole.sources.map(homeOf));
      for (const each of homes) expect([home, ...brings]).toContain(each);
      expect(unwanted.exec(whole.text)?.[0]).toBeUndefined();
      expect(whole.text.includes(WASM)).toBe(simd);
      const others = coreSolvers.filter((name) => whole.text.includes(`name="${name}"`));
      for (const each of others) expect(solvers).toContain(each);
    });
  },
);

test.each(solvers)("%s: %s alone, at most %s KiB of its own", async (from, name, own) => {
  const part = await bundle(`export { ${name} } from "@curvature/${from}";`, root, {
    only: `@curvature/${from}`,
  });
  expect(part.text.length).toBeGreaterThan(300);
  expect(kib(part.text)).toBeLessThan(own);
});

/** The package of the house that a file of a bundle is of, or the file where it is of none. */
function homeOf(path: string): string {
  return /(?:^|\/)packages\/([^/]+)\/dist\//.exec(path)?.[1] ?? path;
}

/** Packages whose README says what its first example costs in a page; `cluster` is for Node alone. */
const stated = readdirSync(join(root, "packages")).filter((name) => name !== "cluster");

test.each(stated)(
  "the README of %s says what its first example loads, with all that it imports",
  async (name) => {
    const text = readFileSync(join(root, "packages", name, "README.md"), "utf8");
    const example = /^```ts\n([\s\S]*?)^```/m.exec(text)?.[1] ?? "";
    const { text: atOnce, later } = await bundle(stripTypeScriptTypes(example, { mode: "strip" }), root);
    const said = /^In a page this example loads ([\d.]+) KiB(?:, and at most ([\d.]+) more on demand)?/m.exec(
      text,
    );
    const measured = [atOnce, later].map((part) => (part === "" ? 0 : kib(part)));
    process.stdout.write(`${name}: ${measured.map((size) => size.toFixed(1)).join(" and ")} KiB\n`);
    for (const [k, size] of measured.entries()) {
      const words = Number(said?.[k + 1] ?? 0);
      expect(size).toBeLessThanOrEqual(words);
      expect(size).toBeGreaterThanOrEqual(0.9 * words);
    }
  },
);

test("SIMD adds at most 15,000 bytes to the whole of linalg", async () => {
  const all = `export * from "@curvature/linalg";`;
  const bytes = async (code: string): Promise<number> =>
    gzipSync((await bundle(code, root)).text, { level: 9 }).length;
  const added =
    (await bytes(`${all} export { enableSimd } from "@curvature/linalg/simd";`)) - (await bytes(all));
  process.stdout.write(`SIMD adds ${added} bytes of gzip\n`);
  expect(added).toBeLessThan(15_000);
});

test("threads, and with them WebAssembly, are loaded when somebody asks for them", async () => {
  const { text, later } = await bundle(`export { embed } from "@curvature/optim-spectral";`, root);
  expect([text.includes(WASM), later.includes(WASM)]).toEqual([false, true]);
});

test("a worker's program is one file, with all that it may need", () => {
  const file = fileURLToPath(import.meta.resolve("@curvature/optim-spectral/worker-program.js"));
  const text = readFileSync(file, "utf8");
  expect(unwanted.exec(text)?.[0]).toBeUndefined();
  expect(kib(text)).toBeLessThan(198);
});

test("ml-matrix comes with the sub-path that is for it, and the package's share is small", async () => {
  const code = `export { toMl } from "@curvature/linalg/ml";`;
  const part = await bundle(code, root, { only: "@curvature/linalg" });
  expect(part.external).toContain("ml-matrix");
  expect(kib(part.text)).toBeLessThan(1.05); // the view and the check of what it is given
});

test("work on this machine alone loads neither BullMQ nor a client of Redis", async () => {
  const code = `export { sweep, threadExecutor } from "@curvature/cluster";`;
  const { external } = await bundle(code, root, { only: "@curvature/cluster" });
  expect(external).toContain("@curvature/linalg");
  const modules = new Set([...builtinModules, ...builtinModules.map((name) => `node:${name}`)]);
  expect(external.filter((name) => !modules.has(name) && !name.startsWith("@curvature/"))).toEqual([]);
});
