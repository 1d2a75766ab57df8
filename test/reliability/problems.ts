/** Small problems of every kind, the same whenever they are asked for, and every solver on one of them. */
import { RandomGenerator } from "@curvature/linalg";
import {
  affinitiesOfDistances,
  entropicAffinities,
  jointAffinities,
  tsne,
} from "@curvature/objectives/embedding";
import { type LinearLossName, type LinearProblem, linearLoss } from "@curvature/objectives/linear";
import { ordinalObjective } from "@curvature/objectives/ordinal";
import {
  Adagrad,
  Adam,
  ConjugateGradient,
  driveSum,
  GradientDescent,
  HessianFree,
  Lbfgs,
  Lbfgsb,
  MinibatchLbfgs,
  Momentum,
  type Objective,
  type ResidualBlocks,
  Sag,
  type Solver,
  SparseSgd,
  type SumOfFunctions,
  sgd,
} from "@curvature/optim-core";
import {
  Admm,
  BurerMonteiro,
  ConditionalGradient,
  gramOfPoints,
  Multipliers,
  type NomadProblem,
  PrimalDual,
} from "@curvature/optim-sdp";
import { Sfo } from "@curvature/optim-sfo";
import {
  createStochasticSolver,
  DualCoordinateDescent,
  LinearLbfgs,
  type MulticlassProblem,
  Newton,
  oneVersusRestSolver,
  StagedLinearSolver,
  stochasticSolverNames,
} from "@curvature/optim-sgdqn";
import {
  attractiveGraph,
  diagonalHessianDirection,
  fixedPointDirection,
  gradientDirection,
  Homotopy,
  HomotopyLbfgs,
  PartialHessian,
  spectralDirection,
  spectralMinusDirection,
} from "@curvature/optim-spectral";
import {
  createOrdinalSolver,
  GramDescent,
  modularSvrg,
  ordinalSolverNames,
  Svrg,
} from "@curvature/optim-svrg";

/** Numbers from −1 to 1. */
export function noise(count: number, seed: number): Float64Array {
  const random = new RandomGenerator(seed);
  return Float64Array.from({ length: count }, () => 2 * random.uniform() - 1);
}

/** `count` points of three groups. */
export function points(count: number, columns = 3): number[][] {
  const values = noise(count * columns, 7);
  return Array.from({ length: count }, (_, i) =>
    Array.from({ length: columns }, (_, j) => 4 * Number(j === i % 3) + values[i * columns + j]),
  );
}

export const bowl: Objective & { fingerprint: string } = {
  dimension: 3,
  fingerprint: "bowl",
  evaluate(x, gradient) {
    let value = 0;
    for (let i = 0; i < 3; i++) {
      const r = x[i] - i;
      value += (0.5 + i) * r * r + 0.1 * r * r * r * r;
      if (gradient !== undefined) gradient[i] = (1 + 2 * i) * r + 0.4 * r * r * r;
    }
    return value;
  },
  hessianVector(x, v, out) {
    for (let i = 0; i < 3; i++) out[i] = (1 + 2 * i + 1.2 * (x[i] - i) * (x[i] - i)) * v[i];
  },
  gaussNewtonVector(x, v, out) {
    for (let i = 0; i < 3; i++) out[i] = (1 + 2 * i + 1.2 * (x[i] - i) * (x[i] - i)) * v[i];
  },
};

/** Σᵢ ½ (aᵢ·x − bᵢ)² of six terms in three unknowns. */
export const terms: SumOfFunctions & Required<Pick<SumOfFunctions, "evaluateSparse">> = {
  dimension: 3,
  count: 6,
  fingerprint: "terms",
  evaluate(index, x, gradient) {
    const a = index % 3;
    const r = x[a] + 0.5 * x[(a + 1) % 3] - index;
    gradient?.fill(0);
    if (gradient !== undefined) {
      gradient[a] = r;
      gradient[(a + 1) % 3] = 0.5 * r;
    }
    return 0.5 * r * r;
  },
  evaluateSparse(index, x, coordinates, entries) {
    const a = index % 3;
    const r = x[a] + 0.5 * x[(a + 1) % 3] - index;
    coordinates[0] = a;
    coordinates[1] = (a + 1) % 3;
    entries[0] = r;
    entries[1] = 0.5 * r;
    return { value: 0.5 * r * r, touched: 2 };
  },
};

const denseTerms: SumOfFunctions = {
  dimension: terms.dimension,
  count: terms.count,
  fingerprint: "dense terms",
  evaluate: terms.evaluate,
};

/** ½‖r_i(x)‖² of six blocks of two residuals in three unknowns. */
export const residualBlocks = (): ResidualBlocks & { initial: Float64Array } => ({
  dimension: 3,
  count: 6,
  initial: start(),
  blockResiduals: (index, x) => [x[index % 3] - index, x[(index + 1) % 3] * x[index % 3] - 1],
});

export const start = (): Float64Array => Float64Array.of(2, -1, 0.5);

export const affinities = () =>
  jointAffinities(entropicAffinities(points(12), { perplexity: 3 }).conditional);
export const distancesOf = (given: readonly (readonly number[])[]): number[][] =>
  given.map((a) => given.map((b) => Math.sqrt(a.reduce((sum, x, k) => sum + (x - b[k]) * (x - b[k]), 0))));
export const affinitiesFromDistances = () =>
  affinitiesOfDistances(
    { rows: 12, columns: 12, data: Float64Array.from(distancesOf(points(12)).flat()) },
    3,
  );

export const mapStart = () => ({ rows: 12, columns: 2, data: noise(24, 3) });

/** i, j and the farther k of 20 questions about six objects. */
const quadruplets = Array.from({ length: 20 }, (_, k) => {
  const i = k % 6;
  return [i, (i + 1) % 6, i, (i + 2 + (k % 3)) % 6];
});
export const answers = { objects: 6, quadruplets: Int32Array.from(quadruplets.flat()) };

export const denseRows = (n = 12, d = 3) => ({
  rows: n,
  columns: d,
  data: Float64Array.from(points(n, d).flat()),
});

export function linearProblem(loss: LinearLossName = "squared-hinge"): LinearProblem {
  const rows = denseRows();
  return {
    rows,
    targets: Float64Array.from({ length: rows.rows }, (_, i) => (i % 3 === 0 ? 1 : -1)),
    loss: linearLoss(loss),
    lambda: 0.01,
    bias: "regularized",
  };
}

export const classLabels = (n = 12): string[] => Array.from({ length: n }, (_, i) => "abc"[i % 3]);

export const nomadProblem = (): NomadProblem => ({ gram: gramOfPoints(points(9)), clusters: 3 });

const embeddingSolver = (direction: "gd" | "fp" | "diag" | "sd" | "sdm") => (): Solver => {
  const P = affinities();
  const graph = attractiveGraph(P);
  const directions = {
    gd: gradientDirection,
    fp: () => fixedPointDirection(graph),
    diag: () => diagonalHessianDirection(graph),
    sd: () => spectralDirection(graph),
    sdm: () => spectralMinusDirection(graph),
  };
  return new PartialHessian(tsne(P), mapStart(), directions[direction]());
};

function homotopySolver(): Solver {
  const P = affinities();
  const graph = attractiveGraph(P);
  return new Homotopy(
    tsne(P),
    mapStart(),
    (objective, X) => new PartialHessian(objective, X, spectralDirection(graph)),
  );
}

const multiclass = (): MulticlassProblem => ({
  rows: denseRows(),
  labels: Int32Array.from({ length: 12 }, (_, i) => i % 3),
  classes: 3,
  loss: linearLoss("squared-hinge"),
  lambda: 0.01,
  bias: "regularized",
});

const ordinal = () => ordinalObjective(answers, "ste", 2);

/** Every solver of every package, by its package and name. */
export const solvers: Readonly<Record<string, () => Solver>> = {
  "optim-core/gradient-descent": () => new GradientDescent(bowl, start()),
  "optim-core/conjugate-gradient": () => new ConjugateGradient(bowl, start()),
  "optim-core/lbfgs": () => new Lbfgs(bowl, start()),
  "optim-core/lbfgsb": () =>
    new Lbfgsb(bowl, start(), { lower: new Float64Array(3), upper: new Float64Array(3).fill(3) }),
  "optim-core/hessian-free": () => new HessianFree(bowl, start()),
  "optim-core/adagrad": () => driveSum(new Adagrad(terms, start()), terms),
  "optim-core/adam": () => driveSum(new Adam(terms, start()), terms),
  "optim-core/momentum": () => driveSum(new Momentum(terms, start()), terms),
  "optim-core/sag": () => driveSum(new Sag(terms, start()), terms),
  "optim-core/sgd": () => sgd(denseTerms, start()),
  "optim-core/sparse-sgd": () => new SparseSgd(terms, start()),
  "optim-core/minibatch-lbfgs": () => new MinibatchLbfgs(terms, start()),
  "optim-spectral/gd": embeddingSolver("gd"),
  "optim-spectral/fp": embeddingSolver("fp"),
  "optim-spectral/diag": embeddingSolver("diag"),
  "optim-spectral/sd": embeddingSolver("sd"),
  "optim-spectral/sdm": embeddingSolver("sdm"),
  "optim-spectral/homotopy": homotopySolver,
  "optim-spectral/homotopy-lbfgs": () => new HomotopyLbfgs(tsne(affinities()), mapStart()),
  "optim-sdp/multipliers": () => new Multipliers(nomadProblem()),
  "optim-sdp/admm": () => new Admm(nomadProblem()),
  "optim-sdp/auto": () => new PrimalDual(nomadProblem()),
  "optim-sdp/burer-monteiro": () => new BurerMonteiro(nomadProblem()),
  "optim-sdp/conditional-gradient": () => new ConditionalGradient(spectraplex()),
  "optim-sfo/sfo": () => driveSum(new Sfo(terms, start()), terms),
  "optim-svrg/svrg": () => new Svrg(terms, start()),
  "optim-svrg/modular": () => modularSvrg(terms, start()),
  "optim-svrg/gram": () => new GramDescent(ordinal(), noise(12, 5)),
  ...Object.fromEntries(
    ordinalSolverNames.map((solver) => [
      `optim-svrg/${solver}`,
      () => createOrdinalSolver(ordinal(), noise(12, 5), { solver }),
    ]),
  ),
  "optim-sgdqn/dcd": () => new DualCoordinateDescent(linearProblem()),
  "optim-sgdqn/newton": () => new Newton(linearProblem()),
  "optim-sgdqn/lbfgs": () => new LinearLbfgs(linearProblem()),
  "optim-sgdqn/auto": () => new StagedLinearSolver(linearProblem()),
  "optim-sgdqn/one-versus-rest": () =>
    oneVersusRestSolver(
      multiclass(),
      (problem, { shared }) => new DualCoordinateDescent(problem, { shared }),
    ),
  ...Object.fromEntries(
    stochasticSolverNames.map((solver) => [
      `optim-sgdqn/${solver}`,
      () => createStochasticSolver(linearProblem(), { solver }),
    ]),
  ),
};

/** min ½‖Z − T‖² over the spectraplex. */
function spectraplex() {
  const target = Float64Array.from([3, 1, 0, 1, 2, 0, 0, 0, 1]);
  let Z = new Float64Array(9);
  return {
    size: 3,
    trace: 1,
    fingerprint: "spectraplex",
    at(point: { readonly data: Float64Array }): number {
      Z = point.data.slice();
      return 0.5 * Z.reduce((sum, z, k) => sum + (z - target[k]) * (z - target[k]), 0);
    },
    multiply(v: Float64Array, out: Float64Array): void {
      for (let i = 0; i < 3; i++) {
        out[i] = 0;
        for (let j = 0; j < 3; j++) out[i] += (Z[3 * i + j] - target[3 * i + j]) * v[j];
      }
    },
    inner: (): number => Z.reduce((sum, z, k) => sum + z * (z - target[k]), 0),
  };
}
