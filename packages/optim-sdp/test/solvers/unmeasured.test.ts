import { maxIterations, runSync } from "@curvature/optim-core";
import { BurerMonteiro, gramOfPoints } from "@curvature/optim-sdp";
import { expect, test } from "vitest";

test("a gradient norm that is not measured yet is undefined, and no NaN", () => {
  const points = Array.from({ length: 9 }, (_, i) => [i % 3, (i * i) % 5]);
  const solver = new BurerMonteiro({ gram: gramOfPoints(points), clusters: 3 });
  const { history } = runSync(solver, { stop: maxIterations(6), history: true });
  expect(history.length).toBeGreaterThan(0);
  for (const { gradientNorm } of history) expect(gradientNorm).not.toBeNaN();
});
