/**
 * One run of a sweep: the command itself, with its report in a folder of its own, within this thread.
 */
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { UnitOfWork } from "@curvature/cluster";
import type { DenseMatrix } from "@curvature/linalg";
import { Command } from "commander";
import { failureOf } from "../run/failure.js";
import { callOptionsAs, flagNames } from "../run/flag-names.js";
import type { Session } from "../run/session.js";
import { type Refusal, refusalFrom } from "./refusal.js";
import { argumentsOf, sweepableCommand } from "./run-arguments.js";
import { makeRunFolder } from "./run-folder.js";

/** What a run leaves behind, as JSON. */
export interface RunOutcome {
  /** What the command's --report holds, files by their places in the data folder. */
  readonly report: Readonly<Record<string, unknown>>;
  /** The command's exit code. */
  readonly exitCode: number;
  readonly map: MapPreview | undefined;
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
 * @param outputs - what else the command writes, as words; default: the map, of which the outcome has enough to draw it
 * @throws Error with one sentence when there is no result, and another try may have one
 */
export async function runUnit(
  unit: UnitOfWork,
  files: readonly string[],
  session: Session,
  outputs?: readonly string[],
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
    words.push(`--report=${report}`);
    const path = kind.map === undefined || outputs !== undefined ? undefined : join(folder, kind.map.file);
    words.push(...(outputs ?? (path === undefined ? [] : [`${kind.map?.option}=${path}`])));
    const exitCode = await ran(unit.command, words, session);
    const text = readFileSync(report, "utf8");
    const map = path !== undefined && existsSync(path) ? await kind.map?.read(path, session) : undefined;
    return {
      report: withPlaces(JSON.parse(text), new Map(files.map((file, k) => [file, unit.data[k].path]))),
      exitCode,
      map: map === undefined ? undefined : previewOf(map),
    };
  } catch (error) {
    const refusal = refusalFrom(error);
    if (refusal !== undefined) return refusal;
    throw new Error(failureOf(error).message, { cause: error });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
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
