/**
 * The work of `separateCurves`, which is loaded when it is called: points → labels (`separation.ts`) → NOMAD of their graph → the
 * cut and its bound (`normalized-cut.ts`).
 */
import {
  CurvatureError,
  type DenseMatrix,
  type MatrixLike,
  optionName,
  type SettingsOf,
  toDense,
} from "@curvature/linalg";
import { dataWarnings } from "@curvature/linalg/tables";
import { FacadeRun, type FacadeSteps, type RunResult } from "@curvature/optim-core";
import { checkMemory, denseBytes } from "../arguments.js";
import type { NomadDetails } from "../nomad-options.js";
import { solved } from "../nomad-run.js";
import { checkClusters } from "../problem.js";
import type { separateCurvesOptions } from "./curves-options.js";
import type { SeparateCurvesResult, SeparateCurvesWarningCode } from "./curves-result.js";
import { cutBound, cutOf, doublyStochastic } from "./normalized-cut.js";
import { separation } from "./separation.js";

type Settings = SettingsOf<typeof separateCurvesOptions>;

/** Dense n × n arrays that there are at a time. */
const ARRAYS = 10;
/** Share of the tolerance of the cut to which the relaxation is solved; the rest is for what the relaxation is not tight by. */
const RELAXATION_SHARE = 0.5;
/** A cut below it is none: rounding leaves its bound no digits. */
const NO_CUT = 1e-9;
/** Of a curve's edges: so small a share is not worth to be smaller. */
const NEGLIGIBLE = 1e-4;
/** Of the cut over its bound: as far as this the graph may well have a better partition. */
const OPEN = 2;

export async function* separated(
  points: MatrixLike,
  settings: Settings,
): FacadeSteps<NomadDetails, SeparateCurvesResult> {
  const matrix = checkedPoints(points, settings);
  const run = new FacadeRun<NomadDetails, "curves" | "gram" | "geometry">(settings);
  run.warnings.push(...(await run.phase("curves", () => dataWarnings(matrix))));
  const {
    W,
    labels,
    clusters: K,
    ...found
  } = await run.steps("curves", separation(matrix, settings.clusters));
  const stochastic = await run.phase("curves", () => doublyStochastic(W));
  const { G } = stochastic;
  const cut = await run.phase("curves", () => (K === 1 ? 0 : cutOf(G, labels, K)));
  const { tolerance } = settings;
  const result = yield* solved(
    G,
    {
      ...settings,
      ...{ input: "gram", scale: "none", clusters: K, layers: [K] },
      tolerance: RELAXATION_SHARE * Math.max(tolerance * (cut / K), NEGLIGIBLE),
    },
    "matrix",
    { given: labels },
  );
  const cutLower = Math.min(cut, cutBound(stochastic, K, result.upper));
  const certificate = { cut, cutLower, cutGap: (cut - cutLower) / Math.max(cut, NO_CUT) };
  const { different, ...rest } = found;
  if (settings.clusters !== "auto" && settings.clusters > K) warnOfCopies(run, different, settings.clusters);
  if (isOpen(certificate, K) && isAtEnd(result)) warnOfCut(run, certificate);
  const { phases, options, warnings } = result;
  return {
    ...result,
    ...rest,
    ...certificate,
    labels,
    clusters: K,
    ...withOthers(
      ending(result, certificate, K, tolerance),
      settings.clusters === "auto" ? rest.otherClusters : [],
    ),
    options: { ...options, input: "points", tolerance },
    phases: { ...phases, ...run.phases("curves") },
    warnings: [...run.warnings, ...warnings.filter(({ code }) => code !== "equal-points")],
  };
}

/** @throws CurvatureError ERR_SHAPE, ERR_NON_FINITE, ERR_OPTION, ERR_MEMORY */
function checkedPoints(points: MatrixLike, { clusters, memoryLimit }: Settings): DenseMatrix {
  const matrix = toDense(points, "points");
  const { rows: n, columns: d } = matrix;
  if (n === 0 || d === 0)
    throw new CurvatureError(
      "ERR_SHAPE",
      `at least one point with one coordinate is needed; received ${n} x ${d}.`,
      { where: "separateCurves", path: "points", expected: "at least 1 x 1", received: `${n} x ${d}` },
    );
  if (clusters !== "auto") checkClusters("separateCurves", clusters, n);
  checkMemory("separateCurves", `the graphs of ${n} points`, denseBytes(n, ARRAYS), memoryLimit);
  return matrix;
}

/** Other numbers of curves that could be meant. */
function withOthers(
  { status, message }: Pick<RunResult, "status" | "message">,
  others: readonly number[],
): Pick<RunResult, "status" | "message"> {
  if (others.length === 0) return { status, message };
  return { status, message: `${message} Other numbers of curves stand out as well: ${others.join(", ")}.` };
}

type Certificate = Pick<SeparateCurvesResult, "cut" | "cutLower" | "cutGap">;

const isAtEnd = ({ status }: Pick<RunResult, "status">): boolean =>
  status === "converged" || status === "stalled";

const isSmall = ({ cut, cutLower }: Certificate, K: number): boolean => cut - cutLower <= NEGLIGIBLE * K;

const isOpen = (certificate: Certificate, K: number): boolean =>
  !isSmall(certificate, K) && certificate.cut >= OPEN * certificate.cutLower;

/** How the run ended, in words of the cut. */
function ending(
  result: Pick<RunResult, "status" | "message"> & { readonly upper: number },
  certificate: Certificate,
  K: number,
  tolerance: number,
): Pick<RunResult, "status" | "message"> {
  const { status, message } = result;
  if (K === 1) return { status, message: "One curve: no cut of the points stands out against the next one." };
  const { cut, cutLower, cutGap } = certificate;
  if (result.upper === Number.POSITIVE_INFINITY)
    return { status, message: `${message} ${cutSentence(cut, K)}` };
  const sentence = `${cutSentence(cut, K)} No partition of this graph into ${K} has less than ${short(cutLower, "down")}. The certificate proves the cut, not the truth.`;
  if (!isAtEnd(result)) return { status, message: `${message} ${sentence}` };
  if (cutGap <= tolerance)
    return { status: "converged", message: `${sentence} The gap is at most ${tolerance}.` };
  if (isSmall(certificate, K))
    return {
      status: "converged",
      message: `${sentence} The difference is less than ${NEGLIGIBLE} per curve.`,
    };
  return {
    status: "stalled",
    message: `${sentence} The relaxation is solved, and leaves this gap.`,
  };
}

const cutSentence = (cut: number, K: number): string =>
  `${K} curves, whose cut in the graph is ${short(cut, "up")}.`;

/** Four digits, rounded so that the sentence stays true. */
function short(value: number, way: "up" | "down"): string {
  const sign = way === "up" ? 1 : -1;
  for (let step = 0; ; step++) {
    const rounded = Number((value * (1 + 1e-4 * sign * step)).toPrecision(4));
    if (sign * (rounded - value) >= 0) return String(rounded);
  }
}

type Warned = Pick<FacadeRun<NomadDetails>, "warn">;

function warnOfCut(run: Warned, { cut, cutLower }: Certificate): void {
  const code: SeparateCurvesWarningCode = "cut-not-proved";
  run.warn(
    code,
    `The cut of the labels, ${short(cut, "up")}, is twice the bound that is proved, ${short(cutLower, "down")}, or more: the partition may be a wrong one. Look at a picture of it, or try another number of ${optionName("clusters")}.`,
  );
}

function warnOfCopies(run: Warned, different: number, clusters: number): void {
  const code: SeparateCurvesWarningCode = "fewer-different-points";
  run.warn(
    code,
    `There are ${different} different points, and copies of a point are on one curve: the labels are of ${different} curves, not of ${clusters}. Take ${optionName("clusters")} up to ${different}.`,
  );
}
