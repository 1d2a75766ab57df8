/** Whole fits, in their own process: a turn is as many of one setting as take so many seconds, at least one. See `fits.ts`. */
import { takeTurns } from "../../contestants/own-process.ts";
import { type FitFound, type FitTurn, fit, problemInMemory } from "./fits.ts";
import { linearSet } from "./sets.ts";
import type { NamedProblem } from "./traces.ts";

takeTurns(async ({ folder, set, loss }: NamedProblem) => {
  const problem = problemInMemory(await linearSet(folder, set), loss);
  return ({ options, leastSeconds }: FitTurn): FitFound => {
    let found = fit(problem, options);
    for (let spent = found.seconds; spent < leastSeconds; spent += found.seconds)
      found = fit(problem, options);
    return found;
  };
});
