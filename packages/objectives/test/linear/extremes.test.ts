/** Sizes that are no numbers, and a λ whose inverse is none. */
import { checkLinearProblem, checkRows, linearLoss } from "@curvature/objectives/linear";
import { expect, test } from "vitest";

const rows = { rows: 1, columns: 2, data: Float64Array.of(1, 2) };

test.each([Symbol("size"), 10n, null, "2"])("rows of size %o are refused", (size) => {
  for (const bad of [
    { ...rows, rows: size },
    { ...rows, columns: size },
  ])
    expect(() => Reflect.apply(checkRows, undefined, [bad])).toThrowError(
      expect.objectContaining({ code: expect.stringMatching(/^ERR_(ARGUMENT|SHAPE)$/) }),
    );
});

test("a lambda whose inverse overflows is refused", () => {
  const problem = { rows, targets: Float64Array.of(1), loss: linearLoss("hinge"), bias: "none" as const };
  for (const lambda of [5e-324, 1e-200])
    expect(() => checkLinearProblem({ ...problem, lambda })).toThrowError(
      /lambda must be .* not below 1e-150/,
    );
  expect(() => checkLinearProblem({ ...problem, lambda: 1e-100 })).not.toThrow();
});
