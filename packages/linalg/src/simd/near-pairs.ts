/**
 * Pairs of near points, proposed in single precision. With y about any centre, scaled by a power of two, h a little less
 * than ‖y‖²/2 and w the worst distance that counts at a point,
 *
 *   ‖a − b‖² ≤ w_a  ⟹  fl⟨a, b⟩ ≥ fl(u_a + h_b),     h = (1 − τ) ‖y‖²/2 − θ,   u = h − (1 + σ) w/2            (1)
 *
 * | symbol | variable | meaning                                              |
 * |--------|----------|------------------------------------------------------|
 * | ε      | UNIT     | 2⁻²⁴, the unit of rounding                           |
 * | τ      | tau      | 2 (D + 16) ε                                         |
 * | σ      | SIGMA    | 16 ε                                                 |
 * | θ      | theta    | of numbers too small for a relative error            |
 *
 * Why (1) holds: rounding of the entries and of the product is below (D + 3) ε Σ |a_k b_k| ≤ (D + 3) ε (‖a‖² + ‖b‖²)/2 for
 * D ε ≤ 2⁻⁹ (Higham: Accuracy and Stability of Numerical Algorithms, 2nd edition, section 3.1), that of h, u and their
 * sum below 4 ε (h_a + h_b + w_a/2), and τ and σ are more than both. Entries up to 2⁴¹ have no product that overflows;
 * where entries or products fall below the normal numbers, each is off by no more than 2⁻¹⁰⁸. All else is done in double
 * precision, whose errors are 2⁻²⁸ times as large.
 *
 * The points stay in the memory of an instance of their own, which goes when they do.
 */

import type { NearPairs, NearPairsOf } from "../kernels/near-pairs.js";
import { Addresses, type Exports, instantiated } from "./instance.js";

const UNIT = 2 ** -24;
const SIGMA = 16 * UNIT;
/** Entries of a row: D ε stays below 2⁻⁹. */
const LONGEST = 2 ** 15;
/** Scaled, the largest entry lies in [2⁴⁰, 2⁴¹). */
const TOP = 40;
/** Sizes of the largest entry outside of which squares in double precision are not normal numbers. */
const EXTREME = 2 ** 400;
const MAX_BYTES = 2 ** 30;

const VISITORS = 64;
const COLUMNS = 256;

export const nearPairsOf =
  (module: WebAssembly.Module): NearPairsOf =>
  (exact, centred, columns) => {
    let largest = 0;
    for (let p = 0; p < centred.length; p++) largest = Math.max(largest, Math.abs(centred[p]));
    if (columns > LONGEST || !(largest >= 1 / EXTREME && largest <= EXTREME)) return undefined;
    const layout = layoutOf(exact.length / columns, columns);
    const exports = layout.bytes <= MAX_BYTES ? instantiated(module, layout.bytes) : undefined;
    return exports && new SinglePrecisionPairs(exports, layout, exact, centred, powerOfTwoFor(largest));
  };

/** s with s · largest in [2⁴⁰, 2⁴¹). */
function powerOfTwoFor(largest: number): number {
  let s = 1;
  while (s * largest < 2 ** TOP) s *= 2;
  while (s * largest >= 2 ** (TOP + 1)) s *= 0.5;
  return s;
}

/** Addresses, one array after the other. */
function layoutOf(rows: number, columns: number) {
  const addresses = new Addresses();
  const places = rows + 8; // panels of eight columns read beyond the last one
  /** Bytes of a row of single precision, of whole vectors. */
  const stride = 4 * ((columns + 3) & ~3);
  return {
    rows,
    columns,
    stride,
    single: addresses.take(rows * stride),
    double: addresses.take(8 * rows * columns),
    h: addresses.take(4 * places),
    u: addresses.take(4 * places),
    /** u of columns that do not count: infinity. */
    never: addresses.take(4 * places),
    visitors: addresses.take(4 * (VISITORS + 4)),
    panels: addresses.take(COLUMNS * stride),
    first: addresses.take(4 * VISITORS * COLUMNS),
    second: addresses.take(4 * VISITORS * COLUMNS),
    distances: addresses.take(8 * VISITORS * COLUMNS),
    bytes: addresses.size,
  };
}

type Layout = Readonly<ReturnType<typeof layoutOf>>;

class SinglePrecisionPairs implements NearPairs {
  readonly first: Int32Array;
  readonly second: Int32Array;
  readonly distances: Float64Array;
  readonly most = { visitors: VISITORS, columns: COLUMNS };
  private readonly visitors: Int32Array;
  private readonly h: Float32Array;
  private readonly u: Float32Array;
  private from = 0;
  private end = 0;

  constructor(
    private readonly exports: Exports,
    private readonly layout: Layout,
    exact: Float64Array,
    centred: Float64Array,
    private readonly s: number,
  ) {
    const { buffer } = exports.memory;
    const { rows } = layout;
    new Float64Array(buffer, layout.double, exact.length).set(exact);
    this.h = new Float32Array(buffer, layout.h, rows);
    this.u = new Float32Array(buffer, layout.u, rows);
    new Float32Array(buffer, layout.never, rows + 8).fill(Number.POSITIVE_INFINITY);
    this.visitors = new Int32Array(buffer, layout.visitors, VISITORS + 4);
    this.first = new Int32Array(buffer, layout.first, VISITORS * COLUMNS);
    this.second = new Int32Array(buffer, layout.second, VISITORS * COLUMNS);
    this.distances = new Float64Array(buffer, layout.distances, VISITORS * COLUMNS);
    this.place(centred, new Float32Array(buffer, layout.single, (rows * layout.stride) / 4));
  }

  private place(centred: Float64Array, single: Float32Array): void {
    const { s, h, layout } = this;
    const { rows, columns: D } = layout;
    const tau = 2 * (D + 16) * UNIT;
    const theta = (D + 16) * 2 ** -107;
    for (let n = 0, from = 0; n < rows; n++) {
      let to = (n * layout.stride) / 4;
      let norm = 0;
      for (let k = 0; k < D; k++, from++, to++) {
        const y = s * centred[from];
        norm += y * y;
        single[to] = y;
      }
      h[n] = 0.5 * norm * (1 - tau) - theta;
    }
  }

  setColumns(from: number, end: number): void {
    const { single, stride, panels } = this.layout;
    this.from = from;
    this.end = end;
    this.exports.packPanels(single, stride, from, end, panels);
  }

  find(visitors: Int32Array, worst: Float64Array, way: "visitors" | "both" | "after"): number {
    const { exports, layout, from, end } = this;
    const { first, second } = layout;
    this.visitors.set(visitors);
    this.visitors.fill(visitors[0], visitors.length, visitors.length + 3);
    for (let i = 0; i < visitors.length; i++) this.setLeast(visitors[i], worst);
    if (way !== "visitors") for (let b = from; b < end; b++) this.setLeast(b, worst);
    const count = exports.nearPairs(
      layout.single,
      layout.stride,
      layout.columns,
      layout.h,
      layout.u,
      way === "visitors" ? layout.never : layout.u,
      layout.visitors,
      visitors.length,
      layout.panels,
      from,
      end - from,
      Number(way === "after"),
      first,
      second,
    );
    exports.distances(layout.double, layout.columns, first, second, count, layout.distances);
    return count;
  }

  private setLeast(p: number, worst: Float64Array): void {
    const { s } = this;
    this.u[p] = this.h[p] - 0.5 * (1 + SIGMA) * (worst[p] * s * s);
  }
}
