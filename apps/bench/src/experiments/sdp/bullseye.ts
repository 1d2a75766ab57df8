/**
 * Figure 10: which method keeps the order of distances along the manifold when noise is added? Section 3.2's protocol.
 *
 * Data       columns brought to mean 0 and deviation 1 (constant ones to 0)
 * Truth      shortest paths in the graph of the N nearest neighbours of the clean points
 * Noise      5 d more columns of σ N(0, 1)
 * Methods    NOMAD with K = n/N, distances along its Q; the noisy points themselves; 2-D embeddings with 5 neighbours (Laplacian
 *            eigenmaps of ours; Isomap, LLE, modified LLE and LTSA of scikit-learn, where its python has it); of all but NOMAD
 *            shortest paths in the graph of the N nearest neighbours
 * Score      see `bullseyeScores`: the mean over 1 to 50 % in the table, all of them in the figure
 *
 * Usage: node bullseye.ts [--quick] [--repeats 3] [--tolerance 1e-3] [--python /usr/bin/python3]
 */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { halfRing, moons, ring, twoRings } from "@curvature/datasets";
import { type DenseMatrix, fillNormal, RandomGenerator, squaredDistances, zeros } from "@curvature/linalg";
import { laplacianEigenmaps } from "@curvature/objectives/embedding";
import {
  bullseyePercentiles,
  bullseyeScores,
  geodesicDistances,
  neighborDistances,
  nomad,
} from "@curvature/optim-sdp";
import { chartSvg, type Panel } from "../../chart.ts";
import { turntable } from "../../data/turntable.ts";
import { experimentArguments, positive, string, whole } from "../../experiment-arguments.ts";
import { note } from "../../processor.ts";
import { writeReport } from "../../report.ts";
import type { Cell } from "../../report-types.ts";
import { decimals, type Spread, spreadOf, spreadText } from "../../spread.ts";
import { mediansOf, verdict } from "../../words.ts";

const { isQuick, repeats, tolerance, python } = experimentArguments({
  repeats: whole(3, 1),
  tolerance: positive(1e-3),
  python: string("/usr/bin/python3"),
});
const noises = isQuick ? [0, 0.1] : [0, 0.02, 0.05, 0.1];
/** At which the scores are drawn by percentile. */
const SHOWN_NOISE = isQuick ? 0.1 : 0.05;
/** Of the embeddings' own graphs. */
const EMBEDDING_NEIGHBORS = 5;
const share = isQuick ? 0.5 : 1;

interface Case {
  readonly name: string;
  readonly points: DenseMatrix;
  /** N */
  readonly neighbors: number;
}
const cases: readonly Case[] = [
  { name: "one ring", points: ring({ count: 200 * share }).points, neighbors: 10 },
  { name: "one half ring", points: halfRing({ count: 200 * share }).points, neighbors: 10 },
  { name: "turntable", points: turntable(100 * share), neighbors: 3 },
  { name: "two rings", points: twoRings({ pointsPerRing: 100 * share }).points, neighbors: 10 },
  {
    name: "two half rings",
    points: moons({ pointsPerMoon: 100 * share, noise: 0 }).points,
    neighbors: 10,
  },
];

/** Mean 0 and standard deviation 1 in each column; 0 where it is constant. */
function standardized({ rows, columns, data }: DenseMatrix): DenseMatrix {
  const out = zeros(rows, columns);
  for (let j = 0; j < columns; j++) {
    const column = Array.from({ length: rows }, (_, i) => data[i * columns + j]);
    const mean = column.reduce((sum, x) => sum + x, 0) / rows;
    const deviation = Math.sqrt(column.reduce((sum, x) => sum + (x - mean) ** 2, 0) / rows);
    const isConstant = deviation <= 1e-12 * Math.abs(mean);
    for (let i = 0; i < rows; i++)
      out.data[i * columns + j] = isConstant ? 0 : (column[i] - mean) / deviation;
  }
  return out;
}

/** The points with 5 d more columns of noise. */
function withNoise({ rows, columns, data }: DenseMatrix, deviation: number, seed: number): DenseMatrix {
  const random = new RandomGenerator(seed);
  const out = zeros(rows, 6 * columns);
  const noise = new Float64Array(5 * columns);
  for (let i = 0; i < rows; i++) {
    out.data.set(data.subarray(i * columns, (i + 1) * columns), 6 * columns * i);
    fillNormal(random, noise);
    for (let k = 0; k < noise.length; k++) out.data[6 * columns * i + columns + k] = deviation * noise[k];
  }
  return out;
}

/** Joins of the nearest neighbours, 1 where either lists the other. */
function neighborWeights(points: DenseMatrix, neighbors: number): DenseMatrix {
  const { rows: n, data } = squaredDistances(points);
  const W = zeros(n, n);
  for (let i = 0; i < n; i++) {
    const order = Array.from({ length: n }, (_, j) => j).filter((j) => j !== i);
    order.sort((a, b) => data[i * n + a] - data[i * n + b] || a - b);
    for (const j of order.slice(0, neighbors)) {
      W.data[i * n + j] = 1;
      W.data[j * n + i] = 1;
    }
  }
  return W;
}

interface Peers {
  readonly version: string;
  readonly maps: ReadonlyMap<string, number[][] | null>;
}
const peerNames = ["Isomap", "LLE", "modified LLE", "LTSA"];
const program = fileURLToPath(new URL("peers.py", import.meta.url));

/** scikit-learn's embeddings; undefined where python has none. */
function peers({ rows, columns, data }: DenseMatrix): Peers | undefined {
  const points = Array.from({ length: rows }, (_, i) => [...data.subarray(i * columns, (i + 1) * columns)]);
  const { stdout, status } = spawnSync(python, [program], {
    input: JSON.stringify({ points, neighbors: EMBEDDING_NEIGHBORS }),
    encoding: "utf8",
    maxBuffer: 2 ** 28,
  });
  if (status !== 0) return undefined;
  const { version, ...maps } = JSON.parse(stdout);
  return { version, maps: new Map(Object.entries(maps)) };
}

let peersVersion: string | undefined;

/** Scores by method; of an embedding that failed none. */
async function scoresOf(one: Case, noise: number, seed: number): Promise<Map<string, Float64Array>> {
  const clean = standardized(one.points);
  const truth = neighborDistances(clean, one.neighbors);
  const noisy = withNoise(clean, noise, seed);
  const found = new Map<string, Float64Array>();
  const add = (name: string, distances: DenseMatrix): unknown =>
    found.set(name, bullseyeScores(truth, distances));
  const { Q, gap } = await nomad(noisy, { clusters: noisy.rows / one.neighbors, tolerance, seed });
  if (Q === undefined) throw new Error("Q does not fit into memory");
  note(`${one.name}, noise ${noise}, seed ${seed}: certified gap ${gap.toExponential(1)}`);
  add("NOMAD", geodesicDistances(Q));
  add("no embedding", neighborDistances(noisy, one.neighbors));
  const { coordinates } = laplacianEigenmaps(neighborWeights(noisy, EMBEDDING_NEIGHBORS));
  add("Laplacian eigenmaps", neighborDistances(coordinates, one.neighbors));
  const others = peers(noisy);
  peersVersion = others?.version;
  for (const [name, map] of others?.maps ?? [])
    if (map !== null) add(name, neighborDistances(map, one.neighbors));
  return found;
}

const methods = ["NOMAD", "no embedding", "Laplacian eigenmaps", ...peerNames];
const average = (all: readonly number[]): number => all.reduce((sum, x) => sum + x, 0) / all.length;
const rows: Cell[][] = [];
/** Of every set and noise, the median score by method; NaN where there was no embedding. */
interface Scored {
  readonly where: string;
  readonly set: string;
  readonly noise: number;
  readonly scores: readonly number[];
}
const scored: Scored[] = [];
const percentilePanels: Panel[] = [];
for (const one of cases) {
  for (const noise of noises) {
    const runs: Map<string, Float64Array>[] = [];
    for (let seed = 0; seed < (noise === 0 ? 1 : repeats); seed++)
      runs.push(await scoresOf(one, noise, seed));
    /** Of each percentile, the mean over the repeats that gave an embedding. */
    const curve = (name: string): number[] => {
      const all = runs.flatMap((scores) => scores.get(name) ?? []);
      return bullseyePercentiles.map((_, k) => average(all.map((scores) => scores[k])));
    };
    /** Mean scores, over the repeats that gave an embedding. */
    const scoresBySeed = (name: string): Spread =>
      spreadOf(runs.flatMap((scores) => scores.get(name) ?? []).map((each) => average([...each])));
    const cell = (name: string): string => {
      const missing = runs.filter((scores) => !scores.has(name)).length;
      if (missing === runs.length) return "-";
      return `${spreadText(scoresBySeed(name), decimals(3))}${missing > 0 ? `, ${missing} failed` : ""}`;
    };
    rows.push([one.name, noise, ...methods.map(cell)]);
    scored.push({
      where: `${one.name}, noise ${noise}`,
      set: one.name,
      noise,
      scores: methods.map((name) => scoresBySeed(name).median),
    });
    if (noise !== SHOWN_NOISE) continue;
    percentilePanels.push({
      title: `${one.name}, noise ${noise}`,
      xTitle: "percentile",
      yTitle: "bullseye score",
      range: [0, 1],
      series: methods
        .filter((name) => runs.some((scores) => scores.has(name)))
        .map((name) => {
          const scores = curve(name);
          return { name, points: bullseyePercentiles.map((p, k): [number, number] => [p, scores[k]]) };
        }),
    });
  }
}

/** Of every set, the median scores over the noise. */
const panels = cases.map((one): Panel => {
  const own = scored.filter(({ set }) => set === one.name);
  return {
    title: one.name,
    xTitle: "noise",
    yTitle: "mean bullseye score",
    range: [0, 1],
    series: methods.map((name, m) => ({
      name,
      points: own.map(({ noise, scores }) => [noise, scores[m]] as const),
    })),
  };
});
const noisy = scored.filter(({ noise }) => noise > 0);
const NO_EMBEDDING = methods.indexOf("no embedding");
/** Where NOMAD is at or above all embeddings; and the points themselves, too. */
const aboveEmbeddings = noisy.filter(({ scores }) =>
  scores.every((score, m) => m === NO_EMBEDDING || !(score > scores[0])),
);
const aboveAll = aboveEmbeddings.filter(({ scores }) => scores[0] >= scores[NO_EMBEDDING]);

const behind = scored.flatMap(({ where, scores: [own, ...others] }) => {
  const ahead = methods.slice(1).filter((_, k) => others[k] > own);
  return ahead.length === 0 ? [] : [`${where} (${ahead.join(", ")})`];
});

writeReport(
  {
    paper: "sdp",
    name: "bullseye",
    title: "The order of distances along manifolds, under noise",
    claim:
      "Figure 10: distances along NOMAD's Q keep the order of those along the manifold under noise, better than embeddings do.",
    data: "One ring, one half ring, a turntable, two rings, two half rings; 5 d columns of noise are added to the d columns of each.",
    method: `Mean bullseye score over ${bullseyePercentiles.length} percentiles from 1 to 50. Embeddings have two dimensions and are made from the ${EMBEDDING_NEIGHBORS} nearest neighbours of the noisy points; the truth (of the clean points) and the distances of every method but NOMAD are shortest paths in the graph of N nearest neighbours, N = ${[...new Set(cases.map(({ neighbors }) => neighbors))].join(" or ")} (3: the turntable). NOMAD: \`auto\` to a certified gap of ${tolerance}, K = n/N. ${
      peersVersion === undefined
        ? `There is no scikit-learn here: its four methods are left out.`
        : `Isomap, LLE, modified LLE and LTSA are those of scikit-learn ${peersVersion}, with their defaults but for the dense eigensolver of the last three; a dash: no embedding came out.`
    } Chance scores 0.2.`,
    repeats: `${mediansOf(repeats, "draw of the noise", "draws of the noise")}; one where there is none. Of an embedding that failed on some, over the others. NOMAD has the seed of the draw.`,
    clock: "none",
    findings: [
      `${verdict({ "all sets with noise": aboveEmbeddings.length === noisy.length })} With noise NOMAD is at or above all embeddings on ${aboveEmbeddings.length} of ${noisy.length} sets and noises, above the noisy points themselves, too, on ${aboveAll.length}; without noise the points themselves are the truth, and score 1.`,
      `NOMAD is at or above all other methods on ${scored.length - behind.length} of ${scored.length} sets and noises${behind.length === 0 ? "" : `, **behind** on ${behind.join("; ")}`}.`,
    ],
    tables: [{ columns: ["set", "noise", ...methods], rows }],
    figures: [
      {
        name: "bullseye",
        caption: "Mean scores by noise, medians.",
        svg: chartSvg("Order of distances along the manifold", panels),
      },
      {
        name: "bullseye-percentiles",
        caption: `Scores by percentile at noise ${SHOWN_NOISE}, means of the draws.`,
        svg: chartSvg("Order of distances along the manifold", percentilePanels),
      },
    ],
  },
  isQuick,
);
