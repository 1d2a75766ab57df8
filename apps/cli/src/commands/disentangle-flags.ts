/**
 * The words of `curvature disentangle`, and what its help says.
 */
import { either, integerFrom, oneOf, optionTable, positive } from "@curvature/linalg";
import { clusterPointsOptions, nomadOptions } from "@curvature/optim-sdp";
import type { Command } from "commander";
import { by, fileName } from "../arguments.js";
import { addRunOptions, type CheckpointFlags, exitCodeHelp } from "./common-options.js";
import { addDataFlags, type DataFlags } from "./data-flags.js";
import { addExplanations } from "./explanations.js";
import { type FlagsOf, TableFlags } from "./table-flags.js";

/** What is looked for, and what the tolerance is of. */
export type DisentangleTarget = "labels" | "matrix" | "curves";

/** What both façades take: K may be chosen, or be no whole number. */
const disentangleOptions = optionTable({
  ...nomadOptions.entries,
  clusters: either(oneOf("auto"), positive),
  maxClusters: clusterPointsOptions.entries.maxClusters,
  noiseLabel: clusterPointsOptions.entries.noiseLabel,
  exact: clusterPointsOptions.entries.exact,
});

export interface DisentangleFlags
  extends CheckpointFlags,
    DataFlags,
    Omit<FlagsOf<typeof disentangleOptions>, "memoryLimit"> {
  readonly target?: DisentangleTarget;
  readonly standardize?: true;
  readonly metric: "euclidean" | "cosine" | "haversine";
  readonly links?: string;
  readonly pca?: number;
  /** In GiB. */
  readonly memoryLimit?: number;
  readonly assignments?: string;
  readonly out?: string;
  readonly embedding?: string;
  readonly plot?: string;
  readonly choicePlot?: string;
  readonly report?: string;
  readonly model?: string;
  readonly hierarchy?: string;
  readonly dendrogram?: string;
}

export const disentangleFlags = new TableFlags(disentangleOptions);

/** What the run is to certify: the cost of the labels, unless layers, a matrix or no certificate are asked for, or curves. */
export function targetOf(flags: DisentangleFlags): DisentangleTarget {
  const { target, out, solver, certify } = flags;
  if (target !== undefined) return target;
  const isOfLabels = labelsAreNoTarget(flags) === undefined && out === undefined;
  return isOfLabels && solver !== "bm" && certify !== false ? "labels" : "matrix";
}

/** Labels have a cost with points, and one layer of a whole K: which of these is missing. */
export function labelsAreNoTarget({ input, layers, clusters, target }: DisentangleFlags): string | undefined {
  if (input !== "points") return "points";
  if (layers !== undefined) return "one layer";
  if (target === "curves" && clusters === undefined) return undefined; // how many there are is found
  return clusters === "auto" || Number.isInteger(clusters) ? undefined : "a whole number of clusters";
}

export function addDisentangleOptions(command: Command): Command {
  const flag = disentangleFlags.flag.bind(disentangleFlags);
  command
    .optionsGroup("Model:")
    .addOption(
      flag(
        "clusters",
        "<K>",
        "how many clusters, need not be whole; with --layers those of the last layer; auto chooses by BIC",
        "-k, --clusters",
      ),
    )
    .addOption(flag("maxClusters", "<K>", "the largest K that --clusters auto tries"))
    .addOption(flag("noiseLabel", undefined, "rows far outside of all clusters get the label -1"))
    .addOption(
      flag(
        "layers",
        "<K,K,...>",
        "clusters of each layer, none more than before it; auto finds out how many manifolds there are",
      ),
    )
    .option(
      "--target <what>",
      "what --tolerance is of: labels, their cost; matrix, the value Tr(D Q) (default: labels; matrix with --layers, " +
        "--out, --input, --solver bm, --no-certify or a K that is not whole); or curves: points on curves, at random places " +
        "too, and the cut between them; without --clusters how many there are is found",
      by(oneOf("labels", "matrix", "curves")),
    )
    .addOption(
      flag(
        "exact",
        undefined,
        "go on until the labels are proved best, for up to 1,000 points; see --max-seconds",
      ),
    )
    .optionsGroup("Solver:")
    .addOption(flag("solver", "<name>", "how it is solved"))
    .addOption(
      flag(
        "certify",
        undefined,
        "an upper bound also for many points (default: up to 3,000, or K up to 64, in the memory that there is)",
      ),
    )
    .addOption(flag("certify", undefined, "the lower bound only", "--no-certify"))
    .optionsGroup("Data:")
    .addOption(flag("input", "<kind>", "what the file holds"))
    .addOption(flag("scale", "<how>", "divide centred points by the largest norm of a row, or not"))
    .option(
      "--standardize",
      "bring the columns to mean 0 and standard deviation 1 first; the cost is then of these",
    )
    .option(
      "--metric <distance>",
      "euclidean; or cosine: rows are brought to length 1 first, and centres are means of such rows; or haversine: two columns, " +
        "lat and lon in degrees, are places on the globe",
      by(oneOf("euclidean", "cosine", "haversine")),
      "euclidean",
    );
  addDataFlags(command)
    .option(
      "--links <file>",
      "pairs of rows that are in one cluster, or are not: two rows, counted from 0, and must or cannot, as 0,7,must",
      fileName,
    )
    .option("--pca <n>", "project to so many principal components first (default: off)", by(integerFrom(1)))
    .option("--memory-limit <GiB>", "for the arrays of the solver (default: what is free)", by(positive));
  addRunOptions(command, disentangleFlags, {
    maxIterations: "iterations of all layers",
    tolerance: "certified relative gap of the --target; 0 switches this rule off",
  })
    .optionsGroup("Output:")
    .option(
      "--assignments <file>",
      "cluster, membership and component of each point, from 0, and how far outside of its cluster it lies: .csv, .tsv",
      fileName,
    )
    .option("-o, --out <file>", "the solution Q, n x n: .npy, .csv, .tsv or .json", fileName)
    .option("--embedding <file>", "the points in the plane: .csv, .tsv, .npy or .json", fileName)
    .option(
      "--plot <file>",
      "Q, and the points beside it, each component by itself: .svg, .png or .html",
      fileName,
    )
    .option(
      "--choice-plot <file>",
      "BIC and cost of each K of --clusters auto: .svg, .png or .html",
      fileName,
    )
    .option("--report <file>", "the figures of the run, as JSON", fileName)
    .option("--model <file>", "the clusters, for curvature assign to say where new rows belong", fileName)
    .option(
      "--hierarchy <file>",
      "the clusters of 2 to K groups, nested, see below: a column for each, .csv, .tsv",
      fileName,
    )
    .option("--dendrogram <file>", "the same as a tree: .svg, .png or .html", fileName);
  return addExplanations(command, stoppingHelp, hierarchyHelp, exitCodeHelp, examples);
}

const stoppingHelp = `The problem, with D the Gram matrix of the points:
  maximise Tr(D Q)  subject to  Q 1 = 1, Tr Q = K, Q positive semidefinite and without negative entries

The labels' cost is the sum of squared distances of the points from the means of their clusters, in the data's unit, and
no clustering into K groups costs less than Tr D - upper.

Stopping rules, for the bounds lower <= optimum <= upper and t = --tolerance (default: 1e-3):
  converged        --target labels: (cost - costLower) / cost <= t
                   --target curves: (cut - cutLower) / cut <= t, or a difference of 1e-4 per curve at the most
                   --target matrix: (upper - lower) / |upper| <= t; --solver bm, which has no upper bound on the way, ends \
when its lower bound settles
                   --exact: no clustering is cheaper by more than 1e-9 of the cost
  stalled          --target labels, curves: the bound stands still and leaves a larger gap: labels may be the best ones all the \
same, which --exact goes on to prove for clusters; exit code 0, but 2 with a smaller --tolerance
  limits           --max-iterations, --max-seconds; what is written then is feasible, and its gap is in the report`;

const hierarchyHelp = `Nested clusters: from the K that were found two are joined, again and again, each time the two whose union raises the cost least (Ward), so that K - 1 groups are those of K with two joined. Groups of fewer than K are not the best ones of that many: for these, and their certificate, give another --clusters.`;

const examples = {
  verbatim: `Examples:
  npx @curvature/cli disentangle penguins.csv -k 3 --words drop --missing drop --standardize --model clusters.model
  npx @curvature/cli disentangle points.csv --clusters 16 --assignments clusters.csv --plot q.svg
  npx @curvature/cli disentangle points.csv --clusters auto --noise-label --assignments clusters.csv
  npx @curvature/cli disentangle rings.csv --layers auto --labels ring --plot q.png --report r.json
  npx @curvature/cli disentangle spirals.csv --target curves --assignments curves.csv --plot curves.png
  npx @curvature/cli disentangle kernel.npy --input gram -k 8 --quiet > clusters.csv`,
};
