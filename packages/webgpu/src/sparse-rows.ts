/**
 * Sparse symmetric rows on the device, 16 threads a row: the attraction of a map in the plane, and Chebyshev's iteration for the
 * Laplacian of the same rows.
 */
import { type Gpu, type Job, singleBits } from "./gpu.js";
import type { BufferLike } from "./web-gpu.js";

/** N rows, each with the entries of `indices` and `values` from its place in `pointers` to the next. */
export interface SparseRows {
  readonly rows: number;
  readonly pointers: BufferLike;
  readonly indices: BufferLike;
  readonly values: BufferLike;
  /** The sum of each row. */
  readonly degrees: BufferLike;
}

const THREADS = 256;
/**
 * Degrees below this are taken for it in D⁻¹, where they are of sum N: a row that is hardly tied to any would else be thrown so far
 * that every step is cut to nothing. Affinities of a search have none below 1/2.
 */
const FLOOR = 0.05;
/** Threads of a row. */
const LANES = 16;

const rowsHead = `
struct P { n : u32, a : u32, b : u32, c : u32 }
@group(0) @binding(1) var<storage, read> pointers : array<u32>;
@group(0) @binding(2) var<storage, read> indices : array<u32>;
@group(0) @binding(3) var<storage, read> values : array<f32>;`;

/** \`sum\` of the row, of 16 lanes, in \`parts[t]\` of the first. */
const addLanes = `
  parts[t] = sum;
  workgroupBarrier();
  for (var half = ${LANES / 2}u; half > 0u; half /= 2u) {
    if (lane < half) { parts[t] += parts[t + half]; }
    workgroupBarrier();
  }`;

const attractionCode = `${rowsHead}
@group(0) @binding(0) var<storage, read> x : array<vec2f>;
@group(0) @binding(4) var<storage, read_write> out : array<vec4f>;
@group(0) @binding(5) var<uniform> p : P;
var<workgroup> parts : array<vec3f, ${THREADS}>;
@compute @workgroup_size(${THREADS})
fn main(@builtin(workgroup_id) w : vec3u, @builtin(local_invocation_index) t : u32) {
  let i = (w.y * 65535u + w.x) * ${THREADS / LANES}u + t / ${LANES}u;
  let lane = t % ${LANES}u;
  var sum = vec3f(0.0);
  if (i < p.n) {
    for (var k = pointers[i] + lane; k < pointers[i + 1u]; k += ${LANES}u) {
      let d = x[i] - x[indices[k]];
      let square = dot(d, d);
      sum += vec3f(values[k] * log(1.0 + square), values[k] / (1.0 + square) * d);
    }
  }${addLanes}
  if (lane == 0u && i < p.n) { out[i] = vec4f(parts[t], 0.0); }
}`;

/**
 * Student's attraction: out_n = (Σ_m w log(1 + t), Σ_m w/(1 + t) (x_n − x_m), 0), t = ‖x_n − x_m‖².
 *
 * @param x - N vec2f
 * @param out - N vec4f
 * @throws CurvatureError (the promise rejects) ERR_DEVICE
 */
export async function attractionJob(
  gpu: Gpu,
  { rows, pointers, indices, values }: SparseRows,
  x: BufferLike,
  out: BufferLike,
): Promise<Job> {
  const kernel = await gpu.kernel(attractionCode);
  return gpu.job(kernel, [x, pointers, indices, values, out, gpu.parameters(rows)], groupsOf(rows));
}

const groupsOf = (rows: number): number => Math.ceil((rows * LANES) / THREADS);

const chebyshevStartCode = `
struct P { n : u32, first : f32, b : u32, c : u32 }
@group(0) @binding(0) var<storage, read> degrees : array<f32>;
@group(0) @binding(1) var<storage, read> v : array<vec4f>;
@group(0) @binding(2) var<storage, read_write> step : array<vec4f>;
@group(0) @binding(3) var<storage, read_write> x : array<vec4f>;
@group(0) @binding(4) var<uniform> p : P;
@compute @workgroup_size(${THREADS})
fn main(@builtin(workgroup_id) w : vec3u, @builtin(local_invocation_index) t : u32) {
  let i = (w.y * 65535u + w.x) * ${THREADS}u + t;
  if (i >= p.n) { return; }
  let first = p.first * v[i] / max(degrees[i], ${FLOOR});
  step[i] = first;
  x[i] = first;
}`;

const chebyshevCode = `${rowsHead.replace("a : u32, b : u32", "keep : f32, add : f32")}
@group(0) @binding(0) var<storage, read> before : array<vec4f>;
@group(0) @binding(4) var<storage, read> degrees : array<f32>;
@group(0) @binding(5) var<storage, read> v : array<vec4f>;
@group(0) @binding(6) var<storage, read_write> step : array<vec4f>;
@group(0) @binding(7) var<storage, read_write> after : array<vec4f>;
@group(0) @binding(8) var<uniform> p : P;
var<workgroup> parts : array<vec4f, ${THREADS}>;
@compute @workgroup_size(${THREADS})
fn main(@builtin(workgroup_id) w : vec3u, @builtin(local_invocation_index) t : u32) {
  let i = (w.y * 65535u + w.x) * ${THREADS / LANES}u + t / ${LANES}u;
  let lane = t % ${LANES}u;
  var sum = vec4f(0.0);
  if (i < p.n) {
    for (var k = pointers[i] + lane; k < pointers[i + 1u]; k += ${LANES}u) { sum += values[k] * before[indices[k]]; }
  }${addLanes}
  if (lane == 0u && i < p.n) {
    let residual = v[i] - (degrees[i] * before[i] - parts[t]);
    let next = p.keep * step[i] + p.add * residual / max(degrees[i], ${FLOOR});
    step[i] = next;
    after[i] = before[i] + next;
  }
}`;

/** Smallest eigenvalue of D⁻¹ L that Chebyshev's polynomial is made for; the largest is 2. */
const LOWEST = 0.06;
const STEPS = 8;

/**
 * v ↦ z ≈ L⁻¹ v, L = diag(degrees) − W, for two right-hand sides in the plane at once: m steps of Chebyshev's iteration for the
 * eigenvalues a … b of D⁻¹ L, from 0. A fixed positive definite polynomial, also where the graph falls into parts.
 *
 *   θ = (b + a)/2,  δ = (b − a)/2,  σ = θ/δ,  ρ_0 = 1/σ,  p = z = D⁻¹ v / θ
 *   ρ' = 1/(2σ − ρ),  p ← ρ' ρ p + (2 ρ'/δ) D⁻¹ (v − L z),  z ← z + p
 *
 * Saad: Iterative Methods for Sparse Linear Systems, 2nd ed., algorithm 12.1.
 *
 * @param v - N vec4f, not changed
 * @returns its jobs, and the buffer in which z is after them
 * @throws CurvatureError (the promise rejects) ERR_DEVICE, ERR_MEMORY
 */
export async function chebyshevJobs(
  gpu: Gpu,
  { rows, pointers, indices, values, degrees }: SparseRows,
  v: BufferLike,
): Promise<{
  readonly jobs: readonly Job[];
  readonly z: BufferLike;
  readonly buffers: readonly BufferLike[];
}> {
  const [start, step] = await Promise.all([gpu.kernel(chebyshevStartCode), gpu.kernel(chebyshevCode)]);
  const direction = gpu.buffer(16 * rows);
  let [z, next] = [gpu.buffer(16 * rows), gpu.buffer(16 * rows)];
  const middle = (2 + LOWEST) / 2;
  const half = (2 - LOWEST) / 2;
  const sigma = middle / half;
  const jobs = [
    gpu.job(
      start,
      [degrees, v, direction, z, gpu.parameters(rows, singleBits(1 / middle))],
      Math.ceil(rows / THREADS),
    ),
  ];
  let rho = 1 / sigma;
  for (let k = 1; k < STEPS; k++) {
    const following = 1 / (2 * sigma - rho);
    const at = gpu.parameters(rows, singleBits(following * rho), singleBits((2 * following) / half));
    jobs.push(gpu.job(step, [z, pointers, indices, values, degrees, v, direction, next, at], groupsOf(rows)));
    rho = following;
    [z, next] = [next, z];
  }
  return { jobs, z, buffers: [direction, z, next] };
}
