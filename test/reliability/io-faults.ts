/**
 * Every call of the file system that a command makes fails once: the command must end with a documented exit code and
 * a sentence, and its output be the old one or the new one, whole.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { isOneSentence, Workplace } from "../../apps/cli/test/cli.ts";
import { type CommandRun, prepare, wordsOf } from "./commands.ts";

export interface FaultCase {
  readonly run: CommandRun;
  /** "main:3", "worker:7" */
  readonly at: string;
  readonly call: string;
  readonly code: string;
}

const preload = pathToFileURL(join(import.meta.dirname, "fault-preload.mjs")).href;
const codes = ["ENOSPC", "EIO", "EACCES"];
const previous = "previous content\n";
const io = 74;

/** Short, since only their files matter; with a checkpoint from which they go on, and at least one that is written. */
const brief = (run: CommandRun): string[] =>
  wordsOf(run, "--checkpoint", "kept.bin", "--checkpoint-every", "1e9");

function environment(place: Workplace, given: Readonly<Record<string, string>>): Record<string, string> {
  return { NODE_OPTIONS: `--import ${preload}`, FAULT_FOLDER: place.folder, ...given };
}

/** All cases of a command: a first run tells its calls. */
export async function faultCases(run: CommandRun): Promise<FaultCase[]> {
  const place = new Workplace();
  const log = mkdtempSync(join(tmpdir(), "curvature-calls-"));
  try {
    prepare(place);
    place.write(run.output, previous);
    const ended = await place.run(brief(run), { environment: environment(place, { FAULT_LOG: log }) });
    if (ended.code !== run.code) throw new Error(`${run.name} does not run: ${ended.stderr}`);
    return readdirSync(log).flatMap((file) => {
      const thread = file.split("-")[0];
      const calls = readFileSync(join(log, file), "utf8").split("\n").filter(Boolean);
      return calls.flatMap((call, k) =>
        [...codes, ...(call === "writeSync" ? ["short"] : [])].map((code) => ({
          run,
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
export async function tryFault({ run, at, call, code }: FaultCase, expected: Buffer): Promise<string[]> {
  const place = new Workplace();
  const wrong: string[] = [];
  try {
    prepare(place);
    place.write(run.output, previous);
    const ended = await place.run(brief(run), {
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
  } finally {
    place.remove();
  }
  return wrong.map((what) => `${run.name}, ${at} ${call} ${code}: ${what}`);
}
