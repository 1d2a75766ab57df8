/** A sum of squares, F = Σ r_i². */
export interface SquaresProblem {
  readonly n: number;
  readonly m: number;
  readonly x0: readonly number[];
  readonly x1?: readonly number[];
  /** The least F, or the values of its local minima. */
  readonly fmin: number | readonly number[];
  /** Residuals, and their derivatives row by row. */
  residuals(x: ArrayLike<number>, r: Float64Array, J?: Float64Array): void;
}
export const problems: Readonly<Record<string, SquaresProblem>>;
