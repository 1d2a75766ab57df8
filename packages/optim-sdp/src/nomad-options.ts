/**
 * The options of `nomad`, and what its iterations say.
 */
import {
  badOption,
  either,
  finite,
  flag,
  integerFrom,
  integerOrInfinity,
  nonNegative,
  type Option,
  type OptionsOf,
  oneOf,
  option,
  optionTable,
  positive,
  type SettingsOf,
} from "@curvature/linalg";
import { facadeEntries } from "@curvature/optim-core";
import { gramMatrixOptions } from "./gram-options.js";

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
  /** Of the labels, where `clusterPoints` bounds their cost by itself. */
  readonly costGap?: number;
}

const layerList: Option<readonly number[]> = option(
  "a list of at least one number of clusters, none larger than the one before it",
  (value): value is readonly number[] =>
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((K) => typeof K === "number" && Number.isFinite(K)) &&
    value.every((K, l) => l === 0 || K <= value[l - 1]),
  (text) => text.split(",").map((K) => finite.read(K.trim())),
);

export const nomadOptions = optionTable({
  /**
   * K, from 1 to the number of points; need not be whole. Required, unless `layers` are given. With `layers` it is the K of the last
   * layer.
   */
  clusters: positive,
  /** What is given: points, one per row; a Gram (kernel) matrix; or distances. */
  input: oneOf("points", "gram", "distances").default("points"),
  ...gramMatrixOptions.entries,
  /**
   * Burer-Monteiro and a dual iteration together ("auto"), the paper's conditional gradients inside the method of multipliers ("cg"),
   * the ADMM alone ("admm"), Burer-Monteiro alone ("bm").
   */
  solver: oneOf("auto", "cg", "admm", "bm").default("auto"),
  /** Certified relative gap at which a layer has converged; 0 never. */
  tolerance: nonNegative.default(1e-3),
  /**
   * The K of each layer, none larger than the one before it: layer l has the solution of layer l − 1 as its Gram matrix. "auto"
   * chooses them. Left out: one layer, of `clusters`.
   */
  layers: either(oneOf("auto"), layerList),
  /**
   * Whether there is to be an upper bound, which takes n × n arrays. "auto": not for more than 3000 points with K > 64, and not beyond
   * `memoryLimit`; a warning then says what it would take. Concerns "auto" and "bm" only; the latter's, from its own multipliers, is loose.
   */
  certify: either(flag, oneOf("auto")).default("auto"),
  seed: integerFrom(0).default(0),
  /** Of all layers together. */
  maxIterations: integerOrInfinity(1).default(100_000),
  // `maxSeconds` limits the optimisation; what is read from its answer takes its own time, see `phases.geometry`. `resume` takes a
  // checkpoint of a run with the same data and options, and goes on to the end of the uninterrupted run, bit for bit. The limits
  // may be others, and so may the tolerance: a run that has converged goes on to a smaller one.
  ...facadeEntries<NomadDetails, "gram" | "geometry">(),
});
export type NomadOptions = OptionsOf<typeof nomadOptions>;
export type NomadSolver = NonNullable<NomadOptions["solver"]>;

/** The options as used; `clusters` is K of the last layer, undefined where automatic layers are to find it. */
export type NomadSettings = SettingsOf<typeof nomadOptions> & { readonly layers: "auto" | readonly number[] };

/** @throws CurvatureError ERR_OPTION */
export function nomadSettings(options: NomadOptions | undefined): NomadSettings {
  const settings = nomadOptions.resolve("nomad", options);
  const { clusters, layers } = settings;
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
    ...settings,
    clusters: typeof list === "object" ? list[list.length - 1] : clusters,
    layers: list,
  };
}

/** Whether K is what the layers begin or end with: both are ways to say how many clusters there are. */
const agrees = (clusters: number, layers: readonly number[]): boolean =>
  clusters === layers[0] || clusters === layers[layers.length - 1];
