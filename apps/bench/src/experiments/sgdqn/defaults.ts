/**
 * Linear models by default on tables that people have: certificates beside known optima, errors and log losses on held-out
 * rows beside others' programs, the law of weights, warnings, offsets, time. Ends with 1 where a target is missed.
 *
 * Usage: node defaults.ts [--quick] [--data folder] [--python /venv/bin/python] [--parts certificates,tables,weights,warnings,time,fresh]
 *
 * `--data`: a checkout of Rdatasets, for tables that no default was chosen on; tables of the peers that may not be published
 * beside it, as <name>.csv. `--python`: a Python with scikit-learn, whose figures are then measured anew and recorded.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { experimentArguments, namesOf, string } from "../../experiment-arguments.ts";
import { machine } from "../../machine.ts";
import { note } from "../../processor.ts";
import { writeReport } from "../../report.ts";
import type { Cell, Table } from "../../report-types.ts";
import { median } from "../../spread.ts";
import { verdict } from "../../words.ts";
import { certify, codes, offsetCases, warningCases, weightsLaw } from "./default-checks.ts";
import { classified, predicted, secondsOf } from "./default-measures.ts";
import {
  type Figures,
  freshTables,
  knownProblems,
  knownWeights,
  type NumberTable,
  peers,
  peerTables,
} from "./default-tables.ts";

const parts = ["certificates", "tables", "weights", "warnings", "time", "fresh"] as const;
const values = experimentArguments({
  data: string(),
  python: string(),
  parts: string(parts.join(","), "certificates,weights"),
});
const { isQuick } = values;
const chosen = namesOf("parts", values.parts, parts);

interface Record {
  readonly version: string;
  readonly machine: string;
  readonly tables: {
    readonly [table: string]: { readonly [method: string]: Figures & { readonly seconds: number } };
  };
}

const recordFile = new URL("../../../data/linear-defaults/scikit-learn.json", import.meta.url);
const script = fileURLToPath(new URL("../../contestants/sklearn-linear.py", import.meta.url));

function measuredPeers(python: string, tables: readonly NumberTable[]): Record {
  const input = tables.map(({ name, task, points, labels, folds }) => ({
    name,
    task,
    rows: Array.from({ length: points.rows }, (_, i) =>
      Array.from(points.data.subarray(i * points.columns, (i + 1) * points.columns)),
    ),
    labels: task === "classification" ? labels : labels.map(Number),
    folds,
  }));
  const env = { ...process.env, OPENBLAS_NUM_THREADS: "1", OMP_NUM_THREADS: "1" };
  const { stdout, status } = spawnSync(python, [script], {
    input: JSON.stringify(input),
    encoding: "utf8",
    maxBuffer: 2 ** 26,
    stdio: ["pipe", "pipe", "inherit"],
    env,
  });
  if (status !== 0) throw new Error(`${python} failed.`);
  const found: Omit<Record, "machine"> = JSON.parse(stdout);
  return { ...found, machine: machine() };
}

const tables = peerTables(values.data);
const unseen = chosen.includes("fresh") ? await freshTables(values.data) : [];
if (values.python !== undefined) {
  const here = tables.filter(({ name }) => peers[name].isHere);
  writeFileSync(
    recordFile,
    `${JSON.stringify(measuredPeers(values.python, [...here, ...unseen]), null, 1)}\n`,
  );
}
const record: Record | undefined = existsSync(recordFile)
  ? JSON.parse(readFileSync(recordFile, "utf8"))
  : undefined;
const byName = new Map(tables.map((table) => [table.name, table]));

const written: Table[] = [];
const targets: {
  readonly what: string;
  readonly wanted: string;
  readonly found: string;
  readonly holds: boolean;
}[] = [];
const aim = (what: string, wanted: string, found: string, holds: boolean): void => {
  targets.push({ what, wanted, found, holds });
  note(`${holds ? "green" : "RED  "} ${what}: ${found} (wanted ${wanted})`);
};
const mean = (numbers: readonly number[]): number =>
  numbers.reduce((sum, value) => sum + value, 0) / numbers.length;
const fixed = (value: number | undefined, digits: number): Cell => value?.toFixed(digits) ?? null;
const percent = (share: number | undefined): Cell => fixed(share === undefined ? undefined : 100 * share, 1);

async function certificates(): Promise<void> {
  const rows: Cell[][] = [];
  for (const [title, isHinge, tolerance] of [
    ["smooth losses", false, 1e-3],
    ["hinge", true, 1e-3],
    ["hinge", true, 1e-6],
  ] as const) {
    const known = knownProblems.filter(({ loss }) => (loss === "hinge") === isHinge);
    const some = isQuick ? known.filter((_, k) => k % 10 === 0) : known;
    const ends = [];
    for (const problem of some) {
      const table = byName.get(problem.table);
      if (table !== undefined) ends.push(await certify(problem, table, tolerance));
    }
    const [certified, wrong] = [
      ends.filter((end) => end.isCertified).length,
      ends.filter((end) => end.isFalse).length,
    ];
    const steps = ends.map((end) => end.steps);
    const sum = steps.reduce((total, each) => total + each, 0);
    const prototype = some.reduce((total, each) => total + each.iterations, 0);
    const most = Math.max(...steps);
    const seconds = median(ends.map((end) => end.seconds)).toPrecision(2);
    rows.push([
      title,
      tolerance,
      ends.length,
      certified,
      wrong,
      sum,
      most,
      isHinge ? null : prototype,
      seconds,
    ]);
    const what = `certificates, ${title} at ${tolerance}`;
    aim(
      what,
      `${ends.length} of ${ends.length}, none false`,
      `${certified}, ${wrong} false`,
      certified === ends.length && wrong === 0,
    );
    if (!isHinge) {
      const limit = Math.round((1430 / 1301) * prototype);
      aim("steps", `${limit} in sum, 30 at most`, `${sum}, ${most}`, sum <= limit && most <= 30);
    }
  }
  written.push({
    title: "Certificates",
    note: "Problems with a free bias whose optima are known from 80-bit (the hinge: 106-bit) arithmetic. A claim is false if the known point refutes it.",
    columns: [
      "loss",
      "tolerance",
      "problems",
      "certified",
      "false",
      "steps",
      "most steps",
      "prototype's steps",
      "seconds, median",
    ],
    rows,
  });
}

async function classifications(): Promise<void> {
  const rows: Cell[][] = [];
  const sums = {
    "two classes": { err: [] as number[], ll: [] as number[] },
    several: { err: [] as number[], ll: [] as number[] },
  };
  let worse = 0;
  for (const table of tables.filter((one) => one.task === "classification")) {
    const { figures, classes, isHere } = peers[table.name];
    const found = await classified(table);
    const kind = classes === 2 ? "two classes" : "several";
    if (isHere) {
      sums[kind].err.push(found.err);
      sums[kind].ll.push(found.ll);
      if (found.err > (figures.majority?.err ?? 1) + 0.005) worse++;
    }
    const names = [
      "recipe",
      "LogisticRegression",
      "LogisticRegressionCV",
      "LogisticRegressionCV by log loss",
      "cv.glmnet",
    ];
    rows.push([
      table.name,
      classes,
      percent(found.err),
      ...names.map((name) => percent(figures[name]?.err)),
      percent(figures.majority?.err),
      fixed(found.ll, 3),
      ...names.map((name) => fixed(figures[name]?.ll, 3)),
    ]);
    note(`${table.name}: error ${found.err.toFixed(3)}, log loss ${found.ll.toFixed(3)}`);
  }
  for (const [kind, err, ll] of [
    ["two classes", 0.094, 0.228],
    ["several", 0.147, 0.377],
  ] as const) {
    const [error, loss] = [mean(sums[kind].err), mean(sums[kind].ll)];
    aim(`${kind}, mean log loss`, `at most ${ll}`, loss.toFixed(4), loss <= ll);
    aim(`${kind}, mean error`, `at most ${100 * err} %`, `${(100 * error).toFixed(2)} %`, error <= err);
  }
  aim("tables half a point worse than the majority", "0", String(worse), worse === 0);
  const peerNames = ["recipe", "LR, C = 1", "LRCV", "LRCV by log loss", "cv.glmnet"];
  written.push({
    title: "Classification",
    note: "Errors in per cent and mean log loss on held-out rows: `LinearClassifier` by default (with probabilities), the recipe's prototype, and scikit-learn 1.2.1 and cv.glmnet 4.1-6 on standardised columns as they were recorded.",
    columns: [
      "table",
      "classes",
      "error",
      ...peerNames.map((name) => `error, ${name}`),
      "error, majority",
      "log loss",
      ...peerNames.map((name) => `log loss, ${name}`),
    ],
    rows,
  });
}

async function regressions(): Promise<void> {
  const rows: Cell[][] = [];
  const logarithms: number[] = [];
  const ratios: number[] = [];
  for (const table of tables.filter((one) => one.task === "regression")) {
    const { figures, isHere } = peers[table.name];
    const squared = await predicted(table);
    const huber = await predicted(table, { loss: "huber" });
    const recipe = figures["recipe, Huber"]?.mae ?? Number.NaN;
    if (isHere) {
      logarithms.push(Math.log(squared.relmse));
      ratios.push(huber.mae / recipe);
    }
    rows.push([
      table.name,
      fixed(squared.relmse, 4),
      ...["recipe", "RidgeCV", "cv.glmnet"].map((name) => fixed(figures[name]?.relmse, 4)),
      huber.mae.toPrecision(5),
      ...["recipe, Huber", "HuberRegressor"].map((name) => figures[name]?.mae?.toPrecision(5) ?? null),
    ]);
  }
  const geometric = Math.exp(mean(logarithms));
  aim("regression, squared error over the mean's", "at most 0.290", geometric.toFixed(4), geometric <= 0.29);
  const most = Math.max(...ratios);
  aim("Huber, absolute error over the recipe's", "at most 1.02 on each table", most.toFixed(3), most <= 1.02);
  written.push({
    title: "Regression",
    note: 'Squared error over that of the training rows\' mean, and with `loss: "huber"` the absolute error, on held-out rows.',
    columns: [
      "table",
      "squared error",
      "recipe",
      "RidgeCV",
      "cv.glmnet",
      "Huber, absolute error",
      "recipe, Huber",
      "HuberRegressor",
    ],
    rows,
  });
}

async function weights(): Promise<void> {
  const rows: Cell[][] = [];
  const shown = (value: number | undefined): Cell => value?.toExponential(1) ?? null;
  let [isSame, isRecorded] = [true, true];
  for (const known of knownWeights) {
    const table = byName.get(known.table);
    if (table === undefined) continue;
    const { value, coefficients, curve = 1, recordedCoefficients } = await weightsLaw(known, table);
    isSame &&= value <= 1e-9 && curve <= 1e-9 && coefficients <= 1e-6;
    isRecorded &&= recordedCoefficients <= 1e-6;
    rows.push([known.table, ...[value, coefficients, curve, recordedCoefficients].map(shown)]);
  }
  aim("weights beside copies", "P and curve to 1e-9, coefficients to 1e-6", isSame ? "so" : "not so", isSame);
  aim("weights beside the recorded coefficients", "to 1e-6", isRecorded ? "so" : "not so", isRecorded);
  written.push({
    title: "Weights",
    note: "Relative differences between rows with whole-number weights and the rows repeated so often, by default, and between coefficients at one λ on standardised columns and the recorded ones; 1 where there is no curve.",
    columns: ["table", "P", "coefficients", "curve", "recorded coefficients"],
    rows,
  });
}

async function warnings(): Promise<void> {
  const cases = await warningCases(byName);
  const [good, all] = [cases.filter(({ holds }) => holds).length, cases.length];
  aim("warnings", `${all} of ${all} cases`, String(good), good === all);
  written.push({
    title: "Warnings",
    note: `Codes: ${Object.entries(codes)
      .map(([letter, code]) => `${letter} ${code}`)
      .join(", ")}.`,
    columns: ["case", "must", "must not", "found", "holds"],
    rows: cases.map(({ name, must, mustNot, found, holds }) => [
      name,
      must,
      mustNot,
      found,
      holds ? "yes" : "no",
    ]),
  });
  const [sensor, mass] = [byName.get("g_sensor"), byName.get("penguinmass")];
  if (sensor === undefined || mass === undefined) return;
  const offsets = await offsetCases(sensor, mass);
  aim(
    "offsets",
    "P to 1e-7, scores to 1e-6 of their spread",
    offsets.every(({ holds }) => holds) ? "so" : "not so",
    offsets.every(({ holds }) => holds),
  );
  written.push({
    title: "Offsets",
    columns: ["case", "P, relative difference", "scores, over their spread"],
    rows: offsets.map(({ name, value, scores }) => [name, value.toExponential(1), scores.toExponential(1)]),
  });
}

const crossValidated = ["LogisticRegressionCV", "RidgeCV"];

async function times(): Promise<void> {
  const rows: Cell[][] = [];
  let slower = 0;
  for (const table of tables) {
    const seconds = await secondsOf(table);
    const recorded = record?.tables[table.name] ?? {};
    const beside = crossValidated.map((name) => recorded[name]?.seconds).find((each) => each !== undefined);
    if (table.task === "classification" && beside !== undefined && seconds > beside) slower++;
    rows.push([
      table.name,
      table.points.rows,
      table.points.columns,
      (1000 * seconds).toFixed(1),
      fixed(beside === undefined ? undefined : 1000 * beside, 1),
    ]);
  }
  aim("classification tables that take longer than LogisticRegressionCV", "0", String(slower), slower === 0);
  written.push({
    title: "Time",
    note: `Processor milliseconds of the default fit of the whole table, path and choice included, in a warm process (median of 3); LogisticRegressionCV with 5 folds (RidgeCV for targets) behind StandardScaler: ${record?.version ?? "not recorded"}, on ${record?.machine ?? "no machine"}.`,
    columns: ["table", "rows", "columns", "default fit", "scikit-learn"],
    rows,
  });
}

async function freshOnes(): Promise<void> {
  if (unseen.length === 0) {
    note("No checkout of Rdatasets: the tables that no default was chosen on are left out.");
    return;
  }
  const rows: Cell[][] = [];
  for (const table of unseen) {
    const recorded = record?.tables[table.name] ?? {};
    const size = [table.name, table.points.rows, table.points.columns];
    if (table.task === "classification") {
      const { err, ll } = await classified(table);
      const [a, b] = ["LogisticRegressionCV", "LogisticRegressionCV by log loss"].map(
        (name) => recorded[name],
      );
      rows.push([...size, `error ${percent(err)} %, log loss ${fixed(ll, 4)}`, beside(a), beside(b)]);
    } else {
      const { relmse, mae } = await predicted(table);
      const huber = await predicted(table, { loss: "huber" });
      rows.push([
        ...size,
        `squared error ${fixed(relmse, 4)}, absolute ${mae.toPrecision(5)}; Huber ${huber.mae.toPrecision(5)}`,
        beside(recorded.RidgeCV),
        beside(recorded.HuberRegressor),
      ]);
    }
    note(String(rows.at(-1)));
  }
  written.push({
    title: "Tables that no default was chosen on",
    note: `Rdatasets' Mroz, TitanicSurvival, Chile, Salaries and Prestige (carData), HMDA (AER), Fishing (Ecdat), Hitters (ISLR): words one-hot, gaps filled, rows without a label left out; three seeds of five folds. Beside them ${record?.version ?? "nothing"} on standardised columns.`,
    columns: [
      "table",
      "rows",
      "columns",
      "default",
      "LogisticRegressionCV, RidgeCV",
      "by log loss, HuberRegressor",
    ],
    rows,
  });
}

const beside = (figures: Figures | undefined): Cell => {
  if (figures === undefined) return null;
  const { err, ll, relmse, mae } = figures;
  return relmse === undefined
    ? `error ${percent(err)} %, log loss ${fixed(ll, 4)}`
    : `squared error ${fixed(relmse, 4)}, absolute ${mae?.toPrecision(5)}`;
};

if (chosen.includes("tables")) {
  await classifications();
  await regressions();
}
if (chosen.includes("certificates")) await certificates();
if (chosen.includes("weights")) await weights();
if (chosen.includes("warnings")) await warnings();
if (chosen.includes("time")) await times();
if (chosen.includes("fresh")) await freshOnes();

const ends = Object.fromEntries(targets.map(({ what, holds }) => [what, holds]));
writeReport(
  {
    paper: "sgdqn",
    name: "defaults",
    title: "Linear models by default",
    claim:
      "Ours: what a linear solver calls converged is so; the default models are level with cross-validated ones of others, on tables as people have them; weights are copies; warnings come where they must, and only there.",
    data: "Twenty tables of the UCI repository (CC BY 4.0), palmerpenguins (CC0) and drawn ones, in `apps/bench/data/linear-defaults`, whose README names their donors; other tables where `--data` has them.",
    method:
      "Folds as they are stored. Problems are solved by `newton` (the hinge by `auto`) as `createLinearSolver` has them, with a free bias; models are those of the constructors without options where nothing else is said.",
    repeats:
      "Three seeds of five folds, all rows of all folds counted together. Other runs give the same, times apart.",
    clock: "processor",
    findings: [verdict(ends)],
    tables: [
      {
        title: "Targets",
        columns: ["target", "wanted", "found", "reached"],
        rows: targets.map(({ what, wanted, found, holds }) => [what, wanted, found, holds ? "yes" : "no"]),
      },
      ...written,
    ],
  },
  isQuick,
);
if (targets.some(({ holds }) => !holds)) process.exitCode = 1;
