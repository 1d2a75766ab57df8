/**
 * One run of a sweep: the command itself, with its report in a folder of its own, within this thread.
 */
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { UnitOfWork } from "@curvature/cluster";
import { CurvatureError, type DenseMatrix } from "@curvature/linalg";
import { Command } from "commander";
import { exitCode } from "../run/exit-codes.js";
import { failureOf } from "../run/failure.js";
import { callOptionsAs, flagNames } from "../run/flag-names.js";
import type { Session } from "../run/session.js";
import { type Refusal, refusalFrom } from "./refusal.js";
import { argumentsOf, sweepableCommand } from "./run-arguments.js";
import { makeRunFolder } from "./run-folder.js";
import type { Sweepable } from "./sweepable.js";

/** What a run leaves behind, as JSON. */
export interface RunOutcome {
  /** What the command's --report holds, files by their places in the data folder. */
  readonly report: Readonly<Record<string, unknown>>;
  /** The command's exit code. */
  readonly exitCode: number;
  readonly map: MapPreview | undefined;
  /** Where files were asked for: the options that have written one. */
  readonly saved: readonly string[] | undefined;
}

/** Enough of a map to draw it small: rows evenly taken from it. */
export interface MapPreview {
  /** Of the whole map. */
  readonly rows: number;
  /** Of the whole map. */
  readonly columns: number;
  /** Row numbers, if not all. */
  readonly taken: readonly number[] | undefined;
  /** The first one or two columns of the rows taken, row by row: 32-bit floats, little-endian, in base64. */
  readonly places: string;
}

const maxPlaces = 2000;

/**
 * @param stem - the path, without its ending, of the files that the run saves; default: it saves none
 * @throws Error with one sentence when there is no result, and another try may have one
 */
export async function runUnit(
  unit: UnitOfWork,
  files: readonly string[],
  session: Session,
  stem?: string,
): Promise<RunOutcome | Refusal> {
  const kind = sweepableCommand(unit.command);
  const folder = makeRunFolder();
  try {
    const report = join(folder, "report.json");
    const words = [
      unit.command,
      ...argumentsOf(unit.command, unit.settings, files),
      `--seed=${unit.seed}`,
      "--quiet",
    ];
    const saving = new Map(stem === undefined ? [] : savedFiles(kind, stem));
    const outputs = new Map([["report", report]]);
    if (kind.map !== undefined) outputs.set(kind.map.option, join(folder, kind.map.file));
    for (const [option, path] of saving) outputs.set(option, path);
    const code = await ranSaving(unit.command, words, outputs, saving, session);
    if (code === exitCode.io) throw new Error("A file of the run could not be written.");
    const text = withPlaces(
      JSON.parse(readFileSync(report, "utf8")),
      new Map(files.map((file, k) => [file, unit.data[k].path])),
    );
    const path = outputs.get(kind.map?.option ?? "");
    const map =
      path !== undefined && existsSync(path)
        ? await kind.map?.read(path, session, dimensionsIn(text))
        : undefined;
    return {
      report: text,
      exitCode: code,
      map: map === undefined ? undefined : previewOf(map),
      saved:
        stem === undefined
          ? undefined
          : [...saving].flatMap(([option, file]) => (existsSync(file) ? [option] : [])),
    };
  } catch (error) {
    const refusal = refusalFrom(error);
    if (refusal !== undefined) return refusal;
    throw new Error(failureOf(error).message, { cause: error });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The files that a run may save, by their options. */
export const savedFiles = ({ saved }: Sweepable, stem: string): readonly (readonly [string, string])[] =>
  Object.entries(saved).map(([option, ending]) => [option, `${stem}.${ending}`]);

/** Leaves out what the command refuses to save with these settings: some maps take no later rows, and have no model. */
async function ranSaving(
  command: string,
  words: readonly string[],
  outputs: Map<string, string>,
  saving: Map<string, string>,
  session: Session,
): Promise<number> {
  try {
    return await ran(
      command,
      [...words, ...Array.from(outputs, ([option, path]) => `--${option}=${path}`)],
      session,
    );
  } catch (error) {
    const option = error instanceof CurvatureError && error.code === "ERR_OPTION" ? error.path : undefined;
    if (option === undefined || !saving.delete(option)) throw error;
    outputs.delete(option);
    return ranSaving(command, words, outputs, saving, session);
  }
}

function dimensionsIn({ options }: Readonly<Record<string, unknown>>): number {
  const isThere = typeof options === "object" && options !== null && "dimensions" in options;
  return isThere ? Number(options.dimensions) : 2;
}

async function ran(command: string, words: readonly string[], session: Session): Promise<number> {
  let code = 0;
  const program = new Command()
    .exitOverride()
    .configureOutput({ outputError: () => undefined })
    .hook("preAction", (_, action) => callOptionsAs(flagNames(action)));
  sweepableCommand(command).add(program, async (_options, body) => {
    code = await body(session);
  });
  await program.parseAsync([...words], { from: "user" });
  return code;
}

/** Names files by their places in the data folder: paths on the machine that did the work stay private. */
function withPlaces(report: unknown, places: ReadonlyMap<string, string>): Readonly<Record<string, unknown>> {
  const replaced: unknown = JSON.parse(
    JSON.stringify(report, (_key, value: unknown) =>
      typeof value === "string" ? (places.get(value) ?? value) : value,
    ),
  );
  return typeof replaced === "object" && replaced !== null ? { ...replaced } : {};
}

function previewOf({ rows, columns, data }: DenseMatrix): MapPreview {
  const count = Math.min(rows, maxPlaces);
  const taken = Array.from({ length: count }, (_, k) => Math.floor((k * rows) / count));
  const width = Math.min(columns, 2);
  const places = new DataView(new ArrayBuffer(4 * width * count));
  for (const [k, row] of taken.entries()) {
    for (let j = 0; j < width; j++) places.setFloat32(4 * (k * width + j), data[row * columns + j], true);
  }
  return {
    rows,
    columns,
    taken: count === rows ? undefined : taken,
    places: Buffer.from(places.buffer).toString("base64"),
  };
}

/** The places of a preview, in the plane: a map of one dimension lies on a line. */
export function placesOf({ places, columns }: MapPreview): DenseMatrix {
  const bytes = Buffer.from(places, "base64");
  const width = Math.min(columns, 2);
  const data = Float64Array.from({ length: Math.floor(bytes.length / 4) }, (_, k) =>
    bytes.readFloatLE(4 * k),
  );
  return { rows: data.length / width, columns: width, data };
}
