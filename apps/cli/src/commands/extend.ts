/**
 * `curvature extend <model> <data>`: a map that was saved and later rows, as one map.
 */
import { zeros } from "@curvature/linalg";
import { extendOptions } from "@curvature/optim-spectral";
import type { Command } from "commander";
import { fileArgument, fileName } from "../arguments.js";
import { glyphWarnings } from "../plot/glyphs.js";
import { plotFormat, renderPlot, wordsOf } from "../plot/index.js";
import { type Data, labelFilesOf } from "../read/data.js";
import { shownName } from "../read/file.js";
import { buffersOf } from "../read/rows.js";
import { exitCodeOf } from "../run/exit-codes.js";
import { usageError } from "../run/failure.js";
import type { RunCommand, Session } from "../run/session.js";
import { count, duration } from "../run/terminal.js";
import type { ExtendTaskOutput } from "../tasks/extend.js";
import type { Content } from "../write/atomic-file.js";
import { mapContent, mapFormat } from "../write/map-file.js";
import { checkOutputs, concluded, removeTemporaries } from "../write/outputs.js";
import { addLogOptions, exitCodeHelp, type LogFlags } from "./common-options.js";
import { addDataFlags, type DataFlags } from "./data-flags.js";
import { addExplanations } from "./explanations.js";
import { addPictureFlags, type PictureFlags, withNames } from "./picture-flags.js";
import { type FlagsOf, TableFlags } from "./table-flags.js";
import { rowsRead } from "./train-rows.js";
import { laterRowsPicture, readLaterRows } from "./transform.js";

interface ExtendFlags extends LogFlags, DataFlags, PictureFlags, FlagsOf<typeof extendOptions> {
  readonly out?: string;
  readonly plot?: string;
  readonly model?: string;
}

const extendFlags = new TableFlags(extendOptions);

export function addExtendCommand(program: Command, run: RunCommand): void {
  const flag = extendFlags.flag.bind(extendFlags);
  const command = program
    .command("extend")
    .summary("map new rows and those of a map together")
    .description(
      "Makes one map of the rows of a map of curvature embed --model and of new rows; the old ones stay near their places. What the map " +
        "was asked for (method, perplexity, metric, scale) holds for the larger one.\n" +
        "The map's rows come first, then the new ones, in their order: on standard output, as CSV, without --out, --plot and --model. " +
        "Columns are matched by name where the map and the file have names, else by position.",
    )
    .argument("<model>", "the map's file", fileArgument)
    .argument("<file>", "new rows, as curvature embed takes them", fileArgument)
    .optionsGroup("Model:")
    .addOption(
      flag(
        "movement",
        "<m>",
        "how far old points may move on average, as a share of the map's radius; free: as far as they like",
      ),
    )
    .optionsGroup("Solver:")
    .addOption(
      flag(
        "threads",
        "<n>",
        "that find neighbours and evaluate, with the same result: a number, or the cores",
      ),
    )
    .optionsGroup("Stopping (the first rule that holds):")
    .addOption(
      flag(
        "maxEvaluations",
        "<n>",
        "evaluations of the objective in a descent, of which there is one, as a rule",
      ),
    )
    .addOption(flag("maxSeconds", "<n>", "seconds in a descent"));
  addDataFlags(command.optionsGroup("Data:"))
    .optionsGroup("Output:")
    .option(
      "-o, --out <file>",
      "places, new (0, 1), movement and outside (0, 1): .csv, .tsv, .npy or .json",
      fileName,
    )
    .option("--plot <file>", "the map, old rows pale: .svg, .png, or .html to look into", fileName)
    .option("--model <file>", "the larger map, to be extended again", fileName);
  addExplanations(addLogOptions(addPictureFlags(command)), movementHelp, exitCodeHelp, examples).action(
    async (model: string, file: string, flags: ExtendFlags) => {
      const log = {
        json: flags.json === true,
        quiet: flags.quiet === true,
        title: "a map that grows",
        limits: { evaluations: flags.maxEvaluations, seconds: flags.maxSeconds },
      };
      await run(log, (session) => extendFile(model, file, flags, session));
    },
  );
}

const movementHelp =
  "Movement is how far an old point lies from its place in the map before, after the similarity transform that brings the two closest, as a share of the map's radius: the root mean square of its points' distances from their mean. Of new rows it is 0. Outside is a new row that lies farther from the nearest old one than any of these from its own nearest: the old map knew nothing of where it came from.";

const examples = {
  verbatim: `Examples:
  npx @curvature/cli embed week1.csv --ignore id --scale standard --model map.model
  npx @curvature/cli extend map.model week2.csv --keep id --model map2.model --out map2.csv --plot map2.svg`,
};

async function extendFile(
  model: string,
  file: string,
  flags: ExtendFlags,
  session: Session,
): Promise<number> {
  const { log, signal, onForcedExit } = session;
  const inputs = [model, file, ...labelFilesOf(flags)];
  if (inputs.filter((path) => path === "-").length > 1)
    throw usageError("Standard input (-) can be read once only; give the others as files.");
  const { plot } = flags;
  const out = flags.out ?? (plot === undefined && flags.model === undefined ? "-" : undefined);
  if (out !== undefined) mapFormat(out);
  if (plot !== undefined) plotFormat(plot);
  const outputs = [
    { option: "--out", path: out },
    { option: "--plot", path: plot },
    { option: "--model", path: flags.model },
  ];
  checkOutputs(outputs, inputs);
  onForcedExit(() => removeTemporaries(outputs));
  const { bytes, input } = await readLaterRows(model, file, flags, session);
  const { rows } = input.points;
  const task = {
    model: bytes,
    data: rowsRead(input, flags.indexBase),
    options: extendFlags.options(flags),
    wantsModel: flags.model !== undefined,
  };
  const output = await session.compute("extend", task, buffersOf(input.points));
  const { map, old, movement, outside, result, klDivergence } = output;
  const { note, ...picture } = laterRowsPicture(
    shownName(file),
    rowsOf(map, 0, old),
    rowsOf(map, old),
    input,
  );
  if (plot !== undefined && note !== undefined) log.note(note);
  const lacking = glyphWarnings(plot, wordsOf(picture));
  for (const warning of [...output.warnings, ...lacking]) log.warning(warning);
  const isDrawable = map.data.every(Number.isFinite);
  const { ofEach: _, ...moved } = movement;
  return concluded(log, {
    outputs: isDrawable
      ? [
          { path: out, content: (path) => extendedContent(path, output, input) },
          { path: plot, content: (path) => renderPlot(plotFormat(path), picture) },
          { path: flags.model, content: () => output.model ?? "" },
        ]
      : [],
    lines: summaryLines(shownName(file), rows, output),
    record: { ...result, klDivergence, rows, old, outside: sumOf(outside), movement: moved },
    code: () => exitCodeOf({ ...result, scheduled: "max-evaluations", aborted: signal.aborted }),
  });
}

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

function summaryLines(
  file: string,
  rows: number,
  { old, movement, outside, klDivergence, result }: ExtendTaskOutput,
): string[] {
  const figure = (name: string, value: string): string => `  ${name.padEnd(22)}${value}`;
  return [
    `A map of ${count(old + rows)}: ${count(old)} old rows and ${count(rows)} of ${file}, ${count(sumOf(outside))} of them outside.`,
    ...(klDivergence === undefined ? [] : [figure("KL divergence", klDivergence.toFixed(4))]),
    figure(
      "movement of old rows",
      `${percent(movement.mean)} of the map's radius on average, 95 of 100 by ${percent(movement.quantile95)} at most`,
    ),
    figure(
      "work",
      `${count(result.iterations)} iterations, ${count(result.evaluations)} evaluations, ${duration(result.elapsedSeconds)}`,
    ),
  ];
}

const sumOf = (flags: Uint8Array): number => flags.reduce((sum, each) => sum + each, 0);

const rowsOf = ({ columns, data }: ExtendTaskOutput["map"], first: number, last = data.length / columns) => ({
  rows: last - first,
  columns,
  data: data.subarray(first * columns, last * columns),
});

/** The old rows have no labels and kept cells: the model does not know them. */
function extendedContent(
  path: string,
  { map, old, movement, outside }: ExtendTaskOutput,
  input: Data,
): Content {
  const values = zeros(map.rows, 3);
  for (let i = 0; i < map.rows; i++)
    values.data.set(i < old ? [0, movement.ofEach[i], 0] : [1, 0, outside[i - old]], 3 * i);
  const before = <T>(cell: T): T[] => Array.from({ length: old }, () => cell);
  const kept = withNames(input.kept, input.picture.names);
  return mapContent(mapFormat(path), {
    map,
    labels: input.labels && [...before(""), ...Array.from(input.labels, String)],
    labelName: input.labelName,
    kept: { names: kept.names, rows: [...before(kept.names.map(() => "")), ...kept.rows] },
    columns: { names: ["new", "movement", "outside"], values },
  });
}
