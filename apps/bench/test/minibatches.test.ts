import { linearLoss, linearSum } from "@curvature/objectives/linear";
import { asObjective } from "@curvature/optim-core";
import { expect, test } from "vitest";
import { inMinibatches } from "../src/experiments/all/objectives.ts";

test("a sum in parts has the value and the gradient of the sum, every term in one part", () => {
  const [rows, columns] = [23, 3];
  const data = Float64Array.from({ length: rows * columns }, (_, k) => ((7 * k) % 11) / 11 - 0.4);
  const targets = Float64Array.from({ length: rows }, (_, i) => 2 * (i % 2) - 1);
  const sum = linearSum({
    rows: { rows, columns, data },
    targets,
    loss: linearLoss("logistic"),
    lambda: 0.1,
    bias: "none",
  });
  const parts = inMinibatches(sum, 5);
  expect(parts.count).toBe(5);
  const x = Float64Array.of(0.3, -0.2, 0.7);
  const [g, h] = [new Float64Array(3), new Float64Array(3)];
  expect(asObjective(parts).evaluate(x, g)).toBeCloseTo(asObjective(sum).evaluate(x, h), 12);
  g.forEach((each, k) => {
    expect(each).toBeCloseTo(h[k], 12);
  });
  expect(inMinibatches(sum, 100)).toBe(sum);
});
