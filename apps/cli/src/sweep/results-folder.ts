/** The folder of a sweep's results: the plan is written before anything runs, and removed if no run has a result. */
import { lstatSync, mkdirSync, readFileSync, rmdirSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileError, usageError } from "../run/failure.js";
import { buildVersion } from "../version.js";
import { writeAtomically } from "../write/atomic-file.js";
import { plainText } from "../write/report.js";
import type { Plan, SweepRequest } from "./plan.js";
import { sweepableCommand } from "./run-arguments.js";
import { savedFiles } from "./run-unit.js";

/** What a sweep leaves in its folder, besides its runs. */
export const resultFiles = { table: "summary.csv", text: "summary.md", picture: "picture.svg" } as const;

/** What a sweep says of itself in its folder; undefined where there is none, empty where it cannot be read. */
function planIn(folder: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const content: unknown = JSON.parse(readFileSync(join(folder, "sweep.json"), "utf8"));
    return typeof content === "object" && content !== null ? { ...content } : {};
  } catch (error) {
    if (typeof error === "object" && error !== null && "code" in error && error.code === "ENOENT")
      return undefined;
    return {};
  }
}

function contentOf({ command, file, settings, axes, restarts, seed }: SweepRequest, { hash, runs }: Plan) {
  const grid = Object.fromEntries(axes.map(({ name, values }) => [name, values]));
  const content = { plan: hash, version: buildVersion(), command, file, settings, grid, restarts, seed };
  return { ...content, data: runs[0]?.unit.data ?? [] };
}

/** @throws CurvatureError ERR_OPTION unless the folder holds results of this plan */
export function checkSamePlan(option: string, folder: string, request: SweepRequest, plan: Plan): void {
  const there = planIn(folder);
  if (there === undefined)
    throw usageError(`--${option} ${folder} holds no sweep (there is no sweep.json).`, option);
  if (there["plan"] === plan.hash) return;
  const { plan: _, file: __, ...here } = contentOf(request, plan);
  const others = Object.entries(here)
    .filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(there[name]))
    .map(([name]) => name);
  throw usageError(
    `--${option} ${folder} holds another sweep (other ${others.join(", ") || "settings, data or version"}); name another folder.`,
    option,
  );
}

/**
 * Makes the folder of results and enters the plan.
 *
 * @returns what takes back all that it has made; a sweep that was there stays
 * @throws CurvatureError ERR_OPTION when another sweep is there, or files of others would be overwritten; ERR_IO
 */
export function enterPlan(folder: string, request: SweepRequest, plan: Plan): () => void {
  const there = planIn(folder);
  if (there !== undefined) checkSamePlan("out", folder, request, plan);
  const foreign = [
    ...Object.values(resultFiles),
    ...savedFiles(sweepableCommand(request.command), "best").map(([, name]) => name),
  ].find((name) => lstatSync(join(folder, name), { throwIfNoEntry: false }) !== undefined);
  if (there === undefined && foreign !== undefined) {
    throw usageError(
      `--out ${folder} holds a ${foreign} that is no sweep's and would be overwritten; name another folder.`,
      "out",
    );
  }
  const inside = resolve(folder, "runs");
  let first: string | undefined;
  try {
    first = mkdirSync(inside, { recursive: true });
  } catch (error) {
    throw fileError("write", folder, error);
  }
  const path = join(folder, "sweep.json");
  writeAtomically(path, plainText(contentOf(request, plan)));
  return () => {
    if (there !== undefined) return;
    rmSync(path, { force: true });
    if (first !== undefined) removeEmpty(inside, resolve(first));
  };
}

/** Removes folders that hold nothing, from the innermost to the outermost. */
function removeEmpty(innermost: string, outermost: string): void {
  try {
    for (let folder = innermost; folder.length >= outermost.length; folder = dirname(folder))
      rmdirSync(folder);
  } catch {
    // Somebody else has put something there.
  }
}
