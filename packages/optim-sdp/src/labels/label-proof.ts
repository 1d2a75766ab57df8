/**
 * NOMAD's relaxation, and then the bound of the labels' cost that is tighter than its own.
 *
 *   1 the layers, to their end
 *   2 where the gap of the labels' cost is above the tolerance: `branch-and-bound.ts`, its first node alone or to the end
 *
 * A snapshot is that of the layers: who resumes begins 2 anew, and comes to the same end, its iterations counted once. To go on in the
 * middle of 2 bit for bit a snapshot would hold S, Z and the basis of the projection, 3 n² numbers (9 MB for 600 points, at every
 * checkpoint), and as much for each open node of a proof.
 */

import type { Iteration, Outcome, Point, Snapshot, Solver } from "@curvature/optim-core";
import { clustersOf } from "../geometry/clusters.js";
import type { Layers } from "../layers.js";
import type { NomadDetails } from "../nomad-options.js";
import { atOnce } from "../steps.js";
import { BranchAndBound } from "./branch-and-bound.js";
import { morePatience } from "./cost.js";
import type { LabelSearch } from "./label-search.js";

export interface ProofOptions {
  /** Of the labels' cost. */
  readonly tolerance: number;
  readonly seed: number;
  readonly clusters: number | undefined;
  /** Whether to go on until the labels are proved best. */
  readonly branches: boolean;
  /** Of the bound, at the most. */
  readonly maxSteps: number;
}

export class LabelProof implements Solver<NomadDetails> {
  readonly name: string;
  readonly dimension: number;
  readonly fingerprint: string;
  readonly options: { readonly tolerance: number };
  private proof: BranchAndBound | undefined;
  /** The last one of the layers. */
  private relaxed: Iteration<NomadDetails> | undefined;
  private outcome: Outcome | undefined;

  constructor(
    private readonly layers: Layers,
    private readonly search: LabelSearch,
    private readonly settings: ProofOptions,
  ) {
    const { name, dimension, fingerprint, options } = layers;
    this.name = name;
    this.dimension = dimension;
    this.fingerprint = fingerprint;
    this.options = options;
  }

  get best(): Point {
    return this.layers.best;
  }

  get last(): Point {
    return this.layers.last;
  }

  /** Whether no clustering is cheaper. */
  get isProved(): boolean {
    return this.proof?.isProved === true;
  }

  step(): Iteration<NomadDetails> {
    const { proof, relaxed } = this;
    if (relaxed === undefined || proof === undefined) return this.relax();
    if (this.outcome === undefined) {
      proof.step();
      this.search.takeProof(proof);
    }
    const { costGap } = this.search.certificate(this.layers.trace, relaxed.details.upper);
    this.outcome ??= this.ending(proof, costGap);
    const steps = proof.steps + proof.nodes;
    return {
      ...relaxed,
      index: relaxed.index + steps,
      passes: relaxed.passes + steps,
      phase: "proof",
      details: { ...relaxed.details, costGap },
      outcome: this.outcome,
    };
  }

  private relax(): Iteration<NomadDetails> {
    const { layers, search, settings } = this;
    const relaxed = layers.step();
    const status = relaxed.outcome?.status;
    if (status !== "converged" && status !== "stalled") return relaxed;
    search.offerRounding(
      atOnce(clustersOf(layers.solved().solution, settings.clusters ?? 1, settings.seed)).labels,
    );
    const { costGap } = search.certificate(layers.trace, relaxed.details.upper);
    if (costGap === 0 || (costGap <= settings.tolerance && !settings.branches)) return relaxed;
    this.relaxed = relaxed;
    const { points, labels, ...links } = search.distinctPoints();
    this.proof = new BranchAndBound(points, search.k, labels, { branches: settings.branches, ...links });
    return { ...relaxed, outcome: undefined };
  }

  private ending(proof: BranchAndBound, costGap: number): Outcome | undefined {
    const { tolerance, branches, maxSteps } = this.settings;
    if (proof.isProved || (costGap <= tolerance && !branches))
      return { status: "converged", message: "The labels are proved." };
    if (!proof.settled && proof.steps >= maxSteps)
      return {
        status: "stalled",
        message: `The bound with triangle inequalities was given ${proof.steps} steps, some seconds; ${morePatience()}`,
      };
    if (!proof.settled) return undefined;
    return {
      status: "stalled",
      message: `The bound with triangle inequalities has come to a stand after ${proof.steps} steps.`,
    };
  }

  save(): Snapshot {
    return this.layers.save();
  }

  restore(snapshot: Snapshot): void {
    this.layers.restore(snapshot);
    this.proof = undefined;
    this.relaxed = undefined;
    this.outcome = undefined;
  }
}
