/** A run's report in the folder of results; read again, it is the run's end. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { UnitEnd } from "@curvature/cluster";
import { writeAtomically } from "../write/atomic-file.js";
import { plainText } from "../write/report.js";
import type { Plan, PlannedRun } from "./plan.js";
import type { Refusal } from "./refusal.js";
import type { MapPreview, RunOutcome } from "./run-unit.js";

export function runFile(folder: string, index: number, { unit }: PlannedRun, total: number): string {
  const number = String(index + 1).padStart(Math.max(3, String(total).length), "0");
  const words = unit.id.replaceAll(/[^\w.,=-]+/g, "").slice(0, 80);
  return join(folder, "runs", `${number}-${words}.json`);
}

/** @throws CurvatureError ERR_IO */
export function writeRun(path: string, { unit }: PlannedRun, plan: Plan, answer: RunOutcome | Refusal): void {
  const { report, ...rest } = "report" in answer ? answer : { report: {}, ...answer };
  writeAtomically(path, plainText({ ...report, sweep: { plan: plan.hash, unit: unit.id, ...rest } }));
}

/** The end of a run from its file; undefined where there is none of this plan. */
export function readRun(path: string, { unit }: PlannedRun, plan: Plan): UnitEnd | undefined {
  try {
    const { sweep, ...report } = record(JSON.parse(readFileSync(path, "utf8")));
    const { plan: hash, unit: id, exitCode, map, refusal } = record(sweep);
    if (hash !== plan.hash || id !== unit.id) return undefined;
    const result = refusal === undefined ? outcomeOf({ report, exitCode, map }) : { refusal };
    return result && { id: unit.id, status: "done", result, seconds: 0 };
  } catch {
    return undefined; // not there, or not whole: the run is made again
  }
}

/** What a unit has answered, if it is an outcome. */
export function outcomeOf(value: unknown): RunOutcome | undefined {
  const { report, exitCode, map } = record(value);
  if (typeof report !== "object" || report === null || typeof exitCode !== "number") return undefined;
  return { report: record(report), exitCode, map: previewOf(map) };
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
