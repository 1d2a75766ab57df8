/** Affinities of the device against those of the processor in double precision. */
import { normal, RandomGenerator, zeros } from "@curvature/linalg";
import {
  affinitiesOfNeighbors,
  jointAffinities,
  type NeighborLists,
  nearestNeighbors,
} from "@curvature/objectives/embedding";
import { affinityRows } from "@curvature/webgpu/kernels";
import { beforeAll, describe, expect, test } from "vitest";
import { softwareGpu, withoutDevice } from "./device.js";

const N = 320;

function lists(count: number, change: (value: number, k: number) => number = (value) => value) {
  const random = new RandomGenerator(3);
  const Y = zeros(N, 4);
  for (let k = 0; k < Y.data.length; k++)
    Y.data[k] = change(normal(random) + 5 * (Math.floor(k / 4) % 3) * (k % 2), k);
  return nearestNeighbors(Y, count);
}

const sets: readonly (readonly [string, number, NeighborLists])[] = [
  ["clusters", 30, lists(90)],
  ["perplexity 60, of more neighbours than a workgroup has threads", 60, lists(150)],
  ["a perplexity near 1", 1.2, lists(12)],
  ["a perplexity near the number of neighbours", 11.9, lists(12)],
  ["points of 1e30", 8, lists(24, (value) => 1e30 * value)],
  ["points of 1e-30", 8, lists(24, (value) => 1e-30 * value)],
  ["an outlier", 8, lists(24, (value, k) => (k < 4 ? 1e6 : value))],
  ["copies in pairs", 8, copiesInPairs(25)],
];

/** Each second point is a copy of the one before, so that all others come in pairs. */
function copiesInPairs(count: number) {
  const drawn: number[] = [];
  return lists(count, (value, k) => {
    drawn.push(value);
    return Math.floor(k / 4) % 2 === 1 ? drawn[k - 4] : value;
  });
}

/** Σ p log p of entries that sum to 1. */
const entropyConstant = (values: Float64Array | Float32Array): number => {
  let sum = 0;
  for (const value of values) sum += value;
  let constant = 0;
  for (const value of values) if (value > 0) constant += (value / sum) * Math.log(value / sum);
  return constant;
};

describe.skipIf(withoutDevice)("affinities, on SwiftShader", { tags: ["full"] }, () => {
  let gpu: Awaited<ReturnType<typeof softwareGpu>>;
  beforeAll(async () => {
    gpu = await softwareGpu();
  });

  test.each(sets)("of %s", async (_, perplexity, near) => {
    const joint = jointAffinities(affinitiesOfNeighbors(near, perplexity).conditional);
    if ("data" in joint) throw new Error("The reference is sparse.");
    const found = await affinityRows(gpu, near, perplexity);
    expect(found?.host.rowPointers).toEqual(joint.rowPointers);
    expect(found?.host.columnIndices).toEqual(joint.columnIndices);
    const values = found?.host.values ?? new Float32Array(0);
    const largest = joint.values.reduce((most, p) => Math.max(most, p), 0);
    // The entropy is flat near its most: an error of 2e-6 in it is one of so much in p.
    const flat = 2e-6 / Math.sqrt(2 * Math.log(near.count / perplexity));
    for (const [k, p] of joint.values.entries())
      expect(Math.abs(values[k] / N - p)).toBeLessThan(Math.max(1e-5, flat) * largest);
    const right = entropyConstant(joint.values);
    expect(Math.abs(entropyConstant(values) - right)).toBeLessThan(1e-5 * Math.abs(right));

    const [bytes] = found === undefined ? [] : await gpu.read([], [{ buffer: found.degrees, bytes: 4 * N }]);
    const degrees = new Float32Array(bytes);
    for (let n = 0; n < N; n++) {
      let sum = 0;
      for (let k = joint.rowPointers[n]; k < joint.rowPointers[n + 1]; k++) sum += N * joint.values[k];
      expect(Math.abs(degrees[n] - sum)).toBeLessThan(2e-5 * sum);
    }
  });

  test("the same bits twice, and entries that mirror each other to the bit", async () => {
    const near = lists(40);
    const [one, other] = [await affinityRows(gpu, near, 12), await affinityRows(gpu, near, 12)];
    expect(other?.host).toEqual(one?.host);
    if (one === undefined) throw new Error("The rows are resolved.");
    const { rowPointers, columnIndices, values } = one.host;
    const at = (i: number, j: number): number =>
      values[rowPointers[i] + columnIndices.subarray(rowPointers[i], rowPointers[i + 1]).indexOf(j)];
    for (let i = 0; i < N; i++)
      for (let k = rowPointers[i]; k < rowPointers[i + 1]; k++)
        expect(at(columnIndices[k], i)).toBe(values[k]);
  });

  test.each([
    ["last places that copies share", copiesInPairs(24)],
    ["copies by the hundred", lists(24, (value, k) => (k % 8 < 4 ? 1 : value))],
    ["equal points", lists(24, () => 7)],
    ["distances too uneven for single precision", uneven()],
  ])("%s are not resolved, and left to the processor", async (_, near) => {
    expect(await affinityRows(gpu, near, 8)).toBeUndefined();
  });
});

/** Eight neighbours so near beside the others that their differences vanish. */
function uneven(): NeighborLists {
  const near = lists(24);
  const distances = near.distances.map((d, k) => (k % 24 < 12 ? 1e-60 * (1 + (k % 24)) : 1 + d));
  return { ...near, distances };
}
