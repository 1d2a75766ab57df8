/** One method of figure 4 in its own process: a turn goes on until its run has taken so many seconds. */
import type { Solver } from "@curvature/optim-core";
import { takeTurns } from "../../contestants/own-process.ts";
import { cpuSeconds } from "../../processor.ts";
import { type Course, contestants, type Moment, models, type Task } from "./figure-4-contestants.ts";

takeTurns(async ({ model, contestant, P, X0, warmUp }: Task) => {
  const objective = models[model](P);
  const begin = (): Solver<unknown> => contestants[contestant](objective, X0.slice());
  const goOn = (solver: Solver<unknown>, from: number, until: number): Omit<Course, "x"> => {
    const begun = cpuSeconds() - from;
    const moments: Moment[] = [];
    for (;;) {
      const iteration = solver.step();
      if ("then" in iteration) throw new Error("embeddings evaluate at once");
      const seconds = cpuSeconds() - begun;
      const { value: E = Number.NaN, evaluations, gradientEvaluations } = iteration;
      moments.push({ seconds, evaluations: Math.max(evaluations, gradientEvaluations), E });
      const isEnded = iteration.outcome !== undefined;
      if (isEnded || seconds > until) return { seconds, moments, isEnded };
    }
  };
  goOn(begin(), 0, warmUp);
  const begun = cpuSeconds();
  const solver = begin();
  let spent = cpuSeconds() - begun;
  return (until: number): Course => {
    const course = goOn(solver, spent, until);
    spent = course.seconds;
    return { ...course, x: solver.last.x };
  };
});
