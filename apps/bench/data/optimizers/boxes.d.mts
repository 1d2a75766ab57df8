export interface BoxProblem {
  readonly x0: readonly number[];
  readonly l: readonly number[];
  readonly u: readonly number[];
  f(x: Float64Array, gradient?: Float64Array): number;
}
export const problems: Readonly<Record<string, BoxProblem>>;
