/** The folder of a sweep's results: the plan is written before anything runs, and removed if no run has a result. */
import { lstatSync, mkdirSync, readFileSync, rmdirSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileError, usageError } from "../run/failure.js";
import { programVersion } from "../version.js";
import { writeAtomically } from "../write/atomic-file.js";
import { plainText } from "../write/report.js";
import type { Plan, SweepRequest } from "./plan.js";

/** What a sweep leaves in its folder, besides its runs. */
export const resultFiles = { table: "summary.csv", text: "summary.md", picture: "picture.svg" } as const;

/** What is in a folder of results, where the sweep's own records are. */
function planIn(folder: string): string | undefined {
  try {
    const plan: unknown = JSON.parse(readFileSync(join(folder, "sweep.json"), "utf8"));
    return typeof plan === "object" && plan !== null && "plan" in plan && typeof plan.plan === "string"
      ? plan.plan
      : "";
  } catch (error) {
    if (typeof error === "object" && error !== null && "code" in error && error.code === "ENOENT")
      return undefined;
    return "";
  }
}

/**
 * Makes the folder of results and enters the plan.
 *
 * @returns what takes back all that it has made; a sweep that was there stays
 * @throws CurvatureError ERR_OPTION when another sweep is there, or files of others would be overwritten; ERR_IO
 */
export function enterPlan(folder: string, request: SweepRequest, { hash, runs }: Plan): () => void {
  const there = planIn(folder);
  if (there !== undefined && there !== hash) {
    throw usageError(
      `--out ${folder} holds another sweep (other settings, data or version); name another folder.`,
      "out",
    );
  }
  const foreign = Object.values(resultFiles).find(
    (name) => lstatSync(join(folder, name), { throwIfNoEntry: false }) !== undefined,
  );
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
  const { command, file, settings, axes, restarts, seed } = request;
  const grid = Object.fromEntries(axes.map(({ name, values }) => [name, values]));
  const content = { plan: hash, version: programVersion(), command, file, settings, grid, restarts, seed };
  const path = join(folder, "sweep.json");
  writeAtomically(path, plainText({ ...content, data: runs[0]?.unit.data ?? [] }));
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
