/**
 * Sweeps on machines that do not know of each other (job arrays, a matrix of a build server): each shard does the runs that
 * are its own by their numbers, and a merge reads what the shards have left in their folders.
 */
import { readFileSync } from "node:fs";
import type { UnitEnd } from "@curvature/cluster";
import { usageError } from "../run/failure.js";
import { writeAtomically } from "../write/atomic-file.js";
import type { Plan, SweepRequest } from "./plan.js";
import { refusalOf } from "./refusal.js";
import { checkSamePlan } from "./results-folder.js";
import { missingFile, outcomeOf, readRun, runFile, stemOf } from "./run-files.js";
import { savedFiles } from "./run-unit.js";
import { figuresOf } from "./summary.js";
import type { Sweepable } from "./sweepable.js";

export interface Shard {
  /** From 1. */
  readonly number: number;
  readonly count: number;
}

/** @throws CurvatureError ERR_OPTION */
export function shardFrom(word: string): Shard {
  const [, first, second] = /^(\d{1,9})\/(\d{1,9})$/.exec(word) ?? [];
  const [number, count] = [Number(first), Number(second)];
  if (number === 0 && count > 0)
    throw usageError(
      `--shard ${word}: shards are counted from 1, as 1/${count} to ${count}/${count}; add 1 to an index that begins with 0.`,
      "shard",
    );
  if (!(number >= 1 && number <= count))
    throw usageError(`--shard must be i/n with i from 1 to n, as 3/8; received ${word}.`, "shard");
  return { number, count };
}

/** Whether a shard does the k-th run: every n-th, so that the settings of the grid that take longest are spread. */
export const isOf = ({ number, count }: Shard, k: number): boolean => k % count === number - 1;

/**
 * The runs of this plan in the folders of shards, which are copied into the folder of results.
 *
 * @param mayLack - whether runs may be missing; those that have failed are then missing, too, and are tried again
 * @param files - of which command the runs must have saved what they can; undefined where they need not
 * @returns their ends by the units' ids
 * @throws CurvatureError ERR_OPTION for a folder of another plan, for two that have other results for one run, and for missing
 *   runs and files; ERR_IO
 */
export function mergedEnds(
  folders: readonly string[],
  out: string,
  request: SweepRequest,
  plan: Plan,
  mayLack: boolean,
  files: Sweepable | undefined,
): ReadonlyMap<string, UnitEnd> {
  for (const folder of folders) checkSamePlan("merge", folder, request, plan);
  const total = plan.runs.length;
  const ends = new Map<string, UnitEnd>();
  const copies: { readonly from: string; readonly to: string }[] = [];
  const missing: number[] = [];
  const lost: string[] = [];
  for (const [k, run] of plan.runs.entries()) {
    const all = folders.flatMap((folder) => {
      const path = runFile(folder, k, run, total);
      const end = readRun(path, run, plan);
      return end === undefined ? [] : [{ folder, path, end }];
    });
    const done = all.filter(({ end }) => end.status === "done");
    const there = done.length === 0 && !mayLack ? all.slice(0, 1) : done;
    const other = there.find(({ end }) => found(end) !== found(there[0].end));
    if (other !== undefined)
      throw usageError(
        `Run ${k + 1} (${run.unit.id}) has other results in ${other.folder} than in ${there[0].folder}: it was ended by a limit of time, or one of the machines runs another build. Remove one of the two files from its folder runs.`,
        "merge",
      );
    const whole =
      files === undefined ? there : there.filter(({ path, end }) => !missingFile(path, end, files));
    if (there.length === 0) missing.push(k + 1);
    else if (whole.length === 0 && files !== undefined)
      lost.push(missingFile(there[0].path, there[0].end, files) ?? "");
    else {
      const { path, end } = whole[0];
      ends.set(run.unit.id, end);
      const outcome = end.status === "done" ? outcomeOf(end.result) : undefined;
      if (outcome === undefined) continue;
      const to = runFile(out, k, run, total);
      const targets = new Map(files && savedFiles(files, stemOf(to)));
      for (const [option, from] of files === undefined ? [] : savedFiles(files, stemOf(path)))
        if (outcome.saved?.includes(option)) copies.push({ from, to: targets.get(option) ?? "" });
      copies.push({ from: path, to });
    }
  }
  if (lost.length > 0 && !mayLack)
    throw usageError(
      `--merge with --save all: ${lost.slice(0, 8).join("; ")}${lost.length > 8 ? `; and ${lost.length - 8} more` : ""}. Run these shards again, each with --save all --resume, or add --resume here to run them on this machine.`,
      "merge",
    );
  if (missing.length > 0 && !mayLack)
    throw usageError(
      `--merge: ${missing.length} of ${total} runs are in none of the folders (${missing.slice(0, 8).join(", ")}${missing.length > 8 ? ", …" : ""}). Run their shards again, each with --resume, or add --resume here to run them on this machine.`,
      "merge",
    );
  for (const { from, to } of copies) if (to !== from) writeAtomically(to, readFileSync(from));
  return ends;
}

/** What a run has found: its figures and its map, or why it was refused; seconds differ from machine to machine. */
function found(end: UnitEnd): string {
  const outcome = end.status === "done" ? outcomeOf(end.result) : undefined;
  if (outcome === undefined) return JSON.stringify(refusalOf(end));
  return JSON.stringify([...figuresOf(outcome), outcome.exitCode, outcome.map?.places]);
}
