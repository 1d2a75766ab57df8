/**
 * Drawn sets in place of those of the paper that are not to be had: dense ones for Alpha and Delta of the PASCAL challenge,
 * and a sparse one for RCV1. Every set has its own seed: the same name gives the same rows everywhere.
 *
 * Dense   x = D W S z (500 of 512 coordinates),  z ~ N(0, I),  S = diag(k^−decay),  W = (H diag(±1))² with Hadamard's H,
 *         D = diag(10^U(−½, ½)); y = sign(⟨u, z⟩ + ¾ N(0, 1)), ‖u‖ = 1; E‖x‖² = 1. A rescaling of the features undoes D, and
 *         not W. The best error that there is, arctan(¾)/π, is 20.5 %.
 * Axes    as the dense ones, of 20 coordinates in any order, W = I: a rescaling of the features undoes all of it.
 * Sparse  documents of a topic each: words of the topic's own 900 with probability 0.35, else of all by Zipf's law,
 *         1/(rank + 30); (1 + log tf) log((1 + n)/(1 + df)), rows of norm 1; y is the topic's side, 3 % turned around.
 */
import { exp, log, normal, permutation, RandomGenerator, type SparseMatrix } from "@curvature/linalg";

export interface Part {
  readonly rows: SparseMatrix<Float32Array>;
  /** −1 and +1. */
  readonly targets: Float64Array;
}

interface Drawn {
  readonly train: Part;
  readonly test: Part;
}

interface Generator {
  readonly lambda: number;
  readonly seed: number;
  /** Rows to train and to test, where none are asked for. */
  readonly sizes: readonly [number, number];
  draw(rows: number, seed: number): Drawn["train"];
}

export const generators: Readonly<Record<string, Generator>> = {
  "alpha-like": {
    lambda: 1e-5,
    seed: 1,
    sizes: [100_000, 10_000],
    draw: (rows, seed) => dense(rows, 0.7, seed),
  },
  "delta-like": {
    lambda: 1e-4,
    seed: 2,
    sizes: [100_000, 10_000],
    draw: (rows, seed) => dense(rows, 1, seed),
  },
  axes: { lambda: 1e-5, seed: 4, sizes: [100_000, 10_000], draw: axes },
  "rcv1-like": { lambda: 1e-4, sizes: [200_000, 20_000], seed: 3, draw: documents },
};

/** @param name - of `generators`, with its rows behind a colon where they are not the usual ones: `alpha-like:2000` */
export function drawn(name: string): (Drawn & { readonly lambda: number }) | undefined {
  const [kind, asked] = name.split(":");
  const generator = generators[kind];
  if (generator === undefined) return undefined;
  const [train, test] = asked === undefined ? generator.sizes : [Number(asked), Math.ceil(Number(asked) / 5)];
  const all = generator.draw(train + test, generator.seed);
  return {
    lambda: generator.lambda,
    train: rowsOf(all, 0, train),
    test: rowsOf(all, train, train + test),
  };
}

function rowsOf({ rows, targets }: Part, from: number, to: number): Part {
  const [first, last] = [rows.rowPointers[from], rows.rowPointers[to]];
  return {
    rows: {
      rows: to - from,
      columns: rows.columns,
      rowPointers: rows.rowPointers.slice(from, to + 1).map((at) => at - first),
      columnIndices: rows.columnIndices.slice(first, last),
      values: rows.values.slice(first, last),
    },
    targets: targets.slice(from, to),
  };
}

const LATENT = 512;
const FEATURES = 500;

function dense(rows: number, decay: number, seed: number): Part {
  const random = new RandomGenerator(seed);
  const sign = (): number => (random.uniform() < 0.5 ? -1 : 1);
  const flips = [0, 1].map(() => Float64Array.from({ length: LATENT }, sign));
  const S = Float64Array.from({ length: LATENT }, (_, k) => exp(-decay * log(k + 1)));
  const D = Float64Array.from({ length: FEATURES }, () => exp((random.uniform() - 0.5) * log(10)));
  const u = Float64Array.from({ length: LATENT }, (_, k) => normal(random) * exp(-0.25 * log(k + 1)));
  const norm = Math.sqrt(u.reduce((sum, one) => sum + one * one, 0));
  // each coordinate of W S z has the variance tr S² / 512
  const variance = S.reduce((sum, s) => sum + s * s, 0) / LATENT;
  const scale = 1 / Math.sqrt(variance * D.reduce((sum, one) => sum + one * one, 0));
  const values = new Float32Array(rows * FEATURES);
  const targets = new Float64Array(rows);
  const x = new Float64Array(LATENT);
  for (let i = 0; i < rows; i++) {
    let score = 0;
    for (let k = 0; k < LATENT; k++) {
      const z = normal(random);
      score += (u[k] / norm) * z;
      x[k] = S[k] * z;
    }
    targets[i] = score + 0.75 * normal(random) >= 0 ? 1 : -1;
    for (const flip of flips) {
      for (let k = 0; k < LATENT; k++) x[k] *= flip[k];
      hadamard(x);
    }
    for (let j = 0; j < FEATURES; j++) values[i * FEATURES + j] = scale * D[j] * x[j];
  }
  return { rows: allStored(rows, FEATURES, values), targets };
}

const AXES = 20;

function axes(rows: number, seed: number): Part {
  const random = new RandomGenerator(seed);
  const place = permutation(random, AXES);
  const size = Float64Array.from(
    { length: AXES },
    (_, k) => exp(-0.7 * log(k + 1)) * exp((random.uniform() - 0.5) * log(10)),
  );
  const u = Float64Array.from(size, (_, k) => normal(random) * exp(-0.25 * log(k + 1)));
  const norm = Math.sqrt(u.reduce((sum, one) => sum + one * one, 0));
  const scale = 1 / Math.sqrt(size.reduce((sum, one) => sum + one * one, 0));
  const values = new Float32Array(rows * AXES);
  const targets = new Float64Array(rows);
  for (let i = 0; i < rows; i++) {
    let score = 0;
    for (let k = 0; k < AXES; k++) {
      const z = normal(random);
      score += (u[k] / norm) * z;
      values[i * AXES + place[k]] = scale * size[k] * z;
    }
    targets[i] = score + 0.75 * normal(random) >= 0 ? 1 : -1;
  }
  return { rows: allStored(rows, AXES, values), targets };
}

function allStored(rows: number, columns: number, values: Float32Array): SparseMatrix<Float32Array> {
  return {
    rows,
    columns,
    rowPointers: Int32Array.from({ length: rows + 1 }, (_, i) => i * columns),
    columnIndices: Int32Array.from({ length: rows * columns }, (_, k) => k % columns),
    values,
  };
}

/** x ← H x, orthonormal. */
function hadamard(x: Float64Array): void {
  const n = x.length;
  for (let half = 1; half < n; half *= 2)
    for (let start = 0; start < n; start += 2 * half)
      for (let k = start; k < start + half; k++) {
        const [a, b] = [x[k], x[k + half]];
        x[k] = a + b;
        x[k + half] = a - b;
      }
  const scale = 1 / Math.sqrt(n);
  for (let k = 0; k < n; k++) x[k] *= scale;
}

const WORDS = 47_152;
const TOPICS = 80;
const OWN_WORDS = 900;

function documents(rows: number, seed: number): Part {
  const random = new RandomGenerator(seed);
  /** A rank from 0 with probability about 1/(rank + offset). */
  const zipf = (count: number, offset: number): number =>
    Math.min(count - 1, Math.floor(offset * (exp(random.uniform() * log(1 + count / offset)) - 1)));
  const own = Array.from({ length: TOPICS }, () =>
    Int32Array.from({ length: OWN_WORDS }, () => Math.floor(WORDS * random.uniform() * random.uniform())),
  );
  const targets = new Float64Array(rows);
  const rowPointers = new Int32Array(rows + 1);
  const entries: number[][] = [];
  const frequency = new Int32Array(WORDS);
  const times = new Map<number, number>();
  for (let i = 0; i < rows; i++) {
    const topic = random.integer(TOPICS);
    const side = topic < 0.47 * TOPICS ? 1 : -1;
    targets[i] = random.uniform() < 0.03 ? -side : side;
    const length = 30 + Math.floor(-75 * log(1 - random.uniform()));
    times.clear();
    for (let k = 0; k < length; k++) {
      const word = random.uniform() < 0.35 ? own[topic][zipf(OWN_WORDS, 20)] : zipf(WORDS, 30);
      times.set(word, (times.get(word) ?? 0) + 1);
    }
    const row = [...times].sort(([a], [b]) => a - b).flat();
    for (let k = 0; k < row.length; k += 2) frequency[row[k]]++;
    entries.push(row);
    rowPointers[i + 1] = rowPointers[i] + row.length / 2;
  }
  return { rows: weighted(rowPointers, entries, frequency), targets };
}

/** Counts of words become rows of norm 1. */
function weighted(
  rowPointers: Int32Array,
  entries: readonly (readonly number[])[],
  frequency: Int32Array,
): SparseMatrix<Float32Array> {
  const rows = entries.length;
  const columnIndices = new Int32Array(rowPointers[rows]);
  const values = new Float32Array(rowPointers[rows]);
  for (const [i, row] of entries.entries()) {
    let squares = 0;
    for (let k = 0, at = rowPointers[i]; k < row.length; k += 2, at++) {
      const weight = (1 + log(row[k + 1])) * log((1 + rows) / (1 + frequency[row[k]]));
      columnIndices[at] = row[k];
      values[at] = weight;
      squares += weight * weight;
    }
    const scale = squares > 0 ? 1 / Math.sqrt(squares) : 0;
    for (let at = rowPointers[i]; at < rowPointers[i + 1]; at++) values[at] *= scale;
  }
  return { rows, columns: WORDS, rowPointers, columnIndices, values };
}
