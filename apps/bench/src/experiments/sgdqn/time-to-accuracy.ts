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
 * Usage: node time-to-accuracy.ts --data folder [--sets spam,a9a,ijcnn1v,news20,alpha20k,rcv1]
 *          [--losses squared-hinge,logistic,hinge] [--repeats 5] [--contestants auto,newton,dcd,sgdqn,svmsgd2,asgd,liblinear]
 *          [--out file]
 * Needs liblinear4, python3-numpy. Writes docs/results/sgdqn/time-to-accuracy.md.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
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
import { machine, median } from "../../machine.ts";
import { type LinearSet, lambdas, linearSet, testError } from "./sets.ts";

const { values } = parseArgs({
  options: {
    data: { type: "string" },
    sets: { type: "string", default: Object.keys(lambdas).join(",") },
    losses: { type: "string", default: "squared-hinge,logistic,hinge" },
    repeats: { type: "string", default: "5" },
    contestants: { type: "string", default: "auto,newton,dcd,sgdqn,svmsgd2,asgd,liblinear" },
    out: { type: "string" },
    cold: { type: "boolean", default: false },
  },
});
const folder = values.data ?? "";
const repeats = Number(values.repeats);
const wanted = new Set(values.contestants.split(","));
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
  const before = process.cpuUsage();
  const solver = createLinearSolver({ ...problem, rows: chooseStorage(problem.rows) }, options);
  let last = solver.step();
  for (; !("then" in last) && last.outcome === undefined; last = solver.step());
  const { user, system } = process.cpuUsage(before);
  const gap = "then" in last ? undefined : last.details.gap;
  return { seconds: (user + system) / 1e6, weights: solver.best.x.slice(), gap };
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
  const args = [script, "--cold", "--data", folder, "--sets", set, "--losses", loss];
  const { stdout } = spawnSync(process.execPath, args, {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  return Number(stdout);
}

const milliseconds = (seconds: number | undefined): string =>
  seconds === undefined ? "-" : (1000 * seconds).toFixed(seconds < 0.0995 ? 1 : 0);

/** Fits that are not counted, until the compiler has seen them for so many seconds of CPU time. */
const WARM_UP = 0.2;

function warmUp(point: GridPoint): void {
  for (let spent = 0; spent < WARM_UP; spent += point.run().seconds);
}

async function measured(name: string, lossName: string, scratch: string): Promise<string[]> {
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
    const cells = accuracies.map((accuracy) => {
      const [own, peer] = [best(contestant, accuracy), best("liblinear", accuracy)];
      if (own === undefined) return "-";
      const ratio = peer === undefined ? "" : ` (${(median(own.times) / median(peer.times)).toFixed(2)})`;
      return `${milliseconds(median(own.times))}${ratio}, ${own.setting}`;
    });
    const error = (best(contestant, 1e-3) ?? points.findLast((p) => p.contestant === contestant))?.error;
    const coldCell = contestant === "auto" ? milliseconds(cold) : "";
    return `| ${name} | ${loss} | ${contestant} | ${cells.join(" | ")} | ${error?.toFixed(2)} | ${coldCell} |`;
  });
}

if (values.cold) {
  const set = await linearSet(folder, values.sets);
  const loss = values.losses === "hinge" || values.losses === "logistic" ? values.losses : "squared-hinge";
  process.stdout.write(String(fit(problemOf(set, loss), { solver: "auto", tolerance: 1e-3 }).seconds));
} else {
  const scratch = mkdtempSync(join(tmpdir(), "liblinear-"));
  const lines: string[] = [];
  try {
    for (const name of values.sets.split(","))
      for (const loss of values.losses.split(",")) {
        const made = await measured(name, loss, scratch);
        process.stderr.write(`${made.join("\n")}\n`);
        lines.push(...made);
      }
  } finally {
    rmSync(scratch, { recursive: true });
  }
  const version = spawnSync("bash", ["-c", 'dpkg -s liblinear4 | sed -n "s/^Version: //p"'], {
    encoding: "utf8",
  }).stdout.trim();
  const table = [
    "# Time to accuracy, beside LIBLINEAR",
    "",
    `Milliseconds of CPU time to (P − P*)/P* of 1 %, 0.1 % and 0.01 %, medians of ${repeats} fits in a warm process, contestants in turn (warm: after ${WARM_UP} s of uncounted fits of each setting); in brackets the ratio to LIBLINEAR's best; behind it the setting. Both sides' settings are chosen afterwards. Test error in % at 0.1 % (else at the last setting). cold: auto's first fit in a fresh process, tolerance 1e-3. No bias; seeds 0; λ ${Object.entries(
      lambdas,
    )
      .map(([set, lambda]) => `${set} ${lambda}`)
      .join(", ")}. ${machine()}; LIBLINEAR ${version || "of unknown version"}.`,
    "",
    "| set | loss | contestant | to 1 % | to 0.1 % | to 0.01 % | test error | cold |",
    "|---|---|---|---|---|---|---|---|",
    ...lines,
    "",
  ].join("\n");
  process.stdout.write(table);
  const results = fileURLToPath(new URL("../../../../../docs/results/sgdqn/", import.meta.url));
  mkdirSync(results, { recursive: true });
  writeFileSync(values.out ?? join(results, "time-to-accuracy.md"), table);
}
