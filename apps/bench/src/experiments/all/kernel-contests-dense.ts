/** Contests of vectors and dense matrices. */
import {
  axpy,
  type Block,
  DenseCholesky,
  dot,
  gemm,
  matrixTimesVector,
  ProductWorkspace,
  relaxedEntries,
  relaxRows,
  symmetricEigen,
  symmetricEntries,
  symmetricTimesVector,
  tallColumns,
  zeros,
} from "@curvature/linalg";
import type { NativeKernel } from "../../contestants/native-kernels.ts";
import {
  type Contest,
  draws,
  milliseconds,
  type Native,
  type NativeKernels,
  perSecond,
  perUnit,
} from "./kernel-contest.ts";

/** Vectors are short beside a call of native code: many calls are one. */
export function vectors(n: number, native: Native): Contest[] {
  const each = Math.ceil(500_000 / n);
  const [x, y] = [draws(n, 1), draws(n, 2)];
  const repeated = (kernel: NativeKernel | undefined): NativeKernel | undefined =>
    kernel &&
    ((calls) => {
      const run = kernel(calls * each);
      return { ...run, nanoseconds: run.nanoseconds * each };
    });
  const both = (name: string): NativeKernels => {
    const { all, avx2 } = native("dense", name, n, 0);
    return { all: repeated(all), avx2: repeated(avx2) };
  };
  const common = {
    size: `n = ${n}`,
    goal: undefined,
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
      native: both("dot"),
    },
    {
      ...common,
      kernel: "axpy",
      prepare: () => {
        const z = y.slice();
        return () => {
          for (let k = 0; k < each; k++) axpy(1e-9, x, z);
          return z;
        };
      },
      native: both("axpy"),
    },
  ];
}

/** The products of a subspace (SFO's), whose columns stay where they are. */
export function columns(length: number, K: number, native: Native): Contest[] {
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
          return c;
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
          return v;
        };
      },
      native: native("dense", "combine", length, K),
    },
  ];
}

export function timesVector(n: number, native: Native): Contest {
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
        return out;
      };
    },
    hasSimd: true,
    native: native("dense", "times-vector", n, 0),
    tolerance: 1e-6,
  };
}

export function symmetricTimes(n: number, native: Native): Contest {
  const A = symmetric(n, 0);
  return {
    kernel: "symmetric matrix times vector",
    size: `n = ${n}`,
    goal: 1.8, // as for `timesVector`
    unit: "ns a number",
    figure: perUnit(n * n),
    prepare: () => {
      const [v, out] = [draws(n, 2), new Float64Array(n)];
      const own = { ...A, data: symmetricEntries(n * n, n) };
      own.data.set(A.data);
      return () => {
        symmetricTimesVector(own, v, out);
        return out;
      };
    },
    hasSimd: true,
    native: native("dense", "symmetric-times-vector", n, 0),
    tolerance: 1e-6,
  };
}

/** NOMAD's update, 64 rows at a time: with r = 1 and X > 0 all steps but the first are alike. */
export function relaxed(n: number, native: Native): Contest {
  const rows = 64;
  return {
    kernel: "relaxed step of a splitting",
    size: `n = ${n}`,
    goal: 1.5,
    unit: "ns an entry",
    figure: perUnit((n * (n + 1)) / 2),
    prepare: () => {
      const { W, X } = relaxedEntries(n, rows);
      X.set(draws(rows * n, 1).map((entry) => entry + 0.5));
      const step = (): number => {
        let size = 0;
        for (let first = 0; first < n; first += rows)
          size += relaxRows(W, n, first, Math.min(n, first + rows), X, 0.25, 1).size;
        return size;
      };
      step();
      return step;
    },
    hasSimd: true,
    native: native("dense", "relaxed", n, 0),
    tolerance: 1e-10,
  };
}

/** In the place of a result that is kept from call to call, as BLAS's. */
export function product(n: number, native: Native): Contest {
  const block = (data: Float64Array): Block => ({ data, offset: 0, rowStride: n, columnStride: 1 });
  const [A, B] = [1, 2].map((seed) => block(draws(n * n, seed)));
  return {
    kernel: "matrix product",
    size: `n = ${n}`,
    goal: 2.1,
    unit: "GF/s",
    figure: perSecond(2 * n ** 3),
    prepare: () => {
      const [C, workspace] = [block(new Float64Array(n * n)), new ProductWorkspace()];
      return () => {
        C.data.fill(0);
        gemm(1, n, n, n, A, B, C, false, workspace, true);
        return C.data;
      };
    },
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

/** In the place of a copy that is kept from call to call, as LAPACK's. */
export function cholesky(n: number, native: Native): Contest {
  const A = symmetric(n, n);
  return {
    kernel: "Cholesky",
    size: `n = ${n}`,
    goal: 2.1,
    unit: "GF/s",
    figure: perSecond(n ** 3 / 3),
    prepare: () => {
      const L = zeros(n, n);
      return () => {
        L.data.set(A.data);
        return new DenseCholesky(L, true).factor.data[n * n - 1];
      };
    },
    hasSimd: true,
    native: native("dense", "cholesky", n, 0),
    tolerance: 1e-10,
  };
}

export function eigen(n: number, native: Native): Contest {
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
