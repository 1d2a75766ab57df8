/** The flags of all commands that take rows of data: how a file is read, and which of its columns are used how. */
import { tableOptions } from "@curvature/datasets";
import { preparationOptions } from "@curvature/linalg/tables";
import { Command, InvalidArgumentError, Option } from "commander";
import { by, fileName } from "../arguments.js";
import type { DataUse } from "../read/data.js";
import { type FlagsOf, TableFlags } from "./table-flags.js";

const reading = new TableFlags(tableOptions);
const preparing = new TableFlags(preparationOptions);

export interface DataFlags
  extends Omit<FlagsOf<typeof tableOptions>, "name" | "maxBytes" | "maxRecordBytes"> {
  readonly labels?: string | undefined;
  readonly columns?: FlagsOf<typeof preparationOptions>["columns"];
  readonly ignore?: FlagsOf<typeof preparationOptions>["ignore"];
  readonly keep?: FlagsOf<typeof preparationOptions>["keep"];
  readonly words: FlagsOf<typeof preparationOptions>["words"];
  readonly missing: FlagsOf<typeof preparationOptions>["missing"];
}

/** What commands say of the file that they take. */
export const fileKinds = "CSV, TSV, JSON, ARFF, NPY, NPZ, Parquet, Arrow, LIBSVM text, or .gz of these";

/** How a file of rows is read. */
export const readingFlags = (): readonly Option[] => [
  reading.flag("format", "<name>", "what the file is, if it does not tell"),
  reading.flag("header", "<whether>", "whether the first line names the columns"),
  reading.flag("skip", "<n>", "lines before the table"),
  reading.flag("delimiter", "<mark>", 'between columns, " " for blanks'),
  reading.flag("decimal", "<mark>", "decimal mark"),
  reading.flag("thousands", "<mark>", "between groups of three digits"),
  reading.flag("encoding", "<name>", "of text, as utf-16le or windows-1252"),
];

/** Of the commands of linear models. */
export const weightsFlag = (): Option =>
  new Option(
    "--weights <column|file>",
    "what each row counts, 0 leaves it out: a column, which is then no data, or a file, one number per line",
  ).argParser(fileName);

const labelsHelp =
  "a column, by name or by index from 0, which is then no data; or a file, one label per line";

/** @throws InvalidArgumentError for what is rather the next flag, or a comma too many */
function columnsFlag(name: "columns" | "ignore" | "keep", value: string, help: string): Option {
  const rule = preparationOptions.entries[name];
  return preparing.flag(name, value, help).argParser((text) => {
    if (text.split(",").some((column) => column.trim() === "" || column.trim().startsWith("-")))
      throw new InvalidArgumentError(
        "It must be columns with commas between, each by its name, or by its index from 0 (as it must be where a name is empty, begins with a hyphen or has a comma).",
      );
    return by(rule)(text);
  });
}

/** @param help - what the labels are for */
export function addDataFlags(command: Command, help = labelsHelp): Command {
  command
    .option("--labels <column|file>", help, fileName)
    .addOption(
      columnsFlag(
        "columns",
        "<list>",
        "the columns that are used: numeric, or as a,b or 2-5 (default: all but ids)",
      ),
    )
    .addOption(columnsFlag("ignore", "<list>", "columns that are left out, as id,date or 0,3"))
    .addOption(columnsFlag("keep", "<list>", "columns that go beside the results, as id,name"))
    .addOption(preparing.flag("words", "<how>", "columns of words"))
    .addOption(preparing.flag("missing", "<how>", "missing cells"));
  for (const flag of readingFlags()) command.addOption(flag);
  return command.addOption(reading.flag("indexBase", "<n>", "LIBSVM text counts features from: auto, 0, 1"));
}

/** Of a run's settings, by the flags' names. */
export function dataUseOf(settings: Readonly<Record<string, unknown>>): DataUse {
  const command = addDataFlags(new Command());
  const words = command.options.flatMap(({ long }) => {
    const value = settings[(long ?? "").slice(2)];
    return long == null || value === undefined ? [] : [long, String(value)];
  });
  return dataUse(command.parse(words, { from: "user" }).opts());
}

/** For reports: those flags that say something. */
export const dataOptions = ({
  labels,
  columns,
  ignore,
  keep,
  words,
  missing,
}: DataFlags): Readonly<Record<string, unknown>> => ({
  labels,
  columns,
  ignore: ignore?.length === 0 ? undefined : ignore,
  keep: keep?.length === 0 ? undefined : keep,
  words,
  missing,
});

/** What of the flags says how rows are read, as plain data. */
export const dataUse = (flags: DataFlags): DataUse => {
  const { labels: _, areTargets: __, ...preparation } = preparing.options(flags);
  return { labels: flags.labels, reading: reading.options(flags), preparation };
};
