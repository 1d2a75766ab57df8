/** The process of one contestant of figures 1 to 3: it makes the small set, and minimises one objective after the other, in turns. */
import { Homotopy, type ImmediateSolver } from "@curvature/optim-spectral";
import { takeTurns } from "../../contestants/own-process.ts";
import { cpuSeconds } from "../../processor.ts";
import { smallSet } from "./small-set.ts";
import { contestants } from "./small-set-contestants.ts";
import { type Course, type Moment, type Task, TURN, type Way } from "./small-set-race.ts";

takeTurns(async ({ choice, contestant }: Task) => {
  const { objectives } = smallSet(choice);
  let solver: ImmediateSolver;
  let seconds: number;
  const begin = ({ model, X0, lambdas }: Way): Moment => {
    const objective = objectives[model];
    const E = objective.evaluate(X0);
    const begun = cpuSeconds();
    const makeSolver = contestants[contestant](objective);
    solver =
      lambdas === undefined
        ? makeSolver(objective, X0)
        : new Homotopy(objective, X0, makeSolver, { steps: lambdas });
    seconds = cpuSeconds() - begun;
    return { iterations: 0, seconds, evaluations: 0, E, lambda: objective.lambda, stepLength: undefined };
  };
  return (way: Way | "go on"): Course => {
    const moments = way === "go on" ? [] : [begin(way)];
    const [before, begun] = [seconds, cpuSeconds()];
    for (;;) {
      const { index, details, stepLength, evaluations, gradientEvaluations, outcome } = solver.step();
      seconds = before + cpuSeconds() - begun;
      moments.push({
        iterations: index,
        seconds,
        evaluations: Math.max(evaluations, gradientEvaluations),
        E: details.energy,
        lambda: details.lambda,
        stepLength,
      });
      if (outcome !== undefined || seconds - before >= TURN)
        return { moments, outcome: outcome?.status, x: solver.best.x };
    }
  };
});
