/**
 * `curvature assign <model> <data>`: which clusters of a model later rows belong to, and which rows to none.
 */
import { writeCells } from "@curvature/datasets";
import type { Command } from "commander";
import { fileArgument, fileName } from "../arguments.js";
import { type KeptCells, readData } from "../read/data.js";
import { shownName } from "../read/file.js";
import { readModelFile } from "../read/model-file.js";
import { buffersOf } from "../read/rows.js";
import { usageError } from "../run/failure.js";
import type { RunCommand, Session } from "../run/session.js";
import { count } from "../run/terminal.js";
import type { AssignTaskOutput } from "../tasks/assign.js";
import { namesBeside } from "../write/map-file.js";
import { checkOutputs, concluded, removeTemporaries } from "../write/outputs.js";
import { agreementLines, agreementRecord } from "./cluster-lines.js";
import { addLogOptions, type LogFlags } from "./common-options.js";
import { addDataFlags, type DataFlags, dataUse } from "./data-flags.js";
import { addExplanations } from "./explanations.js";
import { rowsRead } from "./train-rows.js";

interface AssignFlags extends LogFlags, DataFlags {
  readonly out?: string;
}

export function addAssignCommand(program: Command, run: RunCommand): void {
  const command = program
    .command("assign")
    .summary("say which clusters of a model new rows belong to")
    .description(
      "Says for every row which cluster of a model of curvature disentangle --model is nearest, how far its centre is, and " +
        "whether the row is outside: farther from that centre than every row of the training that is nearest to it.\n" +
        "The rows go to standard output, as CSV, in their order. Columns are matched by name where the model and the file " +
        "have names, else by position.",
    )
    .argument("<model>", "the model's file", fileArgument)
    .argument("<file>", "rows, as curvature disentangle takes them", fileArgument);
  addDataFlags(
    command.optionsGroup("Data:"),
    "classes to compare the clusters with: a column, by name or by index from 0; or a file, one label per line",
  )
    .optionsGroup("Output:")
    .option(
      "-o, --out <file>",
      "cluster, distance and outside (0, 1), as CSV (default: standard output)",
      fileName,
    );
  addExplanations(addLogOptions(command), distanceHelp, examples).action(
    async (model: string, file: string, flags: AssignFlags) => {
      const log = { json: flags.json === true, quiet: flags.quiet === true, title: "clusters", limits: {} };
      await run(log, (session) => assignFile(model, file, flags, session));
    },
  );
}

const distanceHelp =
  "The distance is in the unit in which the clusters were found: the data's own; with --standardize in standard deviations of the training's columns; with --metric cosine between rows of length 1 and their means; with --metric haversine in kilometres along the globe. Of a cluster of one row every other row is outside.";

const examples = {
  verbatim: `Examples:
  npx @curvature/cli disentangle penguins.csv -k 3 --words drop --missing drop --standardize --model clusters.model
  npx @curvature/cli assign clusters.model new.csv --out assigned.csv`,
};

async function assignFile(
  model: string,
  file: string,
  flags: AssignFlags,
  session: Session,
): Promise<number> {
  const { log, signal, onForcedExit } = session;
  if (model === "-" && file === "-")
    throw usageError("Standard input (-) can be read once only; give the others as files.");
  const path = flags.out ?? "-";
  const outputs = [{ option: "--out", path }];
  checkOutputs(outputs, [model, file]);
  onForcedExit(() => removeTemporaries(outputs));
  const bytes = readModelFile(model);
  const { preparation } = await session.compute("clusterModel", bytes);
  log.phase(`reading ${shownName(file)}`);
  const input = await readData(file, dataUse(flags), session, { model: preparation });
  for (const note of input.notes) log.note(note);
  for (const warning of input.warnings) log.warning(warning);
  const { rows } = input.points;
  const output = await session.compute(
    "assign",
    {
      model: bytes,
      data: rowsRead(input, flags.indexBase),
      classes: input.labels && Array.from(input.labels, String),
    },
    buffersOf(input.points),
  );
  signal.throwIfAborted();
  for (const warning of output.warnings) log.warning(warning);
  const { sizes, outsiders, agreement } = output;
  const outside = outsiders.reduce((sum, each) => sum + each, 0);
  const each = sizes.map((size, c) => `${count(size)} of ${c}`).join(", ");
  return concluded(log, {
    outputs: [{ path, content: () => writeCells(cellsOf(output, input.kept)) }],
    lines: [
      `Assigned ${count(rows)} rows of ${shownName(file)}: ${sizes.length > 20 ? `${sizes.length} clusters` : each}; ${count(outside)} outside.`,
      ...agreementLines(agreement, input.labelName),
    ],
    record: { rows, sizes, outside: outsiders, agreement: agreementRecord(agreement) },
  });
}

function* cellsOf(
  { labels, distances, outside }: AssignTaskOutput,
  kept: KeptCells,
): Generator<(string | number)[]> {
  yield [...kept.names, ...namesBeside(["cluster", "distance", "outside"], kept.names, "found")];
  for (const [i, label] of labels.entries()) yield [...(kept.rows[i] ?? []), label, distances[i], outside[i]];
}
