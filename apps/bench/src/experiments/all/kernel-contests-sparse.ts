/** Contests of sparse matrices and rows, and of text. */
import { closeSync, openSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { readPoints } from "@curvature/datasets";
import { fromTriplets, RandomGenerator, SparseCholesky, type SparseMatrix } from "@curvature/linalg";
import { nearestNeighbors } from "@curvature/objectives/embedding";
import { linearLoss } from "@curvature/objectives/linear";
import { chooseStorage, createStochasticSolver } from "@curvature/optim-sgdqn";
import { writeProblem } from "../../contestants/liblinear.ts";
import {
  builds,
  hasInstructions,
  type Instructions,
  type NativeKernel,
} from "../../contestants/native-kernels.ts";
import { sparsePasses } from "../../contestants/sparse-passes.ts";
import { drawn } from "../sgdqn/generated.ts";
import { type Contest, draws, milliseconds, type Native, perSecond, perUnit } from "./kernel-contest.ts";

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

export function factors(folder: string, N: number, native: Native): Contest[] {
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
      tolerance: 1e-6,
    };
    return [
      {
        ...common,
        kernel: "sparse Cholesky",
        goal,
        hasSimd: false,
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
        hasSimd: true,
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
export function epoch(folder: string, rows: number): Contest {
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
  const passes = (instructions: Instructions): NativeKernel | undefined => {
    if (!hasInstructions(instructions)) return undefined;
    try {
      const program = sparsePasses(folder, ["-O3", builds[instructions].march]);
      return (count) => {
        const { svmsgd2 } = program(file, { ...settings, passes: Math.max(3, count) });
        return { nanoseconds: 1e6 * svmsgd2, found: Number.NaN, error: undefined };
      };
    } catch {
      return undefined;
    }
  };
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
    native: { all: passes("all"), avx2: passes("avx2") },
    tolerance: 0,
  };
}

export async function table(folder: string, rows: number, native: Native): Promise<Contest> {
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
    prepare: () => async () => (await readPoints(bytes, { header: "no" })).points.data,
    hasSimd: false,
    native: native("numbers", file),
    tolerance: 1e-6,
  };
}
