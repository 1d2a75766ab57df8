/** What must not move the optimum, and what moves it by a known amount; and two rings against their symmetry's optimum. */
import { type DenseMatrix, outerGram, RandomGenerator, zeros } from "@curvature/linalg";
import { type Gram, gramOfMatrix, gramOfPoints } from "@curvature/optim-sdp";
import { describe, expect, test } from "vitest";
import { randomPoints, ringPoints } from "./helpers/small.js";
import { expectOverlap, type Interval, solve } from "./helpers/solvers.js";
import { twoRingsOptimum } from "./helpers/two-rings-oracle.js";

const n = 40;
const K = 5;
const tolerance = 1e-5;
/** Two groups and a few stragglers in three dimensions. */
const points = randomPoints(n, 3, 4);
for (let i = 0; i < n / 2; i++) points.data[3 * i] += 4;

const unscaled = (X: DenseMatrix): Gram => gramOfPoints(X, { scale: "none" });

for (const name of ["admm", "auto"] as const)
  describe(name, () => {
    const of = (gram: Gram, clusters = K): Interval => {
      const found = solve(name, { gram, clusters }, tolerance);
      expect(found.status).toBe("converged");
      return found;
    };
    const plain = of(unscaled(points));

    test("a shift of the points", () => {
      const shifted = { ...points, data: points.data.map((x, k) => x + [3, -7, 20][k % 3]) };
      expectOverlap(of(unscaled(shifted)), plain);
    });

    test("an orthogonal map of the points", () => {
      // the reflection I − 2 u uᵀ/‖u‖², u = (1, 2, −2), and a turn by 0.7 in the first two coordinates
      const [cosine, sine] = [Math.cos(0.7), Math.sin(0.7)];
      const mapped = zeros(n, 3);
      for (let i = 0; i < n; i++) {
        const [x, y, z] = points.data.subarray(3 * i, 3 * i + 3);
        const along = (2 * (x + 2 * y - 2 * z)) / 9;
        const [p, q, r] = [x - along, y - 2 * along, z + 2 * along];
        mapped.data.set([cosine * p - sine * q, sine * p + cosine * q, r], 3 * i);
      }
      expectOverlap(of(unscaled(mapped)), plain);
    });

    test("another order of the points", () => {
      const random = new RandomGenerator(3);
      const order = Array.from({ length: n }, (_, i) => i);
      for (let i = n - 1; i > 0; i--) {
        const j = Math.floor(random.uniform() * (i + 1));
        [order[i], order[j]] = [order[j], order[i]];
      }
      const permuted = zeros(n, 3);
      order.forEach((from, to) => {
        permuted.data.set(points.data.subarray(3 * from, 3 * from + 3), 3 * to);
      });
      expectOverlap(of(unscaled(permuted)), plain);
    });

    test("D + c I moves the optimum by c K, D + y 1ᵀ + 1 yᵀ by 2 1ᵀy", () => {
      const G = outerGram(points);
      const c = 0.3;
      const y = randomPoints(n, 1, 8).data;
      let sum = 0;
      for (let i = 0; i < n; i++) {
        sum += 2 * y[i];
        G.data[i * n + i] += c;
        for (let j = 0; j < n; j++) G.data[i * n + j] += y[i] + y[j];
      }
      // the Gram matrix of points that are not centred has 1ᵀG1/n more than that of centred ones
      const means = [0, 1, 2].map((j) =>
        points.data.reduce((all, x, k) => (k % 3 === j ? all + x / n : all), 0),
      );
      const offset = n * means.reduce((all, mean) => all + mean * mean, 0);
      const moved = c * K + sum + offset;
      const { lower, upper } = of(gramOfMatrix(G));
      expectOverlap({ status: "", gap: 0, lower: lower - moved, upper: upper - moved }, plain);
    });

    test("a K of 33.33 lies between its whole neighbours, and above the line through them: the value is concave in K", {
      tags: ["full"],
    }, () => {
      const ring = gramOfPoints(ringPoints(100).map(([x, y], i) => [x + 0.01 * (i % 7), y]));
      const [low, middle, high] = [33, 33.33, 34].map((clusters) =>
        solve(name, { gram: ring, clusters }, 1e-2),
      );
      for (const { status } of [low, middle, high]) expect(status).toBe("converged");
      expect(middle.upper).toBeGreaterThanOrEqual(0.67 * low.lower + 0.33 * high.lower);
      expect(middle.lower).toBeLessThanOrEqual(high.upper);
    });

    test.each([
      [12, 0.5, 4],
      [20, 0.7, 6.5],
    ])(
      "two rings of %d points, the second of radius %d, K = %d: the optimum of the reduced problem",
      (m, f, clusters) => {
        const optimum = twoRingsOptimum(m, f, clusters);
        const rings = [...ringPoints(m), ...ringPoints(m).map(([x, y]) => [f * x, f * y])];
        const found = of(gramOfPoints(rings, { scale: "none" }), clusters);
        // what the oracle's cuts leave
        expectOverlap(found, { lower: optimum * (1 - 1e-6), upper: optimum * (1 + 1e-6) });
      },
    );
  });
