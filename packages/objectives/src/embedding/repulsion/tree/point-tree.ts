/**
 * A tree of cells over the points of a map in the plane or in space: a cell is halved across the longest side of the
 * box around its points until it holds few of them, or is small.
 *
 * Boxes are drawn anew around what they hold, so that points far away are parted from the rest at once, whatever their
 * distance, and moving the map moves the tree. A box's side halves with every so many levels and small cells are not
 * halved, so that the tree's depth is bounded by the exponents of floating-point numbers: points in one place, on a line
 * or at distances that double from each to the next end like all others.
 *
 * The points lie in the order of the tree: a cell's are those from `begin` to `end`. Cells are numbered depth first: the
 * left child of c is c + 1. Arrays grow with the largest tree so far; once they have, `build` allocates nothing.
 */
export class PointTree {
  /** Cells in use. */
  cells = 0;
  /** Levels of the tree. */
  depth = 0;
  /** The cell's points; `end` is not among them. */
  begin: Int32Array;
  end: Int32Array;
  /** The right child, 0 for a leaf. */
  right: Int32Array;
  /** Coordinates in the order of the tree; z is 0 in the plane. */
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly z: Float64Array;
  /** The place in the map of the point at a place in the tree. */
  readonly order: Int32Array;
  /** Cells still to be made: where they begin and end, the cell whose right child they are or −1, their level. */
  private pending = new Int32Array(4 * 64);
  private readonly low = new Float64Array(3);
  private readonly high = new Float64Array(3);

  /**
   * @param leafSize - points that a cell may hold without being halved
   * @param small - length of the diagonal of boxes that are not halved
   */
  constructor(
    private readonly points: number,
    private readonly dimensions: number,
    private readonly leafSize: number,
    private readonly small: number,
  ) {
    this.x = new Float64Array(points);
    this.y = new Float64Array(points);
    this.z = new Float64Array(points);
    this.order = new Int32Array(points);
    const capacity = Math.max(16, Math.ceil((4 * points) / leafSize));
    this.begin = new Int32Array(capacity);
    this.end = new Int32Array(capacity);
    this.right = new Int32Array(capacity);
  }

  /** @param X - N × d, row-major */
  build(X: Float64Array): void {
    this.load(X);
    this.cells = 0;
    this.depth = 0;
    let waiting = this.push(0, 0, this.points, -1, 1);
    while (waiting > 0) {
      waiting -= 1;
      const { pending } = this;
      const begin = pending[4 * waiting];
      const end = pending[4 * waiting + 1];
      const parent = pending[4 * waiting + 2];
      const level = pending[4 * waiting + 3];
      const cell = this.add(begin, end);
      if (parent >= 0) this.right[parent] = cell;
      if (level > this.depth) this.depth = level;
      const middle = end - begin <= this.leafSize ? begin : this.halved(begin, end);
      if (middle === begin) continue;
      waiting = this.push(waiting, middle, end, cell, level + 1);
      waiting = this.push(waiting, begin, middle, -1, level + 1);
    }
  }

  private load(X: Float64Array): void {
    const { x, y, z, order, points, dimensions: d } = this;
    for (let n = 0; n < points; n++) {
      x[n] = X[n * d];
      y[n] = X[n * d + 1];
      if (d === 3) z[n] = X[n * d + 2];
      order[n] = n;
    }
  }

  private push(waiting: number, begin: number, end: number, parent: number, level: number): number {
    if (4 * waiting === this.pending.length) this.pending = grown(this.pending);
    this.pending[4 * waiting] = begin;
    this.pending[4 * waiting + 1] = end;
    this.pending[4 * waiting + 2] = parent;
    this.pending[4 * waiting + 3] = level;
    return waiting + 1;
  }

  private add(begin: number, end: number): number {
    const cell = this.cells++;
    if (cell === this.begin.length) {
      this.begin = grown(this.begin);
      this.end = grown(this.end);
      this.right = grown(this.right);
    }
    this.begin[cell] = begin;
    this.end[cell] = end;
    this.right[cell] = 0;
    return cell;
  }

  /** Parts the points across the longest side of their box; returns where the second half begins, `begin` if they stay. */
  private halved(begin: number, end: number): number {
    const { x, y, z, low, high, dimensions } = this;
    bounds(x, begin, end, 0, low, high);
    bounds(y, begin, end, 1, low, high);
    if (dimensions === 3) bounds(z, begin, end, 2, low, high);
    let longest = 0;
    let diagonal = 0; // squared
    for (let i = 0; i < dimensions; i++) {
      const side = high[i] - low[i];
      diagonal += side * side;
      if (side > high[longest] - low[longest]) longest = i;
    }
    if (diagonal <= this.small * this.small || !(high[longest] > low[longest])) return begin;
    const split = between(low[longest], high[longest]);
    return this.parted(longest === 0 ? x : longest === 1 ? y : z, split, begin, end);
  }

  /** Points of a coordinate of at most `split` first. */
  private parted(along: Float64Array, split: number, begin: number, end: number): number {
    const { x, y, z, order } = this;
    let i = begin;
    let j = end - 1;
    for (;;) {
      while (i <= j && along[i] <= split) i++;
      while (i <= j && !(along[j] <= split)) j--;
      if (i >= j) return i;
      swap(x, i, j);
      swap(y, i, j);
      swap(z, i, j);
      const n = order[i];
      order[i] = order[j];
      order[j] = n;
    }
  }
}

function bounds(
  a: Float64Array,
  begin: number,
  end: number,
  axis: number,
  low: Float64Array,
  high: Float64Array,
): void {
  let least = Number.POSITIVE_INFINITY;
  let greatest = Number.NEGATIVE_INFINITY;
  for (let n = begin; n < end; n++) {
    if (a[n] < least) least = a[n];
    if (a[n] > greatest) greatest = a[n];
  }
  low[axis] = least;
  high[axis] = greatest;
}

/** The middle, at least `low` and below `high`. */
function between(low: number, high: number): number {
  const middle = 0.5 * low + 0.5 * high; // the sum of both might overflow
  return middle >= low && middle < high ? middle : low;
}

function swap(a: Float64Array, i: number, j: number): void {
  const value = a[i];
  a[i] = a[j];
  a[j] = value;
}

function grown(a: Int32Array): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(2 * a.length);
  larger.set(a);
  return larger;
}
