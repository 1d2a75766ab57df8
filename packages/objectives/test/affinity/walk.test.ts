/** The way through the points, and what comes of it, row by row. */
import { exp, transposeSparse } from "@curvature/linalg";
import { affinitiesOfNeighbors, nearestNeighbors } from "@curvature/objectives/embedding";
import { describe, expect, test } from "vitest";
import { EntropicRow } from "../../src/embedding/affinity/entropic-row.js";
import { goThrough, stretchCount, walk } from "../../src/embedding/affinity/walk.js";
import { randomPoints } from "./points.js";

test("goes to the next point, or to the first that is unvisited, and to each once", () => {
  const order = new Int32Array(6);
  const next = [4, -1, -1, -1, 2, -1];
  walk(order, (point, visited) => {
    expect(visited[point]).toBe(1);
    return next[point];
  });
  expect([...order]).toEqual([0, 4, 2, 1, 3, 5]);
  walk(new Int32Array(0), () => -1);
});

test.each([1, 4095, 4096, 4097, 4607, 4608, 4609, 5120])("%i points: stretches are all of the way", (N) => {
  const order = new Int32Array(N);
  walk(order, () => -1);
  const visits: number[] = [];
  const starts: number[] = [];
  for (let stretch = 0; stretch < stretchCount(N); stretch++) {
    goThrough(order, stretch, (point, logBeta) => {
      if (logBeta === 0) starts.push(point);
      visits.push(point);
      return 1;
    });
  }
  expect(visits).toEqual([...order]);
  expect(starts).toEqual(N <= 4096 ? [0] : starts.map((_, stretch) => 512 * stretch));
  expect(starts).toHaveLength(N <= 4096 ? 1 : Math.ceil(N / 512));
});

describe.each([4096, 4097])("of %i points' neighbours", (N) => {
  const k = 8;
  const lists = nearestNeighbors(randomPoints(N, 3, 5), k);
  const { beta, conditional, evaluations } = affinitiesOfNeighbors(lists, 3);

  test("each row starts from the one before, and the first of each stretch from none", () => {
    const row = new EntropicRow(k, 3);
    const visited = new Set<number>();
    let [sum, logBeta] = [0, 0];
    for (let place = 0, n = 0; place < N; place++) {
      visited.add(n);
      if (N > 4096 && place % 512 === 0) logBeta = 0;
      row.distances.set(lists.distances.subarray(n * k, n * k + k));
      row.fit(logBeta);
      logBeta = row.logBeta;
      sum += row.evaluations;
      expect(beta[n]).toBe(exp(logBeta));
      n = lists.indices.subarray(n * k, n * k + k).find((m) => !visited.has(m)) ?? -1;
      for (let first = 0; n < 0; first++) if (!visited.has(first)) n = first;
    }
    expect(evaluations.mean).toBe(sum / N);
  });

  test("rows are sorted as transposing twice sorts them", () => {
    if (!("values" in conditional)) throw new Error("They are to be sparse.");
    expect(transposeSparse(transposeSparse(conditional))).toEqual(conditional);
  });
});
