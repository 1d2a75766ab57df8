import { CurvatureError, type ErrorCode } from "@curvature/linalg";
import { describe, expect, test } from "vitest";
import { exitCodeOf } from "../src/run/exit-codes.js";
import { failureOf, fileError } from "../src/run/failure.js";

describe("failureOf", () => {
  test.each<[ErrorCode, number]>([
    ["ERR_OPTION", 64],
    ["ERR_ARGUMENT", 64],
    ["ERR_PARSE", 65],
    ["ERR_NON_FINITE", 65],
    ["ERR_SHAPE", 65],
    ["ERR_CHECKPOINT", 65],
    ["ERR_SNAPSHOT", 65],
    ["ERR_IO", 74],
    ["ERR_MEMORY", 65],
    ["ERR_NO_CONVERGENCE", 4],
    ["ERR_NOT_POSITIVE_DEFINITE", 4],
  ])("%s ends with %d", (code, exitCode) => {
    expect(failureOf(new CurvatureError(code, "It is so."))).toMatchObject({
      code,
      message: "It is so.",
      exitCode,
    });
  });

  test("takes what could steer a terminal out of every sentence", () => {
    const { message } = failureOf(
      new CurvatureError("ERR_PARSE", "The cell is \u001b[2J\u0007\n\u202ehidden."),
    );
    expect(message).toBe("The cell is  [2J hidden.");
  });

  test.each([
    new RangeError("Array buffer allocation failed"),
    Object.assign(new Error("Worker terminated"), { code: "ERR_WORKER_OUT_OF_MEMORY" }),
  ])("what the engine has no memory for is too large: %s", (error) => {
    expect(failureOf(error)).toMatchObject({ code: "ERR_MEMORY", exitCode: 65 });
  });

  test("an error that nobody foresaw is told as one", () => {
    expect(failureOf(new TypeError("x is undefined"))).toMatchObject({
      code: "ERR_INTERNAL",
      message: "Internal error, please report it: x is undefined",
      exitCode: 4,
    });
    expect(failureOf("thrown text").exitCode).toBe(4);
  });

  test("a system error names the file and what to do", () => {
    const cause = Object.assign(new Error("ENOSPC"), { code: "ENOSPC", syscall: "write", path: "map.csv" });
    const sentence = "Cannot write map.csv: the disk is full; free some space or write elsewhere.";
    expect(failureOf(cause)).toMatchObject({ message: sentence, exitCode: 74 });
    expect(fileError("write", "map.csv", cause).message).toBe(sentence);
  });
});

describe("exitCodeOf", () => {
  test.each([
    ["converged", true, undefined, 0],
    ["target-reached", true, undefined, 0],
    ["max-evaluations", true, "max-evaluations", 0],
    ["max-evaluations", true, undefined, 2],
    ["max-iterations", true, "max-evaluations", 2],
    ["max-iterations", true, "max-iterations", 0],
    ["time-limit", true, "max-evaluations", 2],
    ["stalled", true, "max-evaluations", 2],
    ["stalled", false, undefined, 4],
    ["aborted", true, "max-evaluations", 3],
    ["diverged", true, undefined, 4],
    ["failed", false, undefined, 4],
  ] as const)("%s (usable: %s, scheduled: %s) is %d", (status, usable, scheduled, code) => {
    expect(exitCodeOf({ status, usable, scheduled, aborted: status === "aborted" })).toBe(code);
  });

  test("a signal that came too late to end the run early still says 3, but hides no failure", () => {
    const ending = { usable: true, scheduled: "max-evaluations", aborted: true } as const;
    expect(exitCodeOf({ ...ending, status: "max-evaluations" })).toBe(3);
    expect(exitCodeOf({ ...ending, status: "converged" })).toBe(3);
    expect(exitCodeOf({ ...ending, status: "diverged" })).toBe(4);
  });
});
