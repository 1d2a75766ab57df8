/** The commands that fit a file, as they are to be typed. */
import type { ReadTable } from "@curvature/datasets";
import { CurvatureError } from "@curvature/linalg";
import {
  columnIndex,
  dataWarnings,
  type PreparationOptions,
  prepare,
  suggestedPreparation,
  type TableAccount,
} from "@curvature/linalg/tables";
import { typedChoice } from "../read/data.js";
import { inFlags } from "../run/flag-names.js";

interface FittingCommand {
  readonly what: string;
  /** What stands behind the program's name. */
  readonly words: readonly string[];
}

export interface Advice {
  readonly commands: readonly FittingCommand[];
  /** Where no command takes the file: why. */
  readonly reason: string | undefined;
  /** That a column would decide most distances, and which commands see to it. */
  readonly span: string | undefined;
  /** Whether more rows are equal to others than chance makes so. */
  readonly isRepeating: boolean;
}

/** More columns than these nobody types. */
const MAX_TYPED = 12;
/** The solver of `disentangle` needs the square of the rows. */
const MAX_DISENTANGLED = 5000;
/** With fewer rows a part that is held out says little. */
const MIN_FOLDED = 30;

const plain = { span: undefined, isRepeating: false };

/** @param reading - the flags by which the file was read */
export function adviceOn(
  file: string,
  table: ReadTable,
  account: TableAccount,
  reading: readonly string[],
): Advice {
  if (table.kind === "edges")
    return {
      commands: [],
      reason:
        "No command takes a list of edges yet. A table of points with coordinates is one row per point.",
      ...plain,
    };
  const only = (...commands: FittingCommand[]): Advice => ({ commands, reason: undefined, ...plain });
  if (table.kind === "distances")
    return only(
      {
        what: "clusters by these distances",
        words: ["disentangle", file, "--input", "distances", "--layers", "auto", ...reading],
      },
      ...(reading.length > 0
        ? []
        : [
            {
              what: "a map by the order of these distances",
              words: ["ordinal", "--from-distances", file, "--plot", "map.html"],
            },
          ]),
    );
  if (areComparisons(table))
    return only({
      what: "a map from answers to which of two is nearer",
      words: ["ordinal", file, "--plot", "map.html"],
    });
  if (table.form.format === "libsvm") return only(...sparseCommands(file, reading));
  try {
    return tableAdvice(file, table, account, reading);
  } catch (error) {
    if (!(error instanceof CurvatureError)) throw error;
    return { commands: [], reason: inFlags(error), ...plain };
  }
}

const comparisonNames = [
  ["i", "j", "k"],
  ["anchor", "near", "far"],
  ["head", "winner", "loser"],
];

const areComparisons = ({ columns }: ReadTable): boolean =>
  columns.length < 6 &&
  comparisonNames.some((names) =>
    names.every((name) => columns.some((column) => column.name.toLowerCase() === name)),
  );

const sparseCommands = (file: string, reading: readonly string[]): FittingCommand[] => [
  { what: "a map", words: ["embed", file, ...reading, "--plot", "map.html"] },
  { what: "a model of the labels", words: ["train", file, ...reading, "--model", "model.json"] },
];

function tableAdvice(
  file: string,
  table: ReadTable,
  { columns, labels, isRegression, leaks, duplicates, rows }: TableAccount,
  reading: readonly string[],
): Advice {
  const ofWords = columns.filter(({ type }, j) => j !== labels && (type === "word" || type === "date"));
  const options: PreparationOptions = {
    labels,
    ignore: leaks,
    columns: ofWords.length > MAX_TYPED ? "numeric" : undefined,
  };
  const suggested = suggestedPreparation(table, options);
  const { points, columns: names } = prepare(table, suggested);
  if (points.rows < 3)
    return { commands: [], reason: "No command fits: a map needs at least 3 rows, a model more.", ...plain };
  const byIndex = (name: string): string =>
    name.replace(/^column (\d+)/, (_, k) => `column ${Number(k) - 1}`);
  const takesAll = rows > 2 && rows <= MAX_DISENTANGLED;
  const [span] = dataWarnings(points, {
    columns: table.isNamed ? names : names.map(byIndex),
    checks: ["column-span"],
    remedies: {
      "column-span": `The commands below${takesAll ? " for a map and for clusters" : " for a map"} bring the columns to one scale.`,
    },
  });
  const flags = [...reading, ...flagsOf(table, suggested)];
  const scale = span === undefined ? [] : ["--scale", "standard"];
  const standardize = span === undefined ? [] : ["--standardize"];
  const commands = [{ what: "a map", words: ["embed", file, ...flags, ...scale, "--plot", "map.html"] }];
  if (labels !== undefined && columns[labels].distinct > 1) {
    const targets = suggestedPreparation(table, { ...options, areTargets: true });
    commands.push({
      what: isRegression ? "a model that predicts the label" : "a model of the classes",
      words: [
        "train",
        file,
        ...reading,
        ...flagsOf(table, targets),
        ...(isRegression ? ["--loss", "squared-error"] : []),
        ...(rows < MIN_FOLDED ? [] : ["--folds", "5"]),
        "--model",
        "model.json",
      ],
    });
  }
  if (takesAll) {
    const clusters =
      labels === undefined || isRegression ? ["--layers", "auto"] : ["-k", String(columns[labels].distinct)];
    commands.push({
      what: "clusters",
      words: ["disentangle", file, ...flags, ...clusters, ...standardize, "--plot", "clusters.html"],
    });
  }
  return {
    commands,
    reason: undefined,
    span: span?.message,
    isRepeating: duplicates > 0 && dataWarnings(points, { checks: ["duplicate-rows"] }).length > 0,
  };
}

function flagsOf(
  table: ReadTable,
  { labels, columns, ignore = [], words = "error", missing = "error" }: PreparationOptions,
): string[] {
  const typed = ignore.map((choice) => typedChoice(table, columnIndex(table, choice, "ignore")));
  return [
    ...(labels === undefined ? [] : ["--labels", typedChoice(table, columnIndex(table, labels, "labels"))]),
    ...(columns === undefined ? [] : ["--columns", String(columns)]),
    ...(typed.length === 0 ? [] : ["--ignore", typed.join(",")]),
    ...(words === "error" ? [] : ["--words", words]),
    ...(missing === "error" ? [] : ["--missing", missing]),
  ];
}
