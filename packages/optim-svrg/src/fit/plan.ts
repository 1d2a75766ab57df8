/**
 * What `solver: "auto"` does, and how the other solvers are run: the recipe.
 *
 * | who                                  | what                                                                       |
 * |--------------------------------------|----------------------------------------------------------------------------|
 * | λ unknown                            | the opening: L-BFGS on all answers, 20 iterations with λ = 0.1, then        |
 * |                                      | without a ridge; its end is the map if the answers are consistent           |
 * | else                                 | the path: L-BFGS, at most 20 iterations for each λ of 0.3 … 0.001, 0, on    |
 * |                                      | 90 % of the answers; the λ with the least loss on the others; then all      |
 * |                                      | answers: of N < 20 n p at most 60 iterations, and either ends when it has   |
 * |                                      | become slow; of more a path of three λ with 8 iterations each, and the fit  |
 * |                                      | to its end, as L-BFGS by itself                                             |
 * | "gnmds", λ given, or 1000 objects    | L-BFGS without a ridge, or with the one given                              |
 * | with N ≥ 20 n p                      |                                                                            |
 *
 * Full convergence overfits where answers are few, and no fixed λ is safe: that is why it is searched for. Of consistent
 * answers many maps satisfy all: of those, one that is reached from a map with a ridge was measured to be 8 % better on new
 * answers than one that is reached without, and as good as a map with the best ridge. Whether few answers are consistent
 * is seen by how soon they are satisfied; a map can learn 2 % of wrong ones by heart, but not in so few iterations. Of many
 * answers a few in a hundred may be wrong, and the end is that of L-BFGS by itself or one of less F. The rules
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
import { type Opening, type Plan, type Stage, StagedFit, type StageLimits } from "./staged-fit.js";

const RIDGES = [0.3, 0.1, 0.03, 0.01, 0.003, 0.001, 0];
const PATH_ITERATIONS = 20;
/** Of many answers: the path may take no longer than the fit that comes after it. */
const RIDGES_OF_MANY = [0, 0.3, 0.03];
const PATH_ITERATIONS_OF_MANY = 16;
/** The opening: a ridge, and its iterations and those of the first look without one. */
const OPENING_RIDGE = 0.1;
const OPENING_ITERATIONS = 20;
/** On a line, whose start comes from a map with a ridge. */
const OPENING_ON_A_LINE = 8;
/** More of them, where that look was promising, for as long as F falls by so much in 5 iterations. */
const OPENING_MORE = 40;
const SLOW_OPENING = 0.1;
/** Unsatisfied answers with the ridge, from which on they are not consistent. */
const MOST_OPENING_ERRORS = 0.1;
/**
 * Answers of which the map leaves a smaller share than this unsatisfied need no ridge, by how many there are for each
 * coordinate. Of many, up to 4 %, a ridge that was searched for made maps no better, and now and then much worse; of 10
 * it took away a tenth of the errors on new answers as soon as some were wrong, except on a line; of fewer a map can
 * learn wrong ones by heart, but not in a few iterations; and of very few in any.
 */
const CONSISTENT_OF_MANY = 0.04;
const MANY_ON_A_LINE = 10;
const CONSISTENT = 0.01;
const CONSISTENT_ANSWERS = 10;
/** At first sight, where another minimum may be better. */
const NEARLY_CONSISTENT = 0.02;
const CONSISTENT_OF_FEW = 0.002;
const FEW_ANSWERS = 4;
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
  { initialization, dimensions, solver }: OrdinalEmbeddingSettings,
): InitialEmbedding {
  if (initialization === "auto" && comparisons.objects >= SPECTRAL_BELOW) return { kind: "random" };
  if (initialization === "auto") return { kind: solver === "auto" ? "usual" : "spectral" };
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
  const isLine = initial.kind === "usual" && dimensions === 1;
  if (isSearched && parts === undefined)
    warn(
      "few-answers",
      `There are too few answers (${N}) to choose the ridge by some of them: it is ${GUESSED_RIDGE}, a guess.`,
    );
  if ((initial.kind === "usual" || initial.kind === "spectral") && !isSpectral)
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
    opening:
      parts === undefined
        ? []
        : openingOf(settings.loss === "soe", dimensions, N / (comparisons.objects * dimensions)),
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
    anew: isLine ? initialEmbeddings(whole, { kind: "spectral" }, seed).embeddingOf(0) : undefined,
    objective: objectiveOf,
    solver: solverOf,
    validate: (x) => validation?.evaluate(x) ?? Number.NaN,
    errorShare: (x) => errorShare(comparisons, x),
    mostErrors: areMany ? CONSISTENT_OF_MANY : 0,
    validationPasses: validation === undefined ? 0 : comparisonCount(validation.comparisons) / N,
  };
}

/**
 * How consistent answers are looked for. Only "soe" has a finite map of least loss for them: others are followed for as
 * long as they say how sure answers are, which a ridge says better of few.
 *
 * @param answers - for each coordinate
 */
function openingOf(isSoe: boolean, dimensions: number, answers: number): readonly Opening[] {
  if (answers < (isSoe ? FEW_ANSWERS : MANY_ANSWERS)) return [];
  const many = dimensions === 1 ? MANY_ON_A_LINE : MANY_ANSWERS;
  const [atFirst, atLast] =
    answers >= many
      ? [CONSISTENT_OF_MANY, CONSISTENT_OF_MANY]
      : answers >= CONSISTENT_ANSWERS
        ? [NEARLY_CONSISTENT, CONSISTENT]
        : [CONSISTENT_OF_FEW, CONSISTENT_OF_FEW];
  const brief = { ...unlimited, maxIterations: OPENING_ITERATIONS };
  const first = { ...brief, maxIterations: dimensions === 1 ? OPENING_ON_A_LINE : OPENING_ITERATIONS };
  const more = { ...unlimited, maxIterations: OPENING_MORE, slowest: SLOW_OPENING };
  const whole = { ...unlimited, maxPasses: PLAIN_PASSES };
  const look = { isAnew: false, isEnough: false };
  return [
    { ...look, ridge: OPENING_RIDGE, limits: first, mostErrors: MOST_OPENING_ERRORS },
    { ...look, ridge: 0, limits: brief, mostErrors: atFirst },
    { ...look, ridge: 0, limits: more, mostErrors: atFirst, isEnough: !isSoe },
    { ridge: 0, limits: whole, mostErrors: atLast, isAnew: true, isEnough: true },
  ];
}

const unlimited: StageLimits = {
  maxIterations: Number.POSITIVE_INFINITY,
  maxPasses: Number.POSITIVE_INFINITY,
  slowest: 0,
  share: 1,
};
