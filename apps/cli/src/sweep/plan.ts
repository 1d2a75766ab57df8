/**
 * The plan of a sweep from the command's words: the grid's points with their seeds, as units that name files by their
 * places in a data folder.
 */
import { realpath } from "node:fs/promises";
import { dirname, isAbsolute, relative, resolve, sep } from "node:path";
import type { DataReference, UnitOfWork } from "@curvature/cluster";
import { CurvatureError } from "@curvature/linalg";
import { loadCluster } from "../run/cluster.js";
import { fileError, usageError } from "../run/failure.js";
import { buildVersion } from "../version.js";
import { type Axis, settingOf } from "./grid.js";
import { fileSetting, type Setting, sweepableCommand, tryWords } from "./run-arguments.js";
import { optionsOf } from "./sweepable.js";

export interface SweepRequest {
  readonly command: string;
  readonly file: string | undefined;
  /** What all runs have, files by name. */
  readonly settings: Readonly<Record<string, Setting>>;
  readonly axes: readonly Axis[];
  readonly restarts: number;
  readonly seed: number;
}

export interface PlannedRun {
  readonly unit: UnitOfWork;
  readonly values: readonly string[];
}

export interface Plan {
  readonly runs: readonly PlannedRun[];
  /** The folder that the units' data are in. */
  readonly data: string;
  readonly hash: string;
}

/** Finds what the command would not take, before anything is read. @throws CommanderError, CurvatureError ERR_OPTION */
export function checkRequest(request: SweepRequest): void {
  const { command, file, settings, axes } = request;
  const options = optionsOf(sweepableCommand(command));
  for (const { name } of axes) {
    if (Object.hasOwn(settings, name) || Object.hasOwn(settings, `no-${name}`)) {
      throw usageError(`--${name} is given, and --grid varies it; leave one of them out.`, "grid");
    }
  }
  if (filesOf(request).includes("-")) {
    throw usageError("Standard input (-) can be read once only, and a sweep reads often; give files.");
  }
  const words = (settings: Readonly<Record<string, Setting>>): string[] => [
    ...(file === undefined ? [] : [file]),
    ...Object.entries(settings).map(([name, value]) =>
      value === true ? `--${name}` : `--${name}=${String(value)}`,
    ),
  ];
  tryWords(command, words(settings));
  for (const axis of axes) {
    for (const value of axis.values) {
      const setting = settingOf(axis, value, options);
      tryWords(command, words(setting === undefined ? settings : { ...settings, [axis.name]: setting }));
    }
  }
}

/**
 * @param folder - the data folder; undefined: the one that all files have in common, for work on this machine
 * @throws CurvatureError ERR_OPTION, ERR_IO
 */
export async function planOf(request: SweepRequest, folder: string | undefined): Promise<Plan> {
  const { command, file, settings, axes, restarts, seed } = request;
  const { planHash, referenceTo, sweepUnits } = await loadCluster("sweep");
  const names = [...new Set(filesOf(request))];
  const data = folder ?? (await commonFolder(names));
  const references: DataReference[] = [];
  for (const name of names) references.push(await referenceTo(data, await pathIn(data, name, folder)));
  const options = optionsOf(sweepableCommand(command));
  const files = sweepableCommand(command).files;
  const placed = (name: string, value: Setting): Setting =>
    typeof value === "string" && Object.hasOwn(files, name) && files[name](value)
      ? { data: names.indexOf(value) }
      : value;
  const common = Object.entries(settings).map(([name, value]) => [name, placed(name, value)]);
  const grid = Object.fromEntries(axes.map(({ name, values }) => [name, values]));
  const units = sweepUnits({ command, seed, grid, restarts, data: references });
  const runs = units.map((unit) => {
    const values = axes.map(({ name }) => String(unit.settings[name]));
    const own = axes.flatMap((axis, k) => {
      const setting = settingOf(axis, values[k], options);
      return setting === undefined ? [] : [[axis.name, placed(axis.name, setting)]];
    });
    const main = file === undefined ? [] : [[fileSetting, { data: names.indexOf(file) }]];
    return { unit: { ...unit, settings: Object.fromEntries([...main, ...common, ...own]) }, values };
  });
  return {
    runs,
    data,
    hash: planHash(
      runs.map(({ unit }) => unit),
      buildVersion(),
    ),
  };
}

/** All files that the runs read, by the names that were given. */
function filesOf({ command, file, settings, axes }: SweepRequest): string[] {
  const { files } = sweepableCommand(command);
  const named = (name: string, value: Setting): string[] =>
    typeof value === "string" && Object.hasOwn(files, name) && files[name](value) ? [value] : [];
  return [
    ...(file === undefined ? [] : [file]),
    ...Object.entries(settings).flatMap(([name, value]) => named(name, value)),
    ...axes.flatMap(({ name, values }) => values.flatMap((value) => named(name, value))),
  ];
}

async function commonFolder(names: readonly string[]): Promise<string> {
  const folders = await Promise.all(names.map(async (name) => dirname(await realFile(name)).split(sep)));
  if (folders.length === 0) return process.cwd();
  let shared = folders[0];
  for (const folder of folders) {
    const end = shared.findIndex((part, k) => part !== folder[k]);
    if (end >= 0) shared = shared.slice(0, end);
  }
  return shared.join(sep) || sep;
}

/** A file's path in the data folder. Through links only where nothing else was said: a pool's folder is what it shows. */
async function pathIn(data: string, name: string, folder: string | undefined): Promise<string> {
  const path = relative(
    folder === undefined ? data : resolve(data),
    folder === undefined ? await realFile(name) : resolve(name),
  );
  if (path !== "" && !isAbsolute(path) && path.split(sep)[0] !== "..") return path;
  throw new CurvatureError(
    "ERR_OPTION",
    `${name} is not in the data folder ${data}, where the workers look for it; put it there, or name its folder with --data.`,
    { path: "data", received: name },
  );
}

async function realFile(name: string): Promise<string> {
  return realpath(name).catch((error: unknown) => {
    throw fileError("read", name, error);
  });
}
