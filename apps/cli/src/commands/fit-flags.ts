/**
 * The words of `curvature fit`, and what its help says.
 */
import { either, finite, oneOf, optionTable } from "@curvature/linalg";
import { type Command, InvalidArgumentError } from "commander";
import { by, fileName, shareOrFile } from "../arguments.js";
import { functionNames } from "../formula/functions.js";
import { type ObjectiveName, objectiveNames, objectiveOptions } from "../tasks/fit/objectives.js";
import { type SolverChoice, solveOptions, solverChoice, solverSyntax } from "../tasks/fit/solvers.js";
import { formulaOptions } from "../tasks/formula/options.js";
import { scalings } from "../tasks/scaling.js";
import { addRedisOption, addRunOptions, type CheckpointFlags, exitCodeHelp } from "./common-options.js";
import { addDataFlags, type DataFlags, weightsFlag } from "./data-flags.js";
import { addExplanations } from "./explanations.js";
import { type FlagsOf, TableFlags } from "./table-flags.js";

/** Of a perceptron: what its labels are, by the losses of `curvature train`. */
export const labelLosses = oneOf("logistic", "squared-error");
const { loss: residualLoss } = formulaOptions.entries;

const fitOptions = optionTable({
  ...objectiveOptions.entries,
  ...solveOptions.entries,
  ...formulaOptions.entries,
  loss: either(residualLoss, labelLosses).default(residualLoss.fallback),
  /** By the words of all commands. */
  scale: oneOf("auto", ...scalings).default("auto"),
});
export const fitFlags = new TableFlags(fitOptions);

export interface FitFlags extends CheckpointFlags, DataFlags, FlagsOf<typeof fitOptions> {
  readonly objective?: ObjectiveName;
  readonly module?: string;
  readonly formula?: string;
  readonly start?: NamedNumbers;
  readonly lower?: NamedNumbers;
  readonly upper?: NamedNumbers;
  readonly weights?: string;
  readonly model?: string;
  /** A share of the rows, or a file. */
  readonly test?: number | string;
  readonly initial?: string;
  readonly solver?: SolverChoice;
  readonly compare?: readonly SolverChoice[];
  /** A share, or a file. */
  readonly validation?: number | string;
  /** True: the address is in the environment. */
  readonly redis?: string | true;
  readonly data?: string;
  readonly name?: string;
  readonly out?: string;
  readonly plot?: string;
  readonly report?: string;
}

/** "a=1,b=0.5" */
export type NamedNumbers = ReadonlyMap<string, number>;

/** The flags that say something of a formula alone. */
export const formulaFlags = ["start", "lower", "upper", "weights", "lossScale", "level"] as const;

export function addFitOptions(command: Command): Command {
  const flag = fitFlags.flag.bind(fitFlags);
  command
    .optionsGroup("Problem:")
    .option(
      "--objective <name>",
      `what is fitted: ${objectiveNames.join(", ")}`,
      by(oneOf(...objectiveNames)),
    )
    .option("--formula <f>", 'or a curve through a table: "y ~ a * (1 - exp(-b * x))", see below')
    .option("--module <file>", "or a problem of your own: a module, see below", fileName)
    .optionsGroup("Data:");
  addDataFlags(command)
    .option(
      "--test <share|file>",
      "rows to measure the model on: a share of the data, as 0.2 or 20%, or another file",
      shareOrFile,
    )
    .addOption(
      flag(
        "scale",
        "<how>",
        "rescale the columns, which the model does too (auto: standard for logistic, softmax, mlp, convnet; a convnet's pixels all alike)",
      ),
    )
    .optionsGroup("Objective:")
    .addOption(
      flag(
        "count",
        "<n>",
        "subfunctions that the rows are dealt to (default: sqrt(rows) / 10, from 25 to 100)",
        "--minibatches",
      ),
    )
    .addOption(flag("hidden", "<sizes>", "of a network's layers between input and output, as 100,50"))
    .addOption(flag("activation", "<name>", "of a perceptron's hidden layers (default: tanh)"))
    .addOption(flag("image", "<size>", "of a convnet: what a row is, as 8x8 or 3x32x32 (default: a square)"))
    .addOption(flag("filterSide", "<side>", "of a convnet: side of its filters (default: 5)", "--filter"))
    .addOption(
      flag("decoder", "<kind>", "of an autoencoder; left out: sigmoid for data from 0 to 1, else linear"),
    )
    .addOption(
      flag(
        "contraction",
        "<b>",
        "of an autoencoder: weight of the penalty that makes it contractive (default: 1)",
      ),
    )
    .addOption(flag("lambda", "<l>", "weight of |x|^2 / 2 in every subfunction", "--regularization"))
    .optionsGroup("Formula:")
    .option("--start <list>", "where parameters begin, as a=1,b=0.5 (default: sought)", namedNumbers)
    .option("--lower <list>", "the least that parameters may be, as a=0,b=0", namedNumbers)
    .option("--upper <list>", "the most", namedNumbers)
    .addOption(weightsFlag())
    .addOption(
      flag(
        "loss",
        "<name>",
        "what a residual costs, and of an mlp what the labels are, classes or numbers (default: by the labels)",
      ),
    )
    .addOption(
      flag("lossScale", "<s>", "where huber, soft-l1 and cauchy begin to yield (default: by the data)"),
    )
    .addOption(flag("level", "<l>", "of intervals and band"))
    .optionsGroup("Method:")
    .option(
      "--initial <file>",
      "where it begins: a model of --model, or the parameters as a file of numbers",
      fileName,
    )
    .option("--solver <name>", `${solverSyntax} (default: sfo)`, solverChoice)
    .option(
      "--compare <list>",
      "several of them from one start, as sfo,lbfgs,adam:0.01; the best is kept",
      list,
    )
    .addOption(flag("batch", "<n>", "of sfo: subfunctions of a step, at one point and so at once"))
    .addOption(flag("concurrency", "<n>", "evaluations under way at once, if they are promises"));
  command
    .optionsGroup("Early stopping:")
    .option(
      "--validation <share|file>",
      "rows that nothing is fitted to: a share of the data, as 0.2 or 20%, or another file; see below",
      shareOrFile,
    )
    .addOption(flag("patience", "<n>", "passes without a lower loss of these rows that end the run"));
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
  addRunOptions(command, fitFlags, {
    maxPasses: "evaluations, in units of as many as there are subfunctions",
    maxSeconds: "seconds in the solver (in each of several)",
    tolerance: "decrease of F that is left, see below",
  })
    .optionsGroup("Output:")
    .option(
      "-o, --out <file>",
      "the parameters: .npy, .csv or .json; of a formula each row's observed and fitted values: .csv or .tsv",
      fileName,
    )
    .option("--plot <file>", "the learning curve, or the formula's: .svg, .png or .html", fileName)
    .option("--model <file>", "the model, for curvature predict and evaluate", fileName)
    .option("--report <file>", "the figures of the fit, as JSON", fileName);
  return addExplanations(
    command,
    formulaHelp,
    moduleHelp,
    stoppingHelp,
    validationHelp,
    remoteHelp,
    exitCodeHelp,
    examples,
  );
}

/** A word that says what is wrong with itself, as commander expects it. */
function list(word: string): readonly SolverChoice[] {
  const words = word.split(",").map((part) => part.trim());
  const twice = words.find((part, k) => words.indexOf(part) < k);
  if (twice !== undefined) throw new InvalidArgumentError(`It names ${twice} twice.`);
  return words.map(solverChoice);
}

/** As "a=1,b=0.5", for commander. */
function namedNumbers(words: string): NamedNumbers {
  const numbers = new Map<string, number>();
  for (const part of words.split(",")) {
    const [, name = "", text = ""] = /^([^=]*)=(.*)$/s.exec(part) ?? [];
    const value = finite.read(text.trim());
    if (name.trim() === "" || !finite.accepts(value))
      throw new InvalidArgumentError("It must be names and numbers, as a=1,b=0.5.");
    if (numbers.has(name.trim())) throw new InvalidArgumentError(`It names ${name.trim()} twice.`);
    numbers.set(name.trim(), value);
  }
  return numbers;
}

const formulaHelp = `A formula, --formula "y ~ a * (1 - exp(-b * x))": nonlinear least squares. Names that are columns are the variables (in \` \` where they \
have blanks or the like), all others the parameters. It may have numbers, pi, + - * / ^, brackets and ${functionNames.join(", ")}; it is never run as code. \
Starts that --start does not say are sought by short fits from 64 points around the scales of the data. The table of parameters goes to standard output.`;

const moduleHelp = {
  verbatim: `A problem of your own, --module problem.mjs: F(x) = the sum of f_i(x), i = 0 ... count - 1.
  export default {
    dimension: 2, count: 30, initial: [0, 0],
    evaluate(index, x, gradient) {      // returns f_index(x), or a promise of it, and
      ...                               // where there is a gradient, writes every entry of it
    },
  };
  The default export may also be a function, called with { seed }, that returns this or a promise of it.
  With validate(x), which returns a number or a promise of one, it stops early by that, as by rows that are held out.`,
};

const validationHelp = `Early stopping, --validation 0.2 or --validation other.csv: at the start, after every pass and at the end the mean loss of rows that \
nothing is fitted to is measured, without the ridge. The parameters are those where it is least, of several solvers the best so; after \
--patience passes without a lower one a run ends as stalled, and the exit code is 0. A share is drawn class by class, by --seed; scaling and the columns of words are made of \
the other rows alone. Rows of one person or day belong on one side: give them as a file. The loss that has chosen is a little too good; another file is needed to say how good the fit is.`;

const stoppingHelp = `Stopping rules:
  converged        sfo: the decrease that its models have left is <= t |F|, or t of a ten-thousandth of the decrease so far, for a \
whole pass of steps, t = --tolerance (default: 1e-12), and L-BFGS on the whole sum confirms it
                   the others: |F(k-1) - F(k)| <= t |F(k)| from one measured F to the next (default: off)
  limits           --max-passes, --max-seconds
  diverged         no finite numbers, or no decrease after some new starts
  failed           a subfunction threw; the best point so far is kept
F is measured at the start and after every pass; this costs evaluations that are reported as monitoring.`;

const remoteHelp = `Workers, --redis: each runs npx @curvature/cli worker --redis <url> --data <folder>, with the file of the data in its folder. \
A run with them has the bits of a run without. For more than one worker to have work at a time take --batch 8 \
(the same bits again) or --concurrency 8 (answers as they come: more steps, and other bits each time). The state of the run is in --checkpoint.`;

const examples = {
  verbatim: `Examples:
  npx @curvature/cli fit houses.csv --labels price --objective mlp --hidden 16 --test 0.2 --model net.json
  npx @curvature/cli fit digits.csv --labels digit --objective softmax --out weights.npy --report report.json
  npx @curvature/cli fit digits.csv --labels digit --objective mlp --hidden 32 --compare sfo,lbfgs,adam:0.01 --plot curves.svg
  npx @curvature/cli fit digits.csv --labels digit --objective mlp --hidden 64 --validation 0.2 --max-passes 200 --plot curves.html
  npx @curvature/cli fit digits.csv --labels digit --objective mlp --redis redis://box:6379 --batch 8 --checkpoint run.ckpt --out x.npy
  npx @curvature/cli fit puromycin.csv --formula "rate ~ Vm * conc / (K + conc)" --plot curve.svg
  npx @curvature/cli fit --module problem.mjs --max-passes 50 --out x.json`,
};
