import { expect, test } from "vitest";
import { driveSum } from "../src/index.js";
import { Incremental, separable } from "./incremental.js";

test.each([null, undefined, 5, "adam", [], {}, { ask: () => [] }])(
  "%o is no solver that asks and tells",
  (solver) => {
    const refusal = expect.objectContaining({ code: "ERR_ARGUMENT", path: "solver" });
    // @ts-expect-error no solver
    expect(() => driveSum(solver, separable(2))).toThrow(refusal);
  },
);

test.each([null, undefined, 5, {}])("%o is no sum", (sum) => {
  const solver = new Incremental(2, Float64Array.of(1, 2), 2);
  // @ts-expect-error no sum
  expect(() => driveSum(solver, sum)).toThrow(expect.objectContaining({ code: "ERR_ARGUMENT", path: "sum" }));
});
