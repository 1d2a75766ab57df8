/**
 * Convolution of a real grid with an even kernel.
 *
 *   v_ij = Σ_{i'j'} κ(|i − i'|, |j − j'|) u_{i'j'},   0 ≤ i < rows, 0 ≤ j < columns
 *
 * by transforms of the grid padded with zeros to P × Q: û κ̂, where κ̂ is real and even because κ is. Distances wrap at
 * P/2 and Q/2: κ reaches no further than P − rows and Q − columns, or the kernel is meant to be periodic there.
 *
 * The grid is real: two rows are transformed as one complex sequence, of which one of each two opposite frequencies is
 * kept. A column is transformed, multiplied and transformed back while it is in the cache. Along both axes even and odd
 * frequencies are transforms of half the length (`half-steps.ts`): those of a grid that is half of the padded one or less
 * know nothing of zeros.
 *
 * | symbol | variable | shape                                                              |
 * |--------|----------|--------------------------------------------------------------------|
 * | u, v   | grid     | rows × columns                                                     |
 * | κ      | kernel   | (P/2 + 1) × (Q/2 + 1)                                              |
 * | κ̂      | spectrum | of each block of columns: even rows and odd rows, real             |
 * | û      | field    | blocks of columns, even ones and odd ones, of all rows: half done  |
 */
import { CurvatureError } from "../errors.js";
import { type FourierForm, fourierInTypeScript } from "../kernels/fourier-form.js";
import { installed } from "../kernels/table.js";
import { badArgument, shown } from "../options.js";
import { type Axis, axisLengths, axisOf } from "./axis.js";
import { spectrumOf } from "./even-spectrum.js";
import { type Field, keptOf, type Rows } from "./half-steps.js";

export interface ConvolutionShape {
  readonly rows: number;
  readonly columns: number;
  /** P, Q: even, at least `rows` and `columns`, with no prime factor above 5. See `fastLength`. */
  readonly paddedRows: number;
  readonly paddedColumns: number;
}

export class EvenConvolution {
  readonly shape: ConvolutionShape;
  private readonly form: FourierForm;
  /** Along a row, and along a column. */
  private readonly rowAxis: Axis;
  private readonly columnAxis: Axis;
  /** Blocks of columns, those of even frequencies first. */
  private readonly evenBlocks: number;
  /** A block's `stride` numbers: real and imaginary parts of all rows, those that make up whole batches. */
  private readonly field: Field;
  /** Its blocks, each with the grid's rows. */
  private readonly fieldBlocks: readonly Rows[];
  private readonly spectrum: Float64Array;
  /** Numbers of a block of the spectrum, and of its even rows. */
  private readonly factors: number;
  private readonly evenFactors: number;
  /** Rows of the grid side by side, two in each sequence. */
  private readonly lines: Rows;

  /**
   * @param shape - not kept
   * @param kernel - κ(i, j) for 0 ≤ i ≤ P/2, 0 ≤ j ≤ Q/2, by rows, finite numbers; not kept
   * @param gain - what κ̂ is multiplied with, from the frequencies i and j along the two axes, a finite number. Default 1
   * @throws CurvatureError ERR_SHAPE, ERR_ARGUMENT, ERR_OPTION, ERR_NON_FINITE, ERR_MEMORY
   */
  constructor(shape: ConvolutionShape, kernel: Float64Array, gain?: (i: number, j: number) => number) {
    checkShape(shape, kernel);
    if (gain !== undefined && typeof gain !== "function")
      throw badArgument("EvenConvolution", "gain", "a function of two frequencies", gain);
    const { rows, columns, paddedRows: P, paddedColumns: Q } = shape;
    this.shape = { rows, columns, paddedRows: P, paddedColumns: Q };
    this.form =
      installed.fourier?.(undefined, (batch) => [
        ...axisLengths(P, batch),
        ...axisLengths(Q, batch),
        ...Object.values(sizesOf(shape, batch)),
      ]) ?? fourierInTypeScript;
    const { form } = this;
    const sizes = sizesOf(shape, form.batch);
    this.rowAxis = axisOf(form, "paddedColumns", Q);
    this.columnAxis = axisOf(form, "paddedRows", P);
    this.evenBlocks = Math.ceil(keptOf(Q / 2, false) / form.batch);
    const blocks = blocksOf(Q, form.batch);
    this.factors = sizes.spectrum / blocks;
    this.evenFactors = keptOf(P / 2, false) * form.batch;
    this.lines = { array: form.take(sizes.lines), re: 0, im: columns * form.batch, count: columns };
    const array = form.take(sizes.field);
    const stride = sizes.field / blocks;
    this.field = { array, stride };
    this.fieldBlocks = Array.from({ length: blocks }, (_, block) => {
      const re = block * stride;
      return { array, re, im: re + stride / 2, count: rows };
    });
    this.spectrum = form.take(sizes.spectrum);
    const spectrum = spectrumOf(kernel, P, Q);
    const scale = 1 / (P * Q);
    for (let i = 0, at = 0; i <= P / 2; i++)
      for (let j = 0; j <= Q / 2; j++, at++) {
        const factor = gain ? gain(i, j) : 1;
        if (!Number.isFinite(factor)) throw notFinite("gain", i, j, factor);
        const value = spectrum[at] * (scale * factor);
        if (!Number.isFinite(value)) throw notFinite("spectrum", i, j, value);
        this.setFactor(i, j, value);
      }
  }

  /** In place; allocates nothing. @throws CurvatureError ERR_SHAPE */
  apply(grid: Float64Array): void {
    const { rows, columns } = this.shape;
    checkEntries("grid", grid, rows, columns);
    const together = 2 * this.form.batch;
    for (let first = 0; first < rows; first += together) this.transformRows(grid, first);
    for (let block = 0; block < this.fieldBlocks.length; block++) this.convolveColumns(block);
    for (let first = 0; first < rows; first += together) this.restoreRows(grid, first);
  }

  /** Of the frequencies i and j, at most P/2 and Q/2. Opposite ones have the same: that one is kept which comes first. */
  private setFactor(i: number, j: number, value: number): void {
    const { batch: B } = this.form;
    const k = placeOf(j, this.rowAxis.m);
    const block = Math.floor(k / B) + (j % 2) * this.evenBlocks;
    const row = placeOf(i, this.columnAxis.m);
    this.spectrum[block * this.factors + (i % 2) * this.evenFactors + row * B + (k % B)] = value;
  }

  /** Rows from `first` on, two in one sequence, into the field. */
  private transformRows(grid: Float64Array, first: number): void {
    const { form, lines, field, rowAxis } = this;
    const { batch: B, steps } = form;
    const { even, odd } = rowAxis;
    this.gather(grid, first);
    steps.foldEven(lines, rowAxis, even.x);
    steps.foldOdd(lines, rowAxis, odd.x);
    rowAxis.transform(even.x, even.y);
    rowAxis.transform(odd.x, odd.y);
    steps.separate(even.done, even, field, first * B);
    steps.separate(odd.done, odd, field, this.evenBlocks * field.stride + first * B);
  }

  private convolveColumns(block: number): void {
    const { form, spectrum, columnAxis } = this;
    const { steps } = form;
    const { even, odd } = columnAxis;
    const columns = this.fieldBlocks[block];
    const factors = block * this.factors;
    steps.foldEven(columns, columnAxis, even.x);
    steps.foldOdd(columns, columnAxis, odd.x);
    columnAxis.transform(even.x, even.y);
    steps.multiply(even.done, even, spectrum, factors);
    columnAxis.transform(even.doneSwapped, even.otherSwapped);
    columnAxis.transform(odd.x, odd.y);
    steps.multiply(odd.done, odd, spectrum, factors + this.evenFactors);
    columnAxis.transform(odd.doneSwapped, odd.otherSwapped);
    steps.unfold(even.x, odd.x, columnAxis, columns);
  }

  /** The way back of `transformRows`. */
  private restoreRows(grid: Float64Array, first: number): void {
    const { form, lines, field, rowAxis } = this;
    const { batch: B, steps } = form;
    const { even, odd } = rowAxis;
    steps.merge(field, first * B, even, even.x);
    steps.merge(field, this.evenBlocks * field.stride + first * B, odd, odd.x);
    rowAxis.transform(even.xSwapped, even.ySwapped);
    rowAxis.transform(odd.xSwapped, odd.ySwapped);
    steps.unfold(even.done, odd.done, rowAxis, lines);
    this.scatter(grid, first);
  }

  /** Rows from `first` on, zeros where there are no more, into lines. */
  private gather(grid: Float64Array, first: number): void {
    const { array: lines } = this.lines;
    const { batch: B } = this.form;
    const { rows, columns } = this.shape;
    for (let b = 0; b < 2 * B; b++) {
      const from = (first + b) * columns;
      const to = (b % 2) * columns * B + (b >> 1);
      if (first + b < rows) for (let j = 0; j < columns; j++) lines[to + j * B] = grid[from + j];
      else for (let j = 0; j < columns; j++) lines[to + j * B] = 0;
    }
  }

  private scatter(grid: Float64Array, first: number): void {
    const { array: lines } = this.lines;
    const { batch: B } = this.form;
    const { rows, columns } = this.shape;
    for (let b = 0; b < 2 * B && first + b < rows; b++) {
      const to = (first + b) * columns;
      const from = (b % 2) * columns * B + (b >> 1);
      for (let j = 0; j < columns; j++) grid[to + j] = lines[from + j * B];
    }
  }
}

function blocksOf(Q: number, B: number): number {
  return Math.ceil(keptOf(Q / 2, false) / B) + Math.ceil(keptOf(Q / 2, true) / B);
}

function sizesOf({ rows, columns, paddedRows: P, paddedColumns: Q }: ConvolutionShape, B: number) {
  const blocks = blocksOf(Q, B);
  return {
    lines: 2 * columns * B,
    field: blocks * 2 * (2 * B * Math.ceil(rows / (2 * B))) * B,
    spectrum: blocks * (P / 2 + 1) * B,
  };
}

/** Of a frequency up to m: where it or its opposite stands among the even or the odd ones that are kept. */
function placeOf(frequency: number, m: number): number {
  const k = frequency >> 1;
  return frequency % 2 === 0 ? Math.min(k, m - k) : Math.min(k, m - 1 - k);
}

function checkShape(shape: ConvolutionShape, kernel: Float64Array): void {
  if (typeof shape !== "object" || shape === null) throw wrongShape(shown(shape));
  const { rows, columns, paddedRows: P, paddedColumns: Q } = shape;
  const isWhole = [rows, columns, P, Q].every((size) => Number.isInteger(size) && size >= 1);
  if (!isWhole || P % 2 !== 0 || Q % 2 !== 0 || P < rows || Q < columns)
    throw wrongShape(`${rows} x ${columns} in ${P} x ${Q}`);
  checkEntries("kernel", kernel, P / 2 + 1, Q / 2 + 1);
  let at = 0;
  while (at < kernel.length && Number.isFinite(kernel[at])) at++;
  const width = Q / 2 + 1;
  if (at < kernel.length) throw notFinite("kernel", Math.floor(at / width), at % width, kernel[at]);
}

function wrongShape(received: string): CurvatureError {
  return new CurvatureError(
    "ERR_SHAPE",
    `a grid of at least 1 x 1 and an even padding at least as large are needed; received ${received}.`,
    { where: "EvenConvolution", path: "shape" },
  );
}

function notFinite(
  path: "kernel" | "gain" | "spectrum",
  i: number,
  j: number,
  received: unknown,
): CurvatureError {
  const expected = "a finite number";
  return new CurvatureError(
    "ERR_NON_FINITE",
    `the ${path} must be ${expected}; received ${shown(received)} for (${i}, ${j}).`,
    { where: "EvenConvolution", path, expected, received },
  );
}

function checkEntries(path: "grid" | "kernel", entries: Float64Array, rows: number, columns: number): void {
  if (entries instanceof Float64Array && entries.length === rows * columns) return;
  const expected = `a Float64Array of ${rows} x ${columns} entries`;
  throw new CurvatureError("ERR_SHAPE", `the ${path} must be ${expected}; received ${shown(entries)}.`, {
    where: "EvenConvolution",
    path,
    expected,
    received: entries,
  });
}
