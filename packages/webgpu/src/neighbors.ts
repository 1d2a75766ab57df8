/**
 * Exact nearest neighbours: blocks of rows against all rows.
 *
 *   d²(q, p) ≈ ‖q‖² + ‖p‖² − 2 q·p       products, 128 × 128 of them a workgroup, of columns without their medians, scaled to 1
 *   candidates of q: the M least (d², index), by radix selection on the bits of d², then of the index
 *   d²(q, p) = Σ (q_c − p_c)²            again for the candidates, in double precision; the k least (d², index) of them
 *
 * | symbol | variable   | meaning                                                                       |
 * |--------|------------|-------------------------------------------------------------------------------|
 * | M      | candidates | a power of two above k + 15, or all other rows: what rounding may have swapped |
 * | b      | bound      | the largest approximate d² of a row's candidates                              |
 *
 * Products cancel where rows lie close to each other and far from the middle. A row that is no candidate has an approximate d² of b
 * or more. If it were as near as the k-th neighbour, at a distance of d, its norm would be at most ‖q‖ + d, and its approximate d²
 *
 *   at most  (d + u (2 ‖q‖ + d))² + (D + 8) u (‖q‖² + (‖q‖ + d)²),   u = 2⁻²³
 *
 * Where that is below b the list is proved; the other rows are searched again by the processor, among all.
 */
import { CurvatureError, type DenseMatrix, type MatrixLike, shown, toDense } from "@curvature/linalg";
import type { Gpu } from "./gpu.js";
import type { BufferLike } from "./web-gpu.js";

/** Rows' nearest others; the k of row i from i · k on, nearest first. */
export interface NearestRows {
  readonly count: number;
  readonly indices: Int32Array;
  /** Squared. */
  readonly distances: Float64Array;
}

/** Rows and columns of a tile of distances. */
const TILE = 128;
/** Rows that are searched at a time, at the most. */
const MAX_BLOCK = 8_192;
/** Candidates beyond k: rounding of products swaps rows of nearly equal distance. */
const SPARE = 16;
/** Most candidates: two arrays of them lie in the memory of a workgroup. */
const MAX_CANDIDATES = 1_024;

const MAX_NEIGHBORS = MAX_CANDIDATES - SPARE;

/**
 * The k nearest other rows of each row, exactly; of rows that are equally far those of the lowest numbers.
 *
 * @param points - N × D, N from 2 on
 * @param k - from 1 to N − 1, 1,008 at the most
 * @returns squared distances in double precision
 * @throws CurvatureError (the promise rejects) ERR_SHAPE, ERR_NON_FINITE, ERR_ARGUMENT, ERR_MEMORY, ERR_DEVICE
 *
 * ```ts
 * const { indices, distances } = await nearestOnGpu(gpu, [[0], [1], [3]], 1);
 * // indices 1, 0, 1; distances 1, 1, 4
 * ```
 */
export async function nearestOnGpu(gpu: Gpu, points: MatrixLike, k: number): Promise<NearestRows> {
  const Y = toDense(points, "points");
  const most = Math.min(Y.rows - 1, MAX_NEIGHBORS);
  if (!(Number.isInteger(k) && k >= 1 && k <= most))
    throw new CurvatureError(
      "ERR_ARGUMENT",
      `The number of neighbours must be a whole number from 1 to ${most}; received ${shown(k)}.`,
      { path: "k", expected: `a whole number from 1 to ${most}`, received: k },
    );
  const { rows: N, columns: D } = Y;
  const width = powerOfTwo(Math.min(k + SPARE, N - 1));
  const candidates = Math.min(width, N - 1);
  const { columns, norms, scale } = scaledColumns(Y);
  const stride = TILE * Math.ceil(N / TILE);
  const rowsOfBuffer = TILE * Math.floor(gpu.largestBuffer / 4 / stride / TILE);
  if (rowsOfBuffer === 0)
    throw new CurvatureError(
      "ERR_MEMORY",
      `Distances of ${TILE} rows to ${N} do not fit into a buffer of this GPU.`,
      {
        expected: `at most ${Math.floor(gpu.largestBuffer / 4 / TILE)} rows`,
        received: N,
      },
    );
  const block = Math.min(rowsOfBuffer, MAX_BLOCK, stride);
  const [products, select, sort] = await Promise.all(
    [productsCode, selectCode(candidates), sortCode(candidates, width)].map((code) => gpu.kernel(code)),
  );
  const held: BufferLike[] = [];
  const hold = (buffer: BufferLike): BufferLike => {
    held.push(buffer);
    return buffer;
  };
  try {
    const a = hold(gpu.upload(columns));
    const norm = hold(gpu.upload(norms));
    const squares = hold(gpu.buffer(4 * block * stride));
    const found = hold(gpu.buffer(4 * block * candidates));
    const bounds = hold(gpu.buffer(4 * block));
    const indices = new Int32Array(N * k);
    const distances = new Float64Array(N * k);
    for (let first = 0; first < N; first += block) {
      const rows = Math.min(block, N - first);
      const at = hold(gpu.parameters(N, D, first, rows));
      const tiles = Math.ceil(N / TILE);
      const [bits, last] = await gpu.read(
        [
          gpu.job(products, [a, norm, squares, at], tiles, Math.ceil(rows / TILE)),
          gpu.job(select, [squares, found, bounds, at], rows),
          gpu.job(sort, [a, found, at], rows),
        ],
        [
          { buffer: found, bytes: 4 * rows * candidates },
          { buffer: bounds, bytes: 4 * rows },
        ],
      );
      const lists = { first, rows, candidates, k };
      exactLists(Y, new Uint32Array(bits), lists, indices, distances);
      if (candidates === N - 1) continue;
      const bound = new Float32Array(last);
      for (let r = 0; r < rows; r++) {
        const i = first + r;
        const farthest = Math.sqrt(distances[i * k + k - 1]) * scale;
        if (!isProved(Math.sqrt(norms[i]), farthest, bound[r], D)) searchAll(Y, i, k, indices, distances);
      }
    }
    return { count: k, indices, distances };
  } finally {
    gpu.free(held);
  }
}

function powerOfTwo(least: number): number {
  let power = 2;
  while (power < least) power *= 2;
  return power;
}

/** Column after column, without their medians and with entries up to 1, in single precision; the rows' squared norms, and the scale. */
function scaledColumns({ rows: N, columns: D, data }: DenseMatrix): {
  readonly columns: Float32Array;
  readonly norms: Float32Array;
  readonly scale: number;
} {
  const middles = new Float64Array(D);
  const column = new Float64Array(N);
  let largest = 0;
  for (let c = 0; c < D; c++) {
    for (let i = 0; i < N; i++) column[i] = data[i * D + c];
    column.sort();
    // A mean would be moved by one row far away, and all others would lie far from it, too.
    middles[c] = column[N >> 1];
    largest = Math.max(largest, middles[c] - column[0], column[N - 1] - middles[c]);
  }
  const scale = largest > 0 ? 1 / largest : 0;
  const columns = new Float32Array(N * D);
  const norms = new Float32Array(N);
  for (let i = 0; i < N; i++) {
    let square = 0;
    for (let c = 0; c < D; c++) {
      const entry = Math.fround(largest > 0 ? (data[i * D + c] - middles[c]) / largest : 0);
      columns[c * N + i] = entry;
      square += entry * entry;
    }
    norms[i] = square;
  }
  return { columns, norms, scale };
}

/** Rounding of single precision, with room for a device that does not round to the nearest. */
const UNIT = 2 ** -23;

/** Whether no other row can be as near as the k-th of the list: see above. @param distance - of that one, scaled */
function isProved(norm: number, distance: number, bound: number, D: number): boolean {
  const other = norm + distance;
  const apart = distance + UNIT * (norm + other);
  return apart * apart + (D + 8) * UNIT * (norm * norm + other * other) + 1e-37 < bound;
}

/** The k least (square, index) among all others, by the processor. */
function searchAll(
  { rows: N, columns: D, data }: DenseMatrix,
  i: number,
  k: number,
  indices: Int32Array,
  distances: Float64Array,
): void {
  const from = i * k;
  let count = 0;
  for (let j = 0; j < N; j++) {
    if (j === i) continue;
    let square = 0;
    for (let c = 0; c < D; c++) square += (data[i * D + c] - data[j * D + c]) ** 2;
    if (count === k && !(square < distances[from + k - 1])) continue;
    let at = count < k ? count++ : k - 1;
    for (; at > 0 && distances[from + at - 1] > square; at--) {
      distances[from + at] = distances[from + at - 1];
      indices[from + at] = indices[from + at - 1];
    }
    distances[from + at] = square;
    indices[from + at] = j;
  }
}

/** The candidates of a block of rows by their distances in double precision, and the first k of them. */
function exactLists(
  { columns: D, data }: DenseMatrix,
  found: Uint32Array,
  {
    first,
    rows,
    candidates,
    k,
  }: { readonly first: number; readonly rows: number; readonly candidates: number; readonly k: number },
  indices: Int32Array,
  distances: Float64Array,
): void {
  const squares = new Float64Array(candidates);
  for (let r = 0; r < rows; r++) {
    const i = first + r;
    const list = found.subarray(r * candidates, (r + 1) * candidates);
    for (let e = 0; e < candidates; e++) {
      const j = list[e];
      let square = 0;
      for (let c = 0; c < D; c++) square += (data[i * D + c] - data[j * D + c]) ** 2;
      // The device's order is nearly right: insertion takes few steps.
      let at = e;
      for (; at > 0 && (squares[at - 1] > square || (squares[at - 1] === square && list[at - 1] > j)); at--) {
        squares[at] = squares[at - 1];
        list[at] = list[at - 1];
      }
      squares[at] = square;
      list[at] = j;
    }
    indices.set(list.subarray(0, k), i * k);
    distances.set(squares.subarray(0, k), i * k);
  }
}

const parameters = "struct P { n : u32, columns : u32, first : u32, rows : u32 }";

const eight = Array.from({ length: 8 }, (_, e) => e);
const four = [0, 1, 2, 3];

/** Squared distances of 128 rows of a block and 128 rows of all, 8 × 8 a thread; 8 columns of both at a time in the workgroup. */
const productsCode = `
${parameters}
@group(0) @binding(0) var<storage, read> a : array<f32>;
@group(0) @binding(1) var<storage, read> norm : array<f32>;
@group(0) @binding(2) var<storage, read_write> squares : array<f32>;
@group(0) @binding(3) var<uniform> p : P;
var<workgroup> queries : array<vec4f, 256>;
var<workgroup> others : array<vec4f, 256>;
@compute @workgroup_size(16, 16)
fn main(@builtin(workgroup_id) w : vec3u, @builtin(local_invocation_id) l : vec3u, @builtin(local_invocation_index) t : u32) {
  let stride = 128u * ((p.n + 127u) / 128u);
  let top = w.y * 128u;
  let left = w.x * 128u;
  ${eight.map((e) => `var near${e} = vec4f(0.0); var far${e} = vec4f(0.0);`).join("\n  ")}
  for (var c = 0u; c < p.columns; c += 8u) {
    workgroupBarrier();
    let column = c + t / 32u;
    var query = vec4f(0.0);
    var other = vec4f(0.0);
    if (column < p.columns) {
      let q = p.first + top + 4u * (t % 32u);
      let o = left + 4u * (t % 32u);
      ${four.map((e) => `query[${e}] = a[column * p.n + min(q + ${e}u, p.n - 1u)]; other[${e}] = a[column * p.n + min(o + ${e}u, p.n - 1u)];`).join("\n      ")}
    }
    queries[t] = query;
    others[t] = other;
    workgroupBarrier();
    for (var s = 0u; s < 8u; s++) {
      let q0 = queries[s * 32u + l.y];
      let q1 = queries[s * 32u + 16u + l.y];
      let o0 = others[s * 32u + l.x];
      let o1 = others[s * 32u + 16u + l.x];
      ${eight.map((e) => `near${e} += q${e >> 2}[${e & 3}] * o0; far${e} += q${e >> 2}[${e & 3}] * o1;`).join("\n      ")}
    }
  }
  ${eight
    .map(
      (e) => `{
    let row = top + ${64 * (e >> 2) + (e & 3)}u + 4u * l.y;
    if (row < p.rows) {
      let own = norm[p.first + row];
      ${four
        .map(
          (f) => `{
        let at = left + 4u * l.x + ${f}u;
        if (at < p.n) { squares[row * stride + at] = select(max(0.0, own + norm[at] - 2.0 * near${e}[${f}]), 3.4e38, p.first + row == at); }
        let beyond = at + 64u;
        if (beyond < p.n) { squares[row * stride + beyond] = select(max(0.0, own + norm[beyond] - 2.0 * far${e}[${f}]), 3.4e38, p.first + row == beyond); }
      }`,
        )
        .join("\n      ")}
    }
  }`,
    )
    .join("\n  ")}
}`;

/** The M least (square, index) of each row, in any order: three digits of the square's bits, and where equals remain of the index. */
const selectCode = (candidates: number): string => `
${parameters}
@group(0) @binding(0) var<storage, read> squares : array<f32>;
@group(0) @binding(1) var<storage, read_write> found : array<u32>;
@group(0) @binding(2) var<storage, read_write> bounds : array<f32>;
@group(0) @binding(3) var<uniform> p : P;
const THREADS = 256u;
var<workgroup> counts : array<atomic<u32>, 2048>;
var<workgroup> bound : u32;   // bits of the last square that is taken
var<workgroup> lastIndex : u32;   // of the last one among its equals
var<workgroup> missing : u32;
var<workgroup> isTied : u32;
var<workgroup> filled : atomic<u32>;
@compute @workgroup_size(THREADS)
fn main(@builtin(workgroup_id) w : vec3u, @builtin(local_invocation_index) t : u32) {
  let base = w.x * 128u * ((p.n + 127u) / 128u);
  if (t == 0u) { bound = 0u; lastIndex = 0u; missing = ${candidates}u; isTied = 0u; atomicStore(&filled, 0u); }
  var known = 0u;
  for (var digit = 0u; digit < 6u; digit++) {
    if (digit == 3u) {
      if (workgroupUniformLoad(&isTied) == 0u) { break; }
      known = 0u;
    }
    let shift = select(select(0u, 10u, digit % 3u == 1u), 21u, digit % 3u == 0u);
    let values = select(1024u, 2048u, digit % 3u < 2u);
    for (var e = t; e < 2048u; e += THREADS) { atomicStore(&counts[e], 0u); }
    workgroupBarrier();
    for (var j = t; j < p.n; j += THREADS) {
      let bits = bitcast<u32>(squares[base + j]);
      let key = select(bits, j, digit >= 3u);
      let isHere = select((bits & known) == bound, bits == bound && (j & known) == lastIndex, digit >= 3u);
      if (isHere) { atomicAdd(&counts[(key >> shift) & (values - 1u)], 1u); }
    }
    workgroupBarrier();
    if (t == 0u) {
      var before = 0u;
      var value = 0u;
      var here = atomicLoad(&counts[0]);
      while (before + here < missing && value + 1u < values) {
        before += here;
        value++;
        here = atomicLoad(&counts[value]);
      }
      missing -= before;
      if (digit < 3u) { bound |= value << shift; } else { lastIndex |= value << shift; }
      if (digit == 2u) { isTied = select(0u, 1u, here > missing); }
    }
    known |= (values - 1u) << shift;
    workgroupBarrier();
  }
  if (t == 0u) { bounds[w.x] = bitcast<f32>(bound); }
  let end = select(0xffffffffu, lastIndex, isTied == 1u);
  let first = w.x * ${candidates}u;
  for (var j = t; j < p.n; j += THREADS) {
    let bits = bitcast<u32>(squares[base + j]);
    if (bits < bound || (bits == bound && j <= end)) {
      let at = atomicAdd(&filled, 1u);
      if (at < ${candidates}u) { found[first + at] = j; }
    }
  }
}`;

/** Each row's candidates by (distance from differences, index). */
const sortCode = (candidates: number, width: number): string => `
${parameters}
@group(0) @binding(0) var<storage, read> a : array<f32>;
@group(0) @binding(1) var<storage, read_write> found : array<u32>;
@group(0) @binding(2) var<uniform> p : P;
const THREADS = ${Math.min(256, width)}u;
var<workgroup> square : array<f32, ${width}>;
var<workgroup> index : array<u32, ${width}>;
@compute @workgroup_size(THREADS)
fn main(@builtin(workgroup_id) w : vec3u, @builtin(local_invocation_index) t : u32) {
  let i = p.first + w.x;
  let first = w.x * ${candidates}u;
  for (var e = t; e < ${width}u; e += THREADS) {
    var sum = 3.4e38;
    var j = 0xffffffffu;
    if (e < ${candidates}u) {
      j = found[first + e];
      sum = 0.0;
      for (var c = 0u; c < p.columns; c++) {
        let difference = a[c * p.n + i] - a[c * p.n + j];
        sum += difference * difference;
      }
    }
    square[e] = sum;
    index[e] = j;
  }
  workgroupBarrier();
  for (var size = 2u; size <= ${width}u; size *= 2u) {
    for (var half = size / 2u; half > 0u; half /= 2u) {
      for (var e = t; e < ${width / 2}u; e += THREADS) {
        let low = (e / half) * 2u * half + e % half;
        let high = low + half;
        let isRising = (low & size) == 0u;
        let isAbove = square[low] > square[high] || (square[low] == square[high] && index[low] > index[high]);
        if (isAbove == isRising) {
          let s = square[low];
          square[low] = square[high];
          square[high] = s;
          let j = index[low];
          index[low] = index[high];
          index[high] = j;
        }
      }
      workgroupBarrier();
    }
  }
  for (var e = t; e < ${candidates}u; e += THREADS) { found[first + e] = index[e]; }
}`;
