/**
 * A loss of one comparison "i and j are nearer to each other than l and k are": l(d₁, d₂) of the squared distances
 * d₁ = ‖xᵢ − xⱼ‖² and d₂ = ‖x_l − x_k‖². Its two partial derivatives are all that a gradient needs.
 */
export type OrdinalLossName = "gnmds" | "ckl" | "ste" | "tste" | "soe" | "logistic" | "smooth-hinge";

export interface OrdinalLoss {
  readonly name: OrdinalLossName | "custom";
  /** Names the loss and its parameters in fingerprints and reports: "ste", "ckl, mu 0.05" … */
  readonly description: string;
  /** l(d₁, d₂). */
  value(d1: number, d2: number): number;
  /** l(d₁, d₂), and a = ∂l/∂d₁ ≥ 0, c = ∂l/∂d₂ ≤ 0 into `coefficients[0]` and `coefficients[1]`. */
  evaluate(d1: number, d2: number, coefficients: Float64Array): number;
  /** l of the first `count` pairs of distances into `out`. */
  values(count: number, d1: Float64Array, d2: Float64Array, out: Float64Array): void;
  /** a and c of the first `count` pairs of distances, without their values: for solvers that need no more. */
  slopes(count: number, d1: Float64Array, d2: Float64Array, a: Float64Array, c: Float64Array): void;
  /** Both at once, with the same bits: exponentials and logarithms that they share are taken once. */
  valuesAndSlopes(
    count: number,
    d1: Float64Array,
    d2: Float64Array,
    out: Float64Array,
    a: Float64Array,
    c: Float64Array,
  ): void;
}

/** What a loss is written as: whole arrays at a time, so that each loss has its own compiled loop. */
type OrdinalLossKernels = Pick<OrdinalLoss, "name" | "description" | "values" | "slopes"> &
  Partial<Pick<OrdinalLoss, "valuesAndSlopes">>;

/** The loss with its forms for a single comparison. */
export function lossFrom(kernels: OrdinalLossKernels): OrdinalLoss {
  const [d1s, d2s, out, a, c] = Array.from({ length: 5 }, () => new Float64Array(1));
  const value = (d1: number, d2: number): number => {
    d1s[0] = d1;
    d2s[0] = d2;
    kernels.values(1, d1s, d2s, out);
    return out[0];
  };
  return {
    valuesAndSlopes(count, d1, d2, out, a, c) {
      kernels.values(count, d1, d2, out);
      kernels.slopes(count, d1, d2, a, c);
    },
    ...kernels,
    value,
    evaluate(d1, d2, coefficients) {
      const l = value(d1, d2);
      kernels.slopes(1, d1s, d2s, a, c);
      coefficients[0] = a[0];
      coefficients[1] = c[0];
      return l;
    },
  };
}
