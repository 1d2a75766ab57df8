/**
 * What `solver: "auto"` does, and how the other solvers are run: the recipe.
 *
 * | who                                  | what                                                                       |
 * |--------------------------------------|----------------------------------------------------------------------------|
 * | λ unknown                            | the path: L-BFGS, at most 20 iterations for each λ of 0.3 … 0.001, 0, on    |
 * |                                      | 90 % of the answers; the λ with the least loss on the others; then all      |
 * |                                      | answers: of N < 20 n p at most 60 iterations, and either ends when it has   |
 * |                                      | become slow; of more a path of three λ with 8 iterations each, and the fit  |
 * |                                      | to its end, as L-BFGS by itself                                             |
 * | "gnmds", λ given, or 1000 objects    | L-BFGS without a ridge, or with the one given                              |
 * | with N ≥ 20 n p                      |                                                                            |
 *
 * Full convergence overfits where answers are few, and no fixed λ is safe: that is why it is searched for. The rules
 * were found on seven sets of answers and tried on others afterwards; when an end is slow, by the loss on the answers
 * held out (path) and by F (fit), which it leaves as they are to the third digit.
 *
 * This module brings all solvers; the façade loads it once the answers are known to be in order.
 */
import { RandomGenerator } from "@curvature/linalg";
import {
  type Comparisons,
  comparisonCount,
  errorShare,
  ordinalLoss,
  ordinalObjective,
} from "@curvature/objectives/ordinal";
import { fingerprintOf, type Solver } from "@curvature/optim-core";
import type { AnalyzedAnswers, Warn } from "../answers/analyze-answers.js";
import { heldOut } from "../answers/parts.js";
import { placedRows, withUnplaced } from "../answers/placed.js";
import { createOrdinalSolver } from "../create-solver.js";
import { type OrdinalEmbeddingSettings, reportedOptions } from "../embedding-options.js";
import { GramMap } from "../gram/gram-map.js";
import { solverNumbers } from "../solver-names.js";
import { type InitialEmbedding, initialEmbeddings, SPECTRAL_BELOW } from "./initial-embeddings.js";
import { type Plan, type Stage, StagedFit, type StageLimits } from "./staged-fit.js";

const RIDGES = [0.3, 0.1, 0.03, 0.01, 0.003, 0.001, 0];
const PATH_ITERATIONS = 20;
/** Of many answers: the path may take no longer than the fit that comes after it. */
const RIDGES_OF_MANY = [0, 0.3, 0.03];
const PATH_ITERATIONS_OF_MANY = 16;
/** Many answers of which a map leaves a smaller share than this unsatisfied are consistent: it does not know them by heart. */
const CONSISTENT = 0.01;
const REFIT_ITERATIONS = 60;
/** A λ, and the fit with the chosen one, end when F falls by less in 5 iterations. */
const SLOW_PATH = 1e-3;
const SLOW_REFIT = 2e-4;
/** L-BFGS without a path, for "auto". */
const FIT_ITERATIONS = 200;
const PLAIN_PASSES = 300;
/** Answers per coordinate from which a fit is followed to its end. */
const MANY_ANSWERS = 20;
/** Fewer answers than this are not divided; their λ is a guess. */
const MIN_DIVIDED = 40;
const GUESSED_RIDGE = 0.03;
const MIN_VALIDATION = 50;

/**
 * The fit that a run drives.
 *
 * @param answers - those to fit
 * @param test - by which `testError` is measured
 * @throws CurvatureError ERR_SHAPE or ERR_NON_FINITE for an initial embedding that was given; ERR_MEMORY
 */
export function makeFit(
  answers: AnalyzedAnswers,
  test: Comparisons | undefined,
  settings: OrdinalEmbeddingSettings,
  warn: Warn,
): StagedFit {
  const { comparisons, placed, objects } = answers;
  const { dimensions, solver, tolerance, seed } = settings;
  const numbers = Object.entries(solverNumbers("ordinalEmbedding", solver, settings)).flat();
  const plan = makePlan(answers, settings, initialOf(answers, settings), warn);
  return new StagedFit(plan, {
    name: solver,
    dimension: comparisons.objects * dimensions,
    fingerprint: fingerprintOf(
      "ordinal embedding",
      comparisons.quadruplets,
      comparisons.weights ?? "even",
      plan.initial(0),
      test?.quadruplets ?? "no test",
      typeof settings.loss === "string" ? settings.loss : ordinalLoss(settings.loss).description,
      settings.mu,
      settings.alpha ?? "usual alpha",
      String(settings.ridge),
      settings.validation,
      settings.restarts,
      dimensions,
      seed,
      ...numbers,
    ),
    options: reportedOptions(settings),
    tolerance,
    testError: test && ((x) => errorShare(test, withUnplaced(x, dimensions, placed, objects))),
  });
}

function initialOf(
  { comparisons, placed, objects }: AnalyzedAnswers,
  { initialization, dimensions }: OrdinalEmbeddingSettings,
): InitialEmbedding {
  if (initialization === "auto")
    return { kind: comparisons.objects < SPECTRAL_BELOW ? "spectral" : "random" };
  if (initialization === "spectral" || initialization === "random") return { kind: initialization };
  const embedding = placedRows(initialization, "initialization", objects, dimensions, placed);
  return { kind: "given", embedding };
}

export function makePlan(
  { comparisons, dependence }: Pick<AnalyzedAnswers, "comparisons" | "dependence">,
  settings: OrdinalEmbeddingSettings,
  initial: InitialEmbedding,
  warn: Warn,
): Plan {
  const { dimensions, seed, solver, restarts, mu, alpha, ridge: givenRidge } = settings;
  const N = comparisonCount(comparisons);
  const isAuto = solver === "auto";
  const areMany = N >= MANY_ANSWERS * comparisons.objects * dimensions;
  const isSearched =
    isAuto &&
    givenRidge === "auto" &&
    settings.loss !== "gnmds" &&
    (comparisons.objects < SPECTRAL_BELOW || !areMany);
  const target = Math.max(settings.validation * N, Math.min(MIN_VALIDATION, N / 4));
  const parts =
    isSearched && N >= MIN_DIVIDED
      ? heldOut(comparisons, dependence.coarsest, target, new RandomGenerator(seed))
      : undefined;
  const loss = ordinalLoss(settings.loss, { mu, alpha, dimensions });
  const whole = ordinalObjective(comparisons, loss, dimensions);
  const training = parts && ordinalObjective(parts.training, loss, dimensions);
  const validation = parts && ordinalObjective(parts.validation, loss, dimensions);
  const { embeddingOf, isSpectral } = initialEmbeddings(whole, initial, seed);
  if (isSearched && parts === undefined)
    warn(
      "few-answers",
      `There are too few answers (${N}) to choose the ridge by some of them: it is ${GUESSED_RIDGE}, a guess.`,
    );
  if (initial.kind === "spectral" && !isSpectral)
    warn(
      "no-spectral-map",
      "The answers have no spectral map (they cancel each other): the fit starts at random.",
    );

  const objectiveOf = ({ kind, ridge }: Stage) =>
    (kind === "path" && training !== undefined ? training : whole).withRidge(ridge);
  const solverOf = (stage: Stage, from: Float64Array): Solver => {
    const objective = objectiveOf(stage);
    const ofStart = seed + stage.start;
    if (solver === "gram") return new GramMap(objective, from);
    const own = solverNumbers("ordinalEmbedding", solver, settings);
    return createOrdinalSolver(objective, from, { ...own, solver: isAuto ? "lbfgs" : solver, seed: ofStart });
  };
  const fitLimits = (): Partial<StageLimits> => {
    if (!isAuto) return { maxPasses: (settings.maxPasses ?? PLAIN_PASSES * restarts) / restarts };
    if (parts === undefined) return { maxIterations: FIT_ITERATIONS };
    if (areMany) return { maxPasses: PLAIN_PASSES };
    return { maxIterations: REFIT_ITERATIONS, slowest: SLOW_REFIT };
  };
  return {
    starts: restarts,
    path: parts === undefined ? [] : areMany ? RIDGES_OF_MANY : RIDGES,
    isBegunAnew: areMany && restarts === 1,
    ridge: givenRidge === "auto" ? (isSearched ? GUESSED_RIDGE : 0) : givenRidge,
    limits: {
      path: {
        ...unlimited,
        maxIterations: areMany ? PATH_ITERATIONS_OF_MANY : PATH_ITERATIONS,
        slowest: SLOW_PATH,
        share: training === undefined ? 1 : comparisonCount(training.comparisons) / N,
      },
      fit: { ...unlimited, ...fitLimits() },
    },
    initial: embeddingOf,
    objective: objectiveOf,
    solver: solverOf,
    validate: (x) => validation?.evaluate(x) ?? Number.NaN,
    isEnough: (x) => areMany && training !== undefined && errorShare(training.comparisons, x) < CONSISTENT,
    validationPasses: validation === undefined ? 0 : comparisonCount(validation.comparisons) / N,
  };
}

const unlimited: StageLimits = {
  maxIterations: Number.POSITIVE_INFINITY,
  maxPasses: Number.POSITIVE_INFINITY,
  slowest: 0,
  share: 1,
};
