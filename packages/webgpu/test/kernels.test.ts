/** Each kernel against the loop in double precision that it stands for. */
import { normal, RandomGenerator } from "@curvature/linalg";
import type { Gpu } from "@curvature/webgpu";
import {
  attractionJob,
  type BufferLike,
  chebyshevJobs,
  curveOrder,
  exactRepulsionJobs,
  type Job,
  Slab,
  singleBits,
  tiledRepulsionJobs,
} from "@curvature/webgpu/kernels";
import { beforeAll, describe, expect, test } from "vitest";
import { softwareGpu, withoutDevice } from "./device.js";

const N = 300;
const random = new RandomGenerator(1);
const normals = (length: number, scale = 1): Float32Array =>
  Float32Array.from({ length }, () => scale * normal(random));

async function result(
  gpu: Gpu,
  jobs: readonly Job[],
  buffer: BufferLike,
  length: number,
): Promise<Float32Array> {
  const [bytes] = await gpu.read(jobs, [{ buffer, bytes: 4 * length }]);
  return new Float32Array(bytes);
}

/** The largest difference beside the largest entry, for each of the first three of every four entries. */
function errors(found: Float32Array, right: Float64Array): number {
  let [most, largest] = [0, 0];
  for (let k = 0; k < right.length; k++) {
    if (k % 4 === 3) continue;
    most = Math.max(most, Math.abs(found[k] - right[k]));
    largest = Math.max(largest, Math.abs(right[k]));
  }
  return most / largest;
}

/** (Σ k, Σ k² (x_n − x_m), 0) of each point. */
function repulsionOf(X: Float32Array): Float64Array {
  const n = X.length / 2;
  const out = new Float64Array(4 * n);
  for (let i = 0; i < n; i++)
    for (let j = 0; j < n; j++) {
      if (j === i) continue;
      const [dx, dy] = [X[2 * i] - X[2 * j], X[2 * i + 1] - X[2 * j + 1]];
      const k = 1 / (1 + dx * dx + dy * dy);
      out[4 * i] += k;
      out[4 * i + 1] += k * k * dx;
      out[4 * i + 2] += k * k * dy;
    }
  return out;
}

/** A symmetric sparse matrix with some rows of one entry, and one of none. */
function symmetricRows() {
  const dense = new Float64Array(N * N);
  for (let i = 0; i < N - 1; i++)
    for (let e = 0; e < i % 40; e++) {
      const j = Math.floor(random.uniform() * (N - 1));
      const value = random.uniform();
      if (j !== i) dense[i * N + j] = dense[j * N + i] = value;
    }
  const [pointers, indices, values]: number[][] = [[0], [], []];
  for (let i = 0; i < N; i++) {
    for (let j = 0; j < N; j++)
      if (dense[i * N + j] !== 0) {
        indices.push(j);
        values.push(Math.fround(dense[i * N + j]));
      }
    pointers.push(indices.length);
  }
  const degrees = Float64Array.from({ length: N }, (_, i) =>
    values.slice(pointers[i], pointers[i + 1]).reduce((sum, value) => sum + value, 0),
  );
  return { pointers, indices, values, degrees };
}

describe.skipIf(withoutDevice)("kernels, on SwiftShader", { tags: ["full"] }, () => {
  let gpu: Gpu;
  beforeAll(async () => {
    gpu = await softwareGpu();
  });

  test("the sum over all pairs is right to 1e-5, in parts as in one", async () => {
    const X = normals(2 * N, 3);
    const [x, out] = [gpu.upload(X), gpu.buffer(16 * N)];
    expect(
      errors(await result(gpu, await exactRepulsionJobs(gpu, N, x, out), out, 4 * N), repulsionOf(X)),
    ).toBeLessThan(1e-5);
  });

  test.each([
    [8, 0.5],
    [32, 0.4],
  ])("tiles of %d points, of which most are far, are right to 2e-3 (angle %d)", async (size, theta) => {
    // clusters along a spiral: most pairs of tiles lie far apart
    const X = Float32Array.from({ length: 2 * N }, (_, k) => {
      const angle = Math.floor(k / 2 / size) * 0.9;
      return 12 * angle * (k % 2 === 0 ? Math.cos(angle) : Math.sin(angle)) + 0.2 * normal(random);
    });
    const order = curveOrder(X);
    expect([...order].sort((a, b) => a - b)).toEqual(Array.from({ length: N }, (_, i) => i));
    const [x, out] = [gpu.upload(X), gpu.buffer(16 * N)];
    const tiled = await tiledRepulsionJobs(gpu, N, x, out, { size, theta });
    gpu.write(tiled.order, order);
    expect(farShare(X, order, size, theta)).toBeGreaterThan(0.5);
    expect(errors(await result(gpu, tiled.jobs, out, 4 * N), repulsionOf(X))).toBeLessThan(2e-3);
    // An order that is of another map costs time, not digits.
    gpu.write(
      tiled.order,
      Uint32Array.from({ length: N }, (_, i) => (7 * i) % N),
    );
    expect(errors(await result(gpu, tiled.jobs, out, 4 * N), repulsionOf(X))).toBeLessThan(2e-3);
  });

  test("attraction is right to 1e-5, rows of no entry and of many included", async () => {
    const { pointers, indices, values, degrees } = symmetricRows();
    const X = normals(2 * N, 2);
    const right = new Float64Array(4 * N);
    for (let i = 0; i < N; i++)
      for (let k = pointers[i]; k < pointers[i + 1]; k++) {
        const j = indices[k];
        const [dx, dy] = [X[2 * i] - X[2 * j], X[2 * i + 1] - X[2 * j + 1]];
        const t = dx * dx + dy * dy;
        right[4 * i] += values[k] * Math.log1p(t);
        right[4 * i + 1] += (values[k] / (1 + t)) * dx;
        right[4 * i + 2] += (values[k] / (1 + t)) * dy;
      }
    const rows = onDevice({ pointers, indices, values, degrees });
    const [x, out] = [gpu.upload(X), gpu.buffer(16 * N)];
    expect(
      errors(await result(gpu, [await attractionJob(gpu, rows, x, out)], out, 4 * N), right),
    ).toBeLessThan(1e-5);
  });

  test("Chebyshev's polynomial is that of a loop, symmetric and positive definite", async () => {
    const graph = symmetricRows();
    const rows = onDevice(graph);
    const sides = normals(4 * N);
    for (let c = 0; c < 4; c++) sides[4 * (N - 1) + c] = 0; // the row without entries has no degree
    const v = gpu.upload(sides);
    const { jobs, z } = await chebyshevJobs(gpu, rows, v);
    const found = await result(gpu, jobs, z, 4 * N);
    const right = polynomialOf(graph, sides);
    let [most, largest] = [0, 0];
    for (let k = 0; k < 4 * N; k++) {
      most = Math.max(most, Math.abs(found[k] - right[k]));
      largest = Math.max(largest, Math.abs(right[k]));
    }
    expect(most / largest).toBeLessThan(1e-5);
    const inner = (a: Float32Array, b: Float32Array, half: number, other: number): number => {
      let sum = 0;
      for (let k = 0; k < 4 * N; k += 4)
        sum += a[k + half] * b[k + other] + a[k + half + 1] * b[k + other + 1];
      return sum;
    };
    const [forth, back] = [inner(sides, found, 0, 2), inner(sides, found, 2, 0)];
    expect(Math.abs(forth - back)).toBeLessThan(1e-4 * inner(sides, found, 0, 0));
    expect(inner(sides, found, 0, 0)).toBeGreaterThan(0);
  });

  test("combinations, inner products and directions of vectors", async () => {
    const K = 5;
    const slab = await Slab.create(gpu, N, K);
    const V = Array.from({ length: K }, () => normals(2 * N));
    for (const [k, vector] of V.entries()) slab.write(k, vector);
    const at = (k: number, i: number): number => V[k][i];
    const coefficients = Float32Array.of(0, 2, 0, -1, 0, 0.5, 0, 3, 0, 0);
    const [bytes] = await gpu.read([slab.combine(2, coefficients)], [slab.vectors(2, 2)]);
    const both = new Float32Array(bytes);
    for (let i = 0; i < 2 * N; i++) {
      V[2][i] = both[i];
      // of the second the third vector is the one that the first has just written, at the same place
      expect(both[i]).toBeCloseTo(2 * at(1, i) - at(3, i), 4);
      expect(both[2 * N + i]).toBeCloseTo(0.5 * at(0, i) + 3 * both[i], 4);
    }
    V[3] = both.slice(2 * N);

    const products = slab.products([
      [0, 1],
      [2, 2],
    ]);
    const outer = gpu.upload(normals(4 * N));
    const all = slab.outerProducts(outer);
    const [inner, sides, whole] = await gpu.read(
      [products.job, all.job],
      [products.wanted, all.wanted, { buffer: outer, bytes: 16 * N }],
    );
    const dot = (a: Float32Array, b: Float32Array): number =>
      a.reduce((sum, value, i) => sum + value * b[i], 0);
    expect(products.answer(inner)[0]).toBeCloseTo(dot(V[0], V[1]), 3);
    expect(products.answer(inner)[1]).toBeCloseTo(dot(V[2], V[2]), 2);
    const z = new Float32Array(whole);
    const half = (from: number): Float32Array =>
      Float32Array.from({ length: 2 * N }, (_, i) => z[4 * (i >> 1) + (i & 1) + from]);
    for (let k = 0; k < K; k++) {
      expect(all.answer(sides)[2 * k]).toBeCloseTo(dot(V[k], half(0)), 2);
      expect(all.answer(sides)[2 * k + 1]).toBeCloseTo(dot(V[k], half(2)), 2);
    }

    const along = slab.direction(4, Float32Array.of(1, 0, 0, 0, 0, 2), outer, 1);
    const [rows, direction] = await gpu.read([along.job], [along.wanted, slab.vectors(4)]);
    const D = new Float32Array(direction);
    let longest = 0;
    for (let i = 0; i < N; i++) {
      const row = [0, 1].map((c) => at(0, 2 * i + c) + 2 * z[4 * i + c]);
      const length = Math.hypot(...row);
      longest = Math.max(longest, length);
      for (const c of [0, 1]) expect(D[2 * i + c]).toBeCloseTo(row[c] * Math.min(1, 1 / length), 4);
    }
    expect(along.answer(rows)).toBeCloseTo(longest, 4);
    slab.close();
  });

  test("numbers go to kernels bit for bit", () => {
    expect(singleBits(1)).toBe(0x3f800000);
    expect(singleBits(-0)).toBe(0x80000000);
  });

  const onDevice = ({ pointers, indices, values, degrees }: ReturnType<typeof symmetricRows>) => ({
    rows: N,
    pointers: gpu.upload(Uint32Array.from(pointers)),
    indices: gpu.upload(Uint32Array.from(indices)),
    values: gpu.upload(Float32Array.from(values)),
    degrees: gpu.upload(Float32Array.from(degrees)),
  });
});

/** The share of the pairs of tiles of which one sees the other by its moments. */
function farShare(X: Float32Array, order: Uint32Array, size: number, theta: number): number {
  const tiles = Array.from({ length: Math.ceil(N / size) }, (_, t) => {
    const of = [...order.subarray(t * size, (t + 1) * size)];
    const [cx, cy] = [0, 1].map((c) => of.reduce((sum, i) => sum + X[2 * i + c], 0) / of.length);
    return { cx, cy, radius: Math.max(...of.map((i) => Math.hypot(X[2 * i] - cx, X[2 * i + 1] - cy))) };
  });
  const isFar = tiles.flatMap((own) =>
    tiles.map((tile) => theta * (Math.hypot(tile.cx - own.cx, tile.cy - own.cy) - own.radius) > tile.radius),
  );
  return isFar.filter(Boolean).length / isFar.length;
}

/** Eight steps for the eigenvalues 0.06 to 2 of D⁻¹ L, in double precision. */
function polynomialOf(
  { pointers, indices, values, degrees }: ReturnType<typeof symmetricRows>,
  v: Float32Array,
): Float64Array {
  const [middle, half] = [(2 + 0.06) / 2, (2 - 0.06) / 2];
  const sigma = middle / half;
  const degree = (i: number): number => Math.max(degrees[i], 1e-30);
  let step = Float64Array.from(v, (value, k) => value / middle / degree(k >> 2));
  const x = step.slice();
  let rho = 1 / sigma;
  for (let m = 1; m < 8; m++) {
    const next = 1 / (2 * sigma - rho);
    step = step.map((before, k) => {
      const [i, c] = [k >> 2, k & 3];
      let residual = v[k] - degrees[i] * x[k];
      for (let e = pointers[i]; e < pointers[i + 1]; e++) residual += values[e] * x[4 * indices[e] + c];
      return next * rho * before + ((2 * next) / half) * (residual / degree(i));
    });
    for (let k = 0; k < x.length; k++) x[k] += step[k];
    rho = next;
  }
  return x;
}
