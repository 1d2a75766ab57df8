/** The flags of `curvature embed`, and what its help says. */
import { metricNames } from "@curvature/objectives/embedding";
import { embedOptions } from "@curvature/optim-spectral";
import { type Command, Option } from "commander";
import { fileName } from "../arguments.js";
import { type EmbedInputKind, embedInputs } from "../read/embed-input.js";
import { trustOptions } from "../tasks/map-trust.js";
import {
  addRunOptions,
  addScaleOption,
  type CheckpointFlags,
  exitCodeHelp,
  type ScaleFlags,
} from "./common-options.js";
import { addDataFlags, type DataFlags } from "./data-flags.js";
import { addExplanations } from "./explanations.js";
import { addPictureFlags, type PictureFlags } from "./picture-flags.js";
import { type FlagsOf, startFlag, TableFlags } from "./table-flags.js";

export interface EmbedFlags
  extends CheckpointFlags,
    ScaleFlags,
    DataFlags,
    PictureFlags,
    FlagsOf<typeof embedOptions>,
    FlagsOf<typeof trustOptions> {
  /** A word, or a file. */
  readonly initialization: string;
  readonly input: EmbedInputKind;
  readonly device: "cpu" | "gpu";
  readonly out?: string;
  readonly plot?: string;
  readonly report?: string;
  readonly model?: string;
}

export const embedFlags = new TableFlags(embedOptions);
export const trustFlags = new TableFlags(trustOptions);

export const isStart = embedOptions.entries.initialization.accepts;

export function addEmbedOptions(command: Command): Command {
  const flag = embedFlags.flag.bind(embedFlags);
  command
    .optionsGroup("Model:")
    .addOption(flag("method", "<name>", "what is minimised"))
    .addOption(
      flag(
        "perplexity",
        "<k>",
        "effective number of neighbours (default: 30, or less for few points); 30,300: of several",
      ),
    )
    .addOption(flag("kernel", "<name>", "of the repulsion of ee, in the Gaussian's place"))
    .addOption(flag("exaggeration", "<a>", "lambda by its usual name, 1 / lambda"))
    .addOption(flag("lambda", "<l>", "weight of the repulsion (default: 1; ee, tee: 100)"))
    .addOption(flag("repulsion", "<weights>", "of ee and tee (auto: distance up to 5,000 points)"))
    .addOption(flag("gradient", "<how>", "how the repulsion is summed (single: 2 dimensions, --solver auto)"))
    .addOption(flag("theta", "<x>", "of barnes-hut: cells' sizes beside their distance, 0 to 1"))
    .addOption(flag("dimensions", "<n>", "dimensions of the map", "--dim"))
    .addOption(
      flag("neighbors", "<n>", "per point, in the affinities, a number or a word (auto is 3 x perplexity)"),
    )
    .addOption(flag("neighborSearch", "<how>", "how the neighbours are found"))
    .optionsGroup("Solver:")
    .addOption(flag("solver", "<name>", "how it is minimised"))
    .addOption(
      new Option(
        "--device <where>",
        "cpu, or gpu: --neighbor-search gpu and --gradient gpu (tsne in the plane, 2 dimensions; a map as good, not the same bits)",
      )
        .choices(["cpu", "gpu"])
        .default("cpu"),
    )
    .addOption(
      flag(
        "threads",
        "<n>",
        "that find components and neighbours, fit affinities and evaluate, with the same result: a number, or the cores",
      ),
    )
    .addOption(
      flag(
        "refreshEvery",
        "<n>",
        "iterations after which sd forms its matrix anew (tsne, nonsymmetric-tsne, tee)",
      ),
    )
    .addOption(
      flag(
        "homotopy",
        undefined,
        "reach lambda in 50 steps, each from the map before (auto has its own way)",
      ),
    )
    .addOption(
      flag(
        "kappa",
        "<n>",
        "neighbours in the spectral direction's matrix, a number or a word (auto is all while the factor fits)",
      ),
    )
    .addOption(startFlag(embedOptions.entries))
    .optionsGroup("Data:")
    .addOption(
      new Option(
        "--input <kind>",
        "what the file holds; neighbors is a list of pairs: from, to, distance, each pair joined both ways (rows of the map: by number, or by name in order of first mention)",
      )
        .choices(embedInputs)
        .default("points"),
    )
    .addOption(flag("metric", "<name>", "how far points lie apart").choices(metricNames));
  addScaleOption(addDataFlags(command)).addOption(
    flag("pca", "<n>", "project to so many principal components first (default: off)"),
  );
  addRunOptions(command, embedFlags)
    .optionsGroup("Trust:")
    .addOption(
      trustFlags.flag(
        "trust",
        undefined,
        "columns in --out that say of each point how far its neighbours in the map can be believed",
      ),
    )
    .addOption(
      trustFlags.flag(
        "restarts",
        "<n>",
        "compare neighbours with n maps from random starts, 20 for instance, as a column",
      ),
    )
    .addOption(
      trustFlags.flag(
        "shuffled",
        undefined,
        "whether copies with each column shuffled by itself show as much",
      ),
    )
    .optionsGroup("Output:")
    .option("-o, --out <file>", "the map: .csv, .tsv, .npy or .json", fileName)
    .option("--plot <file>", "a picture of it: .svg, .png, or .html to look into", fileName);
  addPictureFlags(command)
    .option("--report <file>", "the figures of the run, as JSON", fileName)
    .option("--model <file>", "the map, for curvature transform to place new rows in it", fileName);
  return addExplanations(command, stoppingHelp, exitCodeHelp, examples);
}

const stoppingHelp = `Stopping rules, for the map X(k) with the value E(k) after iteration k:
  converged        |E(k-1) - E(k)| <= t |E(k)|  and  |X(k) - X(k-1)| <= t |X(k-1)|,  t = --tolerance \
(default: 1e-5; 0, which is off, for --solver auto)
  schedule's end   --solver auto makes --max-evaluations (default: 100) evaluations of E and its gradient
  limits           --max-iterations (default: 1000, none for auto), --max-evaluations, --max-seconds
  stalled          no step along the direction makes E smaller`;

const examples = {
  verbatim: `Examples:
  npx @curvature/cli embed digits.csv --labels digit --plot map.svg
  npx @curvature/cli embed points.npy --labels classes.txt --out map.csv --report report.json
  npx @curvature/cli embed penguins.csv --words drop --missing drop --scale standard --model map.model
  npx @curvature/cli embed points.csv --trust --restarts 20 --shuffled --out map.csv --plot map.svg
  npx @curvature/cli embed distances.csv --input distances --plot map.html
  npx @curvature/cli embed countries.csv --names country --color gdp --keep capital --scale standard --plot map.html
  npx @curvature/cli embed counts.svm --metric cosine --out map.csv
  npx @curvature/cli embed - --method ee --quiet < points.csv > map.csv`,
};
