/**
 * The words of `curvature ordinal`, and what its help says.
 */
import { comparisonsOptions } from "@curvature/datasets";
import { either, integerFrom, oneOf, optionTable, strictlyBetween } from "@curvature/linalg";
import type { OrdinalLossName } from "@curvature/objectives/ordinal";
import {
  bootstrapOptions,
  dimensionOptions,
  ordinalEmbeddingOptions,
  splitOptions,
} from "@curvature/optim-svrg";
import { type Command, InvalidArgumentError } from "commander";
import { by, fileName, shareOrFile } from "../arguments.js";
import { addRunOptions, type CheckpointFlags, exitCodeHelp } from "./common-options.js";
import { addExplanations } from "./explanations.js";
import { type FlagsOf, startFlag, TableFlags } from "./table-flags.js";

/** How the lines of a file of answers are taken. */
export interface AnswerFlags
  extends Omit<FlagsOf<typeof comparisonsOptions>, "known" | "maxBytes" | "maxRecordBytes"> {
  readonly names?: string;
}

export interface OrdinalFlags
  extends CheckpointFlags,
    AnswerFlags,
    Omit<FlagsOf<typeof mapOptions>, keyof AnswerFlags | "test" | "loss"> {
  readonly loss: OrdinalLossName;
  /** Numbers of dimensions that "auto" tries. */
  readonly candidates?: readonly number[];
  /** The probability with which a region holds its place, and how many samples say how large it is. */
  readonly regions?: number;
  readonly samples: number;
  readonly labels?: string;
  readonly features?: string;
  /** A folder with a picture of each object. */
  readonly images?: string;
  readonly choicePlot?: string;
  /** A folder for a map of each person's own. */
  readonly individual?: string;
  readonly fromDistances?: string;
  readonly answers: "all" | number;
  readonly test?: number | string;
  readonly by: FlagsOf<typeof splitOptions>["by"];
  /** A word, or a file. */
  readonly initialization: string;
  readonly out?: string;
  readonly plot?: string;
  readonly report?: string;
}

/** The number of dimensions may be left to the answers. */
const { dimensions, ...entries } = ordinalEmbeddingOptions.entries;
const mapOptions = optionTable({ ...entries, dimensions: either(oneOf("auto"), dimensions).default(2) });
export const ordinalFlags = new TableFlags(mapOptions);
const choiceFlags = new TableFlags(dimensionOptions);
const regionFlags = new TableFlags(bootstrapOptions);
const splitFlags = new TableFlags(splitOptions);
export const answerFlags = new TableFlags(comparisonsOptions);

export const isStart = ordinalEmbeddingOptions.entries.initialization.accepts;

export function addOrdinalOptions(command: Command): Command {
  const flag = ordinalFlags.flag.bind(ordinalFlags);
  command
    .optionsGroup("Model:")
    .addOption(flag("loss", "<name>", "what a wrong answer costs"))
    .addOption(flag("dimensions", "<n>", "dimensions of the map; auto: by answers held out", "--dim"))
    .addOption(
      choiceFlags
        .flag("candidates", "<list>", "numbers that --dim auto tries: 1,2,4 or 1-6 (default: up to 15)")
        .argParser(numbersIn),
    )
    .addOption(flag("mu", "<m>", "of ckl, in squared distances"))
    .addOption(flag("alpha", "<a>", "of tste (default: dimensions - 1, at least 1)"))
    .addOption(flag("ridge", "<l>", "weight of |X|^2/(2n): a number, or a word"))
    .optionsGroup("Solver:")
    .addOption(flag("solver", "<name>", "how it is minimised"))
    .addOption(flag("restarts", "<n>", "so many starts, of which the best is kept"))
    .addOption(startFlag(ordinalEmbeddingOptions.entries))
    .addOption(flag("batchSize", "<b>", "of svrg and sgd: answers in a step"))
    .addOption(flag("epochLength", "<m>", "of svrg: gradients in an epoch (default: one per answer)"))
    .addOption(flag("epsilon", "<e>", "of svrg-sbb: what holds its steps down"))
    .addOption(flag("initialStep", "<B>", "of svrg, sgd and gd: the first step, m times that of one answer"))
    .addOption(flag("epochsPerModule", "<S>", "of svrg: the modular form, in modules of so many epochs"))
    .optionsGroup("Data:")
    .option("--from-distances <file>", "make the answers from a square matrix of distances", fileName)
    .option(
      "--answers <n>",
      "with --from-distances: so many answers, drawn at random, or all",
      by(either(oneOf("all"), integerFrom(1))),
      "all",
    )
    .option(
      "--test <share|file>",
      "answers to measure the error with: a share to hold out (0.2), or a file",
      shareOrFile,
    )
    .addOption(
      splitFlags.flag(
        "by",
        "<what>",
        "what is held out as a whole: the error is that on new trials, or on new people",
        "--test-by",
      ),
    )
    .option(
      "--labels <file>",
      "what colours the objects: lines of object, label; or a label per line, with --names",
      fileName,
    )
    .option(
      "--features <file>",
      "lines of object, numbers: objects without answers get a place by the numbers of the others",
      fileName,
    );
  addAnswerOptions(command);
  addRunOptions(command, ordinalFlags)
    .optionsGroup("Output:")
    .option("-o, --out <file>", "the map: .csv, .tsv or .json", fileName)
    .option("--plot <file>", "a picture of it: .svg, .png, or .html to look into", fileName)
    .option(
      "--images <folder>",
      "pictures in place of dots, called as the objects: cat.png for cat",
      fileName,
    )
    .option(
      "--regions <share>",
      "ellipses that hold the places with this probability (0.95), from samples of the answers",
      by(strictlyBetween(0, 1)),
    )
    .addOption(regionFlags.flag("samples", "<n>", "of --regions: samples of the answers"))
    .option("--choice-plot <file>", "how --dim auto chose: .svg, .png or .html", fileName)
    .option("--individual <folder>", "a map of each participant's own, and people.csv beside them", fileName)
    .option("--report <file>", "the figures of the run, as JSON", fileName);
  return addExplanations(command, answersHelp, stoppingHelp, exitCodeHelp, examples);
}

/** "1,2,4", "1-6". */
function numbersIn(words: string): readonly number[] {
  const numbers = words.split(",").flatMap((word) => {
    const [, from, to = from] = /^\s*(\d{1,4})\s*(?:-\s*(\d{1,4})\s*)?$/.exec(word) ?? [];
    return Array.from(
      { length: Math.max(0, Number(to) - Number(from) + 1) || 0 },
      (_, k) => Number(from) + k,
    );
  });
  if (numbers.length > 0 && dimensionOptions.entries.candidates.accepts(numbers)) return numbers;
  throw new InvalidArgumentError("It must be whole numbers of at least 1, as 1,2,4 or 1-6.");
}

export function addAnswerOptions(command: Command): Command {
  const flag = answerFlags.flag.bind(answerFlags);
  const conditions = by(comparisonsOptions.entries.where);
  command
    .optionsGroup("Answers:")
    .addOption(flag("kind", "<kind>", "what a line is (auto: by its roles, its header or its columns)"))
    .addOption(
      flag("roles", "<list>", "which column is what: anchor=Center,near=Left,far=Right,answer=Answer"),
    )
    .addOption(flag("columns", "<list>", "the columns that are used, in the order of the kind"))
    .addOption(flag("ignore", "<list>", "columns that are known not to be used"))
    .addOption(
      flag("where", "<condition>", "only lines of column=value, or column!=value; may be repeated")
        .default([], "all lines")
        .argParser((word: string, before: readonly string[]) => [...before, ...conditions(word)]),
    )
    .addOption(flag("choose", "<r>", "of choices and rankings how many were chosen"))
    .addOption(
      flag("response", "<what>", "whether answers are objects or sides, where both are called 1 and 2"),
    )
    .addOption(flag("first", "<word>", "the answer that says that the first of the two is nearer"))
    .addOption(flag("tie", "<word>", "the answer that says equally near"))
    .addOption(flag("ties", "<how>", "ties count half an answer each way, or not"))
    .addOption(flag("trial", "<column>", "which lines are of one trial"))
    .addOption(flag("participant", "<column>", "whose answer it is"))
    .addOption(flag("time", "<column>", "how long the answer took"))
    .addOption(flag("split", "<column>", "column, or column=value, that marks the lines of the test"))
    .addOption(flag("missing", "<how>", "lines with an empty cell"))
    .addOption(flag("objects", "<kind>", "what the cells are (auto: indices if all are numbers)"))
    .option("--names <file>", "all objects' names, one per line, in their order from 0", fileName)
    .addOption(flag("degenerate", "<what>", "lines that compare what is the same"))
    .addOption(flag("asymmetry", "<how>", "of a matrix: two entries for one pair that differ"))
    .addOption(flag("triangle", "<how>", "of a matrix: one half that is empty"))
    .optionsGroup("Filters:")
    .addOption(flag("catch", "<column>", "catch trials: empty on plain lines, the right answer on others"))
    .addOption(flag("catchErrors", "<share>", "of catch trials that people may fail"))
    .addOption(flag("fastest", "<share>", "of the lines, dropped for having been answered fastest"))
    .addOption(flag("leastAnswers", "<n>", "people with fewer lines are dropped"))
    .addOption(
      flag("mostInconsistent", "<share>", "of repeated questions in which people may contradict themselves"),
    )
    .optionsGroup("File:");
  for (const option of [
    flag("format", "<name>", "what the file is, if it does not tell"),
    flag("header", "<whether>", "whether the first line names the columns: auto, yes, no"),
    flag("delimiter", "<mark>", 'between columns, " " for blanks'),
    flag("encoding", "<name>", "of text, as utf-16le or windows-1252"),
  ])
    command.addOption(option);
  return command;
}

export const answersHelp = `Answers, one trial per line, in CSV or TSV, or as a table of JSON or Parquet:
  i, j, k       i is nearer to j than to k
  i, j, l, k    i and j are nearer to each other than l and k
  center, left, right, answer   the answer says which of the two is nearer: 1 or -1, left or right, the name of the object
  (--roles ...,farther=odd in place of answer: it says which of the two is farther)
Several files with the columns that are used are one table; where no column names people, each file is one person's. Those that the study \
page of the site saves need no flags.
By the names in the header, in any order (also anchor, near, far; head, winner, loser; and weight or count), by --roles, or by \
position without a header. Of a column named like an answer it must be said what it is. Objects are whole numbers from 0, or names.
  --kind odd-one-out    three objects and more, the odd one last, or in a column: --roles object=a,object=b,object=c,odd=odd
  --kind rank           an anchor, then objects from the nearest on; --choose r: the first r of them are ranked
  --kind choices        an anchor, then objects; --choose r: the first r are the chosen ones; --roles anchor=q,option=ref*,chosen=picked
                        what is odd or chosen is a name, a column, or a place; one column as object or option lists all: a;b;c
  --kind ratings        two objects and how alike they are: --roles first=a,second=b,similarity=rating (or distance=rating)
  --kind distances, similarities   a square matrix, with names in the first line, the first column, or both`;

const stoppingHelp = `Stopping rules, for the map X(k) with the value F(k) after iteration k:
  converged        |F(k-1) - F(k)| <= t |F(k)|  and  |X(k) - X(k-1)| <= t |X(k-1)|,  t = --tolerance \
(default: 1e-6); --solver auto also ends by rules of its own
  limits           --max-passes (default: 300 for each start; auto ends by its own rules), --max-iterations, --max-seconds`;

const examples = {
  verbatim: `Examples:
  npx @curvature/cli ordinal answers.csv --test 0.2 --out map.csv --plot map.svg
  npx @curvature/cli ordinal trials.csv --participant who --trial trial --dim auto --regions 0.95 --test 0.2 --plot map.svg \
--report r.json
  npx @curvature/cli ordinal answers.csv --labels kinds.csv --images stimuli --plot map.html
  npx @curvature/cli ordinal trials.csv --participant who --individual people
  npx @curvature/cli ordinal --from-distances distances.csv --plot map.svg
  npx @curvature/cli ordinal export.csv --roles anchor=Center,near=Left,far=Right,answer=Answer --participant worker_id
  npx @curvature/cli ordinal trials.json --where trial_type=triplet --roles anchor=anchor,left=left,right=right,answer=response
  npx @curvature/cli ordinal odd.txt --kind odd-one-out --plot map.svg
  npx @curvature/cli ordinal answers/*.csv --test 0.2 --plot map.svg
  npx @curvature/cli ordinal chosen.csv --kind choices --choose 2 --participant who --trial trial
  npx @curvature/cli ordinal pairs.csv --roles first=a,second=b,similarity=rating --participant who
  npx @curvature/cli ordinal confusions.csv --kind similarities --asymmetry mean
  npx @curvature/cli ordinal - --dim 3 --loss tste --quiet < answers.csv > map.csv`,
};
