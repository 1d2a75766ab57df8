/**
 * Partial-Hessian strategies, figure 3: EE by homotopy, 50 values of λ from 1e-4 to 100, each minimised until E falls by less
 * than 1e-6 of itself in an iteration. Iterations and time of each λ; the steps of SD; and whether the end lies lower than
 * without homotopy.
 *
 * Usage: node figure-3.ts [--quick] [--objects 5] [--seconds 6] [--lambdas 50]
 *
 * Vladymyrov, Carreira-Perpiñán: Partial-Hessian strategies for fast learning of nonlinear embeddings, ICML 2012,
 * section 3.1. Differs: 5 drawn objects of 72 poses in place of 10 of COIL-20; a limit of time for each method, at which it
 * stops wherever its λ is; maps that collapse below a threshold of λ get noise (see `Homotopy`).
 */
import { parseArgs } from "node:util";
import type { EmbeddingObjective } from "@curvature/objectives/embedding";
import { ConjugateGradient, Lbfgs } from "@curvature/optim-core";
import {
  attractiveGraph,
  type Direction,
  diagonalHessianDirection,
  fixedPointDirection,
  gradientDirection,
  Homotopy,
  type ImmediateSolver,
  PartialHessian,
  type SolverFactory,
  spectralDirection,
  spectralLbfgs,
  spectralMinusDirection,
  spectralSolve,
} from "@curvature/optim-spectral";
import { chartSvg } from "../../chart.ts";
import { cpuSeconds, note } from "../../processor.ts";
import { type Cell, writeReport } from "../../report.ts";
import { describeSet, noiseOf, PERPLEXITY, POSES, race, smallSet } from "./small-set.ts";

const { values } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    objects: { type: "string" },
    seconds: { type: "string" },
    lambdas: { type: "string" },
  },
});
const isQuick = values.quick;
const objects = Number(values.objects ?? (isQuick ? 4 : 5));
const poses = isQuick ? 36 : POSES;
const limit = Number(values.seconds ?? (isQuick ? 0.6 : 6));
const steps = Number(values.lambdas ?? (isQuick ? 15 : 50));
const LARGEST = 100;

/** A classic solver in the words of embeddings. */
function told(objective: EmbeddingObjective, solver: Lbfgs | ConjugateGradient): ImmediateSolver {
  return {
    name: solver.name,
    dimension: solver.dimension,
    fingerprint: solver.fingerprint,
    get best() {
      return solver.best;
    },
    get last() {
      return solver.last;
    },
    step: () => {
      const iteration = solver.step();
      const details = {
        lambda: objective.lambda,
        energy: iteration.value ?? Number.NaN,
        klDivergence: undefined,
      };
      return { ...iteration, details };
    },
    save: () => solver.save(),
    restore: (snapshot) => solver.restore(snapshot),
  };
}

const { N, objectives } = smallSet(objects, poses);
const { EE } = objectives;
const graph = attractiveGraph(EE.attractiveWeights());
const along =
  (direction: Direction): SolverFactory =>
  (E, X) =>
    new PartialHessian(E, X, direction);

/** What serves all λ, such as a factor, is made here, and so within the method's time. */
const makers: Readonly<Record<string, () => SolverFactory>> = {
  SD: () => along(spectralDirection(graph, "all")),
  "SD-LBFGS (ours)": () => {
    const { solve } = spectralSolve(graph, "all");
    return (E, X) => spectralLbfgs(E, X, solve);
  },
  "SD−": () => along(spectralMinusDirection(graph)),
  "L-BFGS": () => (E, X) => told(E, new Lbfgs(E, X, { memory: 100 })),
  CG: () => (E, X) => told(E, new ConjugateGradient(E, X)),
  FP: () => along(fixedPointDirection(graph)),
  DiagH: () => along(diagonalHessianDirection(graph)),
  GD: () => along(gradientDirection()),
};

interface Stage {
  readonly lambda: number;
  iterations: number;
  seconds: number;
  /** Of the last iteration at this λ. */
  alpha: number | undefined;
  E: number;
}

interface Runner {
  readonly name: string;
  readonly solver: Homotopy;
  readonly stages: Stage[];
  seconds: number;
  evaluations: number;
  isDone: boolean;
}

const TURN = 0.02;

/** All methods in turns, each until λ = 100 has settled or its seconds are over. */
function runAll(most: number): Runner[] {
  const X0 = noiseOf(N, 1e-5, 0);
  const runners = Object.entries(makers).map(([name, make]): Runner => {
    const begun = cpuSeconds();
    const solver = new Homotopy(EE, X0.slice(), make(), { steps });
    return { name, solver, stages: [], seconds: cpuSeconds() - begun, evaluations: 0, isDone: false };
  });
  for (;;) {
    const running = runners.filter(({ seconds, isDone }) => !isDone && seconds < most);
    if (running.length === 0) return runners;
    for (const runner of running) turn(runner);
  }
}

function turn(runner: Runner): void {
  const before = runner.seconds;
  do {
    const begun = cpuSeconds();
    const { details, stepLength, evaluations, gradientEvaluations, outcome } = runner.solver.step();
    const took = cpuSeconds() - begun;
    const { lambda, energy } = details;
    let stage = runner.stages[runner.stages.length - 1];
    if (stage?.lambda !== lambda) {
      stage = { lambda, iterations: 0, seconds: 0, alpha: undefined, E: energy };
      runner.stages.push(stage);
    }
    stage.iterations++;
    stage.seconds += took;
    stage.alpha = stepLength;
    stage.E = energy;
    runner.seconds += took;
    runner.evaluations = Math.max(evaluations, gradientEvaluations);
    runner.isDone = outcome !== undefined;
  } while (!runner.isDone && runner.seconds - before < TURN);
}

runAll(isQuick ? 0.1 : 0.4); // compiles
const runners = runAll(limit);
for (const { name, stages, seconds } of runners)
  note(`${name}: λ = ${stages[stages.length - 1].lambda.toPrecision(3)} after ${seconds.toFixed(1)} s`);
const direct = race(EE, noiseOf(N, 1e-5, 0), limit / 2, ["SD", "SD-LBFGS (ours)"]);

const shownStep = (alpha: number | undefined): string => (alpha === undefined ? "-" : alpha.toPrecision(2));
const finalE = ({ stages }: Runner): number => stages[stages.length - 1].E;
const done = runners.filter(({ isDone }) => isDone);
const first = done.toSorted((a, b) => a.seconds - b.seconds);
const rows = runners.map((runner): Cell[] => {
  const { name, stages, seconds, evaluations, isDone } = runner;
  const iterations = stages.reduce((sum, stage) => sum + stage.iterations, 0);
  const end = isDone
    ? `${finalE(runner).toFixed(5)}`
    : `not there: λ = ${stages[stages.length - 1].lambda.toPrecision(2)}`;
  return [
    name,
    end,
    iterations,
    evaluations,
    seconds.toFixed(2),
    Math.max(...stages.map((stage) => stage.iterations)),
  ];
});
const [sd] = runners;
const stepAt = (lambda: number): Stage =>
  sd.stages.reduce((a, b) =>
    Math.abs(Math.log(b.lambda / lambda)) < Math.abs(Math.log(a.lambda / lambda)) ? b : a,
  );
const stepRows = [1e-3, 1e-2, 0.1, 1, 10, 100]
  .map(stepAt)
  .map(({ lambda, alpha, iterations }): Cell[] => [lambda.toPrecision(3), shownStep(alpha), iterations]);
const late = runners.filter(({ isDone }) => !isDone).map(({ name }) => name);
const ends = direct.map(({ name, moments }) => ({ name, E: moments[moments.length - 1].E }));
const deeper = ends.map(({ name, E }) => {
  const twin = runners.find((runner) => runner.name === name);
  if (twin === undefined || !twin.isDone) return `${name} has no end to compare`;
  return `${name} ${finalE(twin).toFixed(4)} by homotopy, ${E.toFixed(4)} without${finalE(twin) < E ? "" : " (**not lower**)"}`;
});
const slower = first.flatMap(({ name, seconds }) =>
  name === "SD" ? [] : [`${name} ${(seconds / sd.seconds).toFixed(1)}`],
);
const least = Math.min(...done.map(finalE));
const highest = Math.max(...done.map(finalE));

writeReport(
  {
    paper: "spectral",
    name: "figure-3",
    title: "Partial-Hessian strategies, figure 3: EE by homotopy",
    claim:
      "Figure 3: followed closely through 50 values of λ all methods but gradient descent come to the same embedding, deeper than from a random map; SD is far faster than FP and gradient descent, and its steps shrink from 1 below λ = 0.02 to 0.1.",
    data: `${describeSet(objects, poses)}; perplexity ${PERPLEXITY}, all pairs; EE.`,
    method: `λ from 1e-4 to ${LARGEST} in ${steps} equal ratios, X₀ 1e-5 × normal (seed 0), one run; a λ is done when E falls by less than 1e-6 of itself and X moves by less than a tenth. At most ${limit} s of processor time each, in turns of ${TURN} s in one process, after a run that is not counted; SD's factor is in its time. "Without" starts from X₀ at λ = ${LARGEST}, for ${limit / 2} s.`,
    findings: [
      `At λ = ${LARGEST}, in seconds: ${first.map(({ name, seconds }) => `${name} ${seconds.toFixed(2)}`).join(", ")}${late.length === 0 ? "" : `; **not** in ${limit} s: ${late.join(", ")}`}. In units of SD's time${sd.isDone ? "" : ", who did not come to the end"}: ${slower.join(", ")}. Their E lie between ${least.toFixed(4)} and ${highest.toFixed(4)}.`,
      `Deeper than without homotopy: ${deeper.join("; ")}.`,
      `The steps of SD: ${stepRows.map(([lambda, alpha]) => `${alpha} at λ = ${lambda}`).join(", ")}.`,
    ],
    tables: [
      {
        title: "The whole way",
        columns: ["method", "E at the end", "iterations", "evaluations", "seconds", "most iterations of a λ"],
        rows,
      },
      { title: "Steps of SD", columns: ["λ", "last step", "iterations"], rows: stepRows },
    ],
    figures: [
      {
        name: "figure-3",
        caption: "Iterations and seconds of each λ, and the last step of SD at each λ.",
        svg: chartSvg(`Figure 3, N = ${N}`, [
          ...(["iterations", "seconds"] as const).map((what) => ({
            title: `${what} of each λ`,
            xTitle: "log₁₀ λ",
            yTitle: what,
            logarithmic: true,
            series: runners.map(({ name, stages, isDone }) => ({
              name,
              points: (isDone ? stages : stages.slice(0, -1)).map(
                (stage) => [Math.log10(stage.lambda), stage[what]] as const,
              ),
            })),
          })),
          {
            title: "Last step of SD at each λ",
            xTitle: "log₁₀ λ",
            yTitle: "α",
            range: [0, 1],
            series: [
              {
                name: "SD",
                points: sd.stages.map(({ lambda, alpha = 0 }) => [Math.log10(lambda), alpha] as const),
              },
            ],
          },
        ]),
      },
    ],
  },
  isQuick,
);
