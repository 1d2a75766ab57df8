/**
 * The experiments, in the order in which `all` runs them. A new one is a file below `experiments/` and an entry in
 * `registry/`, in the file of its paper.
 */
import { all } from "./registry/all.ts";
import { cluster } from "./registry/cluster.ts";
import { core } from "./registry/core.ts";
import type { Experiment, Paper } from "./registry/experiment.ts";
import { gpu } from "./registry/gpu.ts";
import { sdp } from "./registry/sdp.ts";
import { sfo } from "./registry/sfo.ts";
import { sgdqn } from "./registry/sgdqn.ts";
import { spectral } from "./registry/spectral.ts";
import { svrg } from "./registry/svrg.ts";

/** Papers in the order of the page, with the names that it has for them. */
export const papers: Readonly<Record<Paper, string>> = {
  spectral:
    "Partial-Hessian strategies for fast learning of nonlinear embeddings (Vladymyrov, Carreira-Perpiñán 2012)",
  sdp: "Clustering is semidefinitely not that hard: nonnegative SDP for manifold disentangling, NOMAD (Tepper, Sengupta, Chklovskii 2018)",
  sfo: "Sum of functions optimizer, SFO (Sohl-Dickstein, Poole, Ganguli 2014)",
  svrg: "Ordinal embedding by SVRG-SBB (Ma et al. 2019)",
  sgdqn: "SGD-QN (Bordes, Bottou, Gallinari 2009)",
  core: "Classic solvers: gradient descent, conjugate gradients, L-BFGS, L-BFGS-B, Hessian-free",
  all: "All solvers of this repository",
  cluster: "Work past one process: sweeps and remote subfunctions",
  gpu: "Maps on a GPU",
};

export const experiments: readonly Experiment[] = [
  ...spectral,
  ...sdp,
  ...sfo,
  ...svrg,
  ...sgdqn,
  ...core,
  ...all,
  ...cluster,
  ...gpu,
];
