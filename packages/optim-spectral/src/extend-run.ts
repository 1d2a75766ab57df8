/**
 * The work of `extendMap`: the old rows and the new → affinities among all → the new ones' first places → descents in which the old
 * ones are held, by one firmness after the other.
 *
 * Firmness   ω (anchored.ts): at first (0.1 / m)² nats per squared radius, m the mean movement that is allowed. With ω = 1 old points
 *            moved by 0.02 to 0.05 on four sets by which this was chosen, half of whose rows came in three batches, and in one set
 *            class by class. Where they move farther than m, ω grows, by factors of 4 or more, and the descent begins anew. Where they
 *            move less than m/2, ω falls, by factors of 16 or less, and a quarter of a descent goes on from there, until they move
 *            farther or nothing is gained
 * Descent    homotopy-lbfgs.ts, from the old places and those of `transform`; the homotopy in λ lets new points find their way through
 *            the old ones, which the anchors bring back
 */
import {
  CurvatureError,
  type DenseMatrix,
  norm2,
  optionName,
  type SparseMatrixLike,
  shown,
  zeros,
} from "@curvature/linalg";
import { checkSameColumns } from "@curvature/objectives/embedding";
import { FacadeRun, type FacadeSteps, type RunResult, timeLimit } from "@curvature/optim-core";
import { AnchoredObjective } from "./anchored.js";
import { type EmbedPhase, embedOptions } from "./embed-options.js";
import { divergence, type EmbedResult, reported, threadsFor } from "./embed-run.js";
import { embedSettings, usualPerplexity } from "./embed-settings.js";
import { embeddingProblem, finitePoints, searchReport } from "./embedding-problem.js";
import type { ExtendSettings } from "./extend-options.js";
import { HomotopyLbfgs } from "./homotopy-lbfgs.js";
import { type EmbeddingDetails, SCHEDULE } from "./immediate-solver.js";
import { initialMap, noise } from "./initial-map.js";
import { MapModel } from "./map-model.js";
import { checkPlaces, columnsOf, type MapParts, type PlacementSettings, partsOf } from "./map-parts.js";
import { type Movement, movementOf, ontoOld } from "./movement.js";
import { neighborhood, type PointSource } from "./source.js";
import { outsideWarning, placedPoints, preparedNew } from "./transform.js";

/** What `extendMap` returns: the map of all, as `embed` returns maps, with the old rows first, and how far these have moved. */
export interface ExtendResult extends EmbedResult {
  /** 1 for a new row, 0 for one of the old map: N. */
  readonly isNew: Uint8Array;
  /**
   * Of each new row, M: 1 where it lies farther from the nearest old row than any of these from its own nearest, as `transform` says:
   * the old map knew nothing of where it came from.
   */
  readonly outside: Uint8Array;
  /** Of the old rows. */
  readonly movement: Movement;
  readonly model: MapModel;
}

/** The movement for which ω is 1 nat per squared radius at first. */
const USUAL = 0.1;
/** Movement below which it is inverse to ω. */
const HARDLY = 3e-3;
/** By how much ω grows at least where the old points have moved too far. */
const FIRMER = 4;
/** By how much it falls at most where they have moved less than they may. */
const LOOSER = 16;
/** The shares of the movement allowed that are enough, and that a looser hold aims at. */
const ENOUGH = 0.5;
const AIM = 0.8;
/** A looser hold under which the points move by less than this factor more holds nothing. */
const HARDLY_MORE = 1.1;
/** The share of a descent's evaluations that a map takes to settle under a looser hold. */
const SETTLE = 1 / 4;
const MAX_DESCENTS = 5;
/** Of the map's radius: so far do new points that start in one place part. */
const APART = 1e-3;

/** The map of one descent. */
interface Found {
  readonly result: RunResult<EmbeddingDetails>;
  readonly omega: number;
  readonly x: Float64Array;
  /** E, without what holds the old points. */
  readonly value: number;
  readonly moved: Movement;
  readonly isWithin: boolean;
}

/** Within what is allowed the lower E, else the less movement. */
const isBetter = (one: Found, other: Found): boolean =>
  one.isWithin === other.isWithin
    ? one.isWithin
      ? one.value < other.value
      : one.moved.mean < other.moved.mean
    : one.isWithin;

export async function* extended(
  map: MapModel | { readonly model: MapModel | undefined },
  newPoints: SparseMatrixLike,
  asked: ExtendSettings,
): FacadeSteps<EmbeddingDetails, ExtendResult> {
  const old = partsIn(map);
  const call = new FacadeRun<EmbeddingDetails, EmbedPhase>({
    ...asked,
    ...{ checkpoint: undefined, resume: undefined },
  });
  const fresh = finitePoints(newPoints, "newPoints");
  if (fresh.rows === 0)
    throw new CurvatureError("ERR_SHAPE", "newPoints must have at least one row; received none.", {
      where: "extendMap",
      path: "newPoints",
      expected: "at least one row",
      received: 0,
    });
  checkSameColumns(fresh, { columns: columnsOf(old) }, "newPoints");
  const queries = await call.steps("neighbors", preparedNew(fresh, old));
  const data = stacked(old.data, queries);
  const settings = embedSettings(sameOptions(old, asked), data);
  const threads = await threadsFor(settings, data.rows);
  try {
    const source: PointSource = { kind: "points", rows: data.rows, data, metric: old.settings.metric };
    const near = await call.steps("neighbors", neighborhood(source, settings, threads.shared));
    const { neighborRecall, neighborSearch, warnings } = searchReport(near);
    const parts = partsOf(source, near, settings, old.projection);
    if (parts === undefined) throw noGrowth(old.settings.method);
    call.warn("neighbor-search", ...warnings);
    const problem = await call.steps("affinities", embeddingProblem(source, near, settings, threads.shared));
    call.warn("perplexity", ...problem.warnings);
    const { objective } = problem;
    const placed = await call.phase("initialization", () =>
      placedPoints(old, fresh, { signal: asked.signal, onPhase: undefined }),
    );
    call.warn("outside", outsideWarning(placed.outside, "the old map knew nothing of where"));
    const initialization = startOf(old, placed.embedding, source);
    const start = initialMap(source, problem.affinities, { ...settings, initialization });

    const { maxSeconds, history, movement: most } = asked;
    const maxEvaluations = Number.isFinite(asked.maxEvaluations) ? asked.maxEvaluations : SCHEDULE;
    let descents: RunResult<EmbeddingDetails> | undefined;
    let best: Found | undefined;
    /** The firmest hold under which the points moved too far. */
    let loose: number | undefined;
    const unit = settings.method === "sne" ? data.rows : 1; // its E is a sum of N divergences
    let omega = most === "free" ? 0 : unit * firstHold(most);
    for (let descent = 1; ; descent++) {
      const anchored = new AnchoredObjective(
        objective,
        start.data.subarray(0, old.places.data.length),
        omega,
      );
      const solver: HomotopyLbfgs =
        best?.isWithin === true
          ? new HomotopyLbfgs(anchored, best.x, {
              maxEvaluations: Math.ceil(SETTLE * maxEvaluations),
              firstLambda: 1,
            })
          : new HomotopyLbfgs(anchored, start, { maxEvaluations });
      if (descent === 1) call.warnings.push(...solver.warnings);
      solver.state.index = descents?.iterations ?? 0; // they are numbered through
      const left = descents === undefined ? [] : [timeLimit(maxSeconds - descents.elapsedSeconds)];
      const result: RunResult<EmbeddingDetails> = yield* call.optimize(solver, left);
      descents = descents === undefined ? result : both(descents, result, history);
      const x = ontoOld(old.places, { ...start, data: result.x }).data;
      const moved = movementOf(old.places, x);
      const isWithin = most === "free" || moved.mean <= most;
      const found: Found = { result, omega, x, value: objective.evaluate(x), moved, isWithin };
      const before: Found | undefined = best;
      // What was cut short has hardly left its start, and says nothing.
      best = best === undefined || (isDone(result) && isBetter(found, best)) ? found : best;
      if (most === "free" || descent === MAX_DESCENTS || !isDone(result)) break;
      if (!isWithin) loose = Math.max(omega, loose ?? 0);
      if (!best.isWithin) {
        omega *= Math.max(FIRMER, 2 * (moved.mean / most) ** 2);
        continue;
      }
      const hasGained = before?.isWithin !== true || best.moved.mean > HARDLY_MORE * before.moved.mean;
      if (best.moved.mean >= ENOUGH * most || (isWithin && !hasGained)) break;
      omega =
        loose === undefined
          ? best.omega * Math.max(1 / LOOSER, (best.moved.mean / (AIM * most)) ** 2)
          : Math.sqrt(best.omega * loose);
    }
    if (isDone(descents)) {
      const { status, usable, message, test, cause } = best.result;
      descents = { ...descents, ...{ status, usable, message, test, cause } };
    }
    const { x, value, moved } = best;
    if (most !== "free" && moved.mean > most)
      call.warn(
        "movement",
        `The old points moved by ${(100 * moved.mean).toPrecision(3)} % of the map's radius on average, more than the ${100 * most} % allowed. ${isDone(descents) ? `Raise ${optionName("maxEvaluations")}, or allow for more.` : "The run ended before they were held more firmly: give it more time."}`,
      );
    call.warn("threads", ...threads.warnings);
    const embedding: DenseMatrix = { ...start, data: x };
    const model = new MapModel({
      ...{ ...parts, scaling: old.scaling, preparation: old.preparation },
      places: { ...embedding, data: x.slice() },
    });
    const gradient = new Float64Array(x.length);
    objective.evaluate(x, gradient);
    const result = {
      ...descents,
      ...{ x, value, gradientNorm: norm2(gradient) },
      monitoringEvaluations: descents.monitoringEvaluations + 1,
    };
    return {
      ...result,
      ...divergence(objective, result),
      phases: call.phases("neighbors", "affinities", "initialization", "optimization"),
      warnings: call.warnings,
      embedding,
      neighborRecall,
      outside: placed.outside,
      isNew: new Uint8Array(data.rows).fill(1, old.data.rows),
      movement: moved,
      options: {
        ...descents.options,
        ...reported({ ...settings, neighborSearch }),
        ...{ initialization: "given", movement: most, threads: threads.started },
      },
      model,
      transform: (points, options) => model.transform(points, options),
    };
  } finally {
    threads.close();
  }
}

/** @throws CurvatureError ERR_ARGUMENT, ERR_SHAPE for a map that cannot grow */
function partsIn(map: MapModel | { readonly model: MapModel | undefined }): MapParts {
  const model = map instanceof MapModel ? map : map?.model;
  if (!(model instanceof MapModel))
    throw new CurvatureError(
      "ERR_ARGUMENT",
      `extendMap takes what embed or extendMap returned of points, or loadMap; received ${shown(map)}. A map of what was given in place of points, or under another metric than euclidean, cosine, correlation and hellinger, does not know how far new points are from the old: embed all together, from the old places (initialization).`,
      { path: "map", expected: "an EmbedResult or a MapModel", received: map },
    );
  checkPlaces(model.parts);
  if (model.parts.settings.method === "laplacian") throw noGrowth("laplacian");
  return model.parts;
}

const noGrowth = (method: string): CurvatureError =>
  new CurvatureError(
    "ERR_ARGUMENT",
    `A map by the method ${method} does not grow: its places are eigenvectors, which nothing holds. Place the new points with transform, or embed all together.`,
    { path: "map", expected: "a map by another method" },
  );

/**
 * ω for the movement allowed. Where old points hardly move at all, their movement falls as 1/ω, and a firmer hold than that keeps
 * the new points from their places.
 */
const firstHold = (most: number): number =>
  (USUAL / Math.max(most, HARDLY)) ** 2 * (most < HARDLY ? (2 * HARDLY) / most : 1);

/** Whether a descent came to its own end. */
const isDone = ({ status }: RunResult): boolean =>
  status === "max-evaluations" || status === "converged" || status === "stalled";

/** What the old map was asked for, of the data of both; of few points the perplexity was not asked for, but all that they had. */
function sameOptions({ settings, places, data }: MapParts, { threads }: ExtendSettings) {
  const { method, lambda, neighbors, neighborSearch, repulsion, theta, seed } = settings;
  const wasUsual = settings.perplexity === usualPerplexity((data.rows - 1) / 3);
  const perplexity = wasUsual ? undefined : settings.perplexity;
  return embedOptions.resolve("extendMap", {
    ...{ method, lambda, perplexity, neighborSearch, repulsion, theta, seed, threads },
    dimensions: places.columns,
    neighbors: neighbors === "all" && wereFew(settings.perplexity, data.rows) ? "auto" : neighbors,
  });
}

/** Whether so few points had all others as neighbours without being asked. */
const wereFew = (perplexity: PlacementSettings["perplexity"], rows: number): boolean =>
  Math.ceil(3 * (typeof perplexity === "number" ? perplexity : Math.max(...perplexity))) >= rows - 1;

function stacked(above: DenseMatrix, below: DenseMatrix): DenseMatrix {
  const both = zeros(above.rows + below.rows, above.columns);
  both.data.set(above.data);
  both.data.set(below.data, above.data.length);
  return both;
}

/** The old places, and those of the new points, a little apart. */
function startOf({ places, settings }: MapParts, placed: DenseMatrix, source: PointSource): DenseMatrix {
  const start = stacked(places, placed);
  const apart = noise(source, places.columns, settings.seed);
  const size = (APART * norm2(places.data)) / Math.sqrt(places.rows);
  for (let k = places.data.length; k < start.data.length; k++) start.data[k] += size * apart.data[k];
  return start;
}

/** One descent after the other. */
const both = <Details>(
  one: RunResult<Details>,
  next: RunResult<Details>,
  keep: boolean | number,
): RunResult<Details> => ({
  ...next,
  evaluations: one.evaluations + next.evaluations,
  gradientEvaluations: one.gradientEvaluations + next.gradientEvaluations,
  monitoringEvaluations: one.monitoringEvaluations + next.monitoringEvaluations,
  passes: one.passes + next.passes,
  elapsedSeconds: one.elapsedSeconds + next.elapsedSeconds,
  history: [...one.history, ...next.history].slice(typeof keep === "number" ? -keep || Infinity : 0),
});
