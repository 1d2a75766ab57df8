/**
 * Decompositions of matrices of many kinds, beside what defines them: residuals and orthogonality within 10 n ε of the matrix's
 * size, n the larger of its sizes, or a named refusal. A pair that a few-pairs solver returns passes its own limit, measured
 * here, and is one of the end that was asked for.
 */
import {
  blockEigen,
  CurvatureError,
  type DenseMatrix,
  type EigenPairs,
  lanczos,
  linearLeastSquares,
  matrixTimesVector,
  maxAbs,
  norm2,
  normal,
  type OperatorPairs,
  powerOfTwoBelow,
  type RandomGenerator,
  singularValues,
  svd,
  symmetricEigen,
  symmetricEigenvalues,
  zeros,
} from "@curvature/linalg";
import { ensure, type FuzzInput, type Reader } from "./fuzz-target.ts";

const EPSILON = 2 ** -52;

interface Drawn {
  readonly kind: string;
  readonly A: DenseMatrix;
  readonly b: Float64Array;
  readonly count: number;
  readonly end: "smallest" | "largest";
}

type Entry = (i: number, j: number) => number;
type Kind = (random: RandomGenerator, m: number, n: number) => Entry;

const memoised = (m: number, n: number, draw: () => number): Entry => {
  const values = Float64Array.from({ length: m * n }, draw);
  return (i, j) => values[i * n + j];
};

const times = (m: number, n: number, rank: number, left: Entry, right: Entry): Entry => {
  const A = zeros(m, n);
  for (let i = 0; i < m; i++)
    for (let k = 0; k < rank; k++) for (let j = 0; j < n; j++) A.data[i * n + j] += left(i, k) * right(k, j);
  return (i, j) => A.data[i * n + j];
};

const gaussian: Kind = (random, m, n) => memoised(m, n, () => normal(random));
const power = (random: RandomGenerator, most: number): number =>
  10 ** Math.floor(most * (2 * random.uniform() - 1));
const graded =
  (rows: number, columns: number): Kind =>
  (random, m, n) => {
    const entry = gaussian(random, m, n);
    return (i, j) => entry(i, j) * 10 ** ((-rows * i) / m - (columns * j) / n);
  };
const scaled =
  (factor: number): Kind =>
  (random, m, n) => {
    const entry = gaussian(random, m, n);
    return (i, j) => factor * entry(i, j);
  };

/** Names from the literature: Higham, Accuracy and Stability of Numerical Algorithms, chapter 28, and his gallery. */
const kinds: Readonly<Record<string, Kind>> = {
  gaussian,
  "small whole numbers": (random, m, n) => memoised(m, n, () => random.integer(5) - 2),
  zeros: () => () => 0,
  ones: () => () => 1,
  "of low rank": (random, m, n) => {
    const rank = 1 + random.integer(4);
    return times(m, n, rank, gaussian(random, m, rank), gaussian(random, rank, n));
  },
  "graded by columns": graded(0, 30),
  "graded by rows": graded(30, 0),
  "graded by both": graded(20, 20),
  "of size 1e150": scaled(1e150),
  "of size 1e-150": scaled(1e-150),
  "near overflow": scaled(1e306),
  "below the normal numbers": scaled(1e-315),
  "of 60 orders of magnitude": (random, m, n) => memoised(m, n, () => normal(random) * power(random, 30)),
  Kahan: (random) => {
    const c = Math.cos(0.1 + 1.3 * random.uniform());
    const s = Math.sqrt(1 - c * c);
    return (i, j) => {
      if (i > j) return 0;
      return s ** i * (i === j ? 1 : -c);
    };
  },
  Läuchli: (random) => {
    const mu = power(random, 12);
    return (i, j) => {
      if (i === 0) return 1;
      return i === j + 1 ? mu : 0;
    };
  },
  Hilbert: () => (i, j) => 1 / (i + j + 1),
  Vandermonde: (random, m) => {
    const x = Float64Array.from({ length: m }, () => 2 * random.uniform() - 1);
    return (i, j) => x[i] ** j;
  },
  Lotkin: () => (i, j) => (i === 0 ? 1 : 1 / (i + j + 1)),
  Frank: (_, m, n) => (i, j) => (j < i - 1 ? 0 : Math.max(m, n) - Math.max(i, j)),
  Grcar: () => (i, j) => {
    if (i === j + 1) return -1;
    return j >= i && j <= i + 3 ? 1 : 0;
  },
  "Wilkinson W+": (_, m, n) => (i, j) => {
    if (i === j) return Math.abs(i - (Math.min(m, n) - 1) / 2);
    return Math.abs(i - j) === 1 ? 1 : 0;
  },
  "far from normal": () => (i, j) => {
    if (i === j) return i + 1;
    return j === i + 1 ? 500 : 0;
  },
  Clement: (_, m, n) => (i, j) => {
    const size = Math.min(m, n);
    return Math.abs(i - j) === 1
      ? Math.sqrt((Math.min(i, j) + 1) * Math.max(0, size - 1 - Math.min(i, j)))
      : 0;
  },
  "equal columns, nearly": (random, m) => {
    const column = Float64Array.from({ length: m }, () => normal(random));
    return (i, j) => column[i] * (1 + 1e-15 * ((i * j) % 7));
  },
  permutation: (random, m, n) => {
    const shift = random.integer(Math.max(m, n, 1));
    return (i, j) => ((i + shift) % Math.max(m, n) === j ? 1 : 0);
  },
  "with rows and columns of zeros": (random, m, n) => {
    const entry = gaussian(random, m, n);
    return (i, j) => ((i * 7) % 3 === 0 || (j * 5) % 4 === 1 ? 0 : entry(i, j));
  },
  "diagonal in clusters": (random) => {
    const width = power(random, 14);
    return (i, j) => (i === j ? (i % 3) + width * 1e-3 * i : 0);
  },
};

const names = Object.keys(kinds);

/** On both sides of the sizes from which on other ways are taken. */
const LARGE = [159, 160, 201];

function drawn(random: RandomGenerator): Drawn {
  const kind = names[random.integer(names.length)];
  const size = (): number => (random.integer(12) === 0 ? random.integer(3) : 1 + random.integer(24));
  const isSquare = random.integer(2) === 0;
  const large = random.integer(60);
  const m = large < LARGE.length ? LARGE[large] : size();
  const n = isSquare ? m : size();
  const entry = kinds[kind](random, m, n);
  const A = zeros(m, n);
  for (let i = 0; i < m; i++) for (let j = 0; j < n; j++) A.data[i * n + j] = entry(i, j);
  const unit = powerOfTwoBelow(maxAbs(A.data));
  const b = Float64Array.from({ length: m }, () => normal(random) * unit);
  const end = random.integer(2) === 0 ? "smallest" : "largest";
  return { kind, A, b, count: 1 + random.integer(4), end };
}

/** What a call gives, or undefined where it refuses by name. */
function unlessRefused<T>(call: () => T): T | undefined {
  try {
    return call();
  } catch (error) {
    if (error instanceof CurvatureError) return undefined;
    throw error;
  }
}

const within = (what: string, value: number, most: number): void =>
  ensure(value <= most, `${what} is ${value}, more than ${most}`);

function checkOrthonormal(what: string, { rows, columns, data }: DenseMatrix): void {
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = i === j ? -1 : 0;
      for (let k = 0; k < columns; k++) sum += data[i * columns + k] * data[j * columns + k];
      within(`⟨${what} ${i}, ${j}⟩`, Math.abs(sum), 10 * Math.max(columns, 4) * EPSILON);
    }
  }
}

function checkSvd({ A }: Drawn): boolean {
  const found = unlessRefused(() => svd(A));
  if (found === undefined) return false;
  const { rows: m, columns: n, data } = A;
  const { values, left, right, rank } = found;
  const unit = powerOfTwoBelow(maxAbs(data));
  const most = 10 * Math.max(m, n) * EPSILON * ((values[0] ?? 0) / unit);
  const residual = new Float64Array(m * n);
  for (let i = 0; i < m; i++) {
    for (let j = 0; j < n; j++) {
      let sum = data[i * n + j] / unit;
      for (let k = 0; k < values.length; k++)
        sum -= left.data[k * m + i] * (values[k] / unit) * right.data[k * n + j];
      residual[i * n + j] = sum;
    }
  }
  within("‖A − U Σ V‖", norm2(residual), most + (m * 2 ** -1074) / unit);
  checkOrthonormal("left", left);
  checkOrthonormal("right", right);
  for (let k = 1; k < values.length; k++) ensure(values[k] <= values[k - 1], "values that increase");
  ensure(rank === values.filter((value) => value > found.tolerance * values[0]).length, "another rank");
  const alone = singularValues(A).values;
  values.forEach((value, k) => {
    within("the difference of singularValues", Math.abs(alone[k] - value) / unit, most + 2 ** -1074 / unit);
  });
  return true;
}

function checkLeastSquares({ A, b }: Drawn): boolean {
  const found = unlessRefused(() => linearLeastSquares(A, b));
  if (found === undefined) return false;
  const { rows: m, columns: n, data } = A;
  const { x, rank, tolerance } = found;
  const unit = powerOfTwoBelow(maxAbs(b));
  // of each column its length, and beside it x as large as the column is small
  const units = Float64Array.from({ length: n }, (_, j) => {
    let largest = 0;
    for (let i = 0; i < m; i++) largest = Math.max(largest, Math.abs(data[i * n + j]));
    return powerOfTwoBelow(largest);
  });
  const z = x.map((value, j) => value * (units[j] / unit));
  const entry = (i: number, j: number): number => data[i * n + j] / units[j];
  const residual = new Float64Array(m);
  let size = norm2(b.map((value) => value / unit));
  for (let j = 0; j < n; j++) size += Math.abs(z[j]) * Math.sqrt(m);
  for (let i = 0; i < m; i++) {
    let sum = b[i] / unit;
    for (let j = 0; j < n; j++) sum -= entry(i, j) * z[j];
    residual[i] = sum;
  }
  for (let j = 0; j < n; j++) {
    let [slope, length] = [0, 0];
    for (let i = 0; i < m; i++) {
      slope += entry(i, j) * residual[i];
      length += entry(i, j) ** 2;
    }
    const rounding = 10 * Math.max(m, n) * EPSILON + (rank < Math.min(m, n) ? 4 * tolerance : 0);
    within(`the slope in column ${j}`, Math.abs(slope), rounding * Math.sqrt(length) * size);
  }
  const measured = norm2(residual);
  within(
    "the error of ‖b − A x‖",
    Math.abs(found.residualNorms[0] / unit - measured),
    1e-14 * m * size + 2 ** -1074 / unit,
  );
  return true;
}

function checkEigen(S: DenseMatrix): EigenPairs | undefined {
  const found = unlessRefused(() => symmetricEigen(S));
  if (found === undefined) return undefined;
  const n = S.rows;
  const { values, vectors } = found;
  const unit = powerOfTwoBelow(maxAbs(S.data));
  const most = 10 * Math.max(n, 4) * EPSILON * (maxAbs(values) / unit);
  checkPairs(S, found, () => most + (n * 2 ** -1074) / unit);
  checkOrthonormal("vectors", vectors);
  symmetricEigenvalues(S).forEach((value, i) => {
    within(
      "the difference of symmetricEigenvalues",
      Math.abs(value - values[i]) / unit,
      most + 2 ** -1074 / unit,
    );
  });
  return found;
}

/** ‖A u − λ u‖ of each pair, in units of A's size. */
function checkPairs(A: DenseMatrix, { values, vectors }: EigenPairs, most: (i: number) => number): void {
  const n = A.rows;
  const unit = powerOfTwoBelow(maxAbs(A.data));
  const residual = new Float64Array(n);
  values.forEach((value, i) => {
    for (let k = 0; k < n; k++) {
      let sum = -(value / unit) * vectors.data[i * n + k];
      for (let j = 0; j < n; j++) sum += (A.data[k * n + j] / unit) * vectors.data[i * n + j];
      residual[k] = sum;
    }
    within(`‖A u − λ u‖ of pair ${i}`, norm2(residual), most(i));
  });
}

/** A few pairs of what may not be symmetric: where it is, they are those of the end that was asked for. */
function checkFew(
  A: DenseMatrix,
  all: EigenPairs | undefined,
  end: Drawn["end"],
  few: (apply: (v: Float64Array, out: Float64Array) => void) => OperatorPairs,
): boolean {
  const found = unlessRefused(() => few((v, out) => matrixTimesVector(A, v, out)));
  if (found === undefined) return false;
  const n = A.rows;
  const unit = powerOfTwoBelow(maxAbs(A.data));
  const rounding = 10 * n * EPSILON * Math.sqrt(n);
  checkPairs(A, found, (i) => found.limits[i] / unit + rounding);
  if (all === undefined) return true;
  found.values.forEach((value, i) => {
    const truth = end === "smallest" ? all.values[i] : all.values[n - 1 - i];
    within(`pair ${i} beside the truth`, Math.abs(value - truth) / unit, found.limits[i] / unit + rounding);
  });
  return true;
}

function read(drawn: Drawn): "accepted" | "refused" {
  const { A, count, end } = drawn;
  const n = A.rows;
  const accepted = n > 200 ? [] : [checkSvd(drawn), checkLeastSquares(drawn)];
  if (n === A.columns && n > 0) {
    const S = zeros(n, n);
    for (let i = 0; i < n; i++)
      for (let j = 0; j < n; j++) S.data[i * n + j] = A.data[i * n + j] / 2 + A.data[j * n + i] / 2;
    const all = checkEigen(S);
    accepted.push(all !== undefined);
    const options = { count: Math.min(count, n), maxProducts: 400, which: end };
    const blocks = { count: Math.min(count, n), maxIterations: 40 };
    const isSymmetric = S.data.every((value, k) => value === A.data[k]);
    for (const [matrix, known] of [
      [S, all],
      [A, isSymmetric ? all : undefined],
    ] as const) {
      accepted.push(checkFew(matrix, known, end, (apply) => lanczos(apply, n, options)));
      accepted.push(checkFew(matrix, known, "smallest", (apply) => blockEigen(apply, n, blocks)));
    }
  }
  return accepted.includes(true) ? "accepted" : "refused";
}

export const matrices: Reader = {
  name: "matrices",
  make(random): FuzzInput {
    const input = drawn(random);
    return {
      bytes: undefined,
      data: input,
      read: async () => {
        try {
          return read(input);
        } catch (error) {
          const shape = `${input.A.rows} x ${input.A.columns}`;
          throw new Error(`${input.kind}, ${shape}: ${String(error)}`, { cause: error });
        }
      },
    };
  },
};
