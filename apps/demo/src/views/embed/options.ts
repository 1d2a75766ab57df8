/** What the embed view lets one choose, and how that reads in a link and as options of `embed`. */
import type { EmbeddingMethod, EmbeddingSolver } from "@curvature/optim-spectral";
import { columnName, generatedNames } from "../../data/dataset.js";
import { type Codec, codec } from "../../state/codec.js";
import { choice, type Field, flag, list, maybe, number, whole } from "../../state/fields.js";

export const methodNames: Readonly<Record<EmbeddingMethod, string>> = {
  tsne: "t-SNE",
  ssne: "s-SNE",
  sne: "SNE",
  ee: "Elastic embedding",
  tee: "t-EE",
  laplacian: "Laplacian eigenmaps",
};

export const solverNames: Readonly<Record<EmbeddingSolver, string>> = {
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
const shortSolverNames: Readonly<Record<EmbeddingSolver, string>> = {
  auto: "auto",
  sd: "spectral direction",
  "sd-lbfgs": "SD + L-BFGS",
  sdminus: "SD−",
  fp: "fixed point",
  diagh: "diagonal Hessian",
  gd: "gradient descent",
  cg: "CG",
  lbfgs: "L-BFGS",
};

const methods: readonly EmbeddingMethod[] = ["tsne", "ssne", "sne", "ee", "tee", "laplacian"];
const solvers: readonly EmbeddingSolver[] = [
  "auto",
  "sd",
  "sd-lbfgs",
  "sdminus",
  "fp",
  "diagh",
  "gd",
  "cg",
  "lbfgs",
];

/** One of the maps side by side. */
export interface PaneChoice {
  readonly method: EmbeddingMethod;
  readonly solver: EmbeddingSolver;
  /** The paper's 50 steps of λ, for all solvers but "auto". */
  readonly homotopy: boolean;
}

export const mostPanes = 4;

const method = choice(methods);
const solver = choice(solvers);

/** `method.solver` or `method.solver.homotopy`. */
export const paneField: Field<PaneChoice> = {
  parse(text) {
    const [first, second, third, ...rest] = text.split(".");
    const [chosen, by] = [method.parse(first), solver.parse(second ?? "")];
    if (chosen === undefined || by === undefined || rest.length > 0) return undefined;
    if (third !== undefined && (third !== "homotopy" || by === "auto" || chosen === "laplacian"))
      return undefined;
    return { method: chosen, solver: by, homotopy: third !== undefined };
  },
  format: (pane) => `${pane.method}.${pane.solver}${pane.homotopy ? ".homotopy" : ""}`,
};

export const dataKinds = ["digits", ...generatedNames, "file"] as const;

export const starts = ["pca", "laplacian", "random"] as const;
/** How the repulsion of all pairs is summed. */
export const gradients = ["auto", "exact", "barnes-hut", "fft"] as const;
export const axes = ["iterations", "seconds", "evaluations"] as const;

export interface EmbedState {
  readonly data: (typeof dataKinds)[number];
  /** Of a generated set; of a file, the most that are taken. */
  readonly points: number;
  readonly noise: number;
  /** A file's label column; "" for the one that looks like it. */
  readonly labels: string;
  readonly panes: readonly PaneChoice[];
  readonly perplexity: number | undefined;
  readonly lambda: number | undefined;
  readonly gradient: (typeof gradients)[number];
  readonly start: (typeof starts)[number];
  readonly seed: number;
  /** The same budget for every pane. */
  readonly evaluations: number;
  readonly axis: (typeof axes)[number];
  /** Whether the link runs by itself when it is opened. */
  readonly run: boolean;
}

/** Beyond this, exact repulsion (time per evaluation grows with the square) is no fun to watch. */
export const mostPoints = 20_000;

export const embedCodec: Codec<EmbedState> = codec<EmbedState>(
  {
    data: "digits",
    points: 1000,
    noise: 0.05,
    labels: "",
    panes: [
      { method: "tsne", solver: "auto", homotopy: false },
      { method: "tsne", solver: "sd", homotopy: false },
      { method: "tsne", solver: "gd", homotopy: false },
    ],
    perplexity: undefined,
    lambda: undefined,
    gradient: "auto",
    start: "pca",
    seed: 0,
    evaluations: 100,
    axis: "iterations",
    run: true,
  },
  {
    data: choice(dataKinds),
    points: whole(10, mostPoints),
    noise: number(0, 100),
    labels: columnName,
    panes: list(paneField, { least: 1, most: mostPanes }),
    perplexity: maybe(number(1.01, 1000)),
    lambda: maybe(number(0, 1e6)),
    gradient: choice(gradients),
    start: choice(starts),
    seed: whole(0, 2 ** 32 - 1),
    evaluations: whole(1, 100_000),
    axis: choice(axes),
    run: flag,
  },
);

/** Options of `embed` that are plain data; the defaults are left out. */
export interface PaneOptions {
  readonly method: EmbeddingMethod;
  readonly solver?: EmbeddingSolver;
  readonly homotopy?: true;
  readonly perplexity?: number;
  readonly lambda?: number;
  readonly gradient?: Exclude<EmbedState["gradient"], "auto">;
  readonly initialization?: "laplacian" | "random";
  readonly seed?: number;
  readonly maxEvaluations?: number;
}

export function paneOptions(pane: PaneChoice, state: EmbedState): PaneOptions {
  const { perplexity, lambda, gradient, start, seed, evaluations } = state;
  const model = { method: pane.method, ...(perplexity === undefined ? {} : { perplexity }) };
  if (pane.method === "laplacian") return model;
  return {
    ...model,
    solver: pane.solver,
    ...(pane.homotopy ? { homotopy: true } : {}),
    ...(lambda === undefined ? {} : { lambda }),
    ...(gradient === "auto" ? {} : { gradient }),
    ...(start === "pca" ? {} : { initialization: start }),
    ...(seed === 0 ? {} : { seed }),
    maxEvaluations: evaluations,
  };
}

export const paneTitle = ({ method, solver, homotopy }: PaneChoice): string =>
  method === "laplacian"
    ? methodNames[method]
    : `${methodNames[method]} · ${shortSolverNames[solver]}${homotopy ? ", λ homotopy" : ""}`;
