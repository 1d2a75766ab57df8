/**
 * Partial-Hessian strategies, figure 4, on O(N) gradients: E against seconds on 20,000 images of MNIST, all methods from
 * one small random map, and the time of each to 1 % of E₀ − best.
 *
 * The contestants: spectral direction (SD), its L-BFGS (SD-LBFGS), fixed point (FP), gradient descent with growing steps
 * (GD), L-BFGS with a first step of length 1/‖∇E‖₁, and the same with a unit first step, which is how the paper's L-BFGS
 * came to stand still. "best" is the lowest E that any of them reached in its time. The factorisation of SD is in its time;
 * neighbours and affinities, which all share, are not.
 *
 * Usage: node figure-4.ts --mnist folder [--points 20000] [--methods ee,ssne,tsne] [--seconds 60] [--seed 0] [--out folder]
 *
 * Vladymyrov, Carreira-Perpiñán: Partial-Hessian strategies for fast learning of nonlinear embeddings, ICML 2012,
 * section 4. Differs: perplexity 30 from 90 neighbours and W⁻ constant (sparse affinities); the paper's are dense and its
 * perplexity is 50.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { fillNormal, RandomGenerator } from "@curvature/linalg";
import {
  type EmbeddingObjective,
  elasticEmbedding,
  entropicAffinities,
  jointAffinities,
  symmetricSne,
  tsne,
  type Weights,
} from "@curvature/objectives/embedding";
import { Lbfgs, type Solver } from "@curvature/optim-core";
import {
  attractiveGraph,
  fixedPointDirection,
  gradientDirection,
  PartialHessian,
  spectralDirection,
  spectralLbfgs,
  spectralSolve,
} from "@curvature/optim-spectral";
import { chartSvg, type Panel } from "../../chart.ts";
import { machine } from "../../machine.ts";
import { mnist } from "./sets.ts";

const { values } = parseArgs({
  options: {
    mnist: { type: "string", default: "" },
    points: { type: "string", default: "20000" },
    methods: { type: "string", default: "ee,ssne,tsne" },
    seconds: { type: "string", default: "60" },
    seed: { type: "string", default: "0" },
    out: { type: "string" },
  },
});
const [N, limit, seed] = [Number(values.points), Number(values.seconds), Number(values.seed)];

/** E after so many seconds and evaluations. */
interface Moment {
  readonly seconds: number;
  readonly evaluations: number;
  readonly E: number;
}

type Start = (objective: EmbeddingObjective, X: Float64Array) => Solver<unknown>;

/** Neighbours kept in the spectral direction's matrix: its factor stays small. */
const KAPPA = 7;

/** Seconds of each contestant that are not counted: the compiler's. */
const WARM_UP = 2;

const contestants: Readonly<Record<string, Start>> = {
  SD: (E, X) => new PartialHessian(E, X, spectralDirection(attractiveGraph(E.attractiveWeights()), KAPPA)),
  "SD-LBFGS": (E, X) =>
    spectralLbfgs(E, X, spectralSolve(attractiveGraph(E.attractiveWeights()), KAPPA).solve),
  FP: (E, X) => new PartialHessian(E, X, fixedPointDirection(attractiveGraph(E.attractiveWeights()))),
  "GD, growing steps": (E, X) => new PartialHessian(E, X, gradientDirection(), { growth: 2, shrink: 0.5 }),
  "L-BFGS, scaled": (E, X) => new Lbfgs(E, X, { memory: 100 }),
  "L-BFGS, unit first step": (E, X) =>
    new Lbfgs(E, X, { memory: 100, firstStep: "unit", lineSearch: "armijo" }),
};

const models: Readonly<Record<string, (P: Weights) => EmbeddingObjective>> = {
  ee: (P) => elasticEmbedding({ attraction: P, repulsion: "constant" }, { gradient: "fft" }),
  ssne: (P) => symmetricSne(P, { gradient: "fft" }),
  tsne: (P) => tsne(P, { gradient: "fft" }),
};

const cpuSeconds = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};

function curve(start: Start, objective: EmbeddingObjective, X: Float64Array, most: number): Moment[] {
  const begun = cpuSeconds();
  const solver = start(objective, X);
  const moments: Moment[] = [];
  for (;;) {
    const iteration = solver.step();
    if ("then" in iteration) throw new Error("embeddings evaluate at once");
    const seconds = cpuSeconds() - begun;
    const { value: E = Number.NaN, evaluations, gradientEvaluations } = iteration;
    moments.push({ seconds, evaluations: Math.max(evaluations, gradientEvaluations), E });
    if (iteration.outcome !== undefined || seconds > most) return moments;
  }
}

const { points, description } = await mnist(values.mnist, N);
const { conditional } = entropicAffinities(points, { perplexity: 30, neighbors: 90 });
const P = jointAffinities(conditional);
const X0 = new Float64Array(2 * N);
fillNormal(new RandomGenerator(seed), X0);
for (let i = 0; i < X0.length; i++) X0[i] *= 1e-5;

const lines: string[] = [];
const panels: Panel[] = [];
for (const method of values.methods.split(",")) {
  const objective = models[method](P);
  const E0 = objective.evaluate(X0);
  const runs = Object.entries(contestants).map(([name, start]) => {
    curve(start, objective, X0.slice(), WARM_UP);
    const moments = curve(start, objective, X0.slice(), limit);
    process.stderr.write(`${method} ${name}: E ${moments.at(-1)?.E} after ${moments.length} iterations\n`);
    return { name, moments };
  });
  const best = Math.min(...runs.flatMap(({ moments }) => moments.map(({ E }) => E)));
  const within = (moments: readonly Moment[], share: number): Moment | undefined =>
    moments.find(({ E }) => E <= best + share * (E0 - best));
  const fastest = within(runs[0].moments, 0.01)?.seconds;
  for (const { name, moments } of runs) {
    const cell = (share: number): string => {
      const reached = within(moments, share);
      return reached === undefined ? "-" : `${reached.seconds.toFixed(2)} s, ${reached.evaluations}`;
    };
    const seconds = within(moments, 0.01)?.seconds;
    const ratio = seconds === undefined || fastest === undefined ? "-" : (seconds / fastest).toFixed(1);
    lines.push(
      `| ${method} | ${name} | ${cell(0.1)} | ${cell(0.01)} | ${ratio} | ${moments.at(-1)?.E.toFixed(4)} | ${moments.length} |`,
    );
  }
  panels.push({
    title: method,
    xTitle: "seconds (CPU)",
    yTitle: "E",
    series: runs.map(({ name, moments }) => ({
      name,
      points: moments.map(({ seconds, E }) => [seconds, E] as const),
    })),
  });
}

const document = [
  `# Partial-Hessian strategies, figure 4: E against time, N = ${N}`,
  "",
  `MNIST, ${description}; perplexity 30, 90 neighbours; start 1e-5 × normal, seed ${seed}; gradients by interpolation (fft); ` +
    `${limit} s of CPU time for each method, one after the other in one process, after ${WARM_UP} s that are not counted; κ = ${KAPPA} for SD; L-BFGS of 100 pairs. ${machine()}.`,
  "Cells: CPU seconds and evaluations of the gradient to 10 % and 1 % of E₀ − best; their ratio to SD's; the last E.",
  "",
  "| method | solver | to 10 % | to 1 % | ratio to SD | last E | iterations |",
  "|---|---|---|---|---|---|---|",
  ...lines,
  "",
  "![E against seconds](figure-4.svg)",
  "",
].join("\n");
process.stdout.write(document);
const folder = values.out ?? fileURLToPath(new URL("../../../../../docs/results/spectral", import.meta.url));
mkdirSync(folder, { recursive: true });
writeFileSync(`${folder}/figure-4.md`, document);
writeFileSync(`${folder}/figure-4.svg`, chartSvg(`Figure 4, N = ${N}`, panels));
