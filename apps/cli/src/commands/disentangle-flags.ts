/**
 * The words of `curvature disentangle`, and what its help says.
 */
import type { NomadOptions, NomadSolver } from "@curvature/optim-sdp";
import { type Command, InvalidArgumentError, Option } from "commander";
import { fileName, nonNegativeNumber, numberAbove, oneOf, wholeNumber } from "../arguments.js";
import { addIgnoreOption, type ColumnFlags } from "../read/column-use.js";
import { addCheckpointOptions, exitCodeHelp, type SolverFlags } from "./common-options.js";

const solvers = ["auto", "cg", "admm", "bm"] as const satisfies readonly NomadSolver[];
const inputs = ["points", "gram", "distances"] as const satisfies readonly NomadOptions["input"][];
const scales = ["norm", "none"] as const satisfies readonly NomadOptions["scale"][];

export interface DisentangleFlags extends SolverFlags, ColumnFlags {
  readonly clusters?: number;
  readonly layers?: "auto" | readonly number[];
  readonly solver: NomadSolver;
  readonly certify?: boolean;
  readonly input: (typeof inputs)[number];
  readonly scale?: (typeof scales)[number];
  readonly pca?: number;
  readonly memoryLimit?: number;
  readonly assignments?: string;
  readonly out?: string;
  readonly embedding?: string;
  readonly plot?: string;
  readonly report?: string;
}

export function addDisentangleOptions(command: Command): Command {
  command
    .optionsGroup("Model:")
    .option(
      "-k, --clusters <K>",
      "how many clusters, need not be whole; with --layers those of the last layer",
      numberAbove(0),
    )
    .option(
      "--layers <K,K,...>",
      "clusters of each layer, none more than before it; or auto, which finds out how many manifolds there are",
      layerList,
    )
    .optionsGroup("Solver:")
    .addOption(choice("--solver <name>", "how it is solved", solvers).default("auto"))
    .option(
      "--certify",
      "an upper bound also for many points (default: up to 3,000, or K up to 64, in the memory that there is)",
    )
    .option("--no-certify", "the lower bound only")
    .optionsGroup("Data:")
    .addOption(choice("--input <kind>", "what the file holds", inputs).default("points"))
    .addOption(
      choice(
        "--scale <how>",
        "divide centred points by the largest norm of a row, or not (default: norm)",
        scales,
      ),
    )
    .option(
      "--labels <column|file>",
      "a column, by name or by index from 0, which is then no data; or a file, one label per line",
      fileName,
    );
  addIgnoreOption(command)
    .option("--pca <n>", "project to so many principal components first (default: off)", wholeNumber(1))
    .option("--memory-limit <GiB>", "for the arrays of the solver (default: what is free)", numberAbove(0))
    .optionsGroup("Stopping (the first rule that holds):")
    .option("--tolerance <t>", "certified relative gap; 0 switches this rule off", nonNegativeNumber, 1e-3)
    .option("--max-iterations <n>", "iterations of all layers", wholeNumber(1))
    .option("--max-seconds <s>", "seconds in the solver", numberAbove(0));
  return addCheckpointOptions(command)
    .optionsGroup("Output:")
    .option(
      "--assignments <file>",
      "cluster, membership and component of each point, from 0: .csv, .tsv",
      fileName,
    )
    .option("--out <file>", "the solution Q, n x n: .npy, .csv, .tsv or .json", fileName)
    .option("--embedding <file>", "the points in the plane: .csv, .tsv, .npy or .json", fileName)
    .option(
      "--plot <file>",
      "Q, and the points beside it, each component by itself: .svg, .png or .html",
      fileName,
    )
    .option("--report <file>", "the figures of the run, as JSON", fileName)
    .addHelpText("after", `\n${stoppingHelp}\n\n${exitCodeHelp}\n\n${examples}`);
}

function choice(flags: string, description: string, words: readonly string[]): Option {
  return new Option(flags, `${description}: ${words.join(", ")}`).argParser(oneOf(words));
}

function layerList(word: string): "auto" | readonly number[] {
  if (word === "auto") return word;
  const list = word.split(",").map((part) => (part.trim() === "" ? Number.NaN : Number(part)));
  const isFalling = list.every((K, l) => l === 0 || K <= list[l - 1]);
  if (list.every((K) => Number.isFinite(K) && K >= 1) && isFalling) return list;
  throw new InvalidArgumentError(
    'It must be "auto" or numbers of at least 1 with commas between them, none more than the one before it: 16,8,2.',
  );
}

const stoppingHelp = `The problem, with D the Gram matrix of the points:
  maximise Tr(D Q)  subject to  Q 1 = 1, Tr Q = K, Q positive semidefinite and without negative entries

Stopping rules, for the bounds lower <= optimum <= upper:
  converged        (upper - lower) / |upper| <= t,  t = --tolerance (default: 1e-3); --solver bm, which has no upper bound
                   on the way, ends when its lower bound settles
  limits           --max-iterations, --max-seconds; what is written then is feasible, and its gap is in the report`;

const examples = `Examples:
  npx @curvature/cli disentangle points.csv --clusters 16 --assignments clusters.csv --plot q.svg
  npx @curvature/cli disentangle rings.csv --layers auto --labels ring --plot q.png --report r.json
  npx @curvature/cli disentangle kernel.npy --input gram -k 8 --quiet > clusters.csv`;
