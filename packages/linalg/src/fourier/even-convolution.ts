/**
 * Convolution of a real grid with an even kernel.
 *
 *   v_ij = Σ_{i'j'} κ(|i − i'|, |j − j'|) u_{i'j'},   0 ≤ i < rows, 0 ≤ j < columns
 *
 * by transforms of the grid padded with zeros to P × Q: û κ̂, where κ̂ is real and even because κ is. Distances wrap at
 * P/2 and Q/2: κ reaches no further than P − rows and Q − columns, or the kernel is meant to be periodic there.
 *
 * The grid is real: two rows are transformed as one complex sequence, of which k ≤ Q/2 are kept. A column is transformed,
 * multiplied and transformed back while it is in the cache, some columns side by side; rows of zeros are never touched.
 *
 * | symbol | variable | shape                         |
 * |--------|----------|-------------------------------|
 * | u, v   | grid     | rows × columns                |
 * | κ      | kernel   | (P/2 + 1) × (Q/2 + 1)         |
 * | κ̂      | spectrum | (P/2 + 1) × (Q/2 + 1), real   |
 * | û      | re, im   | rows × (Q/2 + 1), half done   |
 */
import { CurvatureError } from "../errors.js";
import { allocated } from "../memory.js";
import { shown } from "../options.js";
import { Fft } from "./fft.js";

/** Sequences side by side: enough for long inner loops, few enough for the cache. */
const BATCH = 8;
/** The same for the spectrum, made once. */
const SPECTRUM_BATCH = 16;

export interface ConvolutionShape {
  readonly rows: number;
  readonly columns: number;
  /** P, Q: even, at least `rows` and `columns`, with no prime factor above 5. See `fastLength`. */
  readonly paddedRows: number;
  readonly paddedColumns: number;
}

export class EvenConvolution {
  private readonly halfColumns: number;
  private readonly spectrum: Float64Array;
  private readonly rowFft: Fft;
  private readonly columnFft: Fft;
  private readonly re: Float64Array;
  private readonly im: Float64Array;

  /**
   * @param kernel - κ(i, j) for 0 ≤ i ≤ P/2, 0 ≤ j ≤ Q/2, by rows; not kept
   * @param gain - what κ̂ is multiplied with, from the frequencies i and j along the two axes, a finite number. Default 1
   * @throws CurvatureError ERR_SHAPE, ERR_ARGUMENT, ERR_OPTION, ERR_NON_FINITE, ERR_MEMORY
   */
  constructor(
    readonly shape: ConvolutionShape,
    kernel: Float64Array,
    gain?: (i: number, j: number) => number,
  ) {
    checkShape(shape, kernel);
    if (gain !== undefined && typeof gain !== "function") throw noFunction(gain);
    const { rows, paddedRows: P, paddedColumns: Q } = shape;
    this.halfColumns = Q / 2 + 1;
    this.rowFft = new Fft(Q, BATCH);
    this.columnFft = new Fft(P, BATCH);
    this.re = allocated(rows * this.halfColumns, "EvenConvolution");
    this.im = allocated(rows * this.halfColumns, "EvenConvolution");
    this.spectrum = spectrumOf(kernel, P, Q);
    const scale = 1 / (P * Q);
    for (let i = 0, at = 0; i <= P / 2; i++)
      for (let j = 0; j <= Q / 2; j++, at++) {
        const factor = gain ? gain(i, j) : 1;
        if (!Number.isFinite(factor)) throw badGain(i, j, factor);
        this.spectrum[at] *= scale * factor;
      }
  }

  /** In place; allocates nothing. @throws CurvatureError ERR_SHAPE */
  apply(grid: Float64Array): void {
    const { rows, columns } = this.shape;
    checkEntries("grid", grid, rows, columns);
    for (let first = 0; first < rows; first += 2 * BATCH) this.transformRows(grid, first);
    for (let first = 0; first < this.halfColumns; first += BATCH) this.convolveColumns(first);
    for (let first = 0; first < rows; first += 2 * BATCH) this.restoreRows(grid, first);
  }

  /** Rows `first` to `first` + 2 BATCH of the grid, two in one sequence, into re and im. */
  private transformRows(grid: Float64Array, first: number): void {
    const { re, im, halfColumns } = this;
    const { re: rowRe, im: rowIm } = this.rowFft;
    const { rows, columns, paddedColumns: Q } = this.shape;
    rowRe.fill(0);
    rowIm.fill(0);
    const pairs = Math.min(BATCH, Math.ceil((rows - first) / 2));
    for (let b = 0; b < pairs; b++) {
      const even = (first + 2 * b) * columns;
      for (let j = 0; j < columns; j++) rowRe[j * BATCH + b] = grid[even + j];
      if (first + 2 * b + 1 === rows) break;
      const odd = even + columns;
      for (let j = 0; j < columns; j++) rowIm[j * BATCH + b] = grid[odd + j];
    }
    this.rowFft.transform(rowRe, rowIm);
    for (let b = 0; b < pairs; b++) {
      const even = (first + 2 * b) * halfColumns;
      const odd = even + halfColumns;
      const hasOdd = first + 2 * b + 1 < rows;
      for (let k = 0; k < halfColumns; k++) {
        const plus = k * BATCH + b;
        const minus = (k === 0 ? 0 : Q - k) * BATCH + b;
        re[even + k] = 0.5 * (rowRe[plus] + rowRe[minus]);
        im[even + k] = 0.5 * (rowIm[plus] - rowIm[minus]);
        if (!hasOdd) continue;
        re[odd + k] = 0.5 * (rowIm[plus] + rowIm[minus]);
        im[odd + k] = 0.5 * (rowRe[minus] - rowRe[plus]);
      }
    }
  }

  /** Columns `first` to `first` + BATCH of re and im: transformed, times κ̂, transformed back. */
  private convolveColumns(first: number): void {
    const { re, im, halfColumns, spectrum } = this;
    const { re: columnRe, im: columnIm } = this.columnFft;
    const { rows, paddedRows: P } = this.shape;
    const width = Math.min(BATCH, halfColumns - first);
    columnRe.fill(0);
    columnIm.fill(0);
    for (let i = 0; i < rows; i++) {
      const from = i * halfColumns + first;
      for (let b = 0; b < width; b++) {
        columnRe[i * BATCH + b] = re[from + b];
        columnIm[i * BATCH + b] = im[from + b];
      }
    }
    this.columnFft.transform(columnRe, columnIm);
    for (let i = 0; i < P; i++) {
      const from = (i <= P / 2 ? i : P - i) * halfColumns + first;
      for (let b = 0; b < width; b++) {
        columnRe[i * BATCH + b] *= spectrum[from + b];
        columnIm[i * BATCH + b] *= spectrum[from + b];
      }
    }
    this.columnFft.transform(columnIm, columnRe);
    for (let i = 0; i < rows; i++) {
      const to = i * halfColumns + first;
      for (let b = 0; b < width; b++) {
        re[to + b] = columnRe[i * BATCH + b];
        im[to + b] = columnIm[i * BATCH + b];
      }
    }
  }

  /** The way back of `transformRows`. */
  private restoreRows(grid: Float64Array, first: number): void {
    const { re, im, halfColumns } = this;
    const { re: rowRe, im: rowIm } = this.rowFft;
    const { rows, columns, paddedColumns: Q } = this.shape;
    const pairs = Math.min(BATCH, Math.ceil((rows - first) / 2));
    for (let b = 0; b < pairs; b++) {
      const even = (first + 2 * b) * halfColumns;
      const odd = even + halfColumns;
      const hasOdd = first + 2 * b + 1 < rows;
      for (let k = 0; k < halfColumns; k++) {
        const oddRe = hasOdd ? re[odd + k] : 0;
        const oddIm = hasOdd ? im[odd + k] : 0;
        const plus = k * BATCH + b;
        rowRe[plus] = re[even + k] - oddIm;
        rowIm[plus] = im[even + k] + oddRe;
        if (k === 0 || 2 * k === Q) continue;
        const minus = (Q - k) * BATCH + b;
        rowRe[minus] = re[even + k] + oddIm;
        rowIm[minus] = oddRe - im[even + k];
      }
    }
    this.rowFft.transform(rowIm, rowRe);
    for (let b = 0; b < pairs; b++) {
      const even = (first + 2 * b) * columns;
      for (let j = 0; j < columns; j++) grid[even + j] = rowRe[j * BATCH + b];
      if (first + 2 * b + 1 === rows) break;
      const odd = even + columns;
      for (let j = 0; j < columns; j++) grid[odd + j] = rowIm[j * BATCH + b];
    }
  }
}

/** κ̂ of a kernel that is even along both axes: cosine transforms, along the rows and then along the columns. */
function spectrumOf(kernel: Float64Array, P: number, Q: number): Float64Array {
  const height = P / 2 + 1;
  const width = Q / 2 + 1;
  const spectrum = kernel.slice();
  cosineTransform(spectrum, height, width, width, 1, Q);
  cosineTransform(spectrum, width, height, 1, width, P);
  return spectrum;
}

/** `count` even sequences of period n, of which entries 0 to n/2 are given, in place; they are real, so two go as one. */
function cosineTransform(
  data: Float64Array,
  count: number,
  given: number,
  sequenceStride: number,
  entryStride: number,
  n: number,
): void {
  const fft = new Fft(n, SPECTRUM_BATCH);
  const { re, im } = fft;
  for (let first = 0; first < count; first += 2 * SPECTRUM_BATCH) {
    for (let c = first; c < Math.min(count, first + 2 * SPECTRUM_BATCH); c++) {
      const target = (c - first) % 2 === 0 ? re : im;
      const b = (c - first) >> 1;
      for (let j = 0; j < n; j++)
        target[j * SPECTRUM_BATCH + b] = data[c * sequenceStride + (j < given ? j : n - j) * entryStride];
    }
    fft.transform(re, im);
    for (let c = first; c < Math.min(count, first + 2 * SPECTRUM_BATCH); c++) {
      const source = (c - first) % 2 === 0 ? re : im;
      const b = (c - first) >> 1;
      for (let j = 0; j < given; j++)
        data[c * sequenceStride + j * entryStride] = source[j * SPECTRUM_BATCH + b];
    }
  }
}

function checkShape(shape: ConvolutionShape, kernel: Float64Array): void {
  if (typeof shape !== "object" || shape === null) throw wrongShape(shown(shape));
  const { rows, columns, paddedRows: P, paddedColumns: Q } = shape;
  const isWhole = [rows, columns, P, Q].every((size) => Number.isInteger(size) && size >= 1);
  if (!isWhole || P % 2 !== 0 || Q % 2 !== 0 || P < rows || Q < columns)
    throw wrongShape(`${rows} x ${columns} in ${P} x ${Q}`);
  checkEntries("kernel", kernel, P / 2 + 1, Q / 2 + 1);
}

function wrongShape(received: string): CurvatureError {
  return new CurvatureError(
    "ERR_SHAPE",
    `EvenConvolution: a grid of at least 1 x 1 and an even padding at least as large are needed; received ${received}.`,
    { path: "shape" },
  );
}

function noFunction(received: unknown): CurvatureError {
  const expected = "a function of two frequencies";
  return new CurvatureError(
    "ERR_ARGUMENT",
    `EvenConvolution: the gain must be ${expected}; received ${shown(received)}.`,
    { path: "gain", expected, received },
  );
}

function badGain(i: number, j: number, received: unknown): CurvatureError {
  const expected = "a finite number";
  return new CurvatureError(
    "ERR_NON_FINITE",
    `EvenConvolution: the gain must be ${expected}; received ${shown(received)} for (${i}, ${j}).`,
    { path: "gain", expected, received },
  );
}

function checkEntries(path: "grid" | "kernel", entries: Float64Array, rows: number, columns: number): void {
  if (entries instanceof Float64Array && entries.length === rows * columns) return;
  const expected = `a Float64Array of ${rows} x ${columns} entries`;
  throw new CurvatureError(
    "ERR_SHAPE",
    `EvenConvolution: the ${path} must be ${expected}; received ${shown(entries)}.`,
    { path, expected, received: entries },
  );
}
