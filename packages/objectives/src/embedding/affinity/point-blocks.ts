/**
 * Points as the blocked search sees them: centred, in an order of blocks, with what bounds distances from below.
 *
 * With y about any centre, τ above the rounding of all that follows, and h = ‖y‖² (1 − τ) / 2:
 *
 *   ‖a − b‖² ≥ 2 (h_a + h_b − ⟨a, b⟩)                                                                      (1)
 *   ‖a − b‖ ≥ ‖c_I − c_J‖ − r_I − r_J − τ (R_I + R_J)       for all a in block I, b in block J             (2)
 *
 * | symbol | variable | meaning                                            |
 * |--------|----------|----------------------------------------------------|
 * | h      | half     | half the squared norm, a little less               |
 * | c, r   | centres, radii | a block's mean, and the ball about it that holds it |
 * | R      | reach    | the largest norm in a block                        |
 */
import type { DenseMatrix } from "@curvature/linalg";
import { type Memory, ownMemory } from "../threads/memory.js";

/** Rows from which the centre is taken. */
const SAMPLE = 255;

/** Multiplications of a product of two blocks: some 10 ms at the most, and at least blocks of this many rows. */
const PRODUCT = 2 ** 24;
const [FEWEST, MOST] = [32, 256];

/** Rows of a block: as many as fit the cache and leave the event loop its turn. */
export function blockSize(D: number): number {
  let rows = MOST;
  while (rows > FEWEST && rows * rows * D > PRODUCT) rows >>= 1;
  return rows;
}

/** The median of every column, of some rows: a far point does not move it, as it would move the mean. */
export function centreOf({ rows, columns, data }: DenseMatrix): Float64Array {
  const count = Math.min(rows, SAMPLE);
  const column = new Float64Array(count);
  const centre = new Float64Array(columns);
  for (let j = 0; j < columns; j++) {
    for (let s = 0; s < count; s++) column[s] = data[Math.floor((s * rows) / count) * columns + j];
    centre[j] = column.sort()[count >> 1];
  }
  return centre;
}

/** What threads that search the same points have in common. */
export interface BlockedPoints {
  readonly rows: number;
  readonly columns: number;
  /** Rows of each block but the last. */
  readonly block: number;
  /** The points, by position: what is measured together lies together. */
  readonly exact: Float64Array;
  /** About the centre, by position. */
  readonly centred: Float64Array;
  readonly half: Float64Array;
  /** Position → row of the points as they were given; undefined where they keep their places. */
  readonly order: Int32Array | undefined;
}

export class PointBlocks {
  readonly rows: number;
  readonly columns: number;
  readonly block: number;
  /** How many blocks. */
  readonly count: number;
  readonly exact: Float64Array;
  readonly centred: Float64Array;
  readonly half: Float64Array;
  private readonly order: Int32Array | undefined;

  constructor({ rows, columns, block, exact, centred, half, order }: BlockedPoints) {
    this.rows = rows;
    this.columns = columns;
    this.block = block;
    this.count = Math.ceil(rows / block);
    this.exact = exact;
    this.centred = centred;
    this.half = half;
    this.order = order;
  }

  /** @param block - rows of each block but the last */
  static of(
    points: DenseMatrix,
    centre: Float64Array,
    order: Int32Array | undefined,
    block: number,
  ): PointBlocks {
    return new PointBlocks(blockedPoints(points, centre, order, block, ownMemory));
  }

  /** The row of a position, in the points as they were given. */
  rowAt(position: number): number {
    return this.order === undefined ? position : this.order[position];
  }

  start(I: number): number {
    return I * this.block;
  }

  end(I: number): number {
    return Math.min(this.rows, (I + 1) * this.block);
  }
}

export function blockedPoints(
  { rows, columns, data }: DenseMatrix,
  centre: Float64Array,
  order: Int32Array | undefined,
  block: number,
  { numbers }: Memory,
): BlockedPoints {
  const exact = order === undefined ? data : numbers(rows * columns);
  const centred = numbers(rows * columns);
  const half = numbers(rows);
  const shrink = 1 - tau(columns);
  const underflow = 4 * (columns + 16) * Number.MIN_VALUE; // of products too small for a relative error
  for (let i = 0; i < rows; i++) {
    const from = (order === undefined ? i : order[i]) * columns;
    if (order !== undefined) exact.set(data.subarray(from, from + columns), i * columns);
    const sum = centreRow(data, from, centre, centred, i * columns);
    half[i] = 0.5 * (sum * shrink - underflow);
  }
  return { rows, columns, block, exact, centred, half, order };
}

/** A row about the centre; returns its squared norm. A call for each, as below. */
function centreRow(
  data: Float64Array,
  from: number,
  centre: Float64Array,
  centred: Float64Array,
  to: number,
): number {
  let sum = 0;
  for (let j = 0; j < centre.length; j++) {
    const y = data[from + j] - centre[j];
    centred[to + j] = y;
    sum += y * y;
  }
  return sum;
}

const tau = (columns: number): number => 4 * (columns + 16) * Number.EPSILON;

/** Balls around the blocks, and the distances between them. */
export class BlockBalls {
  readonly centres: Float64Array;
  private readonly radii: Float64Array;
  /** τ R */
  private readonly slack: Float64Array;
  private readonly columns: number;

  constructor(points: PointBlocks) {
    const { count, columns: D } = points;
    this.columns = D;
    this.centres = new Float64Array(count * D);
    this.radii = new Float64Array(count);
    this.slack = new Float64Array(count);
    for (let I = 0; I < count; I++) this.surround(I, points);
  }

  /** A call for each block: V8 compiles what is called often, and boxes the numbers of one long loop on its way to that. */
  private surround(I: number, points: PointBlocks): void {
    const { columns: D, centred } = points;
    const [start, end] = [points.start(I), points.end(I)];
    const centre = this.centres.subarray(I * D, (I + 1) * D);
    for (let p = start; p < end; p++)
      for (let j = 0; j < D; j++) centre[j] += centred[p * D + j] / (end - start);
    let radius = 0;
    let reach = 0;
    for (let p = start; p < end; p++) {
      let toCentre = 0;
      let norm = 0;
      for (let j = 0; j < D; j++) {
        const y = centred[p * D + j];
        toCentre += (y - centre[j]) * (y - centre[j]);
        norm += y * y;
      }
      radius = Math.max(radius, toCentre);
      reach = Math.max(reach, norm);
    }
    this.radii[I] = Math.sqrt(radius);
    this.slack[I] = tau(D) * Math.sqrt(reach);
  }

  /** ‖c_I − c_J‖ */
  distance(I: number, J: number): number {
    const { centres, columns: D } = this;
    let sum = 0;
    for (let j = 0; j < D; j++) {
      const t = centres[I * D + j] - centres[J * D + j];
      sum += t * t;
    }
    return Math.sqrt(sum);
  }

  /** Below all distances between points of the two blocks, whose centres are `distance` apart: bound (2). */
  gap(I: number, J: number, distance: number): number {
    const { radii, slack } = this;
    return distance - radii[I] - radii[J] - slack[I] - slack[J];
  }
}
