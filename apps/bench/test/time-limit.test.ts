import { expect, test } from "vitest";
import { allOf, isTimesAsLong, judged, standing } from "../src/experiments/spectral/time-limit.ts";

test("who was not there in time is slower by what the limit tells, and no more", () => {
  expect(isTimesAsLong(10, 5, 0.5, 15)).toBe(true);
  expect(isTimesAsLong(10, 4, 0.5, 15)).toBe(false);
  expect(isTimesAsLong(10, Infinity, 1.5, 15)).toBe(true);
  expect(isTimesAsLong(10, Infinity, 4, 15)).toBe(undefined);
  expect(isTimesAsLong(10, 15.3, 1.52, 15)).toBe(true); // its last iteration ended after the limit
  expect(isTimesAsLong(10, 14, Infinity, 15)).toBe(false);
  expect(isTimesAsLong(10, Infinity, Infinity, 15)).toBe(undefined);
});

test("a conjunction with an open part is open unless another part fails", () => {
  expect(allOf([true, true])).toBe(true);
  expect(allOf([true, undefined])).toBe(undefined);
  expect(allOf([undefined, false])).toBe(false);
  expect(allOf([])).toBe(undefined);
});

test("what is open is told beside the verdict on the rest", () => {
  expect(judged({ passes: true, time: true }, 2)).toBe("The claim holds.");
  expect(judged({ passes: true, time: undefined }, 2)).toBe(
    "The claim holds as far as it is decided. **Not** decided in 2 s: time.",
  );
  expect(judged({ passes: false, time: undefined, cost: undefined }, 2)).toBe(
    "The claim does **not** hold here. **Not** decided in 2 s: time and cost.",
  );
  expect(judged({ passes: undefined }, 2)).toBe("The claim is **not** decided in 2 s.");
});

test("a standing names those who were not there, and those before ours", () => {
  const times = [
    { name: "SD", seconds: 2 },
    { name: "CG", seconds: 1 },
    { name: "GD", seconds: Infinity },
  ];
  expect(standing(times, "SD", 5)).toBe("CG 1.0, SD 2.0; **not** in 5 s: GD. **Ahead** of SD: CG.");
  expect(standing(times.slice(2), "SD", 5)).toBe("**not** in 5 s: GD. None is ahead of SD.");
});
