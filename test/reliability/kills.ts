/**
 * kill -9 at random moments: a run that keeps checkpoints is killed, goes on, is killed again …, and its output must
 * be that of a run that nothing disturbed, bit for bit. What lies about in between is whole or not there.
 */
import type { ChildProcess } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { RandomGenerator } from "@curvature/linalg";
import { decodeCheckpoint } from "@curvature/optim-core";
import { Workplace } from "../../apps/cli/test/cli.ts";
import { type CommandRun, prepare, wordsOf } from "./commands.ts";

export interface KillsReport {
  readonly kills: number;
  /** Of the kills, those that came before the first checkpoint, and those that came too late. */
  readonly early: number;
  readonly late: number;
  readonly faults: readonly string[];
}

const resumption = (place: Workplace, name: string): readonly string[] => [
  "--checkpoint",
  name,
  "--checkpoint-every",
  "0",
  ...(place.has(name) ? ["--resume"] : []),
];

/** Kills runs of the command until there were so many kills; a run is let go to its end after a few of them. */
export async function kill(run: CommandRun, kills: number, seed: number): Promise<KillsReport> {
  const random = new RandomGenerator(seed);
  const place = new Workplace();
  const faults: string[] = [];
  let [done, early, late] = [0, 0, 0];
  try {
    prepare(place);
    const whole = await place.run(wordsOf(run));
    if (whole.code !== run.code) return { kills: 0, early, late, faults: [`${run.name}: ${whole.stderr}`] };
    const expected = readFileSync(place.path(run.output));
    const usual = await phases(place, run);
    for (let round = 0; done < kills; round++) {
      const checkpoint = `${round}.bin`;
      const current: CommandRun = { ...run, output: `${round}-${run.output}` };
      const most = Math.min(kills - done, 2 + random.integer(4));
      for (let k = 0; k < most; k++) {
        const child = place.start(wordsOf(current, ...resumption(place, checkpoint)));
        const closed = new Promise<number | null>((end) => child.on("close", end));
        // mostly once it computes: a process takes its time to start
        const isComputing = random.integer(5) !== 0;
        if (isComputing) await changed(place, checkpoint, child);
        // what is left to compute gets less from kill to kill
        await wait(random.uniform() * (isComputing ? usual.computing / most : usual.starting));
        child.kill("SIGKILL");
        if ((await closed) !== null) late++;
        done++;
        if (!place.has(checkpoint)) early++;
        else faults.push(...torn(place, checkpoint));
        if (
          existsSync(place.path(current.output)) &&
          !expected.equals(readFileSync(place.path(current.output)))
        )
          faults.push(`${run.name}: an output that is torn, or not that of an undisturbed run`);
      }
      const ended = await place.run(wordsOf(current, ...resumption(place, checkpoint)));
      if (ended.code !== run.code || ended.stderr !== "")
        faults.push(`${run.name}: went on to exit code ${ended.code}: ${ended.stderr}`);
      else if (!expected.equals(readFileSync(place.path(current.output))))
        faults.push(`${run.name}: the output after ${most} kills differs (seed ${seed}, round ${round})`);
      faults.push(...litter(place, run.name));
    }
  } finally {
    place.remove();
  }
  return { kills: done, early, late, faults };
}

/** How many milliseconds the command takes to its first checkpoint, and from there to its end. */
async function phases(
  place: Workplace,
  run: CommandRun,
): Promise<{ readonly starting: number; readonly computing: number }> {
  const began = performance.now();
  const child = place.start(wordsOf(run, ...resumption(place, "whole.bin")));
  const closed = new Promise((end) => child.on("close", end));
  await changed(place, "whole.bin", child);
  const starting = performance.now() - began;
  await closed;
  return { starting, computing: performance.now() - began - starting };
}

/** Until the checkpoint is there, or is another than it was, or the process is gone. */
async function changed(place: Workplace, name: string, child: ChildProcess): Promise<void> {
  const read = (): Buffer | undefined => (place.has(name) ? readFileSync(place.path(name)) : undefined);
  const before = read();
  for (; child.exitCode === null; await wait(5)) {
    const now = read();
    if (now !== undefined && before?.equals(now) !== true) return;
  }
}

/** The checkpoint that a run leaves which is killed when there have been some. */
export async function interrupted(run: CommandRun): Promise<Uint8Array> {
  const place = new Workplace();
  try {
    prepare(place);
    const name = "cut.bin";
    const child = place.start(wordsOf(run, ...resumption(place, name)));
    const closed = new Promise((end) => child.on("close", end));
    for (let k = 0; k < 3; k++) await changed(place, name, child);
    child.kill("SIGKILL");
    await closed;
    return place.bytes(name);
  } finally {
    place.remove();
  }
}

export function torn(place: Workplace, name: string): string[] {
  try {
    decodeCheckpoint(place.bytes(name));
    return [];
  } catch (error) {
    return [`a torn checkpoint: ${String(error)}`];
  }
}

/** A run that ends sweeps what the killed ones left. */
const litter = (place: Workplace, command: string): string[] =>
  place
    .files()
    .filter((name) => name.endsWith("-tmp"))
    .map((name) => `${command}: ${name} is left`);
