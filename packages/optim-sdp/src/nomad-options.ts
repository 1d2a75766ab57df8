/**
 * What a user can ask of `nomad`: one flat object, its frozen defaults, and the rules that guard them.
 */
import {
  anything,
  badOption,
  callback,
  checkOptions,
  either,
  flag,
  integerFrom,
  nonNegative,
  oneOf,
  optional,
  positive,
  type Option,
  option,
  type Rules,
} from "@curvature/linalg";
import type { RunOptions } from "@curvature/optim-core";
import { defaultMemoryLimit } from "./memory.js";

/**
 * Burer-Monteiro and ADMM together (`auto`), the paper's conditional gradients inside the method of multipliers (`cg`), the
 * ADMM alone (`admm`), Burer-Monteiro alone (`bm`).
 */
export type NomadSolver = "auto" | "cg" | "admm" | "bm";

/** What every solver says about an iteration, in the data's unit. */
export interface NomadDetails {
  /** (upper − lower)/|upper|, certified; Infinity before there is an upper bound. */
  readonly gap: number;
  /** Tr(D Q) of the best feasible Q so far. */
  readonly lower: number;
  /** No feasible Q has more; Infinity before there is a bound. */
  readonly upper: number;
  /** The layer that is being solved, from 1; again from 1 where automatic layers start anew. */
  readonly layer: number;
  /** Its K. */
  readonly clusters: number;
  /** Of the solver's own point, before the repair that makes it feasible; undefined where it does not know it. */
  readonly rank: number | undefined;
}

export interface NomadOptions {
  /**
   * K, from 1 to the number of points; need not be whole. Required, unless `layers` are given. With `layers` it is the K of the last
   * layer.
   */
  readonly clusters?: number;
  /** What is given: points, one per row; a Gram (kernel) matrix; or distances. Default "points". */
  readonly input?: "points" | "gram" | "distances";
  /**
   * Whether points are divided by the largest norm of a row before centring, "norm", or not, "none". Value and bounds are in
   * that unit. Default "norm".
   */
  readonly scale?: "norm" | "none";
  /** Default "auto". */
  readonly solver?: NomadSolver;
  /** Certified relative gap at which a layer has converged; 0 never. Default 1e-3. */
  readonly tolerance?: number;
  /**
   * The K of each layer, none larger than the one before it: layer l has the solution of layer l − 1 as its Gram matrix. "auto"
   * chooses them. Default one layer, of `clusters`.
   */
  readonly layers?: "auto" | readonly number[] | undefined;
  /**
   * Whether there is to be an upper bound, which takes n × n arrays. "auto": not for more than 3000 points with K > 64, and not beyond
   * `memoryLimit`; a warning then says what it would take. Concerns "auto" and "bm" only; the latter's, from its own multipliers, is loose. Default "auto".
   */
  readonly certify?: boolean | "auto";
  /** Default 0. */
  readonly seed?: number;
  /** Of all layers together. Default 100,000. */
  readonly maxIterations?: number;
  /** Time limit of the optimisation; what is read from its answer takes its own, see `phases.geometry`. Default none. */
  readonly maxSeconds?: number;
  /** Bytes that the arrays of a solver may take. Default 4 GiB. */
  readonly memoryLimit?: number;
  readonly signal?: RunOptions<NomadDetails>["signal"];
  readonly onIteration?: RunOptions<NomadDetails>["onIteration"];
  /** Milliseconds after which the event loop gets its turn. Default 16. */
  readonly yieldEvery?: RunOptions["yieldEvery"];
  readonly checkpoint?: RunOptions["checkpoint"];
  /**
   * A checkpoint of a run with the same data and options, to go on from: to the end of the uninterrupted run, bit for
   * bit. The limits may be others, and so may the tolerance: a run that has converged goes on to a smaller one.
   */
  readonly resume?: RunOptions["resume"];
  /** Whether to keep the iterations in the result, or how many of the last ones. Default false. */
  readonly history?: RunOptions["history"];
}

type Fixed =
  | "input"
  | "scale"
  | "solver"
  | "tolerance"
  | "certify"
  | "seed"
  | "maxIterations"
  | "memoryLimit";

type Given = { readonly [K in Fixed]: NonNullable<NomadOptions[K]> } & {
  readonly [K in Exclude<keyof NomadOptions, Fixed>]: NomadOptions[K] | undefined;
};

/** The options as used. */
export type NomadSettings = Pick<Given, Fixed> & {
  /** K of the last layer; undefined where automatic layers are to find it. */
  readonly clusters: number | undefined;
  readonly layers: "auto" | readonly number[];
  readonly maxSeconds: number;
};

export const nomadDefaults: Given = Object.freeze({
  clusters: undefined,
  input: "points",
  scale: "norm",
  solver: "auto",
  tolerance: 1e-3,
  layers: undefined,
  certify: "auto",
  seed: 0,
  maxIterations: 100_000,
  maxSeconds: undefined,
  memoryLimit: defaultMemoryLimit,
  signal: undefined,
  onIteration: undefined,
  yieldEvery: undefined,
  checkpoint: undefined,
  resume: undefined,
  history: undefined,
});

const rules: Rules<Given> = {
  clusters: optional(positive),
  input: oneOf("points", "gram", "distances"),
  scale: oneOf("norm", "none"),
  solver: oneOf("auto", "cg", "admm", "bm"),
  tolerance: nonNegative,
  layers: optional(either(oneOf("auto"), listOfNumbers())),
  certify: either(flag, oneOf("auto")),
  seed: integerFrom(0),
  maxIterations: integerFrom(1),
  maxSeconds: optional(nonNegative),
  memoryLimit: positive,
  signal: anything,
  onIteration: optional(callback),
  yieldEvery: anything,
  checkpoint: anything,
  resume: anything,
  history: anything,
};

function listOfNumbers(): Option<readonly number[]> {
  return option(
    "a list of at least one number of clusters, none larger than the one before it",
    (value): value is readonly number[] =>
      Array.isArray(value) &&
      value.length > 0 &&
      value.every((K) => typeof K === "number" && Number.isFinite(K)) &&
      value.every((K, l) => l === 0 || K <= value[l - 1]),
    [[], [1, 2], [Number.NaN], 3],
  );
}

/**
 * The options as used.
 *
 * @throws CurvatureError ERR_OPTION
 */
export function nomadSettings(options: NomadOptions | undefined): NomadSettings {
  const given = checkOptions<Given>("nomad", options, nomadDefaults, rules);
  const { input, scale, solver, tolerance, certify, seed, maxIterations, memoryLimit, clusters, layers } =
    given;
  if (clusters === undefined && layers === undefined)
    throw badOption("nomad", "clusters", "a number from 1 to the number of points", clusters);
  if (typeof layers === "object" && clusters !== undefined && !agrees(clusters, layers))
    throw badOption(
      "nomad",
      "clusters",
      `the first or the last of the layers, ${layers.join(", ")}`,
      clusters,
    );
  const list = layers ?? (clusters === undefined ? "auto" : [clusters]);
  return {
    ...{ input, scale, solver, tolerance, certify, seed, maxIterations, memoryLimit },
    clusters: typeof list === "object" ? list[list.length - 1] : clusters,
    layers: list,
    maxSeconds: given.maxSeconds ?? Number.POSITIVE_INFINITY,
  };
}

/** Whether K is what the layers begin or end with: both are ways to say how many clusters there are. */
const agrees = (clusters: number, layers: readonly number[]): boolean =>
  clusters === layers[0] || clusters === layers[layers.length - 1];
