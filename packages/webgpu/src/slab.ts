/**
 * Vectors of N points in the plane that stay on the device, in one buffer: a solver's memory. The processor sees inner products and
 * coefficients alone.
 */
import { type Gpu, type Job, singleBits, type Wanted } from "./gpu.js";
import type { BufferLike, PipelineLike } from "./web-gpu.js";

const THREADS = 256;
/** Parts of an inner product, which are added in double precision. */
const MAX_PARTS = 64;
/** Pairs of one call of `products`. */
const MAX_PRODUCTS = 256;

const head = "struct P { n : u32, a : u32, b : u32, c : u32 }";
const point = `(w.y * 65535u + w.x) * ${THREADS}u + t`;
const begin = "fn main(@builtin(workgroup_id) w : vec3u, @builtin(local_invocation_index) t : u32) {";

type Kernel = "combine" | "pair" | "direction" | "products" | "outer" | "copy" | "gather";

/** Outputs are vectors of the slab. */
const combineCode = (K: number): string => `
${head}
@group(0) @binding(0) var<storage, read_write> V : array<vec2f>;
@group(0) @binding(1) var<storage, read> coefficients : array<f32>;
@group(0) @binding(2) var<uniform> p : P;
@compute @workgroup_size(${THREADS})
${begin}
  let i = ${point};
  if (i >= p.n) { return; }
  for (var o = 0u; o < p.b; o++) {
    var sum = vec2f(0.0);
    for (var k = 0u; k < ${K}u; k++) {
      let c = coefficients[o * ${K}u + k];
      if (c != 0.0) { sum += c * V[k * p.n + i]; }
    }
    V[(p.a + o) * p.n + i] = sum;
  }
}`;

/** Two combinations side by side. */
const pairCode = (K: number): string => `
${head}
@group(0) @binding(0) var<storage, read> V : array<vec2f>;
@group(0) @binding(1) var<storage, read> coefficients : array<f32>;
@group(0) @binding(2) var<storage, read_write> out : array<vec4f>;
@group(0) @binding(3) var<uniform> p : P;
@compute @workgroup_size(${THREADS})
${begin}
  let i = ${point};
  if (i >= p.n) { return; }
  var sum = vec4f(0.0);
  for (var k = 0u; k < ${K}u; k++) {
    let c = coefficients[k];
    let d = coefficients[${K}u + k];
    if (c != 0.0 || d != 0.0) {
      let v = V[k * p.n + i];
      sum += vec4f(c * v, d * v);
    }
  }
  out[i] = sum;
}`;

/**
 * A vector of the slab = c_K z + Σ c_k V_k, z the first half of `outer`, rows above a length shortened to it; and the longest row of
 * each workgroup before, squared.
 */
const directionCode = (K: number): string => `
struct P { n : u32, at : u32, most : f32, c : u32 }
@group(0) @binding(0) var<storage, read_write> V : array<vec2f>;
@group(0) @binding(1) var<storage, read> coefficients : array<f32>;
@group(0) @binding(2) var<storage, read> outer : array<vec4f>;
@group(0) @binding(3) var<storage, read_write> longest : array<f32>;
@group(0) @binding(4) var<uniform> p : P;
var<workgroup> parts : array<f32, ${THREADS}>;
@compute @workgroup_size(${THREADS})
${begin}
  let i = ${point};
  var square = 0.0;
  if (i < p.n) {
    var sum = coefficients[${K}] * outer[i].xy;
    for (var k = 0u; k < ${K}u; k++) {
      let c = coefficients[k];
      if (c != 0.0) { sum += c * V[k * p.n + i]; }
    }
    square = dot(sum, sum);
    V[p.at * p.n + i] = sum * min(1.0, p.most * inverseSqrt(max(square, 1e-36)));
  }
  parts[t] = square;
  workgroupBarrier();
  for (var half = ${THREADS / 2}u; half > 0u; half /= 2u) {
    if (t < half) { parts[t] = max(parts[t], parts[t + half]); }
    workgroupBarrier();
  }
  if (t == 0u && i < p.n) { longest[w.y * 65535u + w.x] = parts[0]; }
}`;

const productsCode = `
${head}
@group(0) @binding(0) var<storage, read> V : array<vec2f>;
@group(0) @binding(1) var<storage, read> pairs : array<vec2u>;
@group(0) @binding(2) var<storage, read_write> out : array<f32>;
@group(0) @binding(3) var<uniform> p : P; // n, parts
var<workgroup> sums : array<f32, ${THREADS}>;
@compute @workgroup_size(${THREADS})
${begin}
  let pair = pairs[w.y];
  var sum = 0.0;
  for (var i = w.x * ${THREADS}u + t; i < p.n; i += p.a * ${THREADS}u) { sum += dot(V[pair.x * p.n + i], V[pair.y * p.n + i]); }
  sums[t] = sum;
  workgroupBarrier();
  for (var half = ${THREADS / 2}u; half > 0u; half /= 2u) {
    if (t < half) { sums[t] += sums[t + half]; }
    workgroupBarrier();
  }
  if (t == 0u) { out[w.y * p.a + w.x] = sums[0]; }
}`;

/** Of each vector with both halves of `outer`. */
const outerCode = `
${head}
@group(0) @binding(0) var<storage, read> V : array<vec2f>;
@group(0) @binding(1) var<storage, read> outer : array<vec4f>;
@group(0) @binding(2) var<storage, read_write> out : array<vec2f>;
@group(0) @binding(3) var<uniform> p : P; // n, parts
var<workgroup> sums : array<vec2f, ${THREADS}>;
@compute @workgroup_size(${THREADS})
${begin}
  var sum = vec2f(0.0);
  for (var i = w.x * ${THREADS}u + t; i < p.n; i += p.a * ${THREADS}u) {
    let v = V[w.y * p.n + i];
    let z = outer[i];
    sum += vec2f(dot(v, z.xy), dot(v, z.zw));
  }
  sums[t] = sum;
  workgroupBarrier();
  for (var half = ${THREADS / 2}u; half > 0u; half /= 2u) {
    if (t < half) { sums[t] += sums[t + half]; }
    workgroupBarrier();
  }
  if (t == 0u) { out[w.y * p.a + w.x] = sums[0]; }
}`;

const copyCode = `
${head}
@group(0) @binding(0) var<storage, read> V : array<vec2f>;
@group(0) @binding(1) var<storage, read_write> out : array<vec2f>;
@group(0) @binding(2) var<uniform> p : P;
@compute @workgroup_size(${THREADS})
${begin}
  let i = ${point};
  if (i < p.n) { out[i] = V[p.a * p.n + i]; }
}`;

/** Forces, (value, x, y, 0) of each point, into two vectors of the slab, and the sums of the values by workgroups. */
const gatherCode = `
${head}
@group(0) @binding(0) var<storage, read> one : array<vec4f>;
@group(0) @binding(1) var<storage, read> other : array<vec4f>;
@group(0) @binding(2) var<storage, read_write> V : array<vec2f>;
@group(0) @binding(3) var<storage, read_write> out : array<vec2f>;
@group(0) @binding(4) var<uniform> p : P;
var<workgroup> sums : array<vec2f, ${THREADS}>;
@compute @workgroup_size(${THREADS})
${begin}
  let i = ${point};
  var sum = vec2f(0.0);
  if (i < p.n) {
    V[p.a * p.n + i] = one[i].yz;
    V[p.b * p.n + i] = other[i].yz;
    sum = vec2f(one[i].x, other[i].x);
  }
  sums[t] = sum;
  workgroupBarrier();
  for (var half = ${THREADS / 2}u; half > 0u; half /= 2u) {
    if (t < half) { sums[t] += sums[t + half]; }
    workgroupBarrier();
  }
  if (t == 0u && i < p.n) { out[w.y * 65535u + w.x] = sums[0]; }
}`;

/** A job whose result is read: what to read, and the numbers in it. */
export interface Question<T> {
  readonly job: Job;
  readonly wanted: Wanted;
  readonly answer: (bytes: ArrayBuffer) => T;
}

interface MadeJob {
  readonly job: Job;
  readonly inputs: readonly BufferLike[];
  readonly at: BufferLike;
}

/** K vectors of N points in the plane, with what a solver needs of them. */
export class Slab {
  /** Workgroups with a point for each thread. */
  private readonly groups: number;
  /** Workgroups of an inner product. */
  private readonly parts: number;
  private readonly held: BufferLike[] = [];
  private readonly V: BufferLike;
  private readonly made = new Map<string, MadeJob>();
  private readonly outputs = new Map<string, BufferLike>();

  private constructor(
    private readonly gpu: Gpu,
    readonly n: number,
    readonly K: number,
    private readonly kernels: Readonly<Record<Kernel, PipelineLike>>,
  ) {
    this.parts = Math.min(MAX_PARTS, Math.ceil(n / THREADS));
    this.groups = Math.ceil(n / THREADS);
    this.V = this.hold(gpu.buffer(8 * n * K));
  }

  /** @throws CurvatureError (the promise rejects) ERR_DEVICE, ERR_MEMORY */
  static async create(gpu: Gpu, n: number, K: number): Promise<Slab> {
    const [combine, pair, direction, products, outer, copy, gather] = await Promise.all(
      [combineCode(K), pairCode(K), directionCode(K), productsCode, outerCode, copyCode, gatherCode].map(
        (code) => gpu.kernel(code),
      ),
    );
    return new Slab(gpu, n, K, { combine, pair, direction, products, outer, copy, gather });
  }

  close(): void {
    for (const buffer of this.held) buffer.destroy();
  }

  /** Vector k ← the array, N × 2. */
  write(k: number, data: Float32Array): void {
    this.gpu.write(this.V, data, 8 * this.n * k);
  }

  /** Vectors `first` to `first + count − 1`, to be read. */
  vectors(first: number, count = 1): Wanted {
    return { buffer: this.V, bytes: 8 * this.n * count, from: 8 * this.n * first };
  }

  /** Vectors `first`, … ← Σ_k c_k V_k, for each row of K coefficients. */
  combine(first: number, coefficients: Float32Array): Job {
    const outputs = coefficients.length / this.K;
    return this.job("combine", `combine ${first}`, [first, outputs], [this.V, coefficients]);
  }

  /** `out`, N vec4f ← (Σ c_k V_k, Σ d_k V_k), the c first. */
  pair(out: BufferLike, coefficients: Float32Array): Job {
    return this.job("pair", "pair", [], [this.V, coefficients, out]);
  }

  /**
   * Vector k ← c_K z + Σ c_k V_k, z the first half of `outer`, with rows that are longer than `most` shortened to it; the length of
   * the longest row before.
   */
  direction(k: number, coefficients: Float32Array, outer: BufferLike, most = 1e18): Question<number> {
    const longest = this.output("longest", 4 * this.groups);
    return {
      job: this.job("direction", "direction", [k, singleBits(most)], [this.V, coefficients, outer, longest]),
      wanted: { buffer: longest, bytes: 4 * this.groups },
      answer: (bytes) => Math.sqrt(new Float32Array(bytes).reduce((most, s) => Math.max(most, s), 0)),
    };
  }

  /** Inner products of pairs of vectors, 256 at the most. */
  products(pairs: readonly (readonly [number, number])[]): Question<Float64Array> {
    const out = this.output("products", 4 * this.parts * MAX_PRODUCTS);
    const listed = new Uint32Array(2 * MAX_PRODUCTS);
    listed.set(pairs.flat());
    return {
      job: {
        ...this.job("products", "products", [this.parts], [this.V, listed, out], this.parts),
        y: pairs.length,
      },
      wanted: { buffer: out, bytes: 4 * this.parts * pairs.length },
      answer: (bytes) => this.added(bytes, 1),
    };
  }

  /** Inner products of all vectors with both halves of `outer`: of vector k at 2k and 2k + 1. */
  outerProducts(outer: BufferLike): Question<Float64Array> {
    const out = this.output("outer", 8 * this.parts * this.K);
    return {
      job: { ...this.job("outer", "outer", [this.parts], [this.V, outer, out], this.parts), y: this.K },
      wanted: { buffer: out, bytes: 8 * this.parts * this.K },
      answer: (bytes) => this.added(bytes, 2),
    };
  }

  /** `out`, N vec2f ← vector k. */
  copy(k: number, out: BufferLike): Job {
    return this.job("copy", `copy ${k}`, [k], [this.V, out]);
  }

  /** Vectors `a` and `b` ← forces (value, x, y, 0) of each point; the sums of both values. */
  gather(one: BufferLike, other: BufferLike, a: number, b: number): Question<readonly [number, number]> {
    const out = this.output("gather", 8 * this.groups);
    const answer = (bytes: ArrayBuffer): readonly [number, number] => {
      const parts = new Float32Array(bytes);
      const sums: [number, number] = [0, 0];
      for (let k = 0; k < parts.length; k++) sums[k % 2] += parts[k];
      return sums;
    };
    const job = this.job("gather", `gather ${a}`, [a, b], [one, other, this.V, out]);
    return { job, wanted: { buffer: out, bytes: 8 * this.groups }, answer };
  }

  /** Parts of sums, `width` of them side by side, added in double precision. */
  private added(bytes: ArrayBuffer, width: number): Float64Array {
    const parts = new Float32Array(bytes);
    const sums = new Float64Array(parts.length / this.parts);
    for (let k = 0; k < parts.length; k++)
      sums[width * Math.floor(k / width / this.parts) + (k % width)] += parts[k];
    return sums;
  }

  /**
   * The job of that name, made once, and written anew what it reads from arrays: they get buffers of their own. Jobs of one name
   * cannot stand twice in one submission.
   */
  private job(
    kernel: Kernel,
    name: string,
    parameters: readonly number[],
    bindings: readonly (BufferLike | Float32Array | Uint32Array)[],
    groups = this.groups,
  ): Job {
    let known = this.made.get(name);
    if (known === undefined) {
      const at = this.hold(this.gpu.parameters());
      const inputs = bindings.map((of) =>
        ArrayBuffer.isView(of) ? this.hold(this.gpu.buffer(of.byteLength)) : of,
      );
      known = { job: this.gpu.job(this.kernels[kernel], [...inputs, at], groups), inputs, at };
      this.made.set(name, known);
    }
    this.gpu.write(known.at, Uint32Array.of(this.n, ...parameters));
    for (const [k, of] of bindings.entries()) if (ArrayBuffer.isView(of)) this.gpu.write(known.inputs[k], of);
    return known.job;
  }

  private output(name: string, bytes: number): BufferLike {
    const known = this.outputs.get(name) ?? this.hold(this.gpu.buffer(bytes));
    this.outputs.set(name, known);
    return known;
  }

  private hold(buffer: BufferLike): BufferLike {
    this.held.push(buffer);
    return buffer;
  }
}
