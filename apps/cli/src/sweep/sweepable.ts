/**
 * The commands that a sweep can run many times, and what it must know of them: which options are files, which are
 * excluded, by which figures of their reports runs are compared, and which map they write.
 */
import type { DenseMatrix } from "@curvature/linalg";
import { Command, type Option } from "commander";
import { isNoShare } from "../arguments.js";
import { fileKinds } from "../commands/data-flags.js";
import { addDisentangleCommand } from "../commands/disentangle.js";
import { addDisentangleOptions } from "../commands/disentangle-flags.js";
import { addEmbedCommand } from "../commands/embed.js";
import { addEmbedOptions, isStart as isEmbedStart } from "../commands/embed-flags.js";
import { addFitCommand } from "../commands/fit.js";
import { addFitOptions } from "../commands/fit-flags.js";
import { addOrdinalCommand } from "../commands/ordinal.js";
import { addOrdinalOptions, isStart as isOrdinalStart } from "../commands/ordinal-flags.js";
import { addTrainCommand } from "../commands/train.js";
import { addTrainOptions } from "../commands/train-flags.js";
import { labelFilesOf, type ReadContext, readMatrix } from "../read/data.js";
import type { RunCommand } from "../run/session.js";
import { axisNames } from "../write/map-file.js";
import { readObjectMap } from "../write/object-map.js";

/** Which end of a figure is the good one. */
export type Best = "lowest" | "highest";

export interface Sweepable {
  readonly summary: string;
  readonly argument: { readonly words: string; readonly description: string };
  readonly addOptions: (command: Command) => Command;
  readonly add: (program: Command, run: RunCommand) => void;
  /** Options that may name a file, and whether a word does. */
  readonly files: Readonly<Record<string, (word: string) => boolean>>;
  /** Options that a run of a sweep may not have, besides those excluded for all commands. */
  readonly withheld: readonly string[];
  /** Figures of how well the result fits: runs are compared by the first that all have. */
  readonly metrics: Readonly<Record<string, Best>>;
  /** Figures of the solver: a setting that ends it early would win by these, so they are compared on request alone. */
  readonly solverFigures: Readonly<Record<string, Best>>;
  /** What is saved of a run: the endings of files by the options that write them. */
  readonly saved: Readonly<Record<string, string>>;
  /** The option for a map, its file's name, and how it is read back. */
  readonly map?: {
    readonly option: string;
    readonly file: string;
    readonly read: (path: string, context: ReadContext, dimensions: number) => Promise<DenseMatrix>;
  };
}

const always = (): boolean => true;
const isLabelFile = (word: string): boolean => labelFilesOf({ labels: word }).length > 0;

/** Outputs, checkpoints and the log are the sweep's own; the seed comes from the plan; a module would be code. */
const withheldEverywhere = [
  "out",
  "plot",
  "report",
  "checkpoint",
  "checkpoint-every",
  "resume",
  "json",
  "quiet",
  "seed",
];

export const sweepable: Readonly<Record<string, Sweepable>> = {
  embed: {
    summary: "maps of points",
    argument: {
      words: "<file>",
      description: `points, one per row: ${fileKinds}`,
    },
    addOptions: addEmbedOptions,
    add: addEmbedCommand,
    files: { labels: isLabelFile, init: (word) => !isEmbedStart(word) },
    withheld: ["model", "trust", "restarts", "shuffled"],
    saved: { out: "csv", model: "model" },
    metrics: {
      knnPreservation: "highest",
      trustworthiness: "highest",
      klDivergence: "lowest",
      value: "lowest",
    },
    solverFigures: { neighborRecall: "highest", iterations: "lowest", evaluations: "lowest" },
    map: {
      option: "out",
      file: "map.npy",
      read: (path, context, dimensions) => readMatrix(path, context, axisNames(dimensions)),
    },
  },
  disentangle: {
    summary: "clusters and manifolds of points",
    argument: {
      words: "<file>",
      description: `points, a Gram matrix or distances: ${fileKinds}`,
    },
    addOptions: addDisentangleOptions,
    add: addDisentangleCommand,
    files: { labels: isLabelFile, links: always },
    withheld: ["assignments", "embedding", "choice-plot", "model", "hierarchy", "dendrogram"],
    saved: { assignments: "csv" },
    metrics: { bic: "lowest", cost: "lowest" },
    solverFigures: {
      costGap: "lowest",
      gap: "lowest",
      lowerBound: "highest",
      value: "highest",
      iterations: "lowest",
    },
    map: { option: "embedding", file: "map.npy", read: (path, context) => readMatrix(path, context) },
  },
  ordinal: {
    summary: "maps of objects from comparisons",
    argument: { words: "[file]", description: "answers, one per line: CSV or TSV, or .gz of these" },
    addOptions: addOrdinalOptions,
    add: addOrdinalCommand,
    files: {
      names: always,
      "from-distances": always,
      init: (word) => !isOrdinalStart(word),
      test: isNoShare,
    },
    withheld: ["labels", "images", "features", "regions", "samples", "choice-plot", "individual"],
    saved: { out: "csv" },
    metrics: { testError: "lowest", trainingError: "lowest", value: "lowest" },
    solverFigures: { passes: "lowest" },
    map: {
      option: "out",
      file: "map.csv",
      read: async (path, { signal }) => (await readObjectMap(path, signal)).map,
    },
  },
  train: {
    summary: "linear models; with --folds, cross-validated",
    argument: {
      words: "<file>",
      description: `rows: ${fileKinds}`,
    },
    addOptions: addTrainOptions,
    add: addTrainCommand,
    files: { labels: isLabelFile, weights: isLabelFile, test: isNoShare },
    withheld: ["model", "stream", "no-stream"],
    saved: { model: "model" },
    metrics: {
      "crossValidation.mean": "lowest",
      testError: "lowest",
      testRootMeanSquaredError: "lowest",
      trainingError: "lowest",
      trainingRootMeanSquaredError: "lowest",
      testF1: "highest",
      testPrecision: "highest",
      testRecall: "highest",
      testAreaUnderCurve: "highest",
      testLogLoss: "lowest",
      testR2: "highest",
      testMeanAbsoluteError: "lowest",
      value: "lowest",
    },
    solverFigures: { gap: "lowest", passes: "lowest" },
  },
  fit: {
    summary: "models of data with a built-in objective, and formulas",
    argument: { words: "<file>", description: `rows: ${fileKinds}` },
    addOptions: addFitOptions,
    add: addFitCommand,
    files: {
      labels: isLabelFile,
      weights: isLabelFile,
      test: isNoShare,
      validation: isNoShare,
      initial: always,
    },
    withheld: ["module", "redis", "data", "name", "model"],
    saved: { model: "model" },
    metrics: {
      validationLoss: "lowest",
      validationError: "lowest",
      residualStandardDeviation: "lowest",
      value: "lowest",
      trainingError: "lowest",
    },
    solverFigures: { passes: "lowest", evaluations: "lowest" },
  },
};

/** The command's own options that a run of a sweep may have. */
export function optionsOf({ addOptions, withheld }: Sweepable): readonly Option[] {
  const all = addOptions(new Command()).options;
  return all.filter((option) => {
    const name = longName(option);
    return !withheldEverywhere.includes(name) && !withheld.includes(name);
  });
}

export const longName = ({ long }: Option): string => (long ?? "").replace(/^--/, "");
