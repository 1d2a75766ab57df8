/**
 * The words of `curvature fit`, and what its help says.
 */
import type { ImageShape } from "@curvature/objectives/networks";
import { type Command, InvalidArgumentError, Option } from "commander";
import { fileName, nonNegativeNumber, numberAbove, oneOf, wholeNumber } from "../arguments.js";
import { addIgnoreOption, type ColumnFlags } from "../read/column-use.js";
import { type ObjectiveName, objectiveNames } from "../tasks/fit/objectives.js";
import { type SolverChoice, solverChoice, solverSyntax } from "../tasks/fit/solvers.js";
import { type Scaling, scalings } from "../tasks/scaling.js";
import { addCheckpointOptions, addRedisOption, exitCodeHelp, type SolverFlags } from "./common-options.js";

export interface FitFlags extends SolverFlags, ColumnFlags {
  readonly objective?: ObjectiveName;
  readonly module?: string;
  readonly scale: Scaling;
  readonly minibatches?: number;
  readonly hidden?: readonly number[];
  readonly regularization?: number;
  readonly image?: ImageShape;
  readonly filter?: number;
  readonly decoder?: (typeof decoders)[number];
  readonly contraction?: number;
  readonly solver?: SolverChoice;
  readonly compare?: readonly SolverChoice[];
  readonly maxPasses: number;
  readonly batch: number;
  readonly concurrency: number;
  /** True: the address is in the environment. */
  readonly redis?: string | true;
  readonly data?: string;
  readonly name?: string;
  readonly out?: string;
  readonly plot?: string;
  readonly report?: string;
}

export function addFitOptions(command: Command): Command {
  command
    .optionsGroup("Problem:")
    .addOption(
      new Option("--objective <name>", `what is fitted: ${objectiveNames.join(", ")}`).argParser(
        oneOf(objectiveNames),
      ),
    )
    .option("--module <file>", "or a problem of your own: a module, see below", fileName)
    .option(
      "--labels <column|file>",
      "classes: a column, by name or by index from 0; or a file, one label per line",
      fileName,
    );
  addIgnoreOption(command)
    .addOption(
      new Option("--scale <how>", `rescale the data first: ${scalings.join(", ")}`)
        .default("none")
        .argParser(oneOf(scalings)),
    )
    .option(
      "--minibatches <n>",
      "subfunctions that the rows are dealt to (default: sqrt(rows) / 10, from 25 to 100)",
      wholeNumber(1),
    )
    .option("--hidden <sizes>", "of a network's layers between input and output, as 100,50", layerSizes)
    .option(
      "--image <size>",
      "of a convnet: what a row is, as 8x8 or 3x32x32 (default: a square)",
      imageShape,
    )
    .option("--filter <side>", "of a convnet: side of its filters (default: 5)", wholeNumber(1))
    .addOption(
      new Option("--decoder <kind>", "of an autoencoder: sigmoid (for data from 0 to 1) or linear").argParser(
        oneOf(decoders),
      ),
    )
    .option(
      "--contraction <b>",
      "of an autoencoder: weight of the penalty that makes it contractive (default: 1)",
      nonNegativeNumber,
    )
    .option("--regularization <l>", "weight of |x|^2 / 2 in every subfunction", nonNegativeNumber)
    .optionsGroup("Method:")
    .option("--solver <name>", `${solverSyntax} (default: sfo)`, solverChoice)
    .option(
      "--compare <list>",
      "several of them from one start, as sfo,lbfgs,adam:0.01; the best is kept",
      list,
    )
    .option("--batch <n>", "of sfo: subfunctions of a step, at one point and so at once", wholeNumber(1), 1)
    .option("--concurrency <n>", "evaluations under way at once, if they are promises", wholeNumber(1), 1)
    .optionsGroup("Stopping (the first rule that holds):")
    .option(
      "--max-passes <n>",
      "evaluations, in units of as many as there are subfunctions",
      numberAbove(0),
      20,
    )
    .option("--max-seconds <s>", "seconds in the solver (in each of several)", numberAbove(0))
    .option("--tolerance <t>", "decrease of F that is left, see below", nonNegativeNumber);
  addRedisOption(
    command.optionsGroup("Who evaluates:"),
    "let workers evaluate the subfunctions: redis://host:6379 (without a url: that in CURVATURE_REDIS)",
  )
    .option(
      "--data <folder>",
      "with --redis: what workers have as their data folder (default: the working folder)",
      fileName,
    )
    .option("--name <run>", "with --redis: of the run there (default: from the problem)");
  return addCheckpointOptions(command)
    .optionsGroup("Output:")
    .option("--out <file>", "the parameters: .npy, .csv or .json", fileName)
    .option("--plot <file>", "the learning curve: .svg, .png or .html", fileName)
    .option("--report <file>", "the figures of the fit, as JSON", fileName)
    .addHelpText(
      "after",
      `\n${moduleHelp}\n\n${stoppingHelp}\n\n${remoteHelp}\n\n${exitCodeHelp}\n\n${examples}`,
    );
}

const decoders = ["sigmoid", "linear"] as const;

function imageShape(word: string): ImageShape {
  const sizes = /^(?:(\d{1,5})x)?(\d{1,5})x(\d{1,5})$/.exec(word)?.slice(1);
  const [channels, height, width] = (sizes ?? ["0", "0", "0"]).map((size) => Number(size ?? 1));
  if (channels >= 1 && height >= 1 && width >= 1) return { channels, height, width };
  throw new InvalidArgumentError("It must be height x width, or channels x height x width, as 3x32x32.");
}

function layerSizes(word: string): readonly number[] {
  const sizes = word.split(",");
  if (sizes.length <= 16 && sizes.every((size) => /^[1-9]\d{0,5}$/.test(size))) return sizes.map(Number);
  throw new InvalidArgumentError("It must be sizes of at least 1, as 100,50.");
}

/** A word that says what is wrong with itself, as commander expects it. */
function list(word: string): readonly SolverChoice[] {
  const words = word.split(",").map((part) => part.trim());
  const twice = words.find((part, k) => words.indexOf(part) < k);
  if (twice !== undefined) throw new InvalidArgumentError(`It names ${twice} twice.`);
  return words.map(solverChoice);
}

const moduleHelp = `A problem of your own, --module problem.mjs: F(x) = the sum of f_i(x), i = 0 ... count - 1.
  export default {
    dimension: 2, count: 30, initial: [0, 0],
    evaluate(index, x, gradient) {      // returns f_index(x), or a promise of it, and
      ...                               // where there is a gradient, writes every entry of it
    },
  };
  The default export may also be a function, called with { seed }, that returns this or a promise of it.`;

const stoppingHelp = `Stopping rules:
  converged        sfo: the decrease that its model has left is <= t (1 + |F|) for a whole pass of steps,
                     t = --tolerance (default: 1e-12; 0 switches the rule off)
                   the others: |F(k-1) - F(k)| <= t |F(k)| from one measured F to the next (default: off)
  limits           --max-passes, --max-seconds
  diverged         no finite numbers, or no decrease after some new starts
  failed           a subfunction threw; the best point so far is kept
F is measured at the start and after every pass; this costs evaluations that are reported as monitoring.`;

const remoteHelp = `Workers, --redis: each runs npx @curvature/cli worker --redis <url> --data <folder>, with the file of the data in its folder. A run with
  them has the bits of a run without. For more than one worker to have work at a time take --batch 8 (the same bits again)
  or --concurrency 8 (answers as they come: more steps, and other bits each time). The state of the run is in --checkpoint.`;

const examples = `Examples:
  npx @curvature/cli fit digits.csv --labels digit --objective softmax --out weights.npy --report report.json
  npx @curvature/cli fit digits.csv --labels digit --objective mlp --hidden 32 --compare sfo,lbfgs,adam:0.01 --plot curves.svg
  npx @curvature/cli fit digits.csv --labels digit --objective mlp --redis redis://box:6379 --batch 8 --checkpoint run.ckpt --out x.npy
  npx @curvature/cli fit --module problem.mjs --max-passes 50 --out x.json`;
