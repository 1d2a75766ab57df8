/** What `curvature fit` is to minimise, by its flags: an objective made from data, or a module's. */
import { resolve } from "node:path";
import { type DataUse, labelFilesOf } from "../read/data.js";
import { usageError } from "../run/failure.js";
import { type ObjectiveName, objectiveOptions, objectives } from "../tasks/fit/objectives.js";
import type { RemoteRequest } from "../tasks/fit/remote-problem.js";
import { redisAddress } from "./common-options.js";
import { dataUse } from "./data-flags.js";
import { type FitFlags, fitFlags } from "./fit-flags.js";

/** What is minimised, as the command line says it. */
export type Problem = { readonly kind: "module"; readonly file: string } | DataProblem;

export interface DataProblem {
  readonly kind: "data";
  readonly file: string;
  readonly objective: ObjectiveName;
  readonly use: DataUse;
}

/** @throws CurvatureError for flags that do not go together */
export function problemOf(file: string | undefined, flags: FitFlags): Problem {
  const { module, objective } = flags;
  if (module !== undefined) {
    if (objective !== undefined || file !== undefined) {
      throw usageError("--module brings its own problem; leave out the data and --objective.", "module");
    }
    const { seed: _, ...ofData } = objectiveOptions.entries;
    for (const name of ["labels", "columns", "ignore", "keep", "test", "model", ...Object.keys(ofData)]) {
      const value: unknown = Reflect.get(flags, name);
      if (value !== undefined && !(Array.isArray(value) && value.length === 0))
        throw usageError(`${fitFlags.called(name)} is for objectives made from data, not for --module.`);
    }
    if (flags.validation !== undefined)
      throw usageError(
        "--validation holds rows of data out; a module validates by itself: let its problem have validate(x), which returns a number.",
        "validation",
      );
    if (module === "-") throw usageError("--module needs a file; it cannot be standard input.", "module");
    return { kind: "module", file: module };
  }
  if (objective === undefined) {
    throw usageError(
      "Say what is to be fitted: --objective <name> or --formula <f> with data, or --module <file>.",
      "objective",
    );
  }
  if (file === undefined) {
    throw usageError(
      `--objective ${objective} needs data: name a file, or - for standard input.`,
      "objective",
    );
  }
  checkObjectiveFlags(objective, flags);
  return { kind: "data", file, objective, use: dataUse(flags) };
}

function checkObjectiveFlags(objective: ObjectiveName, flags: FitFlags): void {
  if (flags.model !== undefined && objective === "ising")
    throw usageError(
      "--model: an Ising model computes nothing of new rows. Take --out for its parameters.",
      "model",
    );
  if (flags.test !== undefined && objectives[objective].classes === undefined)
    throw usageError(`--test measures predictions of labels, which ${objective} does not make.`, "test");
  if (typeof flags.test === "number" && flags.redis !== undefined)
    throw usageError(
      "--test with a share does not go with --redis, whose workers have all rows; give a file.",
      "test",
    );
  const { hasHidden } = objectives[objective];
  if (flags.hidden !== undefined && !hasHidden)
    throw usageError(`--hidden is for networks; ${objective} has no hidden layer.`, "hidden");
  if (objective === "autoencoder" && (flags.hidden?.length ?? 1) !== 1)
    throw usageError(
      "--hidden: the autoencoder has one hidden layer; take deep-autoencoder for more.",
      "hidden",
    );
  if (objective === "convnet" && (flags.hidden?.length ?? 2) < 2)
    throw usageError(
      "--hidden of a convnet are the maps of its convolutions and, last, its dense units, as 8,32.",
      "hidden",
    );
  const owners = {
    activation: "mlp",
    image: "convnet",
    filterSide: "convnet",
    decoder: "autoencoder",
    contraction: "autoencoder",
  } as const;
  for (const [name, owner] of Object.entries(owners)) {
    if (Reflect.get(flags, name) !== undefined && objective !== owner)
      throw usageError(`${fitFlags.called(name)} is for --objective ${owner}.`, name);
  }
}

/** Workers are sent data by reference, never code. */
export function remoteRequest(problem: Problem, flags: FitFlags): RemoteRequest | undefined {
  const { redis, data, name } = flags;
  if (redis === undefined) {
    for (const [option, value] of Object.entries({ data, name })) {
      if (value !== undefined) throw usageError(`--${option} is for --redis.`, option);
    }
    return undefined;
  }
  if (problem.kind === "module")
    throw usageError(
      "--redis takes no --module: workers are told what to evaluate, and no code is sent to them.",
      "redis",
    );
  if (typeof flags.validation === "number")
    throw usageError(
      "--redis takes no share for --validation: workers evaluate all rows of their file. Give the rows that are held out as a file of their own; they are evaluated here.",
      "validation",
    );
  const { file, use } = problem;
  const [labelFile] = labelFilesOf(use);
  if (file === "-" || labelFile === "-")
    throw usageError("--redis needs files that workers have too; standard input is none.", "redis");
  return { url: redisAddress(redis), folder: resolve(data ?? "."), name, file, use, labelFile };
}
