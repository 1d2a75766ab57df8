/**
 * The words of `curvature ordinal`, and what its help says.
 */
import type { OrdinalEmbeddingOptions, OrdinalEmbeddingSolver } from "@curvature/optim-svrg";
import { type Command, InvalidArgumentError, Option } from "commander";
import { fileName, nonNegativeNumber, numberAbove, oneOf, wholeNumber, wordOrCount } from "../arguments.js";
import { addSolverOptions, exitCodeHelp, type SolverFlags } from "./common-options.js";

type Loss = NonNullable<OrdinalEmbeddingOptions["loss"]>;

const losses = [
  "soe",
  "logistic",
  "tste",
  "ste",
  "gnmds",
  "ckl",
  "smooth-hinge",
] as const satisfies readonly Loss[];
const solvers = [
  "auto",
  "svrg-sbb",
  "svrg-bb",
  "svrg",
  "sgd",
  "gd",
  "lbfgs",
  "gram",
] as const satisfies readonly OrdinalEmbeddingSolver[];
const starts = ["auto", "spectral", "random"] as const;
const objectKinds = ["auto", "indices", "names"] as const;
const degenerateChoices = ["error", "drop"] as const;

type Start = (typeof starts)[number];

/** How the lines of a file of answers are taken. */
export interface AnswerFlags {
  readonly objects: (typeof objectKinds)[number];
  readonly names?: string;
  readonly degenerate: (typeof degenerateChoices)[number];
}

export interface OrdinalFlags extends SolverFlags, AnswerFlags {
  readonly fromDistances?: string;
  readonly answers: "all" | number;
  readonly test?: number | string;
  readonly loss: Loss;
  readonly mu?: number;
  readonly alpha?: number;
  readonly dim: number;
  readonly solver: OrdinalEmbeddingSolver;
  readonly ridge: "auto" | number;
  readonly restarts: number;
  readonly init: string;
  readonly out?: string;
  readonly plot?: string;
  readonly report?: string;
}

export const isStart = (word: string): word is Start => starts.some((start) => start === word);

export function addOrdinalOptions(command: Command): Command {
  command
    .optionsGroup("Model:")
    .addOption(choice("--loss <name>", "what a wrong answer costs", losses).default("soe"))
    .option("--dim <n>", "dimensions of the map", wholeNumber(1), 2)
    .option("--mu <m>", "of ckl, in squared distances (default: 0.05)", numberAbove(0))
    .option("--alpha <a>", "of tste (default: dimensions - 1, at least 1)", numberAbove(0))
    .option("--ridge <l>", "weight of |X|^2/(2n): auto, or a number", autoOrNumber, "auto")
    .optionsGroup("Solver:")
    .addOption(choice("--solver <name>", "how it is minimised", solvers).default("auto"))
    .option("--restarts <n>", "so many starts, of which the best is kept", wholeNumber(1), 1)
    .option("--init <start>", `initial embedding: ${starts.join(", ")}, or a file with one`, fileName, "auto")
    .optionsGroup("Data:")
    .option("--from-distances <file>", "make the answers from a square matrix of distances", fileName)
    .option(
      "--answers <n>",
      "with --from-distances: so many answers, drawn at random, or all",
      wordOrCount(["all"], 1),
      "all",
    )
    .option(
      "--test <share|file>",
      "answers to measure the error with: a share to hold out (0.2), or a file",
      shareOrFile,
    );
  addAnswerOptions(command);
  return addSolverOptions(command, "passes")
    .optionsGroup("Output:")
    .option("--out <file>", "the map: .csv, .tsv or .json", fileName)
    .option("--plot <file>", "a picture of it: .svg, .png, or .html to look into", fileName)
    .option("--report <file>", "the figures of the run, as JSON", fileName)
    .addHelpText("after", `\n${answersHelp}\n\n${stoppingHelp}\n\n${exitCodeHelp}\n\n${examples}`);
}

export function addAnswerOptions(command: Command): Command {
  return command
    .addOption(
      choice(
        "--objects <kind>",
        "what the cells are (auto: indices if all are numbers)",
        objectKinds,
      ).default("auto"),
    )
    .option("--names <file>", "all objects' names, one per line, in their order from 0", fileName)
    .addOption(
      choice("--degenerate <what>", "lines that compare what is the same", degenerateChoices).default(
        "error",
      ),
    );
}

function choice(flags: string, description: string, words: readonly string[]): Option {
  return new Option(flags, `${description}: ${words.join(", ")}`).argParser(oneOf(words));
}

function autoOrNumber(word: string): "auto" | number {
  return word === "auto" ? word : nonNegativeNumber(word);
}

/** What looks like a number is a share. */
function shareOrFile(word: string): number | string {
  if (!/^[+-]?[\d.]+(e[+-]?\d+)?$/i.test(word)) return fileName(word);
  const share = Number(word);
  if (share > 0 && share < 1) return share;
  throw new InvalidArgumentError("It must be a share above 0 and below 1, or the name of a file.");
}

export const answersHelp = `Answers, one per line, in CSV or TSV:
  i, j, k      i is nearer to j than to k
  i, j, l, k   i and j are nearer to each other than l and k
By the names in the header, in any order (also anchor, near, far; head, winner, loser; and weight or count), or by
position without one. A first line that seems to be another header is an error. Objects are whole numbers from 0, or
names.`;

const stoppingHelp = `Stopping rules, for the map X(k) with the value F(k) after iteration k:
  converged        |F(k-1) - F(k)| <= t |F(k)|  and  |X(k) - X(k-1)| <= t |X(k-1)|,  t = --tolerance
                   (default: 1e-6); --solver auto also ends by rules of its own
  limits           --max-passes (default: 300 for each start; auto ends by its own rules), --max-iterations,
                   --max-seconds`;

const examples = `Examples:
  npx @curvature/cli ordinal answers.csv --test 0.2 --out map.csv --plot map.svg
  npx @curvature/cli ordinal --from-distances distances.csv --plot map.svg
  npx @curvature/cli ordinal - --dim 3 --loss tste --quiet < answers.csv > map.csv`;
