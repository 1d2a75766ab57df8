/**
 * Every call of the file system that a command makes fails once, from its beginning or when it goes on from a checkpoint:
 * the command must end with a documented exit code and a sentence, and its output be the old one or the new one, whole.
 * The checkpoint that it went on from is there all the same, or a newer one, and leads to the output of an undisturbed run.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { isOneSentence, Workplace } from "../../apps/cli/test/cli.ts";
import { type CommandRun, prepare, wordsOf } from "./commands.ts";
import { torn } from "./kills.ts";

export interface FaultCase {
  readonly run: CommandRun;
  /** What the run goes on from; undefined if it begins. */
  readonly checkpoint: Uint8Array | undefined;
  /** "main:3", "worker:7" */
  readonly at: string;
  readonly call: string;
  readonly code: string;
}

const preload = pathToFileURL(join(import.meta.dirname, "fault-preload.mjs")).href;
const codes = ["ENOSPC", "EIO", "EACCES"];
const previous = "previous content\n";
const io = 74;

const kept = "kept.bin";

/** Short, since only their files matter; with at least one checkpoint that is written. */
const brief = (run: CommandRun, checkpoint: Uint8Array | undefined): string[] =>
  wordsOf(
    run,
    ...["--checkpoint", kept, "--checkpoint-every", "1e9"],
    ...(checkpoint === undefined ? [] : ["--resume"]),
  );

function lay(place: Workplace, run: CommandRun, checkpoint: Uint8Array | undefined): void {
  prepare(place);
  place.write(run.output, previous);
  if (checkpoint !== undefined) place.write(kept, checkpoint);
}

function environment(place: Workplace, given: Readonly<Record<string, string>>): Record<string, string> {
  return { NODE_OPTIONS: `--import ${preload}`, FAULT_FOLDER: place.folder, ...given };
}

/** All cases of a command that begins, or goes on from a checkpoint: a first run tells its calls. */
export async function faultCases(run: CommandRun, checkpoint?: Uint8Array): Promise<FaultCase[]> {
  const place = new Workplace();
  const log = mkdtempSync(join(tmpdir(), "curvature-calls-"));
  try {
    lay(place, run, checkpoint);
    const ended = await place.run(brief(run, checkpoint), {
      environment: environment(place, { FAULT_LOG: log }),
    });
    if (ended.code !== run.code) throw new Error(`${run.name} does not run: ${ended.stderr}`);
    return readdirSync(log).flatMap((file) => {
      const thread = file.split("-")[0];
      const calls = readFileSync(join(log, file), "utf8").split("\n").filter(Boolean);
      return calls.flatMap((call, k) =>
        [...codes, ...(call === "writeSync" ? ["short"] : [])].map((code) => ({
          run,
          checkpoint,
          at: `${thread}:${k + 1}`,
          call,
          code,
        })),
      );
    });
  } finally {
    place.remove();
    rmSync(log, { recursive: true, force: true });
  }
}

/** The output of a run without faults. */
export async function undisturbed(run: CommandRun): Promise<Buffer> {
  const place = new Workplace();
  try {
    prepare(place);
    await place.run(wordsOf(run));
    return readFileSync(place.path(run.output));
  } finally {
    place.remove();
  }
}

/** What is wrong with how the command took it. */
export async function tryFault(given: FaultCase, expected: Buffer): Promise<string[]> {
  const { run, checkpoint, at, call, code } = given;
  const place = new Workplace();
  const wrong: string[] = [];
  try {
    lay(place, run, checkpoint);
    const ended = await place.run(brief(run, checkpoint), {
      environment: environment(place, { FAULT_AT: at, FAULT_CODE: code }),
    });
    const output = readFileSync(place.path(run.output));
    const isNew = output.equals(expected);
    if (!isNew && output.toString() !== previous) wrong.push("the output is neither the old nor the new one");
    if (ended.code === run.code) {
      if (!isNew) wrong.push(`exit code ${ended.code} without the output`);
      if (ended.stderr !== "") wrong.push(`talk beside success: ${ended.stderr}`);
    } else if (ended.code !== io) wrong.push(`exit code ${ended.code}: ${ended.stderr}`);
    else if (
      !/curvature: .*(Cannot (read|write) |is missing)/.test(ended.stderr) ||
      /\bat .*\.js:\d/.test(ended.stderr)
    )
      wrong.push(`no clear sentence: ${ended.stderr}`);
    else if (
      !isOneSentence(ended.stderr.replace(/^curvature: warning: .*\n/gim, "")) &&
      !/warning/i.test(ended.stderr)
    )
      wrong.push(`more than one sentence: ${ended.stderr}`);
    const left = place.files().filter((name) => name.endsWith("-tmp"));
    if (left.length > 0 && call !== "unlinkSync") wrong.push(`${left.join(", ")} is left`);
    if (checkpoint !== undefined) wrong.push(...(await lost(place, run, checkpoint, expected)));
  } finally {
    place.remove();
  }
  const manner = checkpoint === undefined ? "" : ", resumed";
  return wrong.map((what) => `${run.name}${manner}, ${at} ${call} ${code}: ${what}`);
}

/** What is wrong with the checkpoint after a fault. As it was, it leads where it led before; a newer one is tried. */
async function lost(
  place: Workplace,
  run: CommandRun,
  checkpoint: Uint8Array,
  expected: Buffer,
): Promise<string[]> {
  if (!place.has(kept)) return ["the checkpoint is gone"];
  if (Buffer.from(checkpoint).equals(place.bytes(kept))) return [];
  const wrong = torn(place, kept);
  const later = await place.run(brief(run, place.bytes(kept)));
  if (later.code !== run.code || later.stderr !== "")
    wrong.push(`then went on to exit code ${later.code}: ${later.stderr}`);
  else if (!expected.equals(readFileSync(place.path(run.output))))
    wrong.push("then went on to another output");
  return wrong;
}
