/**
 * A kernel on a grid: the convolution that takes charges at the nodes to potentials there, so that interpolating both
 * with cubic B-splines gives the kernel between points.
 *
 *   K̃(x, y) = Σ_{ab} B_a(x) κ_{a−b} B_b(y),   κ̂ = K̂_s / (b(θ₁) b(θ₂))², once b for x and once for y
 *
 * K_s are the kernel's samples at the nodes' distances and b the transform of the spline's own samples (see
 * `cubic-spline.ts`): K̃ equals K where x and y are nodes. Between them, at a spacing of 1/2, it is off by up to 0.02 for
 * near pairs, with changing sign: 1e-4 of the sum over a map and less than 1 % of the forces.
 *
 * κ falls off by 0.27 per node beside K_s, hence the `GUARD` nodes between what is needed and where distances wrap.
 */
import { type ConvolutionShape, cos, EvenConvolution, fastLength } from "@curvature/linalg";
import { SUPPORT } from "./cubic-spline.js";
import type { RadialKernel } from "./radial-kernels.js";

const GUARD = 24;

export class KernelGrid {
  readonly convolution: EvenConvolution;
  /** κ between nodes up to three apart, 4 × 4. */
  readonly near: Float64Array;
  /** The nodes' charges and then their potentials, by rows: for those who use the grid. */
  readonly field: Float64Array;

  constructor(
    kernel: RadialKernel,
    readonly spacing: number,
    rows: number,
    columns: number,
  ) {
    const nodes = Math.min(Math.ceil(kernel.reach / spacing), 1e9);
    const shape: ConvolutionShape = {
      rows,
      columns,
      paddedRows: fastLength(rows + Math.min(rows, nodes) + GUARD),
      paddedColumns: fastLength(columns + Math.min(columns, nodes) + GUARD),
    };
    this.convolution = new EvenConvolution(shape, samples(kernel, spacing, shape), prefilter(shape));
    this.field = new Float64Array(rows * columns);
    this.near = this.nearField();
  }

  /** Nodes in a row of the field. */
  get columns(): number {
    return this.convolution.shape.columns;
  }

  fits(spacing: number, rows: number, columns: number): boolean {
    const { shape } = this.convolution;
    return spacing === this.spacing && rows === shape.rows && columns === shape.columns;
  }

  /** Of the potential of one charge in the middle. */
  private nearField(): Float64Array {
    const { field } = this;
    const { rows, columns } = this.convolution.shape;
    const middle = (rows >> 1) * columns + (columns >> 1);
    field[middle] = 1;
    this.convolution.apply(field);
    const near = new Float64Array(SUPPORT * SUPPORT);
    for (let i = 0; i < SUPPORT; i++)
      for (let j = 0; j < SUPPORT; j++) near[i * SUPPORT + j] = field[middle + i * columns + j];
    return near;
  }
}

function samples(
  kernel: RadialKernel,
  spacing: number,
  { paddedRows: P, paddedColumns: Q }: ConvolutionShape,
): Float64Array {
  const K = new Float64Array((P / 2 + 1) * (Q / 2 + 1));
  for (let i = 0, at = 0; i <= P / 2; i++) {
    const row = i * spacing * (i * spacing);
    for (let j = 0; j <= Q / 2; j++, at++) K[at] = kernel.value(row + j * spacing * (j * spacing));
  }
  return K;
}

/** 1 / (b(θ₁) b(θ₂))² */
function prefilter({ paddedRows, paddedColumns }: ConvolutionShape): (i: number, j: number) => number {
  const alongRows = inverseSquares(paddedRows);
  const alongColumns = inverseSquares(paddedColumns);
  return (i, j) => alongRows[i] * alongColumns[j];
}

/** 1 / b(2πk/n)² for k ≤ n/2 */
function inverseSquares(n: number): Float64Array {
  return Float64Array.from({ length: n / 2 + 1 }, (_, k) => {
    const b = (2 + cos((2 * Math.PI * k) / n)) / 3;
    return 1 / (b * b);
  });
}
