/** What the embed view lets one choose: each field stands here once, for links, controls, runs and code. */
import { between, flag, integerFrom, numberThat, oneOf } from "@curvature/linalg";
import { type EmbeddingMethod, type EmbeddingSolver, embedOptions } from "@curvature/optim-spectral";
import { check, choice, number, optionalNumber, pick } from "../../controls/declared.js";
import { dataNames } from "../../data/dataset.js";
import { tableFields } from "../../data/table-fields.js";
import { changed, codec, type Given, type StateOf } from "../../state/codec.js";
import { type Field, list, ruled } from "../../state/fields.js";

const methodNames: Readonly<Record<EmbeddingMethod, string>> = {
  tsne: "t-SNE",
  ssne: "s-SNE",
  sne: "SNE",
  "nonsymmetric-tsne": "nonsymmetric t-SNE",
  ee: "Elastic embedding",
  tee: "t-EE",
  laplacian: "Laplacian eigenmaps",
};

const solverNames: Readonly<Record<EmbeddingSolver, string>> = {
  auto: "auto (λ homotopy, preconditioned L-BFGS)",
  sd: "spectral direction",
  "sd-lbfgs": "L-BFGS on the spectral direction",
  sdminus: "spectral direction with repulsion",
  fp: "fixed point",
  diagh: "diagonal Hessian",
  gd: "gradient descent",
  cg: "nonlinear CG",
  lbfgs: "L-BFGS",
};

/** For narrow places. */
const shortSolverNames: Partial<typeof solverNames> = {
  auto: "auto",
  "sd-lbfgs": "SD + L-BFGS",
  sdminus: "SD−",
  cg: "CG",
};

const { entries } = embedOptions;

/** One of the maps side by side. */
export const paneFields = {
  method: choice(entries.method, { label: "Method", names: methodNames }),
  solver: choice(entries.solver, { label: "Solver", names: solverNames }),
  /** The paper's 50 steps of λ, for all solvers but "auto". */
  homotopy: check(entries.homotopy, { label: "λ homotopy in 50 steps" }),
};
export type PaneChoice = StateOf<typeof paneFields>;

export const mostPanes = 4;
/** Beyond this, exact repulsion (time per evaluation grows with the square) is no fun to watch. */
const mostPoints = 20_000;

/** `method.solver` or `method.solver.homotopy`. */
export const paneField: Pick<Field<PaneChoice>, "parse" | "format"> = {
  parse(text) {
    const [first, second = "", third, ...rest] = text.split(".");
    const [method, solver] = [paneFields.method.parse(first), paneFields.solver.parse(second)];
    if (method === undefined || solver === undefined || rest.length > 0) return undefined;
    const pane = { method, solver, homotopy: third !== undefined };
    return pane.homotopy && (third !== "homotopy" || !hasHomotopy(pane)) ? undefined : pane;
  },
  format: (pane) => `${pane.method}.${pane.solver}${pane.homotopy ? ".homotopy" : ""}`,
};

/** Eigenmaps have no λ, and "auto" has a homotopy of its own. */
export const hasHomotopy = ({ method, solver }: PaneChoice): boolean =>
  method !== "laplacian" && solver !== "auto";

const aboveOne = numberThat("a finite number above 1", entries.perplexity.accepts);

/** Options of `embed` for all maps. */
export const mapFields = {
  maxEvaluations: number(entries.maxEvaluations.default(100), {
    label: "Evaluations of E and its gradient",
    hint: "The same budget for each.",
    step: 1,
  }),
  perplexity: optionalNumber(aboveOne, {
    label: "Perplexity",
    hint: "Effective number of neighbours.",
    placeholder: "30, or less for few points",
  }),
};
export const moreFields = {
  lambda: optionalNumber(entries.lambda, {
    label: "λ, weight of the repulsion",
    placeholder: "1; elastic and t-EE: 100",
  }),
  gradient: choice(entries.gradient, {
    label: "Gradient of the repulsion",
    hint: "Barnes-Hut and FFT: from 300 points on, not for SNE; for elastic and t-EE above 5,000.",
    names: {
      auto: "auto, the fastest",
      exact: "exact, all pairs",
      "barnes-hut": "Barnes-Hut, by cells",
      fft: "FFT, on a grid",
    },
  }),
  initialization: choice(entries.initialization, {
    label: "First map",
    names: { pca: "principal components", laplacian: "Laplacian eigenmaps", random: "noise" },
  }),
  seed: number(entries.seed, { label: "Seed", step: 1 }),
};

export const fields = {
  data: pick("digits", dataNames, { label: "Set" }),
  /** Of a generated set; of a file, the most that are taken. */
  points: number(integerFrom(10, mostPoints).default(1000), { label: "Points", step: 1 }),
  noise: number(between(0, 100).default(0.05), {
    label: "Noise",
    hint: "Standard deviation of each coordinate.",
    step: 0.05,
  }),
  ...tableFields,
  panes: list(paneField, (["auto", "sd", "gd"] as const).map(tsneBy), { least: 1, most: mostPanes }),
  ...mapFields,
  ...moreFields,
  axis: choice(oneOf("iterations", "seconds", "evaluations").default("iterations"), { label: "Against" }),
  /** Whether the link runs by itself when it is opened. */
  run: ruled(flag.default(true)),
};
export type EmbedState = StateOf<typeof fields>;
export const embedCodec = codec<EmbedState>(fields);

function tsneBy(solver: EmbeddingSolver): PaneChoice {
  return { method: "tsne", solver, homotopy: false };
}

/** Options of `embed` that are plain data, without those that are the defaults. */
export type PaneOptions = Pick<PaneChoice, "method"> &
  Given<PaneChoice & StateOf<typeof mapFields & typeof moreFields>>;

export function paneOptions({ method, solver, homotopy }: PaneChoice, state: EmbedState): PaneOptions {
  const { perplexity, ...others } = changed(embedOptions, { ...mapFields, ...moreFields }, state);
  return method === "laplacian"
    ? { method, perplexity }
    : { method, solver, homotopy: homotopy || undefined, perplexity, ...others };
}

export const paneTitle = ({ method, solver, homotopy }: PaneChoice): string =>
  method === "laplacian"
    ? methodNames[method]
    : `${methodNames[method]} · ${shortSolverNames[solver] ?? solverNames[solver]}${homotopy ? ", λ homotopy" : ""}`;
