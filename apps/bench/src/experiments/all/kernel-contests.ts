/**
 * The kernels that time goes into, each as a user comes by it and beside native code on the same numbers. What a kernel
 * found is compared, so that no contestant does less than the others.
 */
import { closeSync, openSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { readCsv } from "@curvature/datasets";
import {
  axpy,
  DenseCholesky,
  dot,
  EvenConvolution,
  fromTriplets,
  matrixTimesVector,
  multiply,
  PlanePairs,
  RandomGenerator,
  SparseCholesky,
  type SparseMatrix,
  symmetricEigen,
  tallColumns,
} from "@curvature/linalg";
import { nearestNeighbors, tsne } from "@curvature/objectives/embedding";
import { linearLoss } from "@curvature/objectives/linear";
import { chooseStorage, createStochasticSolver } from "@curvature/optim-sgdqn";
import { writeProblem } from "../../contestants/liblinear.ts";
import { type NativeKernel, type NativeProgram, nativeKernel } from "../../contestants/native-kernels.ts";
import { sparsePasses } from "../../contestants/sparse-passes.ts";
import { drawn } from "../sgdqn/generated.ts";

/** One call; what it found. */
export type Call = () => number | Promise<number>;

export interface Contest {
  readonly kernel: string;
  readonly size: string;
  /** Time beside native code that is thought to be in reach; undefined where none was set. */
  readonly goal: number | undefined;
  /** Of a figure, and the figure of a call of so many nanoseconds. */
  readonly unit: string;
  readonly figure: (nanoseconds: number) => number;
  /** What is prepared in the form that is in use. */
  prepare(): Call;
  /** Whether the form in WebAssembly is another one. */
  readonly hasSimd: boolean;
  readonly native: NativeKernel | undefined;
  /** How far what is found may differ from what native code finds, relative. */
  readonly tolerance: number;
  /** Of ours, where the kernel is an approximation; that of native code comes with its run. */
  readonly error?: () => number;
}

/** Numbers in [−1/2, 1/2), those of `native/kernel.h`. */
function draws(count: number, seed: number): Float64Array {
  const out = new Float64Array(count);
  for (let k = 0, state = seed; k < count; k++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    out[k] = state / 2 ** 32 - 0.5;
  }
  return out;
}

const sum = (entries: Float64Array): number => entries.reduce((total, entry) => total + entry, 0);
const perUnit =
  (units: number) =>
  (nanoseconds: number): number =>
    nanoseconds / units;
const perSecond =
  (units: number) =>
  (nanoseconds: number): number =>
    units / nanoseconds;
const milliseconds = perUnit(1e6);

/** @param scale - 1 for the full sizes; sides of matrices shrink with its root */
export async function contests(folder: string, scale: number): Promise<Contest[]> {
  const native = (program: NativeProgram, ...words: (string | number)[]): NativeKernel | undefined =>
    nativeKernel(folder, program, words);
  const side = (n: number): number => Math.max(64, Math.round(n * Math.sqrt(scale)));
  const count = (n: number): number => Math.max(500, Math.round(n * scale));
  return [
    ...[500, 50_000].flatMap((n) => vectors(n, native)),
    ...columns(count(100_000), 50, native),
    timesVector(side(4000), native),
    ...[side(512), side(1024)].map((n) => product(n, native)),
    ...[side(500), side(1000)].map((n) => cholesky(n, native)),
    eigen(side(300), native),
    allPairs("student", side(5000), 100, 2.7, native),
    allPairs("gaussian", side(3000), 8, 3, native),
    tree(count(20_000), native),
    convolution(folder, scale === 1 ? 512 : 128, native),
    ...factors(folder, count(20_000), native),
    epoch(folder, count(20_000)),
    await table(folder, count(400_000), native),
  ];
}

type Native = (program: NativeProgram, ...words: (string | number)[]) => NativeKernel | undefined;

/** Vectors are short beside a call of native code: many calls are one. */
function vectors(n: number, native: Native): Contest[] {
  const each = Math.ceil(500_000 / n);
  const [x, y] = [draws(n, 1), draws(n, 2)];
  const repeated = (kernel: NativeKernel | undefined): NativeKernel | undefined =>
    kernel &&
    ((calls) => {
      const run = kernel(calls * each);
      return { ...run, nanoseconds: run.nanoseconds * each };
    });
  const common = {
    size: `n = ${n}`,
    goal: 2,
    unit: "ns a number",
    figure: perUnit(n * each),
    hasSimd: false,
    tolerance: 1e-6, // of a sum that nearly cancels
  };
  return [
    {
      ...common,
      kernel: "dot",
      prepare: () => () => {
        let found = 0;
        for (let k = 0; k < each; k++) found = dot(x, y);
        return found;
      },
      native: repeated(native("dense", "dot", n, 0)),
    },
    {
      ...common,
      kernel: "axpy",
      prepare: () => {
        const z = y.slice();
        return () => {
          for (let k = 0; k < each; k++) axpy(1e-9, x, z);
          return sum(z);
        };
      },
      native: repeated(native("dense", "axpy", n, 0)),
    },
  ];
}

/** The products of a subspace (SFO's), whose columns stay where they are. */
function columns(length: number, K: number, native: Native): Contest[] {
  const entries = draws(length * K, 1);
  const filled = (): ReturnType<typeof tallColumns> => {
    const P = tallColumns(length, K, "float64");
    P.widen(K);
    for (let k = 0; k < K; k++) P.column(k).set(entries.subarray(k * length, (k + 1) * length));
    return P;
  };
  const common = {
    size: `${length} x ${K}`,
    goal: 1.7,
    unit: "ns a number",
    figure: perUnit(length * K),
    hasSimd: true,
    tolerance: 1e-6,
  };
  return [
    {
      ...common,
      kernel: "P'g, tall and skinny",
      prepare: () => {
        const [P, v, c] = [filled(), draws(length, 2), new Float64Array(K)];
        return () => {
          P.project(K, v, c);
          return sum(c);
        };
      },
      native: native("dense", "project", length, K),
    },
    {
      ...common,
      kernel: "x + P c",
      prepare: () => {
        const [P, v, c] = [filled(), draws(length, 2), draws(K, 3).map((entry) => entry * 1e-9)];
        return () => {
          P.combine(K, c, 1, v);
          return sum(v);
        };
      },
      native: native("dense", "combine", length, K),
    },
  ];
}

function timesVector(n: number, native: Native): Contest {
  return {
    kernel: "matrix times vector",
    size: `n = ${n}`,
    goal: 1.8,
    unit: "ns a number",
    figure: perUnit(n * n),
    prepare: () => {
      const [A, v, out] = [{ rows: n, columns: n, data: draws(n * n, 1) }, draws(n, 2), new Float64Array(n)];
      return () => {
        matrixTimesVector(A, v, out);
        return sum(out);
      };
    },
    hasSimd: false,
    native: native("dense", "times-vector", n, 0),
    tolerance: 1e-6,
  };
}

function product(n: number, native: Native): Contest {
  const [A, B] = [1, 2].map((seed) => ({ rows: n, columns: n, data: draws(n * n, seed) }));
  return {
    kernel: "matrix product",
    size: `n = ${n}`,
    goal: 2.1,
    unit: "GF/s",
    figure: perSecond(2 * n ** 3),
    prepare: () => () => sum(multiply(A, B).data),
    hasSimd: true,
    native: native("dense", "product", n, 0),
    tolerance: 1e-6,
  };
}

function symmetric(n: number, diagonal: number): { rows: number; columns: number; data: Float64Array } {
  const data = draws(n * n, 1);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < i; j++) data[j * n + i] = data[i * n + j];
    data[i * n + i] += diagonal;
  }
  return { rows: n, columns: n, data };
}

function cholesky(n: number, native: Native): Contest {
  const A = symmetric(n, n);
  return {
    kernel: "Cholesky",
    size: `n = ${n}`,
    goal: 2.1,
    unit: "GF/s",
    figure: perSecond(n ** 3 / 3),
    prepare: () => () => new DenseCholesky(A).factor.data[n * n - 1],
    hasSimd: true,
    native: native("dense", "cholesky", n, 0),
    tolerance: 1e-10,
  };
}

function eigen(n: number, native: Native): Contest {
  const A = symmetric(n, 0);
  return {
    kernel: "all eigenpairs",
    size: `n = ${n}`,
    goal: 2.6,
    unit: "ms",
    figure: milliseconds,
    prepare: () => () => symmetricEigen(A).values[n - 1],
    hasSimd: true,
    native: native("dense", "eigen", n, 0),
    tolerance: 1e-10,
  };
}

interface PlaneMap {
  readonly x: Float64Array;
  readonly y: Float64Array;
}

const planeMap = (N: number, span: number): PlaneMap => ({
  x: draws(N, 1).map((entry) => entry * span),
  y: draws(N, 2).map((entry) => entry * span),
});

function allPairs(
  kernel: "student" | "gaussian",
  N: number,
  span: number,
  goal: number,
  native: Native,
): Contest {
  const { x, y } = planeMap(N, span);
  return {
    kernel: kernel === "student" ? "all pairs, Student's, forces" : "all pairs, Gaussian, forces",
    size: `N = ${N}`,
    goal,
    unit: "ns a pair",
    figure: perUnit((N * (N - 1)) / 2),
    prepare: () => {
      const [pairs, fx, fy] = [new PlanePairs(kernel, N), new Float64Array(N), new Float64Array(N)];
      return () => pairs.forces(x, y, fx, fy);
    },
    hasSimd: true,
    native: native("pairs", kernel, N, span, 0),
    tolerance: 1e-9,
  };
}

/** θ of the native tree, at which its forces are about as near as ours: cells meet points there, and have no moments. */
const THETA = 0.3;

/** Value and forces of t-SNE with a ring for a graph, whose attraction is nothing beside the repulsion. */
function tree(N: number, native: Native): Contest {
  const span = 96;
  const { x, y } = planeMap(N, span);
  const X = Float64Array.from({ length: 2 * N }, (_, k) => (k % 2 === 0 ? x[k >> 1] : y[k >> 1]));
  const neighbor = Array.from({ length: N }, (_, n) => (n + 1) % N);
  const own = Array.from({ length: N }, (_, n) => n);
  const ring = fromTriplets(N, N, {
    rows: [...own, ...neighbor],
    columns: [...neighbor, ...own],
    values: new Array(2 * N).fill(1 / (2 * N)),
  });
  const gradient = new Float64Array(2 * N);
  const evaluated = (): (() => number) => {
    const objective = tsne(ring, { gradient: "barnes-hut" });
    return () => objective.evaluate(X, gradient);
  };
  return {
    kernel: "Barnes-Hut, Student's",
    size: `N = ${N}`,
    goal: 1,
    unit: "ms",
    figure: milliseconds,
    prepare: evaluated,
    hasSimd: false,
    native: native("pairs", "tree", N, span, THETA),
    tolerance: Number.POSITIVE_INFINITY, // the value is another one; errors of forces stand in the table
    error: () => {
      const [exact, attraction] = [new Float64Array(2 * N), new Float64Array(2 * N)];
      tsne(ring).evaluate(X, exact);
      tsne(ring, { lambda: 0 }).evaluate(X, attraction);
      evaluated()();
      return distance(gradient, exact) / distance(exact, attraction);
    },
  };
}

const distance = (a: Float64Array, b: Float64Array): number =>
  Math.sqrt(a.reduce((total, entry, k) => total + (entry - b[k]) ** 2, 0));

function convolution(folder: string, n: number, native: Native): Contest {
  const shape = { rows: n, columns: n, paddedRows: 2 * n, paddedColumns: 2 * n };
  const kernel = Float64Array.from({ length: (n + 1) ** 2 }, (_, k) => {
    const [i, j] = [Math.floor(k / (n + 1)), k % (n + 1)];
    return 1 / (1 + (i * i + j * j) / 100);
  });
  const grid = draws(n * n, 1);
  return {
    kernel: "convolution of a grid",
    size: `${n} x ${n} in ${2 * n} x ${2 * n}`,
    goal: 1.35,
    unit: "ms",
    figure: milliseconds,
    prepare: () => {
      const convolve = new EvenConvolution(shape, kernel);
      return () => {
        const field = grid.slice();
        convolve.apply(field);
        return field[0] + field[n * n - 1];
      };
    },
    hasSimd: true,
    native: native("fourier", n, join(folder, "wisdom")),
    tolerance: 1e-8,
  };
}

/** The Laplacian of a graph of 7 neighbours + 1e-3 I, of points of so many dimensions. */
function laplacian(N: number, dimensions: number): SparseMatrix {
  const random = new RandomGenerator(1);
  const latent = draws(N * dimensions, 3);
  const centres = Array.from({ length: 10 * dimensions }, () => 2 * random.uniform());
  const data = latent.map((entry, k) =>
    dimensions === 2
      ? entry
      : entry + centres[(Math.floor(k / dimensions) % 10) * dimensions + (k % dimensions)],
  );
  const { indices } = nearestNeighbors({ rows: N, columns: dimensions, data }, 7);
  const [rows, columns, values]: number[][] = [[], [], []];
  const linked = new Set<number>();
  for (let n = 0; n < N; n++) {
    rows.push(n);
    columns.push(n);
    values.push(1e-3);
    for (let k = 0; k < 7; k++) {
      const m = indices[7 * n + k];
      const link = Math.min(n, m) * N + Math.max(n, m);
      if (linked.has(link)) continue;
      linked.add(link);
      rows.push(n, m, n, m);
      columns.push(m, n, n, m);
      values.push(-1, -1, 1, 1);
    }
  }
  return fromTriplets(N, N, { rows, columns, values });
}

function writeMatrix(path: string, { rows, rowPointers, columnIndices, values }: SparseMatrix): void {
  const file = openSync(path, "w");
  const sizes = BigInt64Array.of(BigInt(rows), BigInt(values.length));
  for (const part of [sizes, rowPointers, columnIndices, values]) writeSync(file, part);
  closeSync(file);
}

function factors(folder: string, N: number, native: Native): Contest[] {
  return [
    { dimensions: 2, goal: 0.5 },
    { dimensions: 8, goal: 3.8 },
  ].flatMap(({ dimensions, goal }) => {
    const A = laplacian(N, dimensions);
    const file = join(folder, `laplacian-${dimensions}`);
    writeMatrix(file, A);
    const B = draws(2 * N, 1);
    const out = new Float64Array(2 * N);
    const size = (total: number, entry: number): number => total + Math.abs(entry);
    const common = {
      size: `${N} points, ${dimensions} dimensions`,
      unit: "ms",
      figure: milliseconds,
      hasSimd: false,
      tolerance: 1e-6,
    };
    return [
      {
        ...common,
        kernel: "sparse Cholesky",
        goal,
        prepare: () => {
          const cholesky = new SparseCholesky(A);
          return () => {
            cholesky.refactor(A);
            return Number.NaN;
          };
        },
        native: native("sparse", "factor", file),
      },
      {
        ...common,
        kernel: "sparse solution, two right-hand sides",
        goal: 1,
        prepare: () => {
          const cholesky = new SparseCholesky(A);
          return () => {
            cholesky.solve(B, 2, out);
            return out.reduce(size, 0);
          };
        },
        native: native("sparse", "solve", file),
      },
    ];
  });
}

/** A pass of SVMSGD2 over text; `sgdqn/one-pass` has more of these. */
function epoch(folder: string, rows: number): Contest {
  const problem = drawn(`rcv1-like:${rows}`);
  if (problem === undefined) throw new Error("there is no such set");
  const { train, lambda } = problem;
  const file = join(folder, "rows");
  writeProblem(file, train.rows, train.targets);
  const begun = (): ReturnType<typeof createStochasticSolver> =>
    createStochasticSolver(
      {
        targets: train.targets,
        rows: chooseStorage(train.rows),
        loss: linearLoss("squared-hinge"),
        lambda,
        bias: "none",
      },
      { solver: "svmsgd2", seed: 0, maxPasses: Number.MAX_SAFE_INTEGER },
    );
  const state = new Map<string, unknown>(Object.entries(Object(begun().save().state)));
  const settings = { lambda, t0: Number(state.get("t0")), skip: Number(state.get("skip")) };
  let program: ReturnType<typeof sparsePasses> | undefined;
  try {
    program = sparsePasses(folder, ["-O3", "-march=native"]);
  } catch {
    program = undefined;
  }
  return {
    kernel: "pass of stochastic gradients, sparse rows",
    size: `${rows} rows, ${train.rows.values.length} entries`,
    goal: 1.5,
    unit: "ns an entry",
    figure: perUnit(train.rows.values.length),
    prepare: () => {
      const solver = begun();
      return () => {
        while (solver.step().phase !== "pass");
        return Number.NaN; // `sgdqn/one-pass` compares the weights
      };
    },
    hasSimd: true,
    native:
      program &&
      ((passes) => {
        const { svmsgd2 } = program(file, { ...settings, passes: Math.max(3, passes) });
        return { nanoseconds: 1e6 * svmsgd2, found: Number.NaN, error: undefined };
      }),
    tolerance: 0,
  };
}

async function table(folder: string, rows: number, native: Native): Promise<Contest> {
  const width = 10;
  const numbers = draws(rows * width, 1);
  const lines = Array.from({ length: rows }, (_, i) =>
    Array.from(numbers.subarray(i * width, (i + 1) * width), (entry) => entry.toPrecision(9)).join(","),
  );
  const bytes = new TextEncoder().encode(`${lines.join("\n")}\n`);
  const file = join(folder, "table.csv");
  writeFileSync(file, bytes);
  return {
    kernel: "table of numbers in text",
    size: `${(bytes.length / 1e6).toFixed(1)} MB`,
    goal: 3,
    unit: "MB/s",
    figure: perSecond(bytes.length * 1e3),
    prepare: () => async () => sum((await readCsv(bytes)).points.data),
    hasSimd: false,
    native: native("numbers", file),
    tolerance: 1e-6,
  };
}
