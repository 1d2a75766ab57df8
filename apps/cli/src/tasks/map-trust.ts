/**
 * Where a map can be believed, on request: point by point, by maps from other starts, beside shuffled copies of the data, and the
 * pitfalls that can be computed (sizes and gaps that mean nothing, groups below the perplexity).
 *
 * Wattenberg, Viégas, Johnson: How to use t-SNE effectively. Distill (2016), doi:10.23915/distill.00002.
 */
import {
  connectedComponents,
  type DenseMatrix,
  flag,
  integerFrom,
  optionTable,
  type SettingsOf,
  type SparseMatrix,
} from "@curvature/linalg";
import { nearestNeighbors, squaredRowDistance } from "@curvature/objectives/embedding";
import {
  type EmbedOptions,
  type EmbedResult,
  embed,
  type GivenInput,
  mapAgreement,
  mapTrust,
  type ShuffledColumns,
  shuffledColumns,
} from "@curvature/optim-spectral";
import { count, duration } from "../run/terminal.js";
import type { Channel } from "./channel.js";
import { measured } from "./measured.js";

export const trustOptions = optionTable({
  /** Columns of every point, and a sentence. */
  trust: flag.default(false),
  /** So many maps from random starts, with which the neighbours are compared. */
  restarts: integerFrom(1, 1000),
  /** Whether copies with each column shuffled show as much. */
  shuffled: flag.default(false),
});
export type TrustRequest = SettingsOf<typeof trustOptions>;

/** Numbers of every point, beside its place. */
export interface PointColumns {
  readonly names: readonly string[];
  /** N × names. */
  readonly values: DenseMatrix;
}

export interface TrustFigures {
  /** k */
  readonly neighbors: number;
  /** Points whose regional trust is below `limit` and whose distortion is above 1; undefined where only neighbours are known. */
  readonly untrusted: number | undefined;
  readonly limit: number;
  /** Maps from other starts, and the mean share of neighbours that a point has there, too. */
  readonly restarts: number;
  readonly agreement: number | undefined;
  /** Spearman's rho of the distance to the k-th nearest in data and map: whether dense groups are small. */
  readonly spacingCorrelation: number | undefined;
  /** Sizes of groups that stand apart and have fewer points than the perplexity. */
  readonly smallGroups: readonly number[];
}

export interface MapTrustFound {
  readonly columns: PointColumns | undefined;
  readonly figures: TrustFigures | undefined;
  readonly shuffled: (ShuffledColumns & { readonly copies: number }) | undefined;
  readonly warnings: readonly string[];
}

interface Mapped {
  readonly points: DenseMatrix | SparseMatrix | GivenInput;
  /** As they are scaled, and not projected. */
  readonly scaled: DenseMatrix | SparseMatrix | undefined;
  readonly options: EmbedOptions;
  readonly result: EmbedResult;
  /** That it took. */
  readonly seconds: number;
}

/** The column that says best which points lie among strangers. */
export const REGIONAL = "regional_trust";
/** About two of ten neighbours at random places, of the point and of those around it. */
const LIMIT = 0.9;
/** Multiplications in a second, and those that may be made after a request to stop. */
const [PER_SECOND, HURRIED] = [1e9, 2e8];

export async function trustOf(
  mapped: Mapped,
  request: TrustRequest,
  channel: Channel,
): Promise<MapTrustFound> {
  const warnings: string[] = [];
  const others = request.restarts === undefined ? [] : await otherMaps(mapped, request.restarts, channel);
  if (others.length < (request.restarts ?? 0))
    warnings.push(`Stopped after ${others.length} of ${request.restarts} maps from other starts.`);
  const isAsked = request.trust || request.restarts !== undefined;
  const found = isAsked
    ? measured(
        "Single points",
        () => pointsTrust(mapped, others, channel, warnings),
        (sentence) => warnings.push(sentence),
      )
    : undefined;
  const shuffled = request.shuffled ? shuffledOf(mapped, channel, warnings) : undefined;
  return { columns: found?.columns, figures: found?.figures, shuffled, warnings };
}

/** Fewer where the run is stopped. */
async function otherMaps(
  { points, options, seconds }: Mapped,
  restarts: number,
  { signal, note, phase }: Channel,
): Promise<DenseMatrix[]> {
  const maps: DenseMatrix[] = [];
  if (signal.aborted) return maps;
  note(
    `${restarts === 1 ? "One map" : `${count(restarts)} maps`} from random starts: about ${duration(restarts * seconds)}.`,
  );
  phase("maps from random starts");
  for (let r = 1; r <= restarts; r++) {
    if (r > 1) phase("maps from random starts", (r - 1) / restarts);
    try {
      const seed = (options.seed ?? 0) + r;
      const { embedding } = await embed(points, { ...options, initialization: "random", seed, signal });
      if (signal.aborted) break;
      maps.push(embedding);
    } catch (error) {
      if (signal.aborted) break;
      throw error;
    }
  }
  return maps;
}

function pointsTrust(
  { points, options, result }: Mapped,
  others: readonly DenseMatrix[],
  { signal, note, phase }: Channel,
  warnings: string[],
): { readonly columns: PointColumns; readonly figures: TrustFigures } | undefined {
  const { embedding: map } = result;
  const { metric } = options;
  const cost = map.rows ** 2 * ("data" in points ? points.columns + map.columns : 100);
  if (signal.aborted && cost > HURRIED) {
    warnings.push("Stopped before every point was measured.");
    return undefined;
  }
  if (cost > 10 * PER_SECOND) note(`Measuring every point: about ${duration(cost / PER_SECOND)}.`);
  phase("measuring every point");
  const { kept, trust, regional, distortion, k } = mapTrust(points, map, { metric });
  if (k === 0) {
    warnings.push("Fewer than three points have no neighbourhoods: there is no trust to measure.");
    return undefined;
  }
  const agreement = others.length === 0 ? undefined : mapAgreement(map, others);
  const isKnown = !trust.some(Number.isNaN);
  if (!isKnown)
    warnings.push(
      "Of listed neighbours it is not known how far other points lie: there is no column of trust or distortion.",
    );
  const columns = {
    kept,
    ...(isKnown ? { trust, [REGIONAL]: regional, distortion } : {}),
    ...(agreement && { agreement }),
  };
  const lists = Object.values(columns);
  const isPlain = "data" in points && (metric ?? "euclidean") === "euclidean";
  return {
    columns: {
      names: Object.keys(columns),
      values: {
        rows: map.rows,
        columns: lists.length,
        data: Float64Array.from({ length: map.rows * lists.length }, (_, p) => {
          const column = p % lists.length;
          return lists[column][(p - column) / lists.length];
        }),
      },
    },
    figures: {
      neighbors: k,
      // Of many that are equally far the map can keep few near: none of them is far in the data.
      untrusted: isKnown
        ? regional.filter((value, i) => value < LIMIT && distortion[i] > 1).length
        : undefined,
      limit: LIMIT,
      restarts: others.length,
      agreement: agreement && mean(agreement),
      spacingCorrelation: isPlain ? spacingCorrelation(points, map, k) : undefined,
      smallGroups: isPlain ? smallGroups(points, result, warnings) : [],
    },
  };
}

const COPIES = 39;

function shuffledOf(
  { scaled, options }: Mapped,
  { signal, note, phase }: Channel,
  warnings: string[],
): MapTrustFound["shuffled"] {
  if (scaled === undefined || !("data" in scaled) || signal.aborted) return undefined;
  const { seed } = options;
  const started = performance.now();
  shuffledColumns(scaled, { copies: 1, seed });
  const each = (performance.now() - started) / 2000;
  note(`${COPIES} copies with shuffled columns: about ${duration((COPIES + 1) * each)}.`);
  phase("copies with shuffled columns");
  const found = measured(
    "Structure beyond shuffled copies",
    () => shuffledColumns(scaled, { copies: COPIES, seed }),
    (sentence) => warnings.push(sentence),
  );
  if (found?.isBeyond === false)
    warnings.push(
      `Copies of the data with each column shuffled by itself have neighbours as near (p = ${found.p?.toFixed(3)}): what the map shows may be there in them, too.`,
    );
  if (found !== undefined && found.isBeyond === undefined)
    warnings.push("Shuffled copies say nothing of one column or of fewer than 8 rows.");
  return found && { ...found, copies: COPIES };
}

/** In the lists that groups are made of. */
const GROUP_NEIGHBORS = 5;
/** Groups stand apart whose nearest other point is so many times as far as their own neighbours. */
const GAP = 3;

/** Groups that the perplexity takes together with others: parts of a graph of the nearest, that stand apart. */
function smallGroups(points: DenseMatrix, { options }: EmbedResult, warnings: string[]): readonly number[] {
  const { rows: N, columns: D, data } = points;
  const perplexity = Number(options["perplexity"]);
  if (N <= 2 * GROUP_NEIGHBORS || !(perplexity > GROUP_NEIGHBORS)) return [];
  const { indices, distances } = nearestNeighbors(points, GROUP_NEIGHBORS);
  const sorted = indices.slice();
  for (let p = 0; p < sorted.length; p += GROUP_NEIGHBORS) sorted.subarray(p, p + GROUP_NEIGHBORS).sort();
  const { count: parts, labels } = connectedComponents({
    rows: N,
    columns: N,
    rowPointers: Int32Array.from({ length: N + 1 }, (_, i) => i * GROUP_NEIGHBORS),
    columnIndices: sorted,
    values: new Float64Array(indices.length).fill(1),
  });
  const members = Array.from({ length: parts }, (): number[] => []);
  for (const [i, part] of labels.entries()) members[part].push(i);
  const sizes: number[] = [];
  for (const group of members) {
    if (group.length >= perplexity) continue;
    const own = Math.max(...group.map((i) => distances[(i + 1) * GROUP_NEIGHBORS - 1]));
    const inside = new Set(group);
    const isApart = group.every((i) => {
      for (let j = 0; j < N; j++)
        if (!inside.has(j) && squaredRowDistance(data, i, data, j, D) < GAP ** 2 * own) return false;
      return true;
    });
    if (isApart) sizes.push(group.length);
  }
  sizes.sort((a, b) => a - b);
  if (sizes.length > 0)
    warnings.push(
      `${sizes.length === 1 ? `A group of ${sizes[0]} points stands apart and has` : `${sizes.length} groups stand apart and have`} fewer points than the perplexity, ${shortly(perplexity)}${sizes.length === 1 ? "" : ` (the smallest ${sizes[0]})`}: its neighbours are taken from others, among which it may lie. Compare a map with --perplexity ${Math.max(2, Math.floor(sizes[0] / 3))}.`,
    );
  return sizes;
}

function spacingCorrelation(points: DenseMatrix, map: DenseMatrix, k: number): number | undefined {
  const [a, b] = [points, map].map((rows) => {
    const { distances } = nearestNeighbors(rows, k);
    return ranks(Float64Array.from({ length: rows.rows }, (_, i) => distances[(i + 1) * k - 1]));
  });
  const middle = (map.rows + 1) / 2;
  let [ab, aa, bb] = [0, 0, 0];
  for (let i = 0; i < map.rows; i++) {
    ab += (a[i] - middle) * (b[i] - middle);
    aa += (a[i] - middle) ** 2;
    bb += (b[i] - middle) ** 2;
  }
  return aa === 0 || bb === 0 ? undefined : ab / Math.sqrt(aa * bb);
}

/** From 1; ties share their mean. */
function ranks(values: Float64Array): Float64Array {
  const order = Uint32Array.from(values, (_, i) => i).sort((i, j) => values[i] - values[j]);
  const out = new Float64Array(values.length);
  for (let first = 0, end = 0; first < order.length; first = end) {
    while (end < order.length && values[order[end]] === values[order[first]]) end++;
    for (let p = first; p < end; p++) out[order[p]] = (first + 1 + end) / 2;
  }
  return out;
}

const mean = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0) / values.length;
const shortly = (value: number): string => String(Number(value.toPrecision(4)));
