/**
 * Training time to a given accuracy of the objective, beside LIBLINEAR.
 *
 * Every contestant has a grid (of tolerances, of passes, of LIBLINEAR's -e and solvers); its time to an accuracy is the
 * least median time of a point of its grid that was so accurate, chosen afterwards. Accuracy is (P − P*)/P* as it was,
 * not as certified. Points take turns, all in one process; times are CPU times, of LIBLINEAR that of its train(). What is
 * measured of ours begins with rows in memory, single precision, compressed sparse, and ends with the weights: the
 * check of the data, the choice of the storage and all warm starts are in it. "cold" is auto's first fit in a fresh
 * process.
 *
 * Usage: node time-to-accuracy.ts [--quick] --data folder [--sets spam,a9a,ijcnn1v,news20,alpha-like:20000,rcv1-like]
 *          [--losses squared-hinge,logistic,hinge] [--repeats 5] [--contestants auto,newton,dcd,sgdqn,svmsgd2,asgd,liblinear]
 *          [--name time-to-accuracy]
 * Needs liblinear4, python3-numpy; without them LIBLINEAR is left out.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { type LinearProblem, linearLoss, primalCost } from "@curvature/objectives/linear";
import { chooseStorage, createLinearSolver, type LinearSolverOptions } from "@curvature/optim-sgdqn";
import {
  type LiblinearLoss,
  type LiblinearTask,
  liblinear,
  liblinearSolvers,
  writeProblem,
} from "../../contestants/liblinear.ts";
import { median } from "../../machine.ts";
import { hasProgram } from "../../needs.ts";
import { cpuSeconds, note } from "../../processor.ts";
import { type Cell, writeReport } from "../../report.ts";
import { type LinearSet, lambdas, linearSet, setNames, testError } from "./sets.ts";

const { values } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    data: { type: "string" },
    sets: { type: "string" },
    losses: { type: "string" },
    repeats: { type: "string" },
    contestants: { type: "string", default: "auto,newton,dcd,sgdqn,svmsgd2,asgd,liblinear" },
    name: { type: "string", default: "time-to-accuracy" },
    cold: { type: "boolean", default: false },
  },
});
const isQuick = values.quick;
const folder = values.data;
const repeats = Number(values.repeats ?? (isQuick ? 1 : 5));
const names = setNames(values.sets, isQuick ? undefined : folder, Object.keys(lambdas).join(","));
const losses = (values.losses ?? (isQuick ? "squared-hinge" : "squared-hinge,logistic,hinge")).split(",");
const wanted = new Set(values.contestants.split(","));
if (!hasProgram("liblinear")) wanted.delete("liblinear");
const accuracies = [1e-2, 1e-3, 1e-4];

/** One setting of a contestant. */
interface GridPoint {
  readonly contestant: string;
  readonly setting: string;
  run(): { readonly seconds: number; readonly weights: Float64Array };
  readonly times: number[];
  excess: number;
  error: number;
}

function problemOf({ train, lambda }: LinearSet, loss: LiblinearLoss): LinearProblem {
  return { ...train, loss: linearLoss(loss), lambda, bias: "none" };
}

function fit(problem: LinearProblem, options: LinearSolverOptions) {
  const before = cpuSeconds();
  const solver = createLinearSolver({ ...problem, rows: chooseStorage(problem.rows) }, options);
  let last = solver.step();
  for (; !("then" in last) && last.outcome === undefined; last = solver.step());
  const seconds = cpuSeconds() - before;
  const gap = "then" in last ? undefined : last.details.gap;
  return { seconds, weights: solver.best.x.slice(), gap };
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

function ours(problem: LinearProblem, loss: LiblinearLoss): GridPoint[] {
  const points: GridPoint[] = [];
  const add = (
    solver: NonNullable<LinearSolverOptions["solver"]>,
    setting: string,
    options: object,
  ): void => {
    if (!wanted.has(solver)) return;
    const run = () => fit(problem, { solver, ...options });
    points.push({ contestant: solver, setting, run, times: [], excess: Number.NaN, error: Number.NaN });
  };
  const tolerances = [0.1, 3e-2, 1e-2, 3e-3, 1e-3, 1e-4];
  for (const tolerance of tolerances) {
    add("auto", `tolerance ${tolerance}`, { tolerance });
    if (loss !== "hinge") add("newton", `tolerance ${tolerance}`, { tolerance });
    if (loss !== "logistic") add("dcd", `tolerance ${tolerance}`, { tolerance });
  }
  for (const maxPasses of [1, 2, 5, 10, 20])
    for (const solver of ["sgdqn", "svmsgd2", "asgd"] as const)
      add(solver, `${maxPasses} passes`, { maxPasses });
  return points;
}

function theirs(task: LiblinearTask): GridPoint[] {
  if (!wanted.has("liblinear")) return [];
  return liblinearSolvers[task.loss].flatMap((solver) =>
    [1, 0.3, 0.1, 3e-2, 1e-2, 3e-3, 1e-3, 1e-4].map((epsilon) => ({
      contestant: "liblinear",
      setting: `-s ${solver} -e ${epsilon}`,
      run: () => liblinear(task, solver, epsilon),
      times: [],
      excess: Number.NaN,
      error: Number.NaN,
    })),
  );
}

/** auto's first fit in a process of its own. */
function coldSeconds(set: string, loss: string): number {
  const script = fileURLToPath(import.meta.url);
  const data = folder === undefined ? [] : ["--data", folder];
  const args = [script, "--cold", ...data, "--sets", set, "--losses", loss];
  const { stdout } = spawnSync(process.execPath, args, {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  return Number(stdout);
}

const milliseconds = (seconds: number | undefined): string =>
  seconds === undefined ? "-" : (1000 * seconds).toFixed(seconds < 0.0995 ? 1 : 0);

/** Fits that are not counted, until the compiler has seen them for so many seconds of CPU time. */
const WARM_UP = isQuick ? 0.02 : 0.2;

function warmUp(point: GridPoint): void {
  for (let spent = 0; spent < WARM_UP; spent += point.run().seconds);
}

interface Line {
  readonly cells: readonly Cell[];
  readonly contestant: string;
  /** Seconds to the accuracies to LIBLINEAR's. */
  readonly ratios: readonly number[];
  readonly where: string;
}

async function measured(name: string, lossName: string, scratch: string): Promise<Line[]> {
  const loss = (["squared-hinge", "logistic", "hinge"] as const).find((known) => known === lossName);
  if (loss === undefined) throw new Error(`unknown loss ${lossName}`);
  const set = await linearSet(folder, name);
  const problem = problemOf(set, loss);
  const problemFile = join(scratch, `${name}.bin`);
  writeProblem(problemFile, set.train.rows, set.train.targets);
  const task = {
    problemFile,
    weightsFile: join(scratch, "weights"),
    rows: set.train.rows.rows,
    loss,
    lambda: set.lambda,
    times: Math.min(25, Math.max(3, Math.floor(2e6 / set.train.rows.values.length))),
  };
  const optimum = optimumOf(problem);
  const points = [...ours(problem, loss), ...theirs(task)];
  for (const point of points) if (point.contestant !== "liblinear") warmUp(point);
  for (let round = 0; round < repeats; round++)
    for (const point of points) {
      const { seconds, weights } = point.run();
      point.times.push(seconds);
      point.excess = primalCost(problem, weights) / optimum - 1;
      point.error = testError(set, weights);
    }
  const best = (contestant: string, accuracy: number): GridPoint | undefined =>
    points
      .filter((point) => point.contestant === contestant && point.excess <= accuracy)
      .toSorted((a, b) => median(a.times) - median(b.times))
      .at(0);
  const cold = wanted.has("auto") ? coldSeconds(name, loss) : undefined;
  return [...new Set(points.map(({ contestant }) => contestant))].map((contestant) => {
    const ratios: number[] = [];
    const cells = accuracies.map((accuracy) => {
      const [own, peer] = [best(contestant, accuracy), best("liblinear", accuracy)];
      if (own === undefined) return "-";
      const quotient = peer === undefined ? undefined : median(own.times) / median(peer.times);
      if (quotient !== undefined) ratios.push(quotient);
      const ratio = quotient === undefined ? "" : ` (${quotient.toFixed(2)})`;
      return `${milliseconds(median(own.times))}${ratio}, ${own.setting}`;
    });
    const error = (best(contestant, 1e-3) ?? points.findLast((p) => p.contestant === contestant))?.error;
    const coldCell = contestant === "auto" ? milliseconds(cold) : "";
    return {
      cells: [name, loss, contestant, ...cells, error?.toFixed(2) ?? null, coldCell],
      contestant,
      ratios,
      where: `${name} (${loss})`,
    };
  });
}

if (values.cold) {
  const set = await linearSet(folder, names[0]);
  const [asked] = losses;
  const loss = asked === "hinge" || asked === "logistic" ? asked : "squared-hinge";
  process.stdout.write(String(fit(problemOf(set, loss), { solver: "auto", tolerance: 1e-3 }).seconds));
} else {
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
  const version = spawnSync("bash", ["-c", 'dpkg -s liblinear4 | sed -n "s/^Version: //p"'], {
    encoding: "utf8",
  }).stdout.trim();
  const autos = lines.filter(({ contestant }) => contestant === "auto");
  const ratios = autos.flatMap((line) => line.ratios);
  const slower = autos.filter((line) => line.ratios.some((ratio) => ratio > 1)).map(({ where }) => where);
  const lambdaText = Object.entries(lambdas).map(([set, lambda]) => `${set} ${lambda}`);
  writeReport(
    {
      paper: "sgdqn",
      name: values.name,
      title: "Time to accuracy, beside LIBLINEAR",
      claim:
        "`auto` is at a given accuracy of the objective no later than LIBLINEAR with its best solver and tolerance.",
      data: `${names.join(", ")}; the names with -like are drawn (\`generated.ts\`). λ ${lambdaText.join(", ")}.`,
      method: `Milliseconds of CPU time to (P − P*)/P* of 1 %, 0.1 % and 0.01 %, medians of ${repeats} fits in a warm process, contestants in turn (warm: after ${WARM_UP} s of uncounted fits of each setting); in brackets the ratio to LIBLINEAR's best; behind it the setting. Both sides' settings are chosen afterwards. Test error in % at 0.1 % (else at the last setting). cold: auto's first fit in a fresh process, tolerance 1e-3. No bias; seeds 0. LIBLINEAR ${wanted.has("liblinear") ? version || "of unknown version" : "is left out"}.`,
      findings: [
        ratios.length === 0
          ? "LIBLINEAR did not take part."
          : `\`auto\` takes ${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)} times LIBLINEAR's best, median ${median(ratios).toFixed(2)}${slower.length === 0 ? "" : `; **slower** at some accuracy on ${slower.join(", ")}`}.`,
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
}
