/**
 * Tables for linear models by default: those in `data/linear-defaults`, with folds, peers' figures and problems whose optima
 * are known; and some of a checkout of Rdatasets, which no default was chosen on.
 */
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { readTable } from "@curvature/datasets";
import { type DenseMatrix, RandomGenerator } from "@curvature/linalg";
import { prepare, textAt } from "@curvature/linalg/tables";

export type LinearTask = "classification" | "regression";

/** What a method does on held-out rows: share of errors and mean log loss; relative squared and absolute error. */
export interface Figures {
  readonly err?: number;
  readonly ll?: number;
  readonly relmse?: number;
  readonly mae?: number;
}

export interface NumberTable {
  readonly name: string;
  readonly task: LinearTask;
  readonly points: DenseMatrix;
  /** Of classification; of regression the targets as they are written. */
  readonly labels: readonly string[];
  /** For each seed the fold of each row, a digit. */
  readonly folds: readonly string[];
}

export interface Peers {
  readonly rows: number;
  readonly columns: number;
  /** 0: a target. */
  readonly classes: number;
  readonly source: string;
  /** Of the CSV. */
  readonly sha256: string;
  readonly isHere: boolean;
  readonly figures: Readonly<Record<string, Figures>>;
}

/** A problem with free bias whose optimum is known to 1e-15, of the hinge at least an upper bound. */
export interface KnownProblem {
  readonly table: string;
  readonly task: LinearTask;
  readonly loss:
    | "hinge"
    | "squared-hinge"
    | "smoothed-hinge"
    | "logistic"
    | "modified-huber"
    | "squared-error"
    | "huber";
  readonly width: number;
  readonly columns: "standardised" | "as given";
  readonly lambda: number;
  readonly optimum: number;
  /** Of the prototype. */
  readonly iterations: number;
  readonly targetShift?: number;
  readonly mean?: readonly number[];
  readonly scale?: readonly number[];
}

export interface KnownWeights {
  readonly table: string;
  readonly weights: readonly number[];
  readonly lambdaOfCoefficients: number;
  readonly coefficients: readonly number[];
}

const folder = new URL("../../../data/linear-defaults/", import.meta.url);
const text = (name: string): string => {
  const bytes = readFileSync(new URL(name, folder));
  return (name.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString();
};

export const peers: Readonly<Record<string, Peers>> = JSON.parse(text("peers.json"));
export const knownProblems: readonly KnownProblem[] = JSON.parse(text("problems.json.gz"));
export const knownWeights: readonly KnownWeights[] = JSON.parse(text("weights.json.gz"));

const stored: Readonly<Record<string, { readonly csv?: string; readonly folds: readonly string[] }>> =
  JSON.parse(text("tables.json.gz"));

/** Those that are here, and of the others those that `data` has as `<name>.csv` with the right checksum. */
export function peerTables(data: string | undefined): NumberTable[] {
  return Object.entries(peers).flatMap(([name, { classes, sha256 }]) => {
    const path = data === undefined ? "" : join(data, `${name}.csv`);
    const csv = stored[name].csv ?? (existsSync(path) ? readFileSync(path, "utf8") : undefined);
    if (csv === undefined || createHash("sha256").update(csv).digest("hex") !== sha256) return [];
    const cells = csv
      .trim()
      .split("\n")
      .slice(1)
      .map((line) => line.split(","));
    const columns = cells[0].length - 1;
    const points = matrix(cells.map((row) => row.slice(0, columns).map(Number)));
    const task = classes > 0 ? "classification" : "regression";
    return { name, task, points, labels: cells.map((row) => row[columns]), folds: stored[name].folds };
  });
}

export function matrix(rows: readonly (readonly number[])[]): DenseMatrix<Float64Array> {
  return { rows: rows.length, columns: rows[0].length, data: Float64Array.from(rows.flat()) };
}

/** Package, table, label, columns that give the label away. */
const fresh: readonly (readonly [string, string, LinearTask, string, ...string[]])[] = [
  ["carData", "Mroz", "classification", "lfp"],
  ["AER", "HMDA", "classification", "deny"],
  ["carData", "TitanicSurvival", "classification", "survived"],
  ["carData", "Chile", "classification", "vote"],
  ["Ecdat", "Fishing", "classification", "mode", "price", "catch"],
  ["carData", "Salaries", "regression", "salary"],
  ["ISLR", "Hitters", "regression", "Salary"],
  ["carData", "Prestige", "regression", "prestige"],
];

/** Real tables that no default was chosen on, prepared as a user would: words one-hot, gaps filled, rows without a label left out. */
export async function freshTables(data: string | undefined): Promise<NumberTable[]> {
  const tables: NumberTable[] = [];
  for (const [origin, name, task, label, ...others] of fresh) {
    const path = data === undefined ? "" : join(data, "csv", origin, `${name}.csv`);
    if (!existsSync(path)) continue;
    const table = await readTable(readFileSync(path));
    const given = table.columns.find((column) => column.name === label);
    if (given === undefined) throw new Error(`${path} has no column ${label}.`);
    const prepared = prepare(table, {
      labels: label,
      ignore: ["rownames", ...others],
      words: "one-hot",
      missing: "mean",
    });
    const all = Array.from({ length: table.rows }, (_, i) => textAt(given, i) ?? "");
    const rows = Array.from(prepared.kept ?? all.keys());
    const labelled = rows
      .map((row, at) => ({ at, label: all[row] }))
      .filter((row) => row.label !== "" && row.label !== "NA");
    const { columns, data: cells } = prepared.points;
    const points = matrix(
      labelled.map(({ at }) => Array.from(cells.subarray(at * columns, (at + 1) * columns))),
    );
    const folds = [0, 1, 2].map((seed) => dealt(labelled.length, seed));
    tables.push({ name, task, points, labels: labelled.map((row) => row.label), folds });
  }
  return tables;
}

/** Five folds of one size, in random order. */
function dealt(n: number, seed: number): string {
  const random = new RandomGenerator(seed);
  const digits = Array.from({ length: n }, (_, i) => i % 5);
  for (let i = n - 1; i > 0; i--) {
    const j = random.integer(i + 1);
    [digits[i], digits[j]] = [digits[j], digits[i]];
  }
  return digits.join("");
}
