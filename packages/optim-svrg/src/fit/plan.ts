/**
 * What `solver: "auto"` does, and how the other solvers are run: the recipe.
 *
 * | who                                  | what                                                                       |
 * |--------------------------------------|----------------------------------------------------------------------------|
 * | λ unknown, N < 20 n p                | the path: L-BFGS, at most 20 iterations for each λ of 0.3 … 0.001, 0, on    |
 * |                                      | 90 % of the answers; the λ with the least loss on the others; at most 60    |
 * |                                      | iterations on all; either ends when it has become slow                      |
 * | "gnmds", 1000 objects and more,      | L-BFGS without a ridge, or with the one given                              |
 * | or λ given                           |                                                                            |
 * | else                                 | SVRG with measured steps, without a ridge                                  |
 *
 * Full convergence overfits where answers are few, and no fixed λ is safe: that is why it is searched for. The rules
 * were found on seven sets of answers and tried on others afterwards; when an end is slow, by the loss on the answers
 * held out (path) and by F (fit), which it leaves as they are to the third digit.
 */
import { RandomGenerator } from "@curvature/linalg";
import {
  comparisonCount,
  type OrdinalObjective,
  ordinalLoss,
  ordinalObjective,
} from "@curvature/objectives/ordinal";
import type { Solver } from "@curvature/optim-core";
import { heldOut } from "../answers/parts.js";
import type { PreparedAnswers } from "../answers/prepared.js";
import { createOrdinalSolver } from "../create-solver.js";
import type { OrdinalEmbeddingSettings } from "../embedding-options.js";
import type { OrdinalWarning } from "../ordinal-warning.js";
import type { OrdinalSolverName } from "../solver-names.js";
import { type FirstMap, firstMaps, SPECTRAL_BELOW } from "./first-maps.js";
import { GramMap } from "./gram-map.js";
import { MeasuredSvrg } from "./measured-svrg.js";
import type { Plan, Stage, StageWork } from "./stage.js";

const RIDGES = [0.3, 0.1, 0.03, 0.01, 0.003, 0.001, 0];
const PATH_ITERATIONS = 20;
const REFIT_ITERATIONS = 60;
/** A λ, and the fit with the chosen one, end when F falls by less in 5 iterations. */
const SLOW_PATH = 1e-3;
const SLOW_REFIT = 2e-4;
/** L-BFGS without a path, for "auto". */
const FIT_ITERATIONS = 200;
const PLAIN_PASSES = 300;
/** Answers per coordinate from which λ is not searched for. */
const MANY_ANSWERS = 20;
/** Fewer answers than this are not divided; their λ is a guess. */
const LEAST_DIVIDED = 40;
const GUESSED_RIDGE = 0.03;
const LEAST_VALIDATION = 50;

export interface MadePlan {
  readonly plan: Plan;
  readonly warnings: readonly OrdinalWarning[];
}

export function makePlan(
  { comparisons, questions }: PreparedAnswers,
  settings: OrdinalEmbeddingSettings,
  first: FirstMap,
): MadePlan {
  const { dimensions, seed, solver, restarts } = settings;
  const N = comparisonCount(comparisons);
  const loss = ordinalLoss(settings.loss, {
    mu: settings.mu,
    dimensions,
    ...(settings.alpha === undefined ? {} : { alpha: settings.alpha }),
  });
  const objectiveOf = (answers: typeof comparisons): OrdinalObjective =>
    ordinalObjective(answers, loss, dimensions);
  const warnings: OrdinalWarning[] = [];
  const isSearched =
    solver === "auto" && settings.ridge === "auto" && isWorthPath(settings, comparisons.objects, N);
  const target = Math.max(settings.validation * N, Math.min(LEAST_VALIDATION, N / 4));
  const parts =
    isSearched && N >= LEAST_DIVIDED
      ? heldOut(comparisons, questions, target, new RandomGenerator(seed))
      : undefined;
  if (isSearched && parts === undefined)
    warnings.push({
      code: "few-answers",
      message: `There are too few answers (${N}) to choose the ridge by some of them: it is ${GUESSED_RIDGE}, a guess.`,
    });
  const ridge = settings.ridge === "auto" ? (isSearched ? GUESSED_RIDGE : 0) : settings.ridge;
  const whole = objectiveOf(comparisons);
  const maps = firstMaps(whole, first, seed);
  if (first.kind === "spectral" && !maps.isSpectral)
    warnings.push({
      code: "no-spectral-map",
      message: "The answers have no spectral map (they cancel each other): the fit starts at random.",
    });
  const training = parts === undefined ? whole : objectiveOf(parts.training);
  const validation = parts === undefined ? undefined : objectiveOf(parts.validation);
  const isMeasured =
    solver === "auto" &&
    settings.ridge === "auto" &&
    !isSearched &&
    settings.loss !== "gnmds" &&
    comparisons.objects < SPECTRAL_BELOW;

  const work = (stage: Stage, from: Float64Array): StageWork => {
    const isPath = stage.kind === "path";
    const objective = (isPath ? training : whole).withRidge(stage.ridge);
    const limits = { share: comparisonCount(objective.comparisons) / N, objective };
    if (isMeasured)
      return {
        ...limits,
        solver: new MeasuredSvrg(objective.sum, from, seed + stage.start),
        maxIterations: Number.POSITIVE_INFINITY,
        maxPasses: Number.POSITIVE_INFINITY,
        slowest: 0,
      };
    const isAuto = solver === "auto";
    const iterations = isPath ? PATH_ITERATIONS : parts === undefined ? FIT_ITERATIONS : REFIT_ITERATIONS;
    return {
      ...limits,
      solver: namedSolver(isAuto ? "lbfgs" : solver, objective, from, seed + stage.start),
      maxIterations: isAuto ? iterations : Number.POSITIVE_INFINITY,
      maxPasses: isAuto
        ? Number.POSITIVE_INFINITY
        : (settings.maxPasses ?? PLAIN_PASSES * restarts) / restarts,
      slowest: !isAuto || parts === undefined ? 0 : isPath ? SLOW_PATH : SLOW_REFIT,
    };
  };
  return {
    warnings,
    plan: {
      starts: restarts,
      path: parts === undefined ? [] : RIDGES,
      ridge,
      first: maps.first,
      work,
      validate: (x) => validation?.evaluate(x) ?? Number.NaN,
      validationPasses: validation === undefined ? 0 : comparisonCount(validation.comparisons) / N,
    },
  };
}

function namedSolver(
  solver: OrdinalSolverName | "gram",
  objective: OrdinalObjective,
  from: Float64Array,
  seed: number,
): Solver {
  return solver === "gram"
    ? new GramMap(objective, from)
    : createOrdinalSolver(objective, from, { solver, seed });
}

function isWorthPath({ loss, dimensions }: OrdinalEmbeddingSettings, objects: number, N: number): boolean {
  return loss !== "gnmds" && N < MANY_ANSWERS * objects * dimensions;
}
