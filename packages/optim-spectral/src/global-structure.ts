/**
 * How well a map keeps what lies beyond neighbourhoods: which points are far, and how far.
 *
 *   tripletAccuracy       the share of triplets (i, j, l) whose order d(i, j) < d(i, l) is that of the map
 *   distanceCorrelation   Spearman's ρ of the distances of pairs in the data and in the map
 *
 * Both over triplets and pairs drawn at random, the same for the same seed. Triplets as near in the data say nothing and are
 * left out; those as near in the map count half. A random map has 1/2 and 0; a map that keeps all orders has 1 and 1.
 * Maps by neighbours, t-SNE above all, are not made to keep either: below 0.6 the places of groups in the map mean little.
 *
 * Triplets: Wang, Huang, Rudin, Shaposhnik: Understanding how dimension reduction tools work. JMLR 22 (2021) 201, section 3.
 * Spearman's ρ: ranks of ties are their mean.
 */
import {
  CurvatureError,
  type DenseMatrix,
  integerFrom,
  type MatrixLike,
  type OptionsOf,
  optionTable,
  RandomGenerator,
  toDense,
} from "@curvature/linalg";
import { squaredRowDistance } from "@curvature/objectives/embedding";
import { inRange } from "./columns.js";

export const globalStructureOptions = optionTable({
  /** Triplets drawn, and pairs: standard errors are then about 0.005 and 0.01. */
  draws: integerFrom(1, 10_000_000).default(10_000),
  /** Of the draws. */
  seed: integerFrom(0).default(0),
});
export type GlobalStructureOptions = OptionsOf<typeof globalStructureOptions>;

export interface GlobalStructure {
  /** From 0 to 1; undefined where no triplet could be drawn. */
  readonly tripletAccuracy: number | undefined;
  /** From −1 to 1; undefined for fewer than three points, and where all distances are equal. */
  readonly distanceCorrelation: number | undefined;
}

/**
 * @param points - the data, N × D
 * @param embedding - the map, N × d
 * @throws CurvatureError ERR_SHAPE, ERR_NON_FINITE, ERR_OPTION
 * @example
 * import { globalStructure } from "@curvature/optim-spectral";
 *
 * const points = [[0, 0, 0], [1, 0, 0], [5, 1, 0], [9, 9, 9]];
 * const map = [[0, 0], [1, 0], [5, 1], [12, 9]];
 * console.log(globalStructure(points, map).tripletAccuracy); // 1
 */
export function globalStructure(
  points: MatrixLike,
  embedding: MatrixLike,
  options?: GlobalStructureOptions,
): GlobalStructure {
  const { draws, seed } = globalStructureOptions.resolve("globalStructure", options);
  const data = inRange(toDense(points, "points"));
  const map = inRange(toDense(embedding, "embedding"));
  const N = data.rows;
  if (N !== map.rows)
    throw new CurvatureError(
      "ERR_SHAPE",
      `The data has ${N} points, the map ${map.rows}. Give both the same points in the same order.`,
      { where: "globalStructure", path: "embedding", expected: `${N} rows`, received: map.rows },
    );
  if (N < 3) return { tripletAccuracy: undefined, distanceCorrelation: undefined };
  const random = new RandomGenerator(seed);
  return {
    tripletAccuracy: triplets(data, map, draws, random),
    distanceCorrelation: correlation(data, map, draws, random),
  };
}

const distance = ({ data, columns }: DenseMatrix, i: number, j: number): number =>
  squaredRowDistance(data, i, data, j, columns);

const order = (a: number, b: number): number => Number(a > b) - Number(a < b);

function triplets(data: DenseMatrix, map: DenseMatrix, draws: number, random: RandomGenerator) {
  let kept = 0;
  let counted = 0;
  for (let t = 0; t < draws; t++) {
    const i = random.integer(data.rows);
    const j = other(random, data.rows, i);
    let l = other(random, data.rows, i);
    while (l === j) l = other(random, data.rows, i);
    const inData = order(distance(data, i, j), distance(data, i, l));
    if (inData === 0) continue;
    const inMap = order(distance(map, i, j), distance(map, i, l));
    kept += inMap === 0 ? 0.5 : Number(inMap === inData);
    counted++;
  }
  return counted === 0 ? undefined : kept / counted;
}

function correlation(data: DenseMatrix, map: DenseMatrix, draws: number, random: RandomGenerator) {
  const inData = new Float64Array(draws);
  const inMap = new Float64Array(draws);
  for (let t = 0; t < draws; t++) {
    const i = random.integer(data.rows);
    const j = other(random, data.rows, i);
    inData[t] = distance(data, i, j);
    inMap[t] = distance(map, i, j);
  }
  const a = ranks(inData);
  const b = ranks(inMap);
  const mean = (draws + 1) / 2;
  let ab = 0;
  let aa = 0;
  let bb = 0;
  for (let t = 0; t < draws; t++) {
    ab += (a[t] - mean) * (b[t] - mean);
    aa += (a[t] - mean) ** 2;
    bb += (b[t] - mean) ** 2;
  }
  return aa === 0 || bb === 0 ? undefined : ab / Math.sqrt(aa * bb);
}

/** A point other than i. */
function other(random: RandomGenerator, points: number, i: number): number {
  const j = random.integer(points - 1);
  return j < i ? j : j + 1;
}

/** From 1; ties share their mean. */
function ranks(values: Float64Array): Float64Array {
  const order = Uint32Array.from(values, (_, t) => t).sort((s, t) => values[s] - values[t]);
  const out = new Float64Array(values.length);
  for (let first = 0, end = 0; first < order.length; first = end) {
    while (end < order.length && values[order[end]] === values[order[first]]) end++;
    for (let k = first; k < end; k++) out[order[k]] = (first + 1 + end) / 2;
  }
  return out;
}
