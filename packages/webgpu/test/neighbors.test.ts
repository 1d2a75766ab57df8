/** Neighbours of the device against all distances in double precision: the same lists, copies and ties included. */
import { RandomGenerator } from "@curvature/linalg";
import { nearestOnGpu } from "@curvature/webgpu";
import { beforeAll, describe, expect, test } from "vitest";
import { softwareGpu, withoutDevice } from "./device.js";

/** The k least (square, index) of each row. */
function byAllDistances(data: Float64Array, n: number, k: number) {
  const D = data.length / n;
  const indices = new Int32Array(n * k);
  const distances = new Float64Array(n * k);
  for (let i = 0; i < n; i++) {
    const squares = Float64Array.from({ length: n }, (_, j) => {
      let square = 0;
      for (let c = 0; c < D; c++) square += (data[i * D + c] - data[j * D + c]) ** 2;
      return square;
    });
    const order = Array.from({ length: n }, (_, j) => j)
      .filter((j) => j !== i)
      .sort((a, b) => squares[a] - squares[b] || a - b);
    for (let e = 0; e < k; e++) {
      indices[i * k + e] = order[e];
      distances[i * k + e] = squares[order[e]];
    }
  }
  return { indices, distances };
}

const drawn = (n: number, D: number, seed: number): Float64Array => {
  const random = new RandomGenerator(seed);
  return Float64Array.from({ length: n * D }, () => random.uniform());
};
/** 3 different rows among the last two thirds. */
const copies = (n: number, D: number): Float64Array => {
  const data = drawn(n, D, 3);
  for (let k = Math.floor(n / 3) * D; k < data.length; k++) data[k] = data[k % (3 * D)];
  return data;
};

const sets: readonly (readonly [string, number, number, Float64Array])[] = [
  ["drawn points, more than a tile of them", 300, 30, drawn(300, 8, 1)],
  ["copies by the hundred", 257, 90, copies(257, 9)],
  [
    "a lattice, where most neighbours tie",
    300,
    20,
    Float64Array.from({ length: 600 }, (_, k) => (k % 2 === 0 ? (k / 2) % 20 : Math.floor(k / 40))),
  ],
  ["points of 1e150", 130, 12, drawn(130, 4, 4).map((v) => 1e150 * v)],
  ["points of 1e-150", 130, 12, drawn(130, 4, 5).map((v) => 1e-150 * v)],
  ["points far from the origin", 130, 5, drawn(130, 3, 6).map((v) => 1e6 + v)],
  ["two clusters far apart", 300, 5, drawn(300, 3, 10).map((v, k) => v + (Math.floor(k / 3) % 2) * 1e4)],
  ["an outlier", 300, 5, drawn(300, 3, 11).map((v, k) => (k < 3 ? 1e6 : v))],
  ["equal points", 130, 12, new Float64Array(4 * 130).fill(7)],
  ["all others as neighbours", 40, 39, drawn(40, 5, 7)],
  ["two points", 2, 1, Float64Array.of(1, 2)],
  ["more neighbours than a workgroup has threads", 400, 300, drawn(400, 6, 8)],
];

describe.skipIf(withoutDevice)("neighbours, on SwiftShader", { tags: ["full"] }, () => {
  let gpu: Awaited<ReturnType<typeof softwareGpu>>;
  beforeAll(async () => {
    gpu = await softwareGpu();
  });

  test.each(sets)("of %s", async (_, n, k, data) => {
    const found = await nearestOnGpu(gpu, { rows: n, columns: data.length / n, data }, k);
    expect(found).toEqual({ count: k, ...byAllDistances(data, n, k) });
  });

  test("are found in blocks of rows where a buffer is small", async () => {
    const data = drawn(300, 4, 9);
    const small = Object.create(gpu, { largestBuffer: { value: 4 * 128 * 384 } });
    const found = await nearestOnGpu(small, { rows: 300, columns: 4, data }, 7);
    expect(found).toEqual({ count: 7, ...byAllDistances(data, 300, 7) });
    const tiny = Object.create(gpu, { largestBuffer: { value: 4 * 128 * 300 } });
    await expect(nearestOnGpu(tiny, { rows: 300, columns: 4, data }, 7)).rejects.toMatchObject({
      code: "ERR_MEMORY",
    });
  });

  test.each([0, 1.5, 3, Number.NaN])("%d of three points are refused", async (k) => {
    await expect(nearestOnGpu(gpu, [[0], [1], [3]], k)).rejects.toMatchObject({
      code: "ERR_ARGUMENT",
      path: "k",
    });
  });

  test("entries that are no numbers are refused, and too many neighbours", async () => {
    await expect(nearestOnGpu(gpu, [[0], [Number.NaN]], 1)).rejects.toMatchObject({ code: "ERR_NON_FINITE" });
    const many = { rows: 2_000, columns: 1, data: drawn(2_000, 1, 1) };
    await expect(nearestOnGpu(gpu, many, 1_009)).rejects.toThrow(/from 1 to 1008/);
  });
});
