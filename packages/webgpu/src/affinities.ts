/**
 * Entropic affinities among listed neighbours and their symmetric union, which stay on the device as a solver's rows.
 *
 *   p_m|n = exp(−β_n δ_m)/S,   β_n with H = log S + β ⟨δ⟩ = log k,   δ_m = (D_m − D_1)/(D_n − D_1) in [0, 1]
 *   N p_nm = (p_m|n + p_n|m)/2,   rows in the order of their columns
 *
 * A thread fits a row: Newton on a = log β within a bracket that every evaluation shrinks, to |H − log k| < 2e-6, which is what sums in
 * single precision resolve. A thread of a second kernel finds for one entry (n, m) the place of n in the list of m; entries without one
 * are counted at row m, and filled in at a cursor. Integer atomics count exactly, and the sort of each row removes the order in which
 * they came, so that the same lists give the same bits.
 */
import { log } from "@curvature/linalg";
import { type Gpu, singleBits } from "./gpu.js";
import type { SparseRows } from "./sparse-rows.js";
import type { BufferLike } from "./web-gpu.js";

/** Lists as a search returns them: K neighbours a row, nearest first, with squared distances. */
export interface Lists {
  readonly count: number;
  readonly indices: Int32Array;
  readonly distances: Float64Array;
  /** Rows whose last places are shared by more points. */
  readonly ties?: { readonly rows: Int32Array } | undefined;
}

const THREADS = 64;
/** Of the entropy, at which a row is done, and above which it is not resolved. */
const DONE = "2e-6";
const UNRESOLVED = "1e-5";
const head = "struct P { n : u32, count : u32, goal : f32, c : u32 }";
const rowOfThread = `(w.y * 65535u + w.x) * ${THREADS}u + t`;
const begin = "fn main(@builtin(workgroup_id) w : vec3u, @builtin(local_invocation_index) t : u32) {";

const fitCode = `
${head}
@group(0) @binding(0) var<storage, read> delta : array<f32>;
@group(0) @binding(1) var<storage, read_write> conditional : array<f32>;
@group(0) @binding(2) var<storage, read_write> failed : array<u32>;
@group(0) @binding(3) var<uniform> p : P;
@compute @workgroup_size(${THREADS})
${begin}
  let n = ${rowOfThread};
  if (n >= p.n) { return; }
  let first = n * p.count;
  var low = -10.0;
  var high = 85.0;
  var a = 1.0;
  var excess = 0.0;
  var sum = 0.0;
  for (var step = 0u; step < 64u; step++) {
    let beta = exp(a);
    sum = 0.0;
    var one = 0.0;
    var two = 0.0;
    for (var k = 0u; k < p.count; k++) {
      let d = min(beta * delta[first + k], 80.0); // beyond, e^−d is nothing beside the nearest one's 1
      let e = exp(-d);
      sum += e;
      one += e * d;
      two += e * d * d;
    }
    let mean = one / sum;
    excess = log(sum) + mean - p.goal;
    if (abs(excess) < ${DONE}) { break; }
    if (excess > 0.0) { low = a; } else { high = a; }
    let slope = mean * mean - two / sum;
    let newton = a - excess / min(slope, -1e-12);
    a = select(0.5 * (low + high), newton, newton > low && newton < high);
  }
  failed[n] = select(1u, 0u, abs(excess) < ${UNRESOLVED});
  let beta = exp(a);
  for (var k = 0u; k < p.count; k++) { conditional[first + k] = exp(-min(beta * delta[first + k], 80.0)) / sum; }
}`;

const countCode = `
${head}
@group(0) @binding(0) var<storage, read> lists : array<u32>;
@group(0) @binding(1) var<storage, read> conditional : array<f32>;
@group(0) @binding(2) var<storage, read_write> back : array<f32>; // p_n|m where m has n in its list, else −1
@group(0) @binding(3) var<storage, read_write> extra : array<atomic<u32>>;
@group(0) @binding(4) var<uniform> p : P;
@compute @workgroup_size(${THREADS})
${begin}
  let n = w.y * 65535u + w.x;
  if (n >= p.n) { return; }
  for (var k = t; k < p.count; k += ${THREADS}u) {
    let m = lists[n * p.count + k];
    var found = -1.0;
    for (var e = m * p.count; e < (m + 1u) * p.count; e++) {
      if (lists[e] == n) {
        found = conditional[e];
        break;
      }
    }
    back[n * p.count + k] = found;
    if (found < 0.0) { atomicAdd(&extra[m], 1u); }
  }
}`;

const fillCode = `
${head}
@group(0) @binding(0) var<storage, read> lists : array<u32>;
@group(0) @binding(1) var<storage, read> conditional : array<f32>;
@group(0) @binding(2) var<storage, read> back : array<f32>;
@group(0) @binding(3) var<storage, read> pointers : array<u32>;
@group(0) @binding(4) var<storage, read_write> cursors : array<atomic<u32>>;
@group(0) @binding(5) var<storage, read_write> indices : array<u32>;
@group(0) @binding(6) var<storage, read_write> values : array<f32>;
@group(0) @binding(7) var<uniform> p : P;
@compute @workgroup_size(${THREADS})
${begin}
  let n = w.y * 65535u + w.x;
  if (n >= p.n) { return; }
  for (var k = t; k < p.count; k += ${THREADS}u) {
    let entry = n * p.count + k;
    let m = lists[entry];
    let at = pointers[n] + k;
    indices[at] = m;
    values[at] = 0.5 * (conditional[entry] + max(back[entry], 0.0));
    if (back[entry] < 0.0) {
      let other = pointers[m] + p.count + atomicAdd(&cursors[m], 1u);
      indices[other] = n;
      values[other] = 0.5 * conditional[entry];
    }
  }
}`;

/** Each row by its columns (a heap, which a thread sorts in place), and its sum in that order. */
const sortCode = `
${head}
@group(0) @binding(0) var<storage, read> pointers : array<u32>;
@group(0) @binding(1) var<storage, read_write> indices : array<u32>;
@group(0) @binding(2) var<storage, read_write> values : array<f32>;
@group(0) @binding(3) var<storage, read_write> degrees : array<f32>;
@group(0) @binding(4) var<uniform> p : P;
fn sink(first : u32, start : u32, length : u32, column : u32, value : f32) {
  var at = start;
  loop {
    var child = 2u * at + 1u;
    if (child >= length) { break; }
    if (child + 1u < length && indices[first + child + 1u] > indices[first + child]) { child++; }
    if (indices[first + child] <= column) { break; }
    indices[first + at] = indices[first + child];
    values[first + at] = values[first + child];
    at = child;
  }
  indices[first + at] = column;
  values[first + at] = value;
}
@compute @workgroup_size(${THREADS})
${begin}
  let n = ${rowOfThread};
  if (n >= p.n) { return; }
  let first = pointers[n];
  let length = pointers[n + 1u] - first;
  for (var s = length / 2u; s > 0u; s--) { sink(first, s - 1u, length, indices[first + s - 1u], values[first + s - 1u]); }
  for (var last = length - 1u; last > 0u; last--) {
    let column = indices[first + last];
    let value = values[first + last];
    indices[first + last] = indices[first];
    values[first + last] = values[first];
    sink(first, 0u, last, column, value);
  }
  var sum = 0.0;
  for (var k = first; k < first + length; k++) { sum += values[k]; }
  degrees[n] = sum;
}`;

/**
 * The rows N p of the joint affinities of such lists.
 *
 * @param perplexity - k, above 1 and below `count`
 * @returns undefined where the rows are the processor's work: some of them share last places, or single precision does not resolve
 *   one, since k neighbours or more are equally near, or nearly
 * @throws CurvatureError (the promise rejects) ERR_MEMORY, ERR_DEVICE
 */
export async function affinityRows(
  gpu: Gpu,
  { count, indices: lists, distances, ties }: Lists,
  perplexity: number,
): Promise<(SparseRows & { readonly host: HostRows }) | undefined> {
  if (ties !== undefined && ties.rows.length > 0) return undefined;
  const N = lists.length / count;
  const [fit, find, fill, sort] = await Promise.all(
    [fitCode, countCode, fillCode, sortCode].map((code) => gpu.kernel(code)),
  );
  const held: BufferLike[] = [];
  const hold = (buffer: BufferLike): BufferLike => {
    held.push(buffer);
    return buffer;
  };
  const rows: BufferLike[] = [];
  let isMade = false;
  try {
    const listed = hold(gpu.upload(lists));
    const delta = hold(gpu.upload(unitDistances(distances, count)));
    const [conditional, back] = [hold(gpu.buffer(4 * N * count)), hold(gpu.buffer(4 * N * count))];
    const [failed, extra, cursors] = [1, 2, 3].map(() => hold(gpu.buffer(4 * N)));
    const at = hold(gpu.parameters(N, count, singleBits(log(perplexity))));
    const groups = Math.ceil(N / THREADS);
    const [failures, extras] = await gpu.read(
      [
        gpu.job(fit, [delta, conditional, failed, at], groups),
        gpu.job(find, [listed, conditional, back, extra, at], N),
      ],
      [
        { buffer: failed, bytes: 4 * N },
        { buffer: extra, bytes: 4 * N },
      ],
    );
    if (new Uint32Array(failures).includes(1)) return undefined;
    const rowPointers = new Int32Array(N + 1);
    for (const [n, more] of new Uint32Array(extras).entries())
      rowPointers[n + 1] = rowPointers[n] + count + more;
    const entries = rowPointers[N];
    const [pointers, indices, values, degrees] = [
      gpu.upload(rowPointers),
      gpu.buffer(4 * entries),
      gpu.buffer(4 * entries),
      gpu.buffer(4 * N),
    ];
    rows.push(pointers, indices, values, degrees);
    gpu.run([
      gpu.job(fill, [listed, conditional, back, pointers, cursors, indices, values, at], N),
      gpu.job(sort, [pointers, indices, values, degrees, at], groups),
    ]);
    const columnIndices = new Int32Array(entries);
    const joint = new Float32Array(entries);
    for (let from = 0; from < entries; from += PART) {
      const bytes = 4 * Math.min(PART, entries - from);
      const [columns, parts] = await gpu.read(
        [],
        [indices, values].map((buffer) => ({ buffer, bytes, from: 4 * from })),
      );
      columnIndices.set(new Int32Array(columns), from);
      joint.set(new Float32Array(parts), from);
    }
    isMade = true;
    return {
      ...{ rows: N, pointers, indices, values, degrees },
      host: { rowPointers, columnIndices, values: joint },
    };
  } finally {
    gpu.free(isMade ? held : [...held, ...rows]);
  }
}

/** A copy of the rows, for what the processor does with them. */
export interface HostRows {
  readonly rowPointers: Int32Array;
  readonly columnIndices: Int32Array;
  readonly values: Float32Array;
}

/** Entries that are read at a time. */
const PART = 2 ** 25;

/** δ of each row; 0 for those of a row without a range. */
function unitDistances(distances: Float64Array, count: number): Float32Array {
  const delta = new Float32Array(distances.length);
  for (let from = 0; from < distances.length; from += count) {
    const nearest = distances[from];
    const range = distances[from + count - 1] - nearest;
    for (let k = from; k < from + count && range > 0; k++) delta[k] = (distances[k] - nearest) / range;
  }
  return delta;
}
