/**
 * Dissimilarities that are given in place of points: full or condensed matrices of distances, and similarities, which become
 * distances by d_ij = √(s_ii + s_jj − 2 s_ij): the distances of the points whose inner products the similarities are, where
 * there are such points (kernels, covariances, correlations, cosines).
 *
 * What is given is checked and never written to; the entry at fault is named, and what to do.
 */
import { CurvatureError, type DenseMatrix, type MatrixLike, toDense, zeros } from "@curvature/linalg";

/**
 * N × N, or its part above the diagonal, row by row, as one array of N (N − 1)/2 numbers (the condensed form of SciPy's
 * `pdist` and R's `dist`).
 */
export type PairMatrixLike = MatrixLike | ArrayLike<number>;

/** Entries may differ from their mirror by so much relatively, or beside the largest: rounding of a computed matrix. */
const RELATIVE = 1e-6;
const ABSOLUTE = 1e-7;

/**
 * Distances as a full matrix, symmetric to the bit, zero on the diagonal. Entries that differ from their mirror by rounding
 * become their mean. A matrix that needs no change is not copied.
 *
 * @throws CurvatureError ERR_SHAPE, ERR_NON_FINITE, ERR_ARGUMENT for a negative distance, a diagonal that is not 0 (similarities,
 *   for instance) and two distances of one pair, the entries named
 */
export function givenDistances(input: PairMatrixLike, name = "distances"): DenseMatrix {
  const full = fullMatrix(input, name, 0);
  const { rows: N, data } = full;
  const largest = largestOf(data);
  for (let i = 0; i < N; i++) {
    const own = data[i * N + i];
    if (Math.abs(own) > ABSOLUTE * largest || (own !== 0 && largest === own))
      throw badDiagonal(full, i, name);
    for (let j = 0; j < N; j++)
      if (data[i * N + j] < 0 && i !== j)
        throw badEntry(
          `${name} has ${data[i * N + j]} at ${place(i, j)}: distances are not negative.`,
          i,
          j,
          "at least 0",
          data[i * N + j],
        );
  }
  return symmetric(full, largest, name, 0);
}

/**
 * The distances of similarities, d_ij = √(s_ii + s_jj − 2 s_ij), as a full matrix of its own.
 *
 * @throws CurvatureError ERR_SHAPE, ERR_NON_FINITE, ERR_ARGUMENT where two similarities of one pair differ, and where a pair is
 *   more alike than its objects are to themselves
 */
export function distancesOfSimilarities(input: PairMatrixLike, name = "similarities"): DenseMatrix {
  const given = fullMatrix(input, name, 1);
  const largest = largestOf(given.data);
  const { rows: N, data: s } = symmetric(given, largest, name, undefined);
  const out = zeros(N, N);
  for (let i = 0; i < N; i++)
    for (let j = 0; j < i; j++) {
      const square = s[i * N + i] + s[j * N + j] - 2 * s[i * N + j];
      if (square < -ABSOLUTE * largest) {
        const isOfDistances = s[i * N + i] === 0 && s[j * N + j] === 0;
        throw badEntry(
          `${name} has ${s[i * N + j]} at ${place(i, j)}, but only ${s[i * N + i]} and ${s[j * N + j]} on the diagonal: no two are more alike than each is to itself. ` +
            (isOfDistances
              ? "If these are distances, give { distances }."
              : "Give similarities with the largest on the diagonal, or distances."),
          i,
          j,
          "similarities with s_ii + s_jj - 2 s_ij of at least 0",
          square,
        );
      }
      const d = Math.sqrt(Math.max(0, square));
      out.data[i * N + j] = d;
      out.data[j * N + i] = d;
    }
  return out;
}

/** The squares of distances in an array of their own, in the unit of the largest, so that none overflows. @throws CurvatureError ERR_SHAPE, ERR_NON_FINITE */
export function squaresOf(distances: DenseMatrix): DenseMatrix {
  const { rows, columns, data } = toDense(distances, "distances");
  const unit = unitOf(data);
  const out = new Float64Array(data.length);
  for (let p = 0; p < data.length; p++) out[p] = (data[p] / unit) ** 2;
  return { rows, columns, data: out };
}

/** 1 where squares of the distances are neither too large nor too small; else the largest distance. */
export function unitOf(distances: Float64Array): number {
  const largest = largestOf(distances);
  return largest === 0 || (largest < 1e100 && largest > 1e-100) ? 1 : largest;
}

function largestOf(data: Float64Array): number {
  let largest = 0;
  for (let p = 0; p < data.length; p++) if (Math.abs(data[p]) > largest) largest = Math.abs(data[p]);
  return largest;
}

/** @param diagonal - of a condensed matrix */
function fullMatrix(input: PairMatrixLike, name: string, diagonal: number): DenseMatrix {
  if (isNumbers(input)) return uncondensed(input, name, diagonal);
  const matrix = toDense(input, name);
  if (matrix.rows === matrix.columns) return matrix;
  throw new CurvatureError(
    "ERR_SHAPE",
    `${name} must be square, with a row and a column for each object; received ${matrix.rows} x ${matrix.columns}. Points are given without a name: embed(points).`,
    { path: name, expected: "a square matrix", received: [matrix.rows, matrix.columns] },
  );
}

const isNumbers = (input: PairMatrixLike): input is ArrayLike<number> =>
  ArrayBuffer.isView(input) || (Array.isArray(input) && typeof input[0] === "number");

function uncondensed(input: ArrayLike<number>, name: string, diagonal: number): DenseMatrix {
  const N = Math.round((1 + Math.sqrt(1 + 8 * input.length)) / 2);
  if ((N * (N - 1)) / 2 !== input.length || N < 2)
    throw new CurvatureError(
      "ERR_SHAPE",
      `${name} has ${input.length} numbers in one array: a condensed matrix of N objects has N (N - 1)/2, those above the diagonal. Give that many, or rows.`,
      { path: name, expected: "N (N - 1)/2 numbers", received: input.length },
    );
  const full = zeros(N, N);
  let p = 0;
  for (let i = 0; i < N; i++) {
    full.data[i * N + i] = diagonal;
    for (let j = i + 1; j < N; j++) {
      const value = input[p++];
      if (!Number.isFinite(value))
        throw new CurvatureError(
          "ERR_NON_FINITE",
          `${name} has ${value} for the pair ${i}, ${j} (counted from 0), entry ${p - 1}. Give every pair a finite number.`,
          {
            path: `entry ${p - 1}`,
            expected: "a finite number",
            received: value,
          },
        );
      full.data[i * N + j] = value;
      full.data[j * N + i] = value;
    }
  }
  return full;
}

/** @param diagonal - what it becomes; as it is where undefined */
function symmetric(
  full: DenseMatrix,
  largest: number,
  name: string,
  diagonal: number | undefined,
): DenseMatrix {
  const { rows: N, data } = full;
  let out = data;
  const write = (p: number, value: number): void => {
    if (out[p] === value) return;
    if (out === data) out = data.slice();
    out[p] = value;
  };
  for (let i = 0; i < N; i++) {
    if (diagonal !== undefined) write(i * N + i, diagonal);
    for (let j = 0; j < i; j++) {
      const lower = data[i * N + j];
      const upper = data[j * N + i];
      if (lower === upper) continue;
      const size = Math.max(Math.abs(lower), Math.abs(upper));
      if (Math.abs(lower - upper) > RELATIVE * size + ABSOLUTE * largest)
        throw badEntry(
          `${name} has ${lower} at ${place(i, j)}, but ${upper} at ${place(j, i)}: a pair has one value. If both are meant, give their mean, (D + D^T) / 2, or a graph of neighbours ({ neighbors }), which may differ by direction.`,
          i,
          j,
          `${upper}, as in row ${j}, column ${i}`,
          lower,
        );
      const mean = lower / 2 + upper / 2;
      write(i * N + j, mean);
      write(j * N + i, mean);
    }
  }
  return { rows: N, columns: N, data: out };
}

function badDiagonal({ rows: N, data }: DenseMatrix, i: number, name: string): CurvatureError {
  let isLargest = true;
  for (let a = 0; a < N; a++)
    for (let b = 0; b < N; b++) if (data[a * N + b] > data[a * N + a]) isLargest = false;
  const own = data[i * N + i];
  return badEntry(
    isLargest
      ? `${name} has its largest entries on the diagonal (${own} at ${place(i, i)}): these are similarities. Give { similarities }, or turn them into distances.`
      : `${name} has ${own} at ${place(i, i)}: the distance of an object to itself is 0.`,
    i,
    i,
    "0",
    own,
  );
}

const place = (i: number, j: number): string => `row ${i}, column ${j}`;

function badEntry(
  sentence: string,
  i: number,
  j: number,
  expected: string,
  received: number,
): CurvatureError {
  return new CurvatureError("ERR_ARGUMENT", `${sentence} Rows and columns are counted from 0.`, {
    path: place(i, j),
    expected,
    received,
  });
}
