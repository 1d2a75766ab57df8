/**
 * All that reads what a stranger wrote: the parsers of `datasets`, and the readers of snapshots, checkpoints and
 * models; what solvers of linear models and clusterings claim of problems that nobody chose; and decompositions of matrices of many kinds.
 * Each target makes an input from a generator and reads it; it resolves with a word on what became of it, or rejects.
 */
import { certificates } from "./fuzz-certificates.ts";
import { clusters, manyOnLine, numbersAlone } from "./fuzz-clusters.ts";
import { matrices } from "./fuzz-matrices.ts";
import { model, modelOfClusters } from "./fuzz-models.ts";
import { parsers } from "./fuzz-parsers.ts";
import { states } from "./fuzz-states.ts";
import type { Reader } from "./fuzz-target.ts";

export interface FuzzTarget extends Reader {
  /** Reads one in so many of the inputs that are asked for: its own set-up takes that much longer than that of others. */
  readonly oneIn: number;
}

/** zlib's thread takes half a millisecond for each input, a run and its checkpoint a fifth of one, fits and the truth ten. */
const oneIn = (name: string): number => {
  if (name === certificates.name || name === clusters.name || name === numbersAlone.name) return 10;
  if (name === manyOnLine.name) return 500;
  if (name === "gzip" || name === "any format") return 10;
  return name.startsWith("resume ") ? 5 : 1;
};

export const targets: readonly FuzzTarget[] = [
  ...parsers,
  model,
  modelOfClusters,
  ...states,
  certificates,
  clusters,
  manyOnLine,
  numbersAlone,
  matrices,
].map((target) => ({
  ...target,
  oneIn: oneIn(target.name),
}));
