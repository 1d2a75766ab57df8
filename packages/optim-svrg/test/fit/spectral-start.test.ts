/** Initial embeddings from the eigenvectors of answers, where answers fall into groups. */
import { normal, RandomGenerator, squaredDistances } from "@curvature/linalg";
import { ordinalEmbedding } from "@curvature/optim-svrg";
import { expect, test } from "vitest";
import { spectralStart } from "../../src/fit/spectral-start.js";

/** True answers about `sizes.length` groups of points in the plane, none across them, and an object nobody was asked about. */
function grouped(sizes: readonly number[], each: number) {
  const random = new RandomGenerator(4);
  const quadruplets: number[] = [];
  let first = 0;
  for (const size of sizes) {
    const data = Float64Array.from({ length: 2 * size }, () => normal(random));
    const D = squaredDistances({ rows: size, columns: 2, data }).data;
    for (let q = 0; q < each; q++) {
      const i = random.integer(size);
      const j = (i + 1 + random.integer(size - 1)) % size;
      const k = (i + 1 + random.integer(size - 1)) % size;
      if (j === k) continue;
      const [near, far] = D[i * size + j] < D[i * size + k] ? [j, k] : [k, j];
      quadruplets.push(first + i, first + near, first + i, first + far);
    }
    first += size;
  }
  return { objects: first + 1, quadruplets: Int32Array.from(quadruplets), weights: undefined };
}

/** Whether points of these rows lie on no line. */
function isPlane(X: Float64Array, from: number, to: number): boolean {
  let [xx, xy, yy] = [0, 0, 0];
  const mean = [0, 1].map((t) => {
    let sum = 0;
    for (let i = from; i < to; i++) sum += X[2 * i + t];
    return sum / (to - from);
  });
  for (let i = from; i < to; i++) {
    const [x, y] = [X[2 * i] - mean[0], X[2 * i + 1] - mean[1]];
    xx += x * x;
    xy += x * y;
    yy += y * y;
  }
  return xx * yy - xy * xy > 1e-6 * (xx + yy) ** 2;
}

test("every group has a map in the plane, and none less for there being others", () => {
  const sizes = [12, 9, 15];
  const X = spectralStart(grouped(sizes, 200), 2);
  if (X === undefined) throw new Error("there is a start");
  let first = 0;
  for (const size of sizes) {
    expect(isPlane(X, first, first + size)).toBe(true);
    first += size;
  }
  expect([...X.subarray(2 * first)]).toEqual([0, 0]);
});

test("a group has the map that it has alone", () => {
  const { objects, quadruplets } = grouped([12, 9], 200);
  const both = spectralStart({ objects, quadruplets, weights: undefined }, 2);
  const own = quadruplets.filter((_, at) => quadruplets[at - (at % 4)] < 12);
  const alone = spectralStart({ objects: 12, quadruplets: own, weights: undefined }, 2);
  expect(both?.subarray(0, 24)).toEqual(alone);
});

test.each([[[12, 12]], [[12, 3, 3]], [[12, 12, 12, 12]], [[3, 3, 3]]])(
  "groups of %j are fitted",
  async (sizes) => {
    const { trainingError, warnings } = await ordinalEmbedding(grouped(sizes, 150), {
      initialization: "spectral",
    });
    expect(trainingError).toBeLessThan(0.02);
    expect(JSON.stringify(warnings)).toContain("groups");
  },
);
