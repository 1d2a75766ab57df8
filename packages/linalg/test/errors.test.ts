import { CurvatureError } from "@curvature/linalg";
import { expect, test, vi } from "vitest";

test("the errors of every copy of the package are errors of the class, and nothing else is", async () => {
  vi.resetModules();
  const { CurvatureError: Another } = await import("../src/errors.js");
  expect(Another).not.toBe(CurvatureError);
  const details = { path: "alpha", expected: "a number", received: "x" };
  expect(new Another("ERR_OPTION", "", details)).toBeInstanceOf(CurvatureError);
  expect(new CurvatureError("ERR_OPTION", "", details)).toBeInstanceOf(Another);
  for (const other of [
    new Error("ERR_OPTION"),
    new TypeError(),
    { code: "ERR_OPTION" },
    null,
    undefined,
    "ERR_OPTION",
  ])
    expect(other instanceof CurvatureError).toBe(false);
});
