/**
 * Training time to a given accuracy of the objective, beside LIBLINEAR.
 *
 * Every contestant has a grid (of tolerances, of passes, of LIBLINEAR's -e and solvers); its time to an accuracy is the
 * least median time of a point of its grid that was so accurate, chosen afterwards. Accuracy is (P − P*)/P* as it was,
 * not as certified. Points take turns; each solver of ours has a process of its own (`fit-process.ts`), LIBLINEAR one for
 * each turn. Times are CPU times, of ours from rows in memory to weights (`fits.ts`), of LIBLINEAR that of its train().
 * "cold" is auto's first fit in a fresh process.
 *
 * Usage: node time-to-accuracy.ts [--quick] --data folder [--sets spam,a9a,ijcnn1v,news20,alpha-like:20000,rcv1-like]
 *          [--losses squared-hinge,logistic,hinge] [--repeats 5] [--contestants auto,newton,dcd,sgdqn,svmsgd2,asgd,liblinear]
 *          [--name time-to-accuracy]
 * Needs liblinear4, python3-numpy; without them LIBLINEAR is left out.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type LinearProblem, primalCost } from "@curvature/objectives/linear";
import type { LinearSolverOptions } from "@curvature/optim-sgdqn";
import {
  type LiblinearLoss,
  type LiblinearTask,
  liblinear,
  liblinearSolvers,
  writeProblem,
} from "../../contestants/liblinear.ts";
import { type OwnProcess, withProcesses } from "../../contestants/own-process.ts";
import { experimentArguments, namesOf, string, whole } from "../../experiment-arguments.ts";
import { hasProgram } from "../../needs.ts";
import { note } from "../../processor.ts";
import { writeReport } from "../../report.ts";
import type { Cell } from "../../report-types.ts";
import { median, spreadOf, spreadText } from "../../spread.ts";
import { liblinearVersion } from "../../versions.ts";
import { verdict } from "../../words.ts";
import { type FitFound, type FitTurn, fit, fitsOf, problemInMemory } from "./fits.ts";
import { lambdas, linearSet, seedsText, setNames, smallSets, testError } from "./sets.ts";
import type { NamedProblem } from "./traces.ts";

const values = experimentArguments({
  data: string(),
  sets: string(),
  losses: string(),
  repeats: whole(5, 1),
  contestants: string("auto,newton,dcd,sgdqn,svmsgd2,asgd,liblinear"),
  name: string("time-to-accuracy"),
});
const { isQuick, repeats } = values;
const folder = values.data;
const usual = isQuick || folder === undefined ? smallSets : Object.keys(lambdas).join(",");
const names = setNames("sets", values.sets ?? usual, folder);
const knownLosses = ["squared-hinge", "logistic", "hinge"] as const;
const losses = namesOf(
  "losses",
  values.losses ?? (isQuick ? "squared-hinge" : knownLosses.join(",")),
  knownLosses,
);
type SolverName = NonNullable<LinearSolverOptions["solver"]>;
const solvers: readonly SolverName[] = ["auto", "newton", "dcd", "sgdqn", "svmsgd2", "asgd"];
const wanted = new Set(namesOf("contestants", values.contestants, [...solvers, "liblinear"]));
if (!hasProgram("liblinear")) wanted.delete("liblinear");
const accuracies = [1e-2, 1e-3, 1e-4];

interface Found {
  readonly seconds: number;
  readonly weights: Float64Array;
}

/** One setting of a contestant. */
interface GridPoint {
  readonly contestant: string;
  readonly setting: string;
  /** Undefined for programs that compile nothing. */
  readonly warmUp?: () => Promise<unknown>;
  run(): Promise<Found>;
  readonly times: number[];
  excess: number;
  error: number;
}

/** P*, or for the hinge a lower bound of it within 1e-6. */
function optimumOf(problem: LinearProblem): number {
  const isHinge = problem.loss.name === "hinge";
  const { weights, gap = 0 } = fit(problem, {
    solver: isHinge ? "dcd" : "newton",
    tolerance: isHinge ? 1e-6 : 1e-9,
    maxPasses: 20_000,
  });
  return primalCost(problem, weights) * (isHinge ? 1 - gap : 1);
}

/** Settings of the solvers of ours that take part. */
function settingsOf(solver: SolverName, loss: LiblinearLoss): { setting: string; options: object }[] {
  if (loss === "hinge" ? solver === "newton" : loss === "logistic" && solver === "dcd") return [];
  return solver === "auto" || solver === "newton" || solver === "dcd"
    ? [0.1, 3e-2, 1e-2, 3e-3, 1e-3, 1e-4].map((tolerance) => ({
        setting: `tolerance ${tolerance}`,
        options: { tolerance },
      }))
    : [1, 2, 5, 10, 20].map((maxPasses) => ({ setting: `${maxPasses} passes`, options: { maxPasses } }));
}

function ours(solver: SolverName, { turn }: OwnProcess<FitTurn, FitFound>, loss: LiblinearLoss): GridPoint[] {
  return settingsOf(solver, loss).map(({ setting, options }) => {
    const fitted = (leastSeconds: number): Promise<FitFound> =>
      turn({ options: { solver, ...options }, leastSeconds });
    return {
      contestant: solver,
      setting,
      warmUp: () => fitted(WARM_UP),
      run: () => fitted(0),
      times: [],
      excess: Number.NaN,
      error: Number.NaN,
    };
  });
}

function theirs(task: LiblinearTask): GridPoint[] {
  if (!wanted.has("liblinear")) return [];
  return liblinearSolvers[task.loss].flatMap((solver) =>
    [1, 0.3, 0.1, 3e-2, 1e-2, 3e-3, 1e-3, 1e-4].map((epsilon) => ({
      contestant: "liblinear",
      setting: `-s ${solver} -e ${epsilon}`,
      run: async () => liblinear(task, solver, epsilon),
      times: [],
      excess: Number.NaN,
      error: Number.NaN,
    })),
  );
}

/** auto's first fit in a process of its own. */
async function coldSeconds(problem: NamedProblem): Promise<number> {
  const process = await fitsOf("auto, cold", problem);
  const { seconds } = await process.turn({ options: { solver: "auto", tolerance: 1e-3 }, leastSeconds: 0 });
  process.end();
  return seconds;
}

const milliseconds = (seconds: number | undefined): string =>
  seconds === undefined ? "-" : (1000 * seconds).toFixed(seconds < 0.0995 ? 1 : 0);

/** Of LIBLINEAR in one process; of so short ones one alone would be noise. */
const TRAININGS = { least: 3, most: 25 };

/** Fits that are not counted, until the compiler has seen them for so many seconds of CPU time. */
const WARM_UP = isQuick ? 0.02 : 0.2;

const lambdasUsed = new Map<string, number>();

interface Line {
  readonly cells: readonly Cell[];
  readonly contestant: string;
  /** Seconds to the accuracies to LIBLINEAR's. */
  readonly ratios: readonly number[];
  /** Whether LIBLINEAR came to an accuracy and it did not. */
  readonly isMissed: boolean;
  readonly where: string;
}

async function measured(name: string, loss: LiblinearLoss, scratch: string): Promise<Line[]> {
  const set = await linearSet(folder, name);
  lambdasUsed.set(name, set.lambda);
  const problem = problemInMemory(set, loss);
  const named = { folder, set: name, loss };
  const problemFile = join(scratch, `${name}.bin`);
  writeProblem(problemFile, set.train.rows, set.train.targets);
  const task = {
    problemFile,
    weightsFile: join(scratch, "weights"),
    rows: set.train.rows.rows,
    loss,
    lambda: set.lambda,
    times: Math.min(
      TRAININGS.most,
      Math.max(TRAININGS.least, Math.floor(2e6 / set.train.rows.values.length)),
    ),
  };
  const optimum = optimumOf(problem);
  const taking = solvers.filter((solver) => wanted.has(solver));
  const starts = taking.map((solver) => () => fitsOf(solver, named));
  const points = await withProcesses(starts, async (processes) => {
    const all = [...processes.flatMap((process, k) => ours(taking[k], process, loss)), ...theirs(task)];
    for (const { warmUp } of all) await warmUp?.();
    for (let round = 0; round < repeats; round++)
      for (const point of all) {
        const { seconds, weights } = await point.run();
        point.times.push(seconds);
        point.excess = primalCost(problem, weights) / optimum - 1;
        point.error = testError(set, weights);
      }
    return all;
  });
  const best = (contestant: string, accuracy: number): GridPoint | undefined =>
    points
      .filter((point) => point.contestant === contestant && point.excess <= accuracy)
      .toSorted((a, b) => median(a.times) - median(b.times))
      .at(0);
  const cold = wanted.has("auto") ? await coldSeconds(named) : undefined;
  return [...new Set(points.map(({ contestant }) => contestant))].map((contestant) => {
    const ratios: number[] = [];
    let isMissed = false;
    const cells = accuracies.map((accuracy) => {
      const [own, peer] = [best(contestant, accuracy), best("liblinear", accuracy)];
      isMissed ||= own === undefined && peer !== undefined;
      if (own === undefined) return "-";
      const quotient = peer === undefined ? undefined : median(own.times) / median(peer.times);
      if (quotient !== undefined) ratios.push(quotient);
      const ratio = quotient === undefined ? "" : `, ratio ${quotient.toFixed(2)}`;
      return `${spreadText(spreadOf(own.times), milliseconds)}${ratio}, ${own.setting}`;
    });
    const error = (best(contestant, 1e-3) ?? points.findLast((p) => p.contestant === contestant))?.error;
    const coldCell = contestant === "auto" ? milliseconds(cold) : "";
    return {
      cells: [name, loss, contestant, ...cells, error?.toFixed(2) ?? null, coldCell],
      contestant,
      ratios,
      isMissed,
      where: `${name} (${loss})`,
    };
  });
}

const scratch = mkdtempSync(join(tmpdir(), "liblinear-"));
const lines: Line[] = [];
try {
  for (const name of names)
    for (const loss of losses) {
      const made = await measured(name, loss, scratch);
      for (const { cells } of made) note(cells.join(" "));
      lines.push(...made);
    }
} finally {
  rmSync(scratch, { recursive: true });
}
const autos = lines.filter(({ contestant }) => contestant === "auto");
const ratios = autos.flatMap((line) => line.ratios);
const slower = autos.filter((line) => line.ratios.some((ratio) => ratio > 1)).map(({ where }) => where);
const missed = autos.filter((line) => line.isMissed).map(({ where }) => where);
const lambdaText = [...lambdasUsed].map(([set, lambda]) => `${set} ${lambda}`);
const liblinearText = wanted.has("liblinear") ? (liblinearVersion() ?? "of unknown version") : "is left out";
writeReport(
  {
    paper: "sgdqn",
    name: values.name,
    title: "Time to accuracy, beside LIBLINEAR",
    claim:
      "`auto` is at a given accuracy of the objective no later than LIBLINEAR with its best solver and tolerance.",
    data: `${names.join(", ")}${names.some((name) => name.includes("-like")) ? "; the names with -like are drawn (`generated.ts`)" : ""}. λ: ${lambdaText.join(", ")}.`,
    method: `Milliseconds of processor time to (P − P*)/P* of 1 %, 0.1 % and 0.01 %, contestants in turn, each solver of ours in a process of its own (warm: after ${WARM_UP} s of uncounted fits of each setting), LIBLINEAR in a fresh one each time, in which the median of ${TRAININGS.least} to ${TRAININGS.most} trainings (more on smaller sets) counts as one fit; behind them the ratio to LIBLINEAR's best, and the setting. Both sides' settings are chosen afterwards. Test error in % at 0.1 % (else at the last setting). cold: auto's first fit in a fresh process, tolerance 1e-3. No bias. LIBLINEAR ${liblinearText}.`,
    repeats: `${repeats === 1 ? "One fit of each setting" : `Medians of ${repeats} fits of each setting, in brackets the least and the most`}; cold, one. All have seed 0 (LIBLINEAR srand(1)): another run finds the same weights.${seedsText(names)}`,
    clock: "processor",
    findings: [
      ratios.length === 0
        ? "LIBLINEAR did not take part."
        : `${verdict({ "every set and accuracy": slower.length + missed.length === 0 })} \`auto\` takes ${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)} times LIBLINEAR's best, median ${median(ratios).toFixed(2)}${slower.length === 0 ? "" : `; **slower** at some accuracy on ${slower.join(", ")}`}${missed.length === 0 ? "" : `; **not** at some accuracy that LIBLINEAR reached on ${missed.join(", ")}`}.`,
    ],
    tables: [
      {
        columns: ["set", "loss", "contestant", "to 1 %", "to 0.1 %", "to 0.01 %", "test error", "cold"],
        rows: lines.map(({ cells }) => cells),
      },
    ],
  },
  isQuick,
);
