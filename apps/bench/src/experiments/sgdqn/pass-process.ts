/** A stochastic solver that never ends, in its own process: a turn is so many passes. See `passes.ts`. */
import { createStochasticSolver } from "@curvature/optim-sgdqn";
import { takeTurns } from "../../contestants/own-process.ts";
import { cpuSeconds } from "../../processor.ts";
import type { PassesFound, PassesTask } from "./passes.ts";
import { linearSet } from "./sets.ts";
import { problemOf } from "./traces.ts";

takeTurns(async ({ folder, set, loss, solver, shuffle }: PassesTask) => {
  const problem = problemOf(await linearSet(folder, set), loss);
  const maxPasses = Number.MAX_SAFE_INTEGER;
  const running = createStochasticSolver(problem, { solver, shuffle, maxPasses });
  return (count: number): PassesFound => {
    const before = cpuSeconds();
    for (let k = 0; k < count; k++) while (running.step().phase !== "pass");
    const seconds = (cpuSeconds() - before) / count;
    const state = new Map<string, unknown>(Object.entries(Object(running.save().state)));
    const isExplicit = state.get("step") === "explicit" && "rowPointers" in problem.rows;
    const [t0, skip] = [Number(state.get("t0")), Number(state.get("skip"))];
    return { seconds, weights: running.last.x, explicit: isExplicit ? { t0, skip } : undefined };
  };
});
