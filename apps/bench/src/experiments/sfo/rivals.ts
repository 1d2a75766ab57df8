/** The methods that SFO is compared with, each with the grid that its numbers are sought on. */

export interface Rival {
  readonly name: string;
  /** Solvers by name, with their numbers. */
  readonly grid: readonly string[];
  /** Whether seeds matter. */
  readonly isRandom: boolean;
}

/** Powers of ten from `low` to `high`, `perDecade` of them in each decade. */
function powers(low: number, high: number, perDecade: number): number[] {
  return Array.from({ length: (high - low) * perDecade + 1 }, (_, k) =>
    Number((10 ** (low + k / perDecade)).toPrecision(3)),
  );
}

export const rivals: readonly Rival[] = [
  {
    name: "SGD + momentum",
    grid: powers(-5, 2, 1).flatMap((step) => [0.5, 0.9, 0.95, 0.99].map((m) => `momentum:${step}:${m}`)),
    isRandom: true,
  },
  { name: "AdaGrad", grid: powers(-3, 1, 2).map((step) => `adagrad:${step}`), isRandom: true },
  { name: "Adam", grid: powers(-4, 0, 2).map((step) => `adam:${step}`), isRandom: true },
  { name: "SAG", grid: powers(-3, 6, 2).map((L) => `sag:${L}`), isRandom: true },
  { name: "L-BFGS", grid: ["lbfgs"], isRandom: false },
  {
    name: "minibatch L-BFGS",
    grid: [5, 10].flatMap((batches) => [3, 10].map((k) => `minibatch-lbfgs:${batches}:${k}`)),
    isRandom: true,
  },
  {
    name: "Hessian-free",
    grid: powers(-2, 2, 1).map((damping) => `hessian-free:${damping}`),
    isRandom: false,
  },
];

/** Two of every grid, for a first look. */
export const quickRivals: readonly Rival[] = rivals.map(({ name, grid, isRandom }) => ({
  name,
  grid: [...new Set([grid[grid.length >> 1], grid[grid.length >> 2]])],
  isRandom,
}));
