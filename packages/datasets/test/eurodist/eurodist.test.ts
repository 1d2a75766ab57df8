import { loadEurodist } from "@curvature/datasets/eurodist";
import { expect, test } from "vitest";

const { distances, names, positions } = loadEurodist();
const between = (a: string, b: string): number => distances.data[names.indexOf(a) * 21 + names.indexOf(b)];

test("the 21 cities and their 210 distances are those of R's eurodist", () => {
  expect(names).toHaveLength(21);
  expect([...names].sort()).toEqual(names);
  expect(between("Athens", "Barcelona")).toBe(3313);
  expect(between("Hook of Holland", "Madrid")).toBe(1730);
  expect(between("Vienna", "Stockholm")).toBe(2105);
  expect(distances.data.reduce((sum, km) => sum + km, 0)).toBe(632162);
});

test("the distances are symmetric, positive, and 0 on the diagonal", () => {
  expect(distances).toMatchObject({ rows: 21, columns: 21 });
  for (let i = 0; i < 21; i++) {
    for (let j = 0; j < 21; j++) {
      expect(distances.data[i * 21 + j]).toBe(distances.data[j * 21 + i]);
      expect(distances.data[i * 21 + j] > 0).toBe(i !== j);
    }
  }
});

test("the positions are classical scaling: B v = λ v for B = −½ J D² J", () => {
  const n = 21;
  const squares = distances.data.map((km) => km * km);
  const rowMean = Float64Array.from({ length: n }, (_, i) =>
    squares.subarray(i * n, (i + 1) * n).reduce((sum, value) => sum + value / n, 0),
  );
  const mean = rowMean.reduce((sum, value) => sum + value / n, 0);
  for (const axis of [0, 1]) {
    const v = Float64Array.from({ length: n }, (_, i) => positions.data[2 * i + axis]);
    const Bv = v.map((_, i) =>
      v.reduce((sum, vj, j) => sum - 0.5 * (squares[i * n + j] - rowMean[i] - rowMean[j] + mean) * vj, 0),
    );
    const lambda = v.reduce((sum, value) => sum + value * value, 0);
    // the positions are rounded to 1e-6 km, λ is some 1e7 km²
    for (let i = 0; i < n; i++) expect(Math.abs(Bv[i] - lambda * v[i]) / lambda).toBeLessThan(1e-4);
  }
});

test("every call gives arrays of its own", () => {
  loadEurodist().distances.data.fill(0);
  expect(loadEurodist().distances.data[1]).toBe(3313);
});
