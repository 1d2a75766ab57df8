/**
 * Student's repulsion of all pairs in the plane: of all of them, or tile by tile with moments of those that are far.
 *
 *   out_n = (Σ_{m ≠ n} k, Σ_m k² (x_n − x_m), 0),   k = 1/(1 + ‖x_n − x_m‖²)
 */
import { type Gpu, type Job, singleBits } from "./gpu.js";
import type { BufferLike } from "./web-gpu.js";

const THREADS = 256;
/** Pairs of one dispatch: browsers end those that take seconds. */
const MAX_PAIRS = 2e11;

const exactCode = `
struct P { n : u32, first : u32, b : u32, c : u32 }
@group(0) @binding(0) var<storage, read> x : array<vec2f>;
@group(0) @binding(1) var<storage, read_write> out : array<vec4f>;
@group(0) @binding(2) var<uniform> p : P;
var<workgroup> tile : array<vec2f, ${THREADS}>;
@compute @workgroup_size(${THREADS})
fn main(@builtin(workgroup_id) w : vec3u, @builtin(local_invocation_index) t : u32) {
  let i = p.first + w.x * ${THREADS}u + t;
  let own = x[min(i, p.n - 1u)];
  var total = vec3f(0.0);
  for (var begin = 0u; begin < p.n; begin += ${THREADS}u) {
    workgroupBarrier();
    // Beyond the last point: so far that its kernel is 0.
    tile[t] = select(vec2f(1e18), x[min(begin + t, p.n - 1u)], begin + t < p.n);
    workgroupBarrier();
    var part = vec3f(0.0); // of a tile first, then of tiles: sums in single precision
    for (var j = 0u; j < ${THREADS}u; j++) {
      let d = own - tile[j];
      let k = 1.0 / (1.0 + dot(d, d));
      part += vec3f(k, k * k * d);
    }
    total += part;
  }
  if (i < p.n) { out[i] = vec4f(total.x - 1.0, total.yz, 0.0); }
}`;

/**
 * All pairs.
 *
 * @param x - N vec2f
 * @param out - N vec4f
 * @throws CurvatureError (the promise rejects) ERR_DEVICE
 */
export async function exactRepulsionJobs(
  gpu: Gpu,
  n: number,
  x: BufferLike,
  out: BufferLike,
): Promise<readonly Job[]> {
  const kernel = await gpu.kernel(exactCode);
  const groups = Math.ceil(n / THREADS);
  const most = Math.max(1, Math.min(65_535, Math.floor(MAX_PAIRS / n / THREADS)));
  return Array.from({ length: Math.ceil(groups / most) }, (_, part) => {
    const at = gpu.parameters(n, part * most * THREADS);
    return gpu.job(kernel, [x, out, at], Math.min(most, groups - part * most));
  });
}

const momentsCode = (size: number): string => `
struct P { n : u32, a : u32, b : u32, c : u32 }
@group(0) @binding(0) var<storage, read> x : array<vec2f>;
@group(0) @binding(1) var<storage, read> order : array<u32>;
@group(0) @binding(2) var<storage, read_write> ordered : array<vec2f>;
@group(0) @binding(3) var<storage, read_write> moments : array<vec4f>; // of each tile (centre, radius, count), (Mxx, Mxy, Myy, 0)
@group(0) @binding(4) var<uniform> p : P;
var<workgroup> sums : array<vec4f, ${size}>;
var<workgroup> squares : array<f32, ${size}>;
@compute @workgroup_size(${size})
fn main(@builtin(workgroup_id) w : vec3u, @builtin(local_invocation_index) t : u32) {
  let tile = w.y * 65535u + w.x;
  let i = tile * ${size}u + t;
  let isPoint = i < p.n;
  var place = vec2f(0.0);
  if (isPoint) {
    place = x[order[i]];
    ordered[i] = place;
  }
  sums[t] = vec4f(place, select(0.0, 1.0, isPoint), 0.0);
  workgroupBarrier();
  for (var half = ${size / 2}u; half > 0u; half /= 2u) {
    if (t < half) { sums[t] += sums[t + half]; }
    workgroupBarrier();
  }
  let total = sums[0];
  let centre = total.xy / max(total.z, 1.0);
  let d = select(vec2f(0.0), place - centre, isPoint);
  workgroupBarrier();
  sums[t] = vec4f(d.x * d.x, d.x * d.y, d.y * d.y, 0.0);
  squares[t] = dot(d, d);
  workgroupBarrier();
  for (var half = ${size / 2}u; half > 0u; half /= 2u) {
    if (t < half) {
      sums[t] += sums[t + half];
      squares[t] = max(squares[t], squares[t + half]);
    }
    workgroupBarrier();
  }
  if (t == 0u && tile * ${size}u < p.n) {
    moments[2u * tile] = vec4f(centre, sqrt(squares[0]), total.z);
    moments[2u * tile + 1u] = sums[0];
  }
}`;

const tilesCode = (size: number): string => `
struct P { n : u32, tiles : u32, theta : f32, first : u32 }
@group(0) @binding(0) var<storage, read> ordered : array<vec2f>;
@group(0) @binding(1) var<storage, read> order : array<u32>;
@group(0) @binding(2) var<storage, read> moments : array<vec4f>;
@group(0) @binding(3) var<storage, read_write> out : array<vec4f>;
@group(0) @binding(4) var<uniform> p : P;
var<workgroup> places : array<vec4f, ${size}>;
var<workgroup> second : array<vec4f, ${size}>;
var<workgroup> isFar : array<u32, ${size}>;
var<workgroup> near : array<u32, ${size}>;
var<workgroup> count : u32;
var<workgroup> tile : array<vec2f, ${size}>;
@compute @workgroup_size(${size})
fn main(@builtin(workgroup_id) w : vec3u, @builtin(local_invocation_index) t : u32) {
  let own = p.first + w.x;
  let i = own * ${size}u + t;
  let x = ordered[min(i, p.n - 1u)];
  let home = moments[2u * own];
  var total = vec3f(0.0);
  for (var begin = 0u; begin < p.tiles; begin += ${size}u) {
    workgroupBarrier();
    let j = min(begin + t, p.tiles - 1u);
    places[t] = moments[2u * j];
    second[t] = moments[2u * j + 1u];
    isFar[t] = select(0u, 1u, (length(places[t].xy - home.xy) - home.z) * p.theta > places[t].z);
    workgroupBarrier();
    let here = min(${size}u, p.tiles - begin);
    if (t == 0u) { // in their order, whatever the device: the sum's order is fixed
      var found = 0u;
      for (var k = 0u; k < here; k++) {
        if (isFar[k] == 0u) {
          near[found] = begin + k;
          found++;
        }
      }
      count = found;
    }
    var part = vec3f(0.0);
    for (var k = 0u; k < here; k++) {
      if (isFar[k] == 1u) {
        let c = places[k];
        let M = second[k];
        let d = x - c.xy;
        let v = 1.0 / (1.0 + dot(d, d));
        let v2 = v * v;
        let Md = vec2f(M.x * d.x + M.y * d.y, M.y * d.x + M.z * d.y);
        let q = dot(d, Md);
        let trace = M.x + M.z;
        part += vec3f(
          c.w * v - trace * v2 + 4.0 * q * v2 * v,
          (c.w * v2 - 2.0 * trace * v2 * v + 12.0 * q * v2 * v2) * d - 4.0 * v2 * v * Md);
      }
    }
    total += part;
    let nearest = workgroupUniformLoad(&count);
    for (var e = 0u; e < nearest; e++) {
      workgroupBarrier();
      let at = near[e] * ${size}u + t;
      tile[t] = select(vec2f(1e18), ordered[min(at, p.n - 1u)], at < p.n);
      workgroupBarrier();
      part = vec3f(0.0);
      for (var k = 0u; k < ${size}u; k++) {
        let d = x - tile[k];
        let v = 1.0 / (1.0 + dot(d, d));
        part += vec3f(v, v * v * d);
      }
      total += part;
    }
  }
  if (i < p.n) { out[order[i]] = vec4f(total.x - 1.0, total.yz, 0.0); }
}`;

export interface TiledRepulsion {
  readonly jobs: readonly Job[];
  /** N u32, to be written: the points along a curve, so that a tile's points lie together. A stale one costs time alone. */
  readonly order: BufferLike;
  readonly buffers: readonly BufferLike[];
}

/**
 * Two levels, no tree: tiles of points that follow each other in `order`. Of a tile whose radius is less than θ times its distance
 * from the tile of targets, the moments up to the second are taken, d = x − c, k = 1/(1 + d'd), q = d'Md, τ = tr M:
 *
 *   Σ k ≈ count k − τ k² + 4 q k³          Σ k² (x − x_m) ≈ (count k² − 2 τ k³ + 12 q k⁴) d − 4 k³ M d
 *
 * @param size - points of a tile, a power of two
 * @throws CurvatureError (the promise rejects) ERR_DEVICE, ERR_MEMORY
 */
export async function tiledRepulsionJobs(
  gpu: Gpu,
  n: number,
  x: BufferLike,
  out: BufferLike,
  { size = 128, theta = 0.5 }: { readonly size?: number; readonly theta?: number } = {},
): Promise<TiledRepulsion> {
  const [moments, sums] = await Promise.all([gpu.kernel(momentsCode(size)), gpu.kernel(tilesCode(size))]);
  const tiles = Math.ceil(n / size);
  const order = gpu.buffer(4 * n);
  const ordered = gpu.buffer(8 * n);
  const of = gpu.buffer(32 * tiles);
  // Far pairs cost a tile's work once; a dispatch of so many targets is short on any device.
  const most = 65_535;
  const jobs = [gpu.job(moments, [x, order, ordered, of, gpu.parameters(n)], tiles)];
  for (let first = 0; first < tiles; first += most)
    jobs.push(
      gpu.job(
        sums,
        [ordered, order, of, out, gpu.parameters(n, tiles, singleBits(theta), first)],
        Math.min(most, tiles - first),
      ),
    );
  return { jobs, order, buffers: [order, ordered, of] };
}

/** Steps of a Hilbert curve along each axis: 15 bits. */
const CELLS = 2 ** 15;

/** The points of a map in the plane in the order of a Hilbert curve; those of one cell by their numbers. */
export function curveOrder(X: Float32Array): Uint32Array {
  const n = X.length / 2;
  const [low, high] = [
    [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY],
    [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY],
  ];
  for (let k = 0; k < X.length; k++) {
    low[k % 2] = Math.min(low[k % 2], X[k]);
    high[k % 2] = Math.max(high[k % 2], X[k]);
  }
  const cells = (CELLS - 1) / Math.max(1e-9, high[0] - low[0], high[1] - low[1]);
  const keys = Uint32Array.from({ length: n }, (_, i) =>
    curvePlace(Math.floor((X[2 * i] - low[0]) * cells), Math.floor((X[2 * i + 1] - low[1]) * cells)),
  );
  let order = Uint32Array.from({ length: n }, (_, i) => i);
  let sorted = new Uint32Array(n);
  for (const shift of [0, 10, 20]) {
    const starts = new Uint32Array(1025);
    for (let i = 0; i < n; i++) starts[((keys[i] >>> shift) & 1023) + 1]++;
    for (let k = 0; k < 1024; k++) starts[k + 1] += starts[k];
    for (let i = 0; i < n; i++) sorted[starts[(keys[order[i]] >>> shift) & 1023]++] = order[i];
    [order, sorted] = [sorted, order];
  }
  return order;
}

/** How far along the curve a cell lies. */
function curvePlace(x: number, y: number): number {
  let place = 0;
  for (let s = CELLS / 2; s > 0; s /= 2) {
    const right = (x & s) > 0 ? 1 : 0;
    const up = (y & s) > 0 ? 1 : 0;
    place = place * 4 + ((3 * right) ^ up);
    if (up === 0) {
      if (right === 1) {
        x = CELLS - 1 - x;
        y = CELLS - 1 - y;
      }
      [x, y] = [y, x];
    }
  }
  return place;
}
