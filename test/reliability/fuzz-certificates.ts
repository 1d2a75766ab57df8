/**
 * What linear solvers claim, beside the truth (`certificates/truth.ts`). A claim is the status `converged`, which stands
 * for the gap that is reported with it, and every gap that is called a duality gap. It is refuted where a point is known
 * whose P is lower than the gap allows, by more than rounding can explain:
 *
 *   (P − P_known)/P > gap + 1e-12 + rounding,
 *
 * `rounding` being what P moves if a free bias is rounded once: by columns far from zero it is far larger than the scores, and a
 * solver that knows it better has no way to say so. Nothing else is forgiven to P; 1e-12 covers P − D computed in doubles over 80
 * rows. Not a claim, and still a failure: `converged` without a gap, and a value that is not P at the parameters, within what
 * some roundings of the scores move it.
 */
import type { RandomGenerator } from "@curvature/linalg";
import type { LinearProblem } from "@curvature/objectives/linear";
import type { Iteration } from "@curvature/optim-core";
import { createLinearSolver, type LinearDetails, type LinearSolverOptions } from "@curvature/optim-sgdqn";
import { drawnProblem, draws } from "./certificates/drawn.ts";
import { type Measured, measured, truth } from "./certificates/truth.ts";
import { type FuzzInput, outcome, type Reader } from "./fuzz-target.ts";

type Solver = NonNullable<LinearSolverOptions["solver"]>;

const exact: readonly Solver[] = ["newton", "auto", "dcd", "lbfgs"];
const stochastic: readonly Solver[] = ["sgd", "svmsgd2", "sgdqn", "sgdqn-2009", "asgd", "olbfgs"];

/** What became of the fits of one loss, or of one solver. */
interface Count {
  fits: number;
  refusedFits: number;
  claims: number;
  refuted: number;
  /** Converged, and no gap reported. */
  unfounded: number;
  /** The value reported is not P at the parameters. */
  misvalued: number;
  /** Neither converged nor with a gap. */
  silent: number;
  /** Claims that rounding alone hides from the truth: it is larger than the gap claimed. */
  blurred: number;
}

const counts = new Map<string, Count>();
const truths = { problems: 0, tight: 0 };

function countOf(name: string): Count {
  const known = counts.get(name) ?? {
    fits: 0,
    refusedFits: 0,
    claims: 0,
    refuted: 0,
    unfounded: 0,
    misvalued: 0,
    silent: 0,
    blurred: 0,
  };
  counts.set(name, known);
  return known;
}

interface Fit {
  readonly solver: Solver;
  readonly options: LinearSolverOptions;
  readonly last: Iteration<LinearDetails>;
  readonly reported: number | undefined;
  readonly point: Measured;
}

const bump = (problem: LinearProblem, solver: Solver, key: keyof Count): void => {
  for (const name of [problem.loss.name, solver, "all"]) countOf(name)[key]++;
};

async function fitted(problem: LinearProblem, options: LinearSolverOptions): Promise<Fit | undefined> {
  const { solver = "auto" } = options;
  let fit: Fit | undefined;
  const end = await outcome(
    async () => {
      const run = createLinearSolver(problem, options);
      let last = await run.step();
      while (last.outcome === undefined) last = await run.step();
      const { x, value } = run.best;
      fit = { solver, options, last, reported: value, point: measured(problem, x) };
    },
    () => undefined,
  );
  bump(problem, solver, "fits");
  if (end === "refused") bump(problem, solver, "refusedFits");
  return fit;
}

interface Fault {
  readonly weight: number;
  readonly what: string;
}

/** The gravest first. */
const weights = { refuted: 2, misvalued: 1, unfounded: 0 };

/**
 * A reported value is P at the parameters, in scores that were summed in doubles: their columns moved, their products and
 * sums rounded, a few roundings each (`ofSum` in the solvers allows 8, and one for each term).
 */
const ROUNDINGS = 8;

/** Below it doubles lose their digits, and P counts as 0. */
const LEAST = 1e-290;

/** What is wrong with what a fit says. */
function judge(
  problem: LinearProblem,
  { solver, options, last, reported, point }: Fit,
  known: number,
): Fault[] {
  const { gap, certificate } = last.details;
  const status = last.outcome?.status;
  const isConverged = status === "converged";
  const P = point.value < LEAST ? 0 : point.value;
  const faults: Fault[] = [];
  const fault = (key: keyof typeof weights, what: string): void => {
    bump(problem, solver, key);
    const end = `ends as ${status}, gap ${gap} (${certificate})`;
    faults.push({ weight: weights[key], what: `${fitText(problem, options)} ${end}: ${what}` });
  };
  if (reported !== undefined && Math.abs(reported - P) > 1e-9 * P + ROUNDINGS * point.rounding + LEAST)
    fault("misvalued", `the value reported, ${reported}, is not P at its parameters, ${P}`);
  if (isConverged && gap === undefined) {
    fault("unfounded", "converged on no gap");
    return faults;
  }
  if (gap === undefined || !(isConverged || certificate === "duality-gap")) {
    bump(problem, solver, "silent");
    return faults;
  }
  bump(problem, solver, "claims");
  if (point.rounding > Math.max(gap, 1e-12) * P) bump(problem, solver, "blurred");
  if (P - known > (gap + 1e-12) * P + point.ofBias + LEAST || !Number.isFinite(P))
    fault("refuted", `P is ${P}, and ${known} is known: ${(P - known) / P} of P above it`);
  return faults;
}

function fitText(problem: LinearProblem, { solver, tolerance, maxPasses }: LinearSolverOptions): string {
  const { rows, loss, bias, lambda, importances } = problem;
  const parts = [
    `${solver}, ${loss.name}${loss.width === undefined ? "" : ` ${loss.width.toPrecision(3)}`}`,
    `${rows.rows} x ${rows.columns} ${"data" in rows ? "dense" : "sparse"}`,
    `bias ${bias}, lambda ${lambda.toPrecision(3)}${importances === undefined ? "" : ", importances"}`,
    `tolerance ${tolerance?.toPrecision(3)}, maxPasses ${maxPasses}`,
  ];
  return parts.join("; ");
}

function drawnFits(random: RandomGenerator): LinearSolverOptions[] {
  const { pick, power, chance } = draws(random);
  const tolerance = chance(0.1) ? 0 : power(-9, -1);
  const maxPasses = pick([3, 30, 300]);
  const seed = random.integer(1000);
  return [
    ...exact.map((solver) => ({ solver, tolerance, maxPasses, seed })),
    { solver: pick(stochastic), maxPasses: 10, seed, ...(chance(0.5) && { tolerance }) },
  ];
}

/** Whether P comes as near to 0 as one likes: a free bias alone does away with the loss of one class. */
function isEmpty({ targets, bias, loss, importances }: LinearProblem): boolean {
  const present = targets.filter((_, i) => importances?.[i] !== 0);
  if (present.length === 0) return true;
  return bias === "free" && loss.task === "classification" && present.every((y) => y === present[0]);
}

async function read(
  problem: LinearProblem,
  all: readonly LinearSolverOptions[],
): Promise<"accepted" | "refused"> {
  const fits: Fit[] = [];
  for (const options of all) {
    const fit = await fitted(problem, options);
    if (fit !== undefined) fits.push(fit);
  }
  if (fits.length === 0) return "refused";
  const reference = isEmpty(problem) ? { value: 0, bound: 0 } : truth(problem);
  truths.problems++;
  if (reference.value - reference.bound <= 1e-9 * reference.value) truths.tight++;
  const known = Math.min(reference.value, ...fits.map(({ point }) => point.value));
  const faults = fits.flatMap((fit) => judge(problem, fit, known));
  if (faults.length > 0)
    throw new Error(
      faults
        .sort((a, b) => b.weight - a.weight)
        .map(({ what }) => what)
        .join("\n"),
    );
  return "accepted";
}

export const certificates: Reader = {
  name: "certificates",
  make(random): FuzzInput {
    const problem = drawnProblem(random);
    const fits = drawnFits(random);
    return { bytes: undefined, data: { problem, fits }, read: () => read(problem, fits) };
  },
  summary() {
    const share = (truths.tight / Math.max(1, truths.problems)).toFixed(3);
    const lines = [...counts].map(
      ([name, { fits, refusedFits, claims, refuted, unfounded, misvalued, silent, blurred }]) =>
        `${name}: ${fits} fits (${refusedFits} refused), ${claims} claims, ${refuted} refuted, ${unfounded} converged on no gap, ${misvalued} wrong values, ${silent} not certified, ${blurred} below rounding`,
    );
    return [`truth known to 1e-9 for ${share} of ${truths.problems} problems`, ...lines];
  },
};
