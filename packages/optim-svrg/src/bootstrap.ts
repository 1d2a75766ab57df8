/**
 * How sure the places of a map are: the answers' questions are drawn anew with replacement, a map is fitted to each
 * sample from where the map of all answers is, with its ridge, and moved onto that (`procrustes`). How far a place then
 * varies is how far chance among the answers moves it.
 *
 * It says nothing of errors that all samples share: a wrong loss or too few dimensions.
 */
import {
  CurvatureError,
  callable,
  checkArgument,
  type DenseMatrix,
  integerFrom,
  log,
  type OptionsOf,
  optionTable,
  RandomGenerator,
  strictlyBetween,
  symmetricEigen,
} from "@curvature/linalg";
import { asTask, facadeEntries } from "@curvature/optim-core";
import { analyzeAnswers } from "./answers/analyze-answers.js";
import { byQuestion, resampled } from "./answers/parts.js";
import { placedRows } from "./answers/placed.js";
import { type AnswersLike, readAnswers } from "./answers/read-answers.js";
import { fitEntries } from "./embedding-options.js";
import { quickFit } from "./fit/quick-fit.js";
import { procrustes } from "./metrics/procrustes.js";
import { type OrdinalEmbeddingResult, ordinalEmbedding } from "./ordinal-embedding.js";

const { signal, yieldEvery } = facadeEntries();

export const bootstrapOptions = optionTable({
  ...fitEntries,
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
   * Covariances of the places over the samples, aligned to the map: n matrices of p × p one after the other. NaN for
   * objects that fewer than two samples mention.
   */
  readonly covariances: Float64Array;
  /** √(trace of the covariance) of every object, NaN where that is. */
  readonly spread: Float64Array;
  /** Samples that were fitted. */
  readonly samples: number;
  /**
   * The ellipse that holds a share of the places of `object`, if these are normally distributed (p = 2 only).
   *
   * @param share - of the samples, above 0 and below 1. Default 0.95
   * @throws CurvatureError ERR_ARGUMENT
   */
  ellipse(object: number, share?: number): Ellipse;
}

const ITERATIONS = 60;

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
  const { samples, onSample, ...fit } = settings;
  const { signal, dimensions: p, loss, mu, alpha, seed } = fit;
  const read = readAnswers(answers, { where: "bootstrapEmbedding", ...settings });
  const result = await ordinalEmbedding(answers, fit);
  const { comparisons, questions, placed } = analyzeAnswers(read);
  const groups = byQuestion(questions);
  const random = new RandomGenerator(seed);
  const map = placedRows(result.embedding, "embedding", result.embedding.rows, p, placed);
  const moments = new Moments(map.rows, p);
  for (let sample = 1; sample <= samples; sample++) {
    const drawn = resampled(comparisons, groups, random);
    const X = await asTask(
      () =>
        quickFit(drawn, {
          loss,
          dimensions: p,
          ridge: result.ridge,
          iterations: ITERATIONS,
          ...{ seed, mu, alpha },
          from: map.data,
        }),
      signal,
    );
    const { aligned } = procrustes(map, { rows: map.rows, columns: p, data: X });
    moments.add(aligned.data, new Set(drawn.quadruplets));
    onSample?.(sample);
  }
  const covariances = new Float64Array(result.embedding.rows * p * p).fill(Number.NaN);
  for (let r = 0; r < map.rows; r++) covariances.set(moments.covariance(r), (placed?.[r] ?? r) * p * p);
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
    ellipse: (object, share = 0.95) => ellipseOf(covariances, result.embedding, object, share),
  };
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

/** The points at which a normal density with this covariance has the value that `share` of it exceeds. */
function ellipseOf(
  covariances: Float64Array,
  { rows, columns: p }: DenseMatrix,
  object: number,
  share: number,
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
  const radius = Math.sqrt(-2 * log(1 - share)); // of χ² with two degrees of freedom
  return {
    major: radius * Math.sqrt(Math.max(0, values[1])),
    minor: radius * Math.sqrt(Math.max(0, values[0])),
    direction: [vectors.data[2], vectors.data[3]],
  };
}
