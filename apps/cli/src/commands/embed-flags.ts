/**
 * The words of `curvature embed`, and what its help says.
 */
import type { EmbeddingMethod, EmbeddingSolver } from "@curvature/optim-spectral";
import { type Command, Option } from "commander";
import { fileName, nonNegativeNumber, numberAbove, oneOf, wholeNumber, wordOrCount } from "../arguments.js";
import { addIgnoreOption, type ColumnFlags } from "../read/column-use.js";
import { addRunOptions, exitCodeHelp, type RunFlags } from "./common-options.js";

const methods = [
  "tsne",
  "ssne",
  "sne",
  "ee",
  "tee",
  "laplacian",
] as const satisfies readonly EmbeddingMethod[];
const solvers = [
  "auto",
  "sd",
  "sd-lbfgs",
  "sdminus",
  "fp",
  "diagh",
  "gd",
  "cg",
  "lbfgs",
] as const satisfies readonly EmbeddingSolver[];
const repulsions = ["distance", "constant"] as const;
const gradients = ["auto", "exact", "single", "barnes-hut", "fft"] as const;
const searches = ["auto", "exact", "approximate"] as const;
const counts = ["auto", "all"] as const;
const threadCounts = ["auto"] as const;
const starts = ["pca", "laplacian", "random"] as const;

type Start = (typeof starts)[number];

export interface EmbedFlags extends RunFlags, ColumnFlags {
  readonly method: EmbeddingMethod;
  readonly solver: EmbeddingSolver;
  readonly perplexity?: number;
  readonly lambda?: number;
  readonly homotopy?: true;
  readonly repulsion?: (typeof repulsions)[number];
  readonly gradient: (typeof gradients)[number];
  readonly theta?: number;
  readonly threads: (typeof threadCounts)[number] | number;
  readonly dim: number;
  readonly neighbors: (typeof counts)[number] | number;
  readonly neighborSearch: (typeof searches)[number];
  readonly kappa: (typeof counts)[number] | number;
  readonly pca?: number;
  readonly init?: string;
  readonly out?: string;
  readonly plot?: string;
  readonly report?: string;
}

export const isStart = (word: string): word is Start => starts.some((start) => start === word);

export function addEmbedOptions(command: Command): Command {
  command
    .optionsGroup("Model:")
    .addOption(choice("--method <name>", "what is minimised", methods).default("tsne"))
    .option(
      "--perplexity <k>",
      "effective number of neighbours (default: 30, or less for few points)",
      numberAbove(1),
    )
    .option("--lambda <l>", "weight of the repulsion (default: 1; ee, tee: 100)", nonNegativeNumber)
    .addOption(
      choice("--repulsion <weights>", "of ee and tee (default: distance up to 5,000 points)", repulsions),
    )
    .addOption(
      choice(
        "--gradient <how>",
        "how the repulsion is summed (single: 2 dimensions, --solver auto)",
        gradients,
      ).default("auto"),
    )
    .option(
      "--theta <x>",
      "of barnes-hut: cells' sizes beside their distance, 0 to 1 (default: 0.3)",
      nonNegativeNumber,
    )
    .option("--dim <n>", "dimensions of the map", wholeNumber(1), 2)
    .option(
      "--neighbors <n>",
      "per point, in the affinities: auto (3 x perplexity), all, or a number",
      wordOrCount(counts, 1),
      "auto",
    )
    .addOption(choice("--neighbor-search <how>", "how the neighbours are found", searches).default("auto"))
    .optionsGroup("Solver:")
    .addOption(choice("--solver <name>", "how it is minimised", solvers).default("auto"))
    .option(
      "--threads <n>",
      "that find components and neighbours, fit affinities and evaluate, with the same result: auto (the cores), or a number",
      wordOrCount(threadCounts, 1),
      1,
    )
    .option("--homotopy", "reach lambda in 50 steps, each from the map before (auto has its own way)")
    .option(
      "--kappa <n>",
      "neighbours in the spectral direction's matrix: auto (all while the factor fits), all, or a number",
      wordOrCount(counts, 0),
      "auto",
    )
    .option(
      "--init <start>",
      `initial embedding: ${starts.join(", ")}, or a file with one (default: pca)`,
      fileName,
    )
    .optionsGroup("Data:")
    .option(
      "--labels <column|file>",
      "a column, by name or by index from 0, which is then no data; or a file, one label per line",
      fileName,
    );
  addIgnoreOption(command).option(
    "--pca <n>",
    "project to so many principal components first (default: off)",
    wholeNumber(1),
  );
  return addRunOptions(command)
    .optionsGroup("Output:")
    .option("--out <file>", "the map: .csv, .tsv, .npy or .json", fileName)
    .option("--plot <file>", "a picture of it: .svg, .png, or .html to look into", fileName)
    .option("--report <file>", "the figures of the run, as JSON", fileName)
    .addHelpText("after", `\n${stoppingHelp}\n\n${exitCodeHelp}\n\n${examples}`);
}

function choice(flags: string, description: string, words: readonly string[]): Option {
  return new Option(flags, `${description}: ${words.join(", ")}`).argParser(oneOf(words));
}

const stoppingHelp = `Stopping rules, for the map X(k) with the value E(k) after iteration k:
  converged        |E(k-1) - E(k)| <= t |E(k)|  and  |X(k) - X(k-1)| <= t |X(k-1)|,  t = --tolerance
                   (default: 1e-5; 0, which is off, for --solver auto)
  schedule's end   --solver auto makes --max-evaluations (default: 100) evaluations of E and its gradient
  limits           --max-iterations (default: 1000, none for auto), --max-evaluations, --max-seconds
  stalled          no step along the direction makes E smaller`;

const examples = `Examples:
  curvature embed digits.csv --labels digit --plot map.svg
  curvature embed points.npy --labels classes.txt --out map.csv --report report.json
  curvature embed - --method ee --quiet < points.csv > map.csv`;
