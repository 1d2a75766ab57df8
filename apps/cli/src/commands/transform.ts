/**
 * `curvature transform <model> <data>`: the places of later rows in a map that was saved.
 */
import { writeCells } from "@curvature/datasets";
import { type DenseMatrix, zeros } from "@curvature/linalg";
import type { MapPicture } from "@curvature/map-view/pictures";
import type { Command } from "commander";
import { fileArgument, fileName } from "../arguments.js";
import { glyphWarnings } from "../plot/glyphs.js";
import { plotFormat, renderPlot, wordsOf } from "../plot/index.js";
import { type Data, labelFilesOf, readData } from "../read/data.js";
import { shownName } from "../read/file.js";
import { type ModelFile, readModelFile } from "../read/model-file.js";
import { buffersOf } from "../read/rows.js";
import { usageError } from "../run/failure.js";
import type { RunCommand, Session } from "../run/session.js";
import { count } from "../run/terminal.js";
import type { TransformTaskOutput } from "../tasks/transform.js";
import type { Content } from "../write/atomic-file.js";
import { formatNamed } from "../write/file-format.js";
import { axisNames, rowsBeside } from "../write/map-file.js";
import { checkOutputs, concluded, removeTemporaries } from "../write/outputs.js";
import { addLogOptions, type LogFlags } from "./common-options.js";
import { addDataFlags, type DataFlags, dataUse } from "./data-flags.js";
import { addExplanations } from "./explanations.js";
import { addPictureFlags, type PictureFlags, pictureParts, withNames } from "./picture-flags.js";
import { rowsRead } from "./train-rows.js";

interface TransformFlags extends LogFlags, DataFlags, PictureFlags {
  readonly out?: string;
  readonly plot?: string;
}

export function addTransformCommand(program: Command, run: RunCommand): void {
  const command = program
    .command("transform")
    .summary("place new rows in a map")
    .description(
      "Says for every row where it lies in a map of curvature embed --model, which stays as it is, and how far from the map's own rows it is.\n" +
        "The rows go to standard output, as CSV, in their order, unless --out or --plot is given. Columns are matched by name where the " +
        "map and the file have names, else by position.",
    )
    .argument("<model>", "the map's file", fileArgument)
    .argument("<file>", "rows, as curvature embed takes them", fileArgument);
  addDataFlags(command.optionsGroup("Data:"))
    .optionsGroup("Output:")
    .option("-o, --out <file>", "places, quantile and outside (0, 1): .csv or .tsv", fileName)
    .option(
      "--plot <file>",
      "the map, pale, and the new rows in it: .svg, .png, or .html to look into",
      fileName,
    );
  addExplanations(addLogOptions(addPictureFlags(command)), quantileHelp, examples).action(
    async (model: string, file: string, flags: TransformFlags) => {
      const log = { json: flags.json === true, quiet: flags.quiet === true, title: "places", limits: {} };
      await run(log, (session) => transformFile(model, file, flags, session));
    },
  );
}

const quantileHelp =
  "The quantile is the share of the map's rows that are nearer to the nearest that differs from them than the new row is to the nearest of them: 0 for a copy of one, 1 for a row farther than any of them, which is outside. Where such a row lies in the map says little.";

const examples = {
  verbatim: `Examples:
  npx @curvature/cli embed penguins.csv --words drop --missing drop --scale standard --model map.model
  npx @curvature/cli transform map.model new.csv --out placed.csv --plot placed.svg`,
};

const delimiters = { ".csv": ",", ".tsv": "\t" } as const;

async function transformFile(
  model: string,
  file: string,
  flags: TransformFlags,
  session: Session,
): Promise<number> {
  const { log, signal, onForcedExit } = session;
  const inputs = [model, file, ...labelFilesOf(flags)];
  if (inputs.filter((path) => path === "-").length > 1)
    throw usageError("Standard input (-) can be read once only; give the others as files.");
  const { plot } = flags;
  const out = flags.out ?? (plot === undefined ? "-" : undefined);
  if (out !== undefined) formatNamed(out, "--out", delimiters);
  if (plot !== undefined) plotFormat(plot);
  const outputs = [
    { option: "--out", path: out },
    { option: "--plot", path: plot },
  ];
  checkOutputs(outputs, inputs);
  onForcedExit(() => removeTemporaries(outputs));
  const { bytes, input } = await readLaterRows(model, file, flags, session);
  const { rows } = input.points;
  const data = rowsRead(input, flags.indexBase);
  const output = await session.compute("transform", { model: bytes, data }, buffersOf(input.points));
  signal.throwIfAborted();
  const { places, embedding } = output;
  const unlabelled = Array.from(output.outside, (each) => (each === 1 ? "outside" : "new"));
  const { note, ...picture } = laterRowsPicture(shownName(file), places, embedding, input, unlabelled);
  if (plot !== undefined && note !== undefined) log.note(note);
  for (const warning of [...output.warnings, ...glyphWarnings(plot, wordsOf(picture))]) log.warning(warning);
  const outside = output.outside.reduce((sum, each) => sum + each, 0);
  return concluded(log, {
    outputs: [
      { path: out, content: (path) => placesContent(path, output, input) },
      {
        path: plot,
        content: (path) => renderPlot(plotFormat(path), picture),
      },
    ],
    lines: [`Placed ${count(rows)} rows of ${shownName(file)}; ${count(outside)} outside.`],
    record: { rows, outside },
  });
}

const labelsOf = ({ labels }: Data): readonly string[] | undefined => labels && Array.from(labels, String);

function placesContent(
  path: string,
  { embedding, quantiles, outside }: TransformTaskOutput,
  input: Data,
): Content {
  const d = embedding.columns;
  const table = zeros(embedding.rows, d + 2);
  for (let i = 0; i < embedding.rows; i++) {
    table.data.set(embedding.data.subarray(i * d, (i + 1) * d), i * (d + 2));
    table.data.set([quantiles[i], outside[i]], i * (d + 2) + d);
  }
  const names = [...axisNames(d), "quantile", "outside"];
  const kept = withNames(input.kept, input.picture.names);
  return writeCells(rowsBeside(table, names, labelsOf(input), input.labelName, kept, "map"), {
    delimiter: delimiters[formatNamed(path, "--out", delimiters)],
  });
}

/** The map, and a file's rows as the map was made of rows. */
export async function readLaterRows(
  model: string,
  file: string,
  flags: DataFlags & PictureFlags,
  session: Session,
): Promise<{ readonly bytes: ModelFile; readonly input: Data }> {
  const { log } = session;
  const bytes = readModelFile(model);
  const { preparation } = await session.compute("mapModel", bytes);
  log.phase(`reading ${shownName(file)}`);
  const input = await readData(file, dataUse(flags), session, {
    model: preparation,
    picture: { names: flags.names, color: flags.color },
  });
  for (const note of input.notes) log.note(note);
  for (const warning of input.warnings) log.warning(warning);
  return { bytes, input };
}

/**
 * The map's rows first, pale.
 *
 * @param unlabelled - what the new rows are called where they have no labels
 */
export function laterRowsPicture(
  title: string,
  places: DenseMatrix,
  embedding: DenseMatrix,
  input: Data,
  unlabelled: readonly string[] = Array.from({ length: embedding.rows }, () => "new"),
): MapPicture & { readonly note?: string } {
  const known = new Array<string>(places.rows).fill("");
  const { labels, labelName, color, names, details, ...rest } = pictureParts(input);
  const later = labels ?? unlabelled;
  return {
    ...rest,
    map: {
      rows: places.rows + embedding.rows,
      columns: places.columns,
      data: Float64Array.from([...places.data, ...embedding.data]),
    },
    background: places.rows,
    labels: [...known, ...later],
    labelName: labels === undefined ? "rows" : labelName,
    color: color && { name: color.name, values: [...known, ...color.values] },
    names: names && [...known, ...names],
    details: details?.map(({ name, values }) => ({ name, values: [...known, ...values] })),
    title,
    subtitle: `${count(embedding.rows)} new points in a map of ${count(places.rows)}`,
  };
}
