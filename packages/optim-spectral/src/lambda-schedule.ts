/**
 * How λ grows from a first, easy value to the target over a budget of T evaluations.
 *
 *   λ(n) = λ_T φ^{s(n)},   s = 1 for n < n_0;   (1 − u)^q, u = (n − n_0)/(n_1 − n_0), for n_0 ≤ n < n_1;   0 after
 *
 * and, for t-SNE alone, a weak penalty r(n)/(2N) ‖X‖² on the map's size, which falls when λ has reached its target:
 * without it L-BFGS runs along the nearly flat direction of size.
 *
 * | model       | φ     | n_0 | n_1        | q   | r                     |
 * |-------------|-------|-----|------------|-----|-----------------------|
 * | t-SNE       | 1/12  | 5   | 0.75 T     | 1.5 | 1e-4, 4e-6 from n_1   |
 * | s-SNE, SNE  | 0.08  | 3   | 3 + 0.6 T  | 1   | 0                     |
 * | EE, t-EE    | 0.01  | 3   | 3 + 0.6 T  | 1   | 0                     |
 *
 * The numbers are measured ones of our own; φ and the last r are options of the solver. A first λ of 1/12 is what
 * t-SNE's users know as an early exaggeration of 12.
 */
import { exp, log } from "@curvature/linalg";
import type { EmbeddingObjective } from "@curvature/objectives/embedding";

interface Shape {
  /** φ */
  readonly first: number;
  /** n_0 */
  readonly hold: number;
  /** q */
  readonly exponent: 1 | 1.5;
  /** n_1 */
  readonly end: (T: number) => number;
  /** r before and from n_1 */
  readonly penalty: readonly [number, number];
}

const studentNormalized: Shape = {
  first: 1 / 12,
  hold: 5,
  exponent: 1.5,
  end: (T) => 0.75 * T,
  penalty: [1e-4, 4e-6],
};
const gaussianNormalized: Shape = {
  first: 0.08,
  hold: 3,
  exponent: 1,
  end: (T) => 3 + 0.6 * T,
  penalty: [0, 0],
};
const unnormalized: Shape = { ...gaussianNormalized, first: 0.01 };

export class LambdaSchedule {
  readonly target: number;
  /** φ */
  readonly first: number;
  /** r from n_1 on */
  readonly lastPenalty: number;
  private readonly shape: Shape;
  private readonly hold: number;
  private readonly end: number;

  /**
   * @param T - evaluations in all
   * @param first - φ, if not the model's
   * @param lastPenalty - r from n_1 on, if not the model's
   */
  constructor(
    objective: Pick<EmbeddingObjective, "name" | "isDivergence" | "lambda">,
    T: number,
    first?: number,
    lastPenalty?: number,
  ) {
    if (objective.name === "tsne") this.shape = studentNormalized;
    else this.shape = objective.isDivergence ? gaussianNormalized : unnormalized;
    this.target = objective.lambda;
    this.first = first ?? this.shape.first;
    this.lastPenalty = lastPenalty ?? this.shape.penalty[1];
    this.end = Math.min(this.shape.end(T), 0.9 * T);
    this.hold = Math.min(this.shape.hold, 0.5 * this.end);
  }

  /** n_1: from here on λ is the target. */
  get length(): number {
    return Math.ceil(this.end);
  }

  /** λ(n) */
  lambda(n: number): number {
    const { first } = this;
    const { exponent } = this.shape;
    if (n >= this.end) return this.target;
    if (n < this.hold) return this.target * first;
    const left = 1 - (n - this.hold) / (this.end - this.hold);
    const s = exponent === 1 ? left : left * Math.sqrt(left);
    return this.target * exp(s * log(first));
  }

  /** r(n) */
  penalty(n: number): number {
    return n < this.end ? this.shape.penalty[0] : this.lastPenalty;
  }
}
