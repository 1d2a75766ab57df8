/** `curvature look <file>`: what a file holds, before anything is computed, and the commands that fit it. */
import { readTable } from "@curvature/datasets";
import { describeTable } from "@curvature/linalg/tables";
import type { Command } from "commander";
import { fileArgument, fileName } from "../arguments.js";
import { bytesOf, inFile, shownName } from "../read/file.js";
import type { RunCommand, Session } from "../run/session.js";
import { checkOutputs, concluded, removeTemporaries } from "../write/outputs.js";
import { type DataFlags, dataUse, fileKinds, readingFlags } from "./data-flags.js";
import { addExplanations } from "./explanations.js";
import { adviceOn } from "./look-commands.js";
import { objectOf, screenOf } from "./look-screen.js";

interface LookFlags extends DataFlags {
  readonly out?: string;
  readonly all?: true;
  readonly json?: true;
  readonly values?: true;
}

export function addLookCommand(program: Command, run: RunCommand): void {
  const command = program
    .command("look")
    .summary("say what a file of data holds, and which commands fit it")
    .description(
      "Says what a file holds before anything is computed: how it is written, its columns with their types, gaps and " +
        "ranges, what looks odd, and the commands that fit it, as they are to be typed.",
    )
    .argument("<file>", `rows: ${fileKinds}; - is standard input`, fileArgument)
    .optionsGroup("Data:")
    .option("--labels <column>", "the column of labels, by name or by index from 0 (default: guessed)");
  for (const flag of readingFlags()) command.addOption(flag);
  command
    .optionsGroup("Output:")
    .option("-o, --out <file>", "where it is said (default: standard output)", fileName)
    .option("--all", "all columns and notes, however many")
    .option("--json", "the same as one JSON object, and errors as JSON lines")
    .option("--values", "with --json: all cells, too")
    .option("-q, --quiet", "nothing but errors on standard error, as always");
  addExplanations(command, examples).action(async (file: string, flags: LookFlags) => {
    const log = { json: flags.json === true, quiet: true, title: "look", limits: {} };
    await run(log, (session) => lookAt(file, flags, statedFlags(command), session));
  });
}

const examples = {
  verbatim: `Examples:
  npx @curvature/cli look flowers.csv
  npx @curvature/cli look export.txt --encoding windows-1252 --labels species
  npx @curvature/cli look flowers.csv --json`,
};

/** The flags of reading that were given: other commands need them as well. */
function statedFlags(command: Command): string[] {
  const reading = new Set(readingFlags().map((flag) => flag.attributeName()));
  return command.options.flatMap((flag) =>
    reading.has(flag.attributeName()) && command.getOptionValueSource(flag.attributeName()) === "cli"
      ? [flag.long ?? "", String(command.getOptionValue(flag.attributeName()))]
      : [],
  );
}

async function lookAt(
  file: string,
  flags: LookFlags,
  stated: readonly string[],
  { log, signal, onForcedExit }: Session,
): Promise<number> {
  const path = flags.out ?? "-";
  const outputs = [{ option: "--out", path }];
  checkOutputs(outputs, [file]);
  onForcedExit(() => removeTemporaries(outputs));
  const { labels, reading } = dataUse(flags);
  const table = await readTable(bytesOf(file, signal), {
    ...reading,
    name: file === "-" ? undefined : file,
  }).catch((error: unknown) => {
    throw inFile(file, error);
  });
  const account = describeTable(table, { labels });
  const look = {
    name: shownName(file),
    table,
    account,
    advice: adviceOn(file, table, account, stated),
    isChosen: labels !== undefined,
  };
  const content = (): string =>
    flags.json
      ? `${JSON.stringify(objectOf(look, flags.values === true))}\n`
      : screenOf(look, (path === "-" ? process.stdout.columns : undefined) ?? 100, flags.all === true);
  return concluded(log, { outputs: [{ path, content }], lines: [], record: {} });
}
