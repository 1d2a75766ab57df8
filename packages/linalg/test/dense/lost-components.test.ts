import { lostComponents, principalComponents } from "@curvature/linalg";
import { expect, test } from "vitest";

test("components that a far point leaves nothing of are counted, with what to do", () => {
  const points = [...Array.from({ length: 60 }, (_, i) => [i % 7, (i * i) % 11, 0]), [1e17, 1e17, 0]];
  const { variances } = principalComponents(points, { count: 3 });
  expect(Array.from(variances, Math.sign)).toEqual([1, 0, 0]);
  expect(lostComponents(variances, "scale the columns")).toEqual([
    expect.stringMatching(
      /^2 of the 3 principal components vary not at all, or by so little beside the first that they are lost .*, scale the columns, or leave these points out\.$/,
    ),
  ]);
});

test.each([
  ["all vary", [3, 1e-300]],
  ["infinite ones vary", [Number.POSITIVE_INFINITY, 1]],
  ["all points are the same", [0, 0]],
  ["no components", []],
])("nothing to tell: %s", (_, variances) => {
  expect(lostComponents(Float64Array.from(variances), "scale the columns")).toEqual([]);
});
