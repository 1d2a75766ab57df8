/**
 * What figures 1 to 3 of the partial-Hessian paper share: the small set, its objectives, and the contestants, run in turns.
 *
 * Set          turning objects (`data/turning-objects.ts`) in place of ten objects of COIL-20, 72 poses each
 * Affinities   entropic of all pairs, perplexity 20; EE's repulsion is the squared distances, λ = 100; s-SNE at λ = 1
 * Contestants  SD of all neighbours (κ = N), SD−, SD-LBFGS (ours), DiagH, FP, gradient descent whose steps only shrink from 1
 *              (the paper's), nonlinear CG and L-BFGS of 100 pairs, both with Wolfe searches
 */
import { fillNormal, RandomGenerator } from "@curvature/linalg";
import {
  distanceWeights,
  type EmbeddingObjective,
  elasticEmbedding,
  entropicAffinities,
  jointAffinities,
  symmetricSne,
  tsne,
} from "@curvature/objectives/embedding";
import { ConjugateGradient, Lbfgs, type Solver } from "@curvature/optim-core";
import {
  attractiveGraph,
  diagonalHessianDirection,
  fixedPointDirection,
  gradientDirection,
  PartialHessian,
  spectralDirection,
  spectralLbfgs,
  spectralMinusDirection,
  spectralSolve,
} from "@curvature/optim-spectral";
import { turningObjects } from "../../data/turning-objects.ts";
import { cpuSeconds } from "../../processor.ts";

export const POSES = 72;
export const PERPLEXITY = 20;

export interface SmallSet {
  readonly N: number;
  readonly labels: Uint32Array;
  /** By name: "EE", "s-SNE", "t-SNE". */
  readonly objectives: Readonly<Record<string, EmbeddingObjective>>;
}

export function smallSet(objects: number, poses = POSES): SmallSet {
  const { points, labels } = turningObjects({ objects, poses });
  const P = jointAffinities(
    entropicAffinities(points, { perplexity: PERPLEXITY, neighbors: "all" }).conditional,
  );
  const objectives = {
    EE: elasticEmbedding({ attraction: P, repulsion: distanceWeights(points) }, { lambda: 100 }),
    "s-SNE": symmetricSne(P),
    "t-SNE": tsne(P),
  };
  return { N: points.rows, labels, objectives };
}

export const describeSet = (objects: number, poses = POSES): string =>
  `${objects} drawn objects of ${poses} poses, ${objects * poses} images of 24 × 24 pixels, seed 0, in place of ten objects of COIL-20 (128 × 128 pixels, 720 images)`;

export type Start = (objective: EmbeddingObjective, X: Float64Array) => Solver<unknown>;

const graphOf = (E: EmbeddingObjective): ReturnType<typeof attractiveGraph> =>
  attractiveGraph(E.attractiveWeights());

export const contestants: Readonly<Record<string, Start>> = {
  SD: (E, X) => new PartialHessian(E, X, spectralDirection(graphOf(E), "all")),
  "SD-LBFGS (ours)": (E, X) => spectralLbfgs(E, X, spectralSolve(graphOf(E), "all").solve),
  "SD−": (E, X) => new PartialHessian(E, X, spectralMinusDirection(graphOf(E))),
  "L-BFGS": (E, X) => new Lbfgs(E, X, { memory: 100 }),
  CG: (E, X) => new ConjugateGradient(E, X),
  FP: (E, X) => new PartialHessian(E, X, fixedPointDirection(graphOf(E))),
  DiagH: (E, X) => new PartialHessian(E, X, diagonalHessianDirection(graphOf(E))),
  GD: (E, X) => new PartialHessian(E, X, gradientDirection()),
};

/** E after so many iterations, seconds and evaluations. */
export interface Moment {
  readonly iterations: number;
  readonly seconds: number;
  readonly evaluations: number;
  readonly E: number;
}

export interface Race {
  readonly name: string;
  /** From the start on. */
  readonly moments: readonly Moment[];
  /** Why it ended before the time was up. */
  readonly outcome: string | undefined;
  readonly x: Float64Array;
}

/** Seconds of a contestant's turn. */
const TURN = 0.02;

/** All contestants from X0 in turns, each until it ends or has had its seconds; the making of factors is in them. */
export function race(
  objective: EmbeddingObjective,
  X0: Float64Array,
  limit: number,
  names: readonly string[] = Object.keys(contestants),
): Race[] {
  const E0 = objective.evaluate(X0);
  const runners = names.map((name) => {
    const begun = cpuSeconds();
    const solver = contestants[name](objective, X0.slice());
    const moments: Moment[] = [{ iterations: 0, seconds: 0, evaluations: 0, E: E0 }];
    return { name, solver, moments, seconds: cpuSeconds() - begun, outcome: undefined as string | undefined };
  });
  for (;;) {
    const running = runners.filter(({ seconds, outcome }) => outcome === undefined && seconds < limit);
    if (running.length === 0) break;
    for (const runner of running) {
      const [before, begun] = [runner.seconds, cpuSeconds()];
      do {
        const iteration = runner.solver.step();
        if ("then" in iteration) throw new Error("embeddings evaluate at once");
        runner.seconds = before + cpuSeconds() - begun;
        const { index, value: E = Number.NaN, evaluations, gradientEvaluations } = iteration;
        const { seconds } = runner;
        const all = Math.max(evaluations, gradientEvaluations);
        runner.moments.push({ iterations: index, seconds, evaluations: all, E });
        runner.outcome = iteration.outcome?.status;
      } while (runner.outcome === undefined && runner.seconds - before < TURN);
    }
  }
  return runners.map(({ name, moments, outcome, solver }) => ({ name, moments, outcome, x: solver.best.x }));
}

/** σ N(0, 1), N × 2. */
export function noiseOf(N: number, deviation: number, seed: number): Float64Array {
  const X = new Float64Array(2 * N);
  fillNormal(new RandomGenerator(seed), X);
  return X.map((x) => deviation * x);
}

export const METHOD =
  "Contestants take turns of 0.02 s of processor time in one process, after a race that is not counted; the factor of SD is in its time, neighbours and affinities, which all share, are not. SD: κ = N; SD−: linear CG to 0.1, at most 50 steps; L-BFGS: 100 pairs, strong Wolfe search, first step scaled by 1/‖g‖₁; CG: Polak-Ribière+, strong Wolfe search; GD, FP, DiagH, SD, SD−: backtracking from the step before.";

/** Of lines: at most some 120 points, evenly by place in the list, the last among them. */
export function thinned<T>(list: readonly T[]): T[] {
  const step = Math.max(1, Math.ceil(list.length / 120));
  return list.filter((_, k) => k % step === 0 || k === list.length - 1);
}
