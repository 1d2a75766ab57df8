/** The best rigorous upper bound so far, with the S that proves it; one candidate at a time is computed in parts. */
import { type DenseMatrix, type TridiagonalizationState, zeros } from "@curvature/linalg";
import type { SnapshotReader, SnapshotValue } from "@curvature/optim-core";
import { UpperComputation, upperBounds } from "../../bounds/upper.js";
import type { NomadProblem } from "../../problem.js";
import type { DualIteration } from "./dual-iteration.js";

/** Operations in one part: some 50 ms. */
const PART = 1e8;

const none = new Float32Array(0);

export class UpperCertificate {
  upper = Number.POSITIVE_INFINITY;
  /** S of `upper` in units of `unit`, n × n; empty before there is one. */
  private S: Float32Array = none;
  private unit = 1;
  private computation: UpperComputation | undefined;

  constructor(private readonly problem: NomadProblem) {}

  /** A copy of the S of `upper`. */
  get multiplier(): DenseMatrix | undefined {
    return this.S.length === 0 ? undefined : this.scaled(this.S, this.unit);
  }

  /** Another part of the bound from the present S, or that of the mean. @returns the bound after the last one */
  advance(dual: DualIteration, ofMean: boolean): number | undefined {
    this.computation ??= UpperComputation.begin(
      this.problem,
      this.scaled(dual.multiplier(ofMean), dual.unit),
    );
    if (!this.computation.advance(PART)) return undefined;
    const { fantope } = this.computation.bounds();
    this.computation = undefined;
    this.offer(dual, fantope, ofMean);
    return fantope;
  }

  /** The bound from the present S, all at once. */
  bound(dual: DualIteration): void {
    this.offer(dual, upperBounds(this.problem, this.scaled(dual.multiplier(), dual.unit)).fantope, false);
  }

  private offer(dual: DualIteration, bound: number, ofMean: boolean): void {
    if (!(bound < this.upper)) return;
    this.upper = bound;
    this.S = dual.multiplier(ofMean);
    this.unit = dual.unit;
  }

  private scaled(S: Float32Array, unit: number): DenseMatrix {
    const { n } = this.problem.gram;
    const scaled = zeros(n, n);
    for (let k = 0; k < S.length; k++) scaled.data[k] = unit * S[k];
    return scaled;
  }

  save(): { readonly [key: string]: SnapshotValue } {
    const { upper, S, unit, computation } = this;
    const { constant, size, reduction } = computation?.save() ?? {
      constant: 0,
      size: 0,
      reduction: undefined,
    };
    return {
      ...{ upper, unit, constant, size },
      S: S.slice(),
      reduction: reduction === undefined ? null : { ...reduction },
    };
  }

  /** Reads all fields, and gives back what takes them. @throws CurvatureError ERR_SNAPSHOT */
  read(state: SnapshotReader): () => void {
    const { n } = this.problem.gram;
    const [upper, unit, constant, size] = ["upper", "unit", "constant", "size"].map((key) =>
      state.number(key),
    );
    const S = state.float32("S");
    state.float32("S", S.length === 0 ? 0 : n * n);
    const computation = state.has("reduction")
      ? UpperComputation.from(this.problem, {
          constant,
          size,
          reduction: reductionIn(state.object("reduction"), n - 1),
        })
      : undefined;
    return () => {
      this.upper = upper;
      this.unit = unit;
      this.S = S.slice();
      this.computation = computation;
    };
  }
}

function reductionIn(state: SnapshotReader, m: number): TridiagonalizationState {
  return {
    A: state.float64("A", m * m),
    d: state.float64("d", m),
    e: state.float64("e", m),
    size: state.number("size"),
    remaining: state.integer("remaining", 0, m),
  };
}
