/**
 * How sure the places of a map are: the answers are drawn anew with replacement, by people where `groups` names four or
 * more, else by trials, else by questions; a map is fitted to each sample with the ridge of the map of all answers, from
 * a start of its own, and moved onto that map (`procrustes`). How far a place then varies is how far chance among the
 * answers moves it. A fit that began at the map of all answers would remember its chance, and vary too little.
 *
 * G units and B samples have ν degrees of freedom, 1/ν = 1/(G − 1) + 1/(B − 1), and the radius of a region is Hotelling's,
 * r² = p ν/(ν − p + 1) F(p, ν − p + 1), which is χ²'s for many. Covariances are larger by G_e/(G_e − 1), G_e the effective number
 * of units (`estimates.ts`), which is smaller than G where a few people gave most of the answers. With G_e in ν, too, regions
 * were too large there: they held 0.97 to 1.00 of the true places, these hold 0.92 to 0.98.
 *
 * What samples share they do not show. Part of it is the loss: a second map is fitted with another one ("ste", or "soe"
 * where "ste" was asked for), and the variance of the two maps' coordinates is added to each covariance. It keeps regions
 * honest where answers are so many that chance hardly moves places. Of too few dimensions nothing is said.
 */
import {
  CurvatureError,
  callable,
  checkArgument,
  type DenseMatrix,
  exp,
  integerFrom,
  log,
  type OptionsOf,
  object,
  optionTable,
  RandomGenerator,
  strictlyBetween,
  symmetricEigen,
} from "@curvature/linalg";
import { asTask, facadeEntries } from "@curvature/optim-core";
import { analyzeAnswers } from "./answers/analyze-answers.js";
import { MIN_PEOPLE } from "./answers/dependence.js";
import { effectiveCount } from "./answers/estimates.js";
import { byUnit, resampled } from "./answers/parts.js";
import { placedRows } from "./answers/placed.js";
import { type AnswersLike, readAnswers } from "./answers/read-answers.js";
import { fitEntries, type OrdinalEmbeddingOptions } from "./embedding-options.js";
import { lossUnit } from "./fit/loss-unit.js";
import { quickFit } from "./fit/quick-fit.js";
import { procrustes } from "./metrics/procrustes.js";
import { type OrdinalEmbeddingResult, ordinalEmbedding } from "./ordinal-embedding.js";

const { signal, yieldEvery } = facadeEntries();

export const bootstrapOptions = optionTable({
  ...fitEntries,
  /** The map of all answers, where there is one already: it is not fitted again. Left out: it is. */
  result: object<OrdinalEmbeddingResult>("a result of ordinalEmbedding"),
  /** How many samples. */
  samples: integerFrom(2).default(50),
  /** Called with every sample that is fitted, counted from 1. */
  onSample: callable<(sample: number) => void>(),
  signal,
  yieldEvery,
});
export type BootstrapOptions = OptionsOf<typeof bootstrapOptions>;

/** An ellipse around a place in the plane. */
export interface Ellipse {
  /** Half of the longer axis, in the unit of the map. */
  readonly major: number;
  /** Half of the shorter axis. */
  readonly minor: number;
  /** Direction of the longer axis: a vector of length 1 in the map. */
  readonly direction: readonly [number, number];
}

export interface BootstrapResult {
  /** The map of all answers. */
  readonly result: OrdinalEmbeddingResult;
  readonly embedding: DenseMatrix;
  /**
   * Covariances of the places over the samples, aligned to the map, and what another loss changes: n matrices of p × p one after the other. NaN for
   * objects that fewer than two samples mention.
   */
  readonly covariances: Float64Array;
  /** √(trace of the covariance) of every object, NaN where that is. */
  readonly spread: Float64Array;
  /** Samples that were fitted. */
  readonly samples: number;
  /** What was drawn anew, and how many there are of it. */
  readonly resampled: { readonly kind: "question" | "trial" | "participant"; readonly units: number };
  /**
   * True where the map is no better than chance (`result.chance`), and where two or three people answered, of whom nothing says how people
   * differ: the regions then mean nothing.
   */
  readonly isMeaningless: boolean;
  /**
   * The ellipse that holds the place of `object` with a probability of `share`, if places are normally distributed
   * (p = 2 only).
   *
   * @param share - above 0 and below 1. Default 0.95
   * @throws CurvatureError ERR_ARGUMENT
   */
  ellipse(object: number, share?: number): Ellipse;
}

const ITERATIONS = 100;
const SLOW = 2e-4;

/**
 * Fits maps to samples of the answers (questions drawn with replacement), and says how far the places move.
 *
 * @throws CurvatureError (the promise rejects) as `ordinalEmbedding`; the signal's reason if it is aborted
 */
export async function bootstrapEmbedding(
  answers: AnswersLike,
  options?: BootstrapOptions,
): Promise<BootstrapResult> {
  const settings = bootstrapOptions.resolve("bootstrapEmbedding", options);
  const { samples, onSample, result: known, ...fit } = settings;
  const { signal, dimensions: p, loss, mu, alpha, seed } = fit;
  const read = readAnswers(answers, { where: "bootstrapEmbedding", ...settings });
  const result = known ?? (await ordinalEmbedding(answers, fit));
  const { comparisons, dependence, placed } = analyzeAnswers(read);
  const units = byUnit(dependence.coarsest);
  const random = new RandomGenerator(seed);
  const map = placedRows(result.embedding, "embedding", result.embedding.rows, p, placed);
  const moments = new Moments(map.rows, p);
  const apart = await lossVariance(answers, fit, map, placed);
  for (let sample = 1; sample <= samples; sample++) {
    const drawn = resampled(comparisons, units, random);
    const X = await asTask(
      () =>
        quickFit(drawn, {
          loss,
          dimensions: p,
          ridge: result.ridge / lossUnit(loss),
          iterations: ITERATIONS,
          slowest: SLOW,
          ...{ seed: seed + sample, mu, alpha },
        }),
      signal,
    );
    const { aligned } = procrustes(map, { rows: map.rows, columns: p, data: X });
    moments.add(aligned.data, new Set(drawn.quadruplets));
    onSample?.(sample);
  }
  const covariances = new Float64Array(result.embedding.rows * p * p).fill(Number.NaN);
  const { coarsest, coarsestKind: kind } = dependence;
  const effective = effectiveCount(coarsest);
  const correction = effective / Math.max(1, effective - 1);
  for (let r = 0; r < map.rows; r++)
    covariances.set(
      moments.covariance(r).map((value, at) => correction * value + (at % (p + 1) === 0 ? apart : 0)),
      (placed?.[r] ?? r) * p * p,
    );
  const spread = Float64Array.from({ length: result.embedding.rows }, (_, object) => {
    let trace = 0;
    for (let t = 0; t < p; t++) trace += covariances[object * p * p + t * (p + 1)];
    return Math.sqrt(trace);
  });
  return {
    result,
    embedding: result.embedding,
    covariances,
    spread,
    samples,
    resampled: { kind, units: coarsest.count },
    isMeaningless: result.chance?.isBetter === false || areTooFew(dependence.people?.count),
    ellipse: (object, share = 0.95) =>
      ellipseOf(covariances, result.embedding, object, share, degreesOf(coarsest.count, samples)),
  };
}

/** One person is asked about alone. */
const areTooFew = (people: number | undefined): boolean =>
  people !== undefined && people > 1 && people < MIN_PEOPLE;

/** The variance of a coordinate over two maps of the same answers, by this loss and by another; the mean of all. */
async function lossVariance(
  answers: AnswersLike,
  fit: OrdinalEmbeddingOptions,
  map: DenseMatrix,
  placed: Int32Array | undefined,
): Promise<number> {
  const { embedding } = await ordinalEmbedding(answers, { ...fit, loss: fit.loss === "ste" ? "soe" : "ste" });
  const { aligned } = procrustes(
    map,
    placedRows(embedding, "embedding", embedding.rows, map.columns, placed),
  );
  let squares = 0;
  for (let k = 0; k < map.data.length; k++) squares += (map.data[k] - aligned.data[k]) ** 2;
  return squares / (2 * map.data.length);
}

/** Sums of places and of their products, by object, over the samples that mention it; about the first of them. */
class Moments {
  private readonly count: Int32Array;
  private readonly first: Float64Array;
  private readonly sum: Float64Array;
  private readonly products: Float64Array;

  constructor(
    objects: number,
    private readonly p: number,
  ) {
    this.count = new Int32Array(objects);
    this.first = new Float64Array(objects * p);
    this.sum = new Float64Array(objects * p);
    this.products = new Float64Array(objects * p * p);
  }

  add(X: Float64Array, mentioned: ReadonlySet<number>): void {
    const { p, count, first, sum, products } = this;
    for (const r of mentioned) {
      const row = r * p;
      if (count[r]++ === 0) first.set(X.subarray(row, row + p), row);
      for (let s = 0; s < p; s++) {
        const u = X[row + s] - first[row + s];
        sum[row + s] += u;
        for (let t = 0; t < p; t++) products[row * p + s * p + t] += u * (X[row + t] - first[row + t]);
      }
    }
  }

  /** p × p */
  covariance(r: number): Float64Array {
    const { p, count, sum, products } = this;
    return Float64Array.from({ length: p * p }, (_, at) => {
      const mixed = sum[r * p + Math.floor(at / p)] * sum[r * p + (at % p)];
      return (products[r * p * p + at] - mixed / count[r]) / (count[r] - 1);
    }).map((value) => (count[r] < 2 ? Number.NaN : value));
  }
}

/** ν above. */
function degreesOf(units: number, samples: number): number {
  return units < 2 ? 0 : 1 / (1 / (units - 1) + 1 / (samples - 1));
}

/** r of a region in the plane: the quantile of F with 2 and m degrees of freedom is m/2 ((1 − share)^(−2/m) − 1). */
function radiusOf(share: number, degrees: number): number {
  const m = degrees - 1;
  if (m <= 0) return Number.POSITIVE_INFINITY;
  return Math.sqrt((2 * degrees * 0.5 * m * (exp((-2 / m) * log(1 - share)) - 1)) / m);
}

/** The points at which a normal density with this covariance has the value that `share` of it exceeds. */
function ellipseOf(
  covariances: Float64Array,
  { rows, columns: p }: DenseMatrix,
  object: number,
  share: number,
  degrees: number,
): Ellipse {
  if (p !== 2)
    throw new CurvatureError("ERR_ARGUMENT", `only maps of 2 dimensions have ellipses; this one has ${p}.`, {
      where: "ellipse",
      path: "dimensions",
      received: p,
    });
  checkArgument("ellipse", "object", integerFrom(0, rows - 1), object);
  checkArgument("ellipse", "share", strictlyBetween(0, 1), share);
  const covariance = covariances.slice(4 * object, 4 * object + 4);
  if (!covariance.every(Number.isFinite)) return { major: Number.NaN, minor: Number.NaN, direction: [1, 0] };
  const { values, vectors } = symmetricEigen({ rows: 2, columns: 2, data: covariance });
  const radius = radiusOf(share, degrees);
  return {
    major: radius * Math.sqrt(Math.max(0, values[1])),
    minor: radius * Math.sqrt(Math.max(0, values[0])),
    direction: [vectors.data[2], vectors.data[3]],
  };
}
