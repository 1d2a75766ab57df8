import { expect, test } from "vitest";
import { PATIENCE, Schedule, type Situation } from "../../../src/solvers/dual/schedule.js";

const usual: Situation = {
  upper: 101,
  lower: 100,
  objective: 100.1,
  allowed: 0.5,
  steps: 30,
  isTailReady: true,
};

test("nothing happens before the iteration has settled", () => {
  const schedule = new Schedule();
  for (let steps = 0; steps < 20; steps += 10)
    expect(schedule.decide({ ...usual, objective: 200, steps })).toBe("continue");
});

test("the factor is tightened when it is the weak side, and again only if that helped", () => {
  for (const [lower, second] of [
    [100.1, "continue"],
    [100.3, "tighten"],
  ] as const) {
    const schedule = new Schedule();
    const weak = { ...usual, objective: 100.9 };
    expect(schedule.decide(usual)).toBe("continue"); // UB is the weak side here
    expect(schedule.decide(weak)).toBe("tighten");
    schedule.tightened(lower);
    expect(schedule.decide({ ...weak, lower, objective: 100.95 })).toBe(second);
    if (second === "tighten") schedule.tightened(100.8);
    expect(schedule.decide({ ...weak, lower, objective: 100.95 })).toBe("continue");
  }
});

test("a tail begins only where both sides stand still", () => {
  const stuck = { ...usual, upper: 100.72, objective: 100.6 };
  const decisions = (change: (k: number) => Partial<Situation>): string[] => {
    const schedule = new Schedule();
    expect(schedule.decide(stuck)).toBe("tighten");
    schedule.tightened(100);
    return Array.from({ length: 8 }, (_, k) => schedule.decide({ ...stuck, ...change(k) }));
  };
  expect(decisions(() => ({})).indexOf("tail")).toBe(4);
  expect(decisions((k) => ({ objective: k % 2 === 0 ? 100.6 : 100.2 }))).not.toContain("tail");
  expect(decisions((k) => ({ upper: 100.7 - 0.02 * k }))).not.toContain("tail");
  expect(decisions(() => ({ isTailReady: false }))).not.toContain("tail");
});

test("it ends as stalled when the gap stands for long", () => {
  const schedule = new Schedule();
  for (let k = 0; k < PATIENCE; k++)
    expect(schedule.decide({ ...usual, upper: 101 - 1e-4 * k })).toBe("continue");
  expect(schedule.decide(usual)).toBe("stalled");
});
