/**
 * The solvers of `curvature fit` by name; behind colons the numbers that some of them take.
 */
import { CurvatureError, either, nearestName, optionTable, type SettingsOf } from "@curvature/linalg";
import { parseSumSolverName, sumSolverMethods, validationOptions } from "@curvature/optim-core";
import { minimizeSumOptions } from "@curvature/optim-sfo";

const { seed, maxPasses, maxSeconds, tolerance, batch, concurrency } = minimizeSumOptions.entries;

/** Of all solvers; the tolerance has a default for SFO alone. */
export const solveOptions = optionTable({
  ...{ seed, maxPasses, maxSeconds, batch },
  tolerance: either(tolerance),
  concurrency: concurrency.default(1),
  /** Of early stopping, where something is held out. */
  patience: validationOptions.entries.patience,
});
export type SolveSettings = SettingsOf<typeof solveOptions>;

export interface SolverChoice {
  readonly isSfo: boolean;
  /** As on the command line. */
  readonly word: string;
}

const names: readonly string[] = ["sfo", ...Object.keys(sumSolverMethods)];

/** For help: adam[:learningRate], … */
export const solverSyntax = [
  "sfo",
  ...Object.entries(sumSolverMethods).map(([name, numbers]) =>
    [name, ...numbers.map((number) => `[:${number}]`)].join(""),
  ),
].join(", ");

/** @throws CurvatureError ERR_OPTION */
export function solverChoice(word: string): SolverChoice {
  if (word === "sfo") return { isSfo: true, word };
  const [name] = word.split(":");
  if (name === "sfo") throw wrongSolver(`The solver sfo has nothing to tune; say sfo, not ${word}.`, word);
  if (!names.includes(name)) {
    const nearest = nearestName(name, names);
    const hint = nearest === undefined ? `Known solvers: ${names.join(", ")}.` : `Did you mean ${nearest}?`;
    throw wrongSolver(`There is no solver ${JSON.stringify(name.slice(0, 60))}. ${hint}`, word);
  }
  parseSumSolverName(word);
  return { isSfo: false, word };
}

const wrongSolver = (message: string, word: string): CurvatureError =>
  new CurvatureError("ERR_OPTION", message, { path: "solver", expected: names.join(", "), received: word });
