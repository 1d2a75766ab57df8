import { type DenseMatrix, zeros } from "@curvature/linalg";
import { expect, test } from "vitest";
import { repairFactor } from "../../src/bounds/repair.js";
import { embeddingByComponent } from "../../src/geometry/component-embedding.js";
import { embeddingOf } from "../../src/geometry/embedding.js";
import { solveRing } from "../../src/ring.js";

/** Two rings of m points whose places alternate, and a block of one place. */
const m = 12;
const { row } = solveRing(m, 4);
const ring = zeros(m, m);
for (let a = 0; a < m; a++) for (let b = 0; b < m; b++) ring.data[a * m + b] = row[(b - a + m) % m];
const componentOf = Int32Array.from({ length: 3 * m }, (_, i) => i % 3);

function threeBlocks(): DenseMatrix {
  const Q = zeros(3 * m, 3 * m);
  for (let a = 0; a < m; a++)
    for (let b = 0; b < m; b++)
      for (let c = 0; c < 3; c++)
        Q.data[(3 * a + c) * 3 * m + 3 * b + c] = c === 2 ? 1 / m : ring.data[a * m + b];
  return Q;
}

test("each ring is as round as by itself, the place is one place", () => {
  const { data } = embeddingByComponent(threeBlocks(), componentOf);
  const radius = Math.sqrt(embeddingOf(ring).eigenvalues[0] * (2 / m));
  for (let i = 0; i < 3 * m; i++) {
    const [x, y] = data.subarray(2 * i, 2 * i + 2);
    expect(Math.hypot(x, y)).toBeCloseTo(i % 3 === 2 ? 0 : radius, 6);
  }
  expect(Math.abs(data[0] - data[3])).toBeGreaterThan(1e-3 * radius);
});

test("a factor serves as the matrix that it stands for", () => {
  const Y = zeros(6, 2);
  for (const [i, y] of [1, 0.5, 0.8, 0.7, 0.2, 0.9].entries()) Y.data[2 * i + (i < 3 ? 0 : 1)] = y;
  const point = repairFactor(2.5, Y, 100);
  const halves = Int32Array.of(0, 0, 0, 1, 1, 1);
  const { data, rows, columns } = embeddingByComponent(point, halves, 1);
  expect([rows, columns]).toEqual([6, 1]);
  for (const half of [0, 3]) expect(data[half] + data[half + 1] + data[half + 2]).toBeCloseTo(0, 10);
});
