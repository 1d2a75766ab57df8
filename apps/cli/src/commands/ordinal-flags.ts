/**
 * The words of `curvature ordinal`, and what its help says.
 */
import { comparisonsOptions } from "@curvature/datasets";
import { either, integerFrom, oneOf } from "@curvature/linalg";
import { ordinalEmbeddingOptions } from "@curvature/optim-svrg";
import type { Command } from "commander";
import { by, fileName, shareOrFile } from "../arguments.js";
import { addRunOptions, type CheckpointFlags, exitCodeHelp } from "./common-options.js";
import { addExplanations } from "./explanations.js";
import { type FlagsOf, startFlag, TableFlags } from "./table-flags.js";

/** How the lines of a file of answers are taken. */
export interface AnswerFlags extends Pick<FlagsOf<typeof comparisonsOptions>, "objects" | "degenerate"> {
  readonly names?: string;
}

export interface OrdinalFlags
  extends CheckpointFlags,
    AnswerFlags,
    Omit<FlagsOf<typeof ordinalEmbeddingOptions>, "objects" | "degenerate" | "test"> {
  readonly fromDistances?: string;
  readonly answers: "all" | number;
  readonly test?: number | string;
  /** A word, or a file. */
  readonly initialization: string;
  readonly out?: string;
  readonly plot?: string;
  readonly report?: string;
}

export const ordinalFlags = new TableFlags(ordinalEmbeddingOptions);
const answerFlags = new TableFlags(comparisonsOptions);

export const isStart = ordinalEmbeddingOptions.entries.initialization.accepts;

export function addOrdinalOptions(command: Command): Command {
  const flag = ordinalFlags.flag.bind(ordinalFlags);
  command
    .optionsGroup("Model:")
    .addOption(flag("loss", "<name>", "what a wrong answer costs"))
    .addOption(flag("dimensions", "<n>", "dimensions of the map", "--dim"))
    .addOption(flag("mu", "<m>", "of ckl, in squared distances"))
    .addOption(flag("alpha", "<a>", "of tste (default: dimensions - 1, at least 1)"))
    .addOption(flag("ridge", "<l>", "weight of |X|^2/(2n): a number, or a word"))
    .optionsGroup("Solver:")
    .addOption(flag("solver", "<name>", "how it is minimised"))
    .addOption(flag("restarts", "<n>", "so many starts, of which the best is kept"))
    .addOption(startFlag(ordinalEmbeddingOptions.entries))
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
    );
  addAnswerOptions(command);
  addRunOptions(command, ordinalFlags)
    .optionsGroup("Output:")
    .option("-o, --out <file>", "the map: .csv, .tsv or .json", fileName)
    .option("--plot <file>", "a picture of it: .svg, .png, or .html to look into", fileName)
    .option("--report <file>", "the figures of the run, as JSON", fileName);
  return addExplanations(command, answersHelp, stoppingHelp, exitCodeHelp, examples);
}

export function addAnswerOptions(command: Command): Command {
  return command
    .addOption(answerFlags.flag("objects", "<kind>", "what the cells are (auto: indices if all are numbers)"))
    .option("--names <file>", "all objects' names, one per line, in their order from 0", fileName)
    .addOption(answerFlags.flag("degenerate", "<what>", "lines that compare what is the same"));
}

export const answersHelp = `Answers, one per line, in CSV or TSV:
  i, j, k      i is nearer to j than to k
  i, j, l, k   i and j are nearer to each other than l and k
By the names in the header, in any order (also anchor, near, far; head, winner, loser; and weight or count), or by \
position without one. A first line that seems to be another header is an error. Objects are whole numbers from 0, or names.`;

const stoppingHelp = `Stopping rules, for the map X(k) with the value F(k) after iteration k:
  converged        |F(k-1) - F(k)| <= t |F(k)|  and  |X(k) - X(k-1)| <= t |X(k-1)|,  t = --tolerance \
(default: 1e-6); --solver auto also ends by rules of its own
  limits           --max-passes (default: 300 for each start; auto ends by its own rules), --max-iterations, --max-seconds`;

const examples = {
  verbatim: `Examples:
  npx @curvature/cli ordinal answers.csv --test 0.2 --out map.csv --plot map.svg
  npx @curvature/cli ordinal --from-distances distances.csv --plot map.svg
  npx @curvature/cli ordinal - --dim 3 --loss tste --quiet < answers.csv > map.csv`,
};
