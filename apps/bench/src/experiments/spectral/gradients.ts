/**
 * One evaluation of E and its gradient on a finished map: the sum over all pairs, in double and in single precision, the tree,
 * and interpolation on a grid; and how far the repulsive forces of the others are from the first one's.
 *
 * Usage: node gradients.ts [--quick] [--mnist folder] [--sizes 5000,20000,70000] [--repeats 7]
 *
 * MNIST if its folder is given, else the tree of clusters.
 */
import type { DenseMatrix } from "@curvature/linalg";
import { enableSimd } from "@curvature/linalg/simd";
import {
  type EmbeddingObjective,
  entropicAffinities,
  fastestGradient,
  type GradientMethod,
  jointAffinities,
  symmetricSne,
  tsne,
} from "@curvature/objectives/embedding";
import { embed } from "@curvature/optim-spectral";
import { experimentArguments, string, whole, wholeNumber } from "../../experiment-arguments.ts";
import { cpuSeconds, note } from "../../processor.ts";
import { writeReport } from "../../report.ts";
import type { Cell } from "../../report-types.ts";
import { decimals, type Spread, spreadOf, spreadText } from "../../spread.ts";
import { mediansOf, verdict } from "../../words.ts";
import { clusterTree, mnist } from "./sets.ts";

const values = experimentArguments({
  mnist: string(""),
  sizes: string("5000,20000,70000", "2500"),
  repeats: whole(7, 1),
});
const { isQuick, repeats } = values;
const sizes = values.sizes.split(",").map((size) => wholeNumber("sizes", size, 500));
/** Of the sum over all pairs, beyond which it is measured once. */
const LONG_SECONDS = 2;
const MOST_BY_GAUSSIANS = 20_000;
const PERPLEXITY = 30;
const NEIGHBORS = 90;

interface Model {
  readonly method: "tsne" | "ssne";
  readonly kernel: "student" | "gaussian";
  readonly dimensions: 2 | 3;
  readonly gradients: readonly GradientMethod[];
  readonly make: typeof tsne;
}

const inPlane = ["exact", "single", "barnes-hut", "fft"] as const;
const models: readonly Model[] = [
  { method: "tsne", kernel: "student", dimensions: 2, gradients: inPlane, make: tsne },
  { method: "tsne", kernel: "student", dimensions: 3, gradients: ["exact", "barnes-hut"], make: tsne },
  {
    method: "ssne",
    kernel: "gaussian",
    dimensions: 2,
    gradients: inPlane,
    make: symmetricSne,
  },
];

interface Found {
  readonly model: Model;
  readonly N: number;
  readonly gradient: GradientMethod;
  readonly milliseconds: Spread;
  /** Of the forces, of their root mean square. */
  readonly error: number;
}

/** The repulsive forces at the map. */
function forcesOf(objective: EmbeddingObjective, X: Float64Array): Float64Array {
  const [attraction, repulsion] = [new Float64Array(X.length), new Float64Array(X.length)];
  objective.evaluateParts(X, attraction, repulsion);
  return repulsion;
}

/** An evaluation of E and its gradient, in seconds of the processor. */
function secondsOf(objective: EmbeddingObjective, X: Float64Array, gradient: Float64Array): number {
  const begin = cpuSeconds();
  objective.evaluate(X, gradient);
  return cpuSeconds() - begin;
}

/** Of each objective, by turns; what takes long is measured once, cold. */
function timesOf(objectives: readonly EmbeddingObjective[], X: Float64Array): Spread[] {
  const gradient = new Float64Array(X.length);
  const first = objectives.map((objective) => secondsOf(objective, X, gradient));
  const times = first.map((seconds) => (seconds > LONG_SECONDS ? [1000 * seconds] : []));
  for (let turn = 0; turn < repeats; turn++)
    for (const [k, objective] of objectives.entries())
      if (first[k] <= LONG_SECONDS) times[k].push(1000 * secondsOf(objective, X, gradient));
  return times.map(spreadOf);
}

const norm = (v: Float64Array): number => Math.sqrt(v.reduce((sum, entry) => sum + entry * entry, 0));

async function contest(model: Model, points: DenseMatrix): Promise<Found[]> {
  const { method, dimensions, gradients, make } = model;
  const { embedding } = await embed(points, { method, dimensions, perplexity: PERPLEXITY });
  const X = embedding.data;
  const { conditional } = entropicAffinities(points, { perplexity: PERPLEXITY, neighbors: NEIGHBORS });
  const weights = jointAffinities(conditional);
  const objectives = gradients.map((gradient) => make(weights, { dimensions, gradient }));
  const times = timesOf(objectives, X);
  const forces = objectives.map((objective) => forcesOf(objective, X));
  const [exact] = forces;
  return gradients.map((gradient, k) => {
    const error = norm(forces[k].map((entry, i) => entry - exact[i])) / norm(exact);
    note(
      `${method}, d = ${dimensions}, ${points.rows}, ${gradient}: ${times[k].median.toFixed(1)} ms, ${error}`,
    );
    return { model, N: points.rows, gradient, milliseconds: times[k], error };
  });
}

enableSimd();
const found: Found[] = [];
for (const N of sizes) {
  const { points } = values.mnist === "" ? clusterTree(N) : await mnist(values.mnist, N);
  for (const model of models)
    if (model.kernel === "student" || N <= MOST_BY_GAUSSIANS) found.push(...(await contest(model, points)));
}

const places = models.flatMap((model) => sizes.map((N) => ({ model, N })));
const contests = places
  .map(({ model, N }) => found.filter((one) => one.model === model && one.N === N))
  .filter((some) => some.length > 0);
const percent = (error: number): string => `${(100 * error).toPrecision(2)} %`;
const name = ({ method, dimensions }: Model): string =>
  `${method === "tsne" ? "t-SNE" : "s-SNE"}, ${dimensions === 2 ? "in the plane" : "in space"}`;
/** The choice of `auto` and the quickest of those that it chooses among, where these differ by more than a fifth. */
const misjudged = contests.flatMap((some) => {
  const [{ model, N }] = some;
  const chosen = fastestGradient(model.kernel, N, model.dimensions);
  const timeBy = (gradient: GradientMethod): number =>
    some.find((one) => one.gradient === gradient)?.milliseconds.median ?? Number.POSITIVE_INFINITY;
  const others = some.filter(({ gradient }) => gradient !== "single");
  const quickest = others.reduce((a, b) => (a.milliseconds.median < b.milliseconds.median ? a : b)).gradient;
  return timeBy(chosen) <= 1.2 * timeBy(quickest) ? [] : [`${name(model)}, ${N}: ${quickest}, not ${chosen}`];
});
const errorsOf = (gradient: GradientMethod): number[] =>
  found.filter((one) => one.gradient === gradient).map(({ error }) => error);

writeReport(
  {
    paper: "spectral",
    name: "gradients",
    title: "Four ways to a gradient",
    claim:
      '`gradient: "auto"` takes the quickest of "exact", "barnes-hut" and "fft" at every size, up to a fifth of its time ("single" is quick with SIMD alone, and is left to who asks for it).',
    data: `${values.mnist === "" ? "A tree of clusters in 30 dimensions (seed 1)" : "The first N of MNIST's 70,000 images, /255, PCA 50"}; the finished map of \`embed\` (perplexity ${PERPLEXITY}, seed 0, its own choice of gradients) is where E is evaluated.`,
    method: `Processor milliseconds of one evaluation of E and its gradient with the affinities of ${NEIGHBORS} neighbours, after one that is not counted, by turns, one thread, SIMD on, defaults (theta 0.3). Error: ‖f − f_exact‖ / ‖f_exact‖ for the repulsive forces f. What takes more than ${LONG_SECONDS} s is measured once, cold.`,
    repeats: `${mediansOf(repeats, "evaluation of each", "evaluations of each")}.`,
    clock: "processor",
    findings: [
      `${verdict({ "the choice of auto": misjudged.length === 0 })}${misjudged.length === 0 ? "" : ` Quicker: ${misjudged.join("; ")}.`}`,
      `Forces by the tree are ${percent(Math.min(...errorsOf("barnes-hut")))} to ${percent(Math.max(...errorsOf("barnes-hut")))} from the exact ones, those by the grid ${percent(Math.min(...errorsOf("fft")))} to ${percent(Math.max(...errorsOf("fft")))}, those in single precision at most ${percent(Math.max(...errorsOf("single")))}.`,
    ],
    tables: [
      {
        columns: ["map", "points", "gradient", "milliseconds", "error of the forces"],
        rows: contests
          .flat()
          .map((one): Cell[] => [
            name(one.model),
            one.N,
            one.gradient,
            spreadText(one.milliseconds, decimals(1)),
            one.gradient === "exact" ? null : percent(one.error),
          ]),
      },
    ],
  },
  isQuick,
);
