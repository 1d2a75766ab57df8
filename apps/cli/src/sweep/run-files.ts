/** A run's report in the folder of results; read again, it is the run's end. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { UnitEnd } from "@curvature/cluster";
import { writeAtomically } from "../write/atomic-file.js";
import { plainText } from "../write/report.js";
import type { Plan, PlannedRun } from "./plan.js";
import type { Refusal } from "./refusal.js";
import { type MapPreview, type RunOutcome, savedFiles } from "./run-unit.js";
import type { Sweepable } from "./sweepable.js";

export function runFile(folder: string, index: number, { unit }: PlannedRun, total: number): string {
  const number = String(index + 1).padStart(Math.max(3, String(total).length), "0");
  const words = unit.id.replaceAll(/[^\w.,=-]+/g, "").slice(0, 80);
  return join(folder, "runs", `${number}-${words}.json`);
}

/** The path, without its ending, of what a run saves. */
export const stemOf = (path: string): string => path.replace(/\.json$/, "");

/** What a run should have saved and is not there: a path, or that it has saved nothing. Undefined where nothing is missing. */
export function missingFile(path: string, end: UnitEnd, kind: Sweepable): string | undefined {
  const outcome = end.status === "done" ? outcomeOf(end.result) : undefined;
  if (outcome === undefined) return undefined; // a run that was refused, or has failed, saves nothing
  const { saved } = outcome;
  if (saved === undefined) return `${path} is of a run without --save all`;
  const lost = savedFiles(kind, stemOf(path)).find(
    ([option, file]) => saved.includes(option) && !existsSync(file),
  );
  return lost && `${lost[1]} is missing`;
}

/** Why there is no result, after so many tries. */
export interface FailedRun {
  readonly failed: { readonly reason: string; readonly tries: number };
}

/** @throws CurvatureError ERR_IO */
export function writeRun(
  path: string,
  { unit }: PlannedRun,
  plan: Plan,
  answer: RunOutcome | Refusal | FailedRun,
): void {
  const { report, ...rest } = "report" in answer ? answer : { report: {}, ...answer };
  writeAtomically(path, plainText({ ...report, sweep: { plan: plan.hash, unit: unit.id, ...rest } }));
}

/** The end of a run from its file; undefined where there is none of this plan. */
export function readRun(path: string, { unit }: PlannedRun, plan: Plan): UnitEnd | undefined {
  try {
    const { sweep, ...report } = record(JSON.parse(readFileSync(path, "utf8")));
    const { plan: hash, unit: id, exitCode, map, saved, refusal, failed } = record(sweep);
    if (hash !== plan.hash || id !== unit.id) return undefined;
    const { reason, tries } = record(failed);
    if (typeof reason === "string" && typeof tries === "number")
      return { id: unit.id, status: "failed", reason, tries };
    if (refusal === undefined && typeof report["result"] !== "object") return undefined;
    const result = refusal === undefined ? outcomeOf({ report, exitCode, map, saved }) : { refusal };
    return result && { id: unit.id, status: "done", result, seconds: 0 };
  } catch {
    return undefined; // not there, or not whole: the run is made again
  }
}

/** What a unit has answered, if it is an outcome. */
export function outcomeOf(value: unknown): RunOutcome | undefined {
  const { report, exitCode, map, saved } = record(value);
  if (typeof report !== "object" || report === null || typeof exitCode !== "number") return undefined;
  const options = Array.isArray(saved) ? saved.filter((option) => typeof option === "string") : undefined;
  return { report: record(report), exitCode, map: previewOf(map), saved: options };
}

function previewOf(value: unknown): MapPreview | undefined {
  const { rows, columns, taken, places } = record(value);
  if (typeof rows !== "number" || typeof columns !== "number" || typeof places !== "string" || columns < 1) {
    return undefined;
  }
  const numbers = Array.isArray(taken)
    ? taken.filter((row): row is number => typeof row === "number")
    : undefined;
  return { rows, columns, taken: numbers, places };
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
