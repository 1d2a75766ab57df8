/** What `auto` can be asked, and what its steps tell. */
import { checkOptions, either, flag, integerFrom, nonNegative, oneOf, optional } from "@curvature/linalg";
import { checkCount } from "../doors.js";
import { gibibytes } from "../memory.js";
import { checkClusters } from "../problem.js";

export interface AutoOptions {
  /** Certified relative gap at which it has converged; 0 never. Default 1e-3. */
  readonly tolerance?: number;
  /** r, the columns of the factor. Default 4 K, rounded up, at most n. */
  readonly rank?: number | undefined;
  /** Of the factor's start and of the eigensolver. Default 0. */
  readonly seed?: number;
  /**
   * Whether to go on to an upper bound once the factorisation has its lower one. Default "auto": not for more than 3000
   * points with K > 64, where a step of the dual iteration takes many seconds, and not where it takes more memory than is
   * allowed.
   */
  readonly certify?: boolean | "auto";
}

export type AutoSettings = Readonly<Required<AutoOptions>>;

export const autoDefaults: AutoSettings = Object.freeze({
  tolerance: 1e-3,
  rank: undefined,
  seed: 0,
  certify: "auto",
});

/** @throws CurvatureError ERR_OPTION */
export function autoSettings(options: AutoOptions | undefined): AutoSettings {
  return checkOptions<AutoSettings>("Auto", options, autoDefaults, {
    tolerance: nonNegative,
    rank: optional(integerFrom(1)),
    seed: integerFrom(0),
    certify: either(flag, oneOf("auto")),
  });
}

/** Above so many points with so large a K the certificate is made on request only. */
const LARGE = { n: 3000, clusters: 64 };

/** Why there will be no upper bound, in a sentence that says what it takes and how to get one; undefined where there will be. */
export function reasonForNone(
  certify: boolean | "auto",
  n: number,
  K: number,
  memoryLimit: number,
): string | undefined {
  if (certify === true) return undefined;
  if (certify === false) return "No certificate was asked for.";
  const needed = autoBytes(n, K);
  const price = `A certificate for ${n} points takes up to ${gibibytes(needed)} GiB`;
  if (needed > memoryLimit)
    return `${price}, and memoryLimit allows ${gibibytes(memoryLimit)} GiB: it is made with certify: true and a memoryLimit of as much.`;
  if (n > LARGE.n && K > LARGE.clusters)
    return `${price} and, with K = ${K}, many times as long as the lower bound: it is made with certify: true.`;
  return undefined;
}

/**
 * Bytes that a certified gap takes at the most: D, Q, the certificate and a full eigendecomposition (7 n × n arrays of
 * float64), the dual iteration (4 of float32), and blocks of eigenvectors.
 *
 * @throws CurvatureError ERR_ARGUMENT for n, ERR_OPTION for K
 */
export function autoBytes(n: number, K: number): number {
  checkCount("autoBytes", "n", n);
  checkClusters("autoBytes", K, n);
  return 72 * n * n + 8 * 14 * n * Math.min(n, 4 * K);
}

export const autoPhases = [
  "burer-monteiro",
  "dual-guess",
  "dual-gradient",
  "admm",
  "upper-estimate",
  "certificate",
] as const;

export type AutoPhase = (typeof autoPhases)[number];

export interface AutoDetails {
  /** What this step did. */
  readonly phase: AutoPhase;
  /** Certified relative gap, (upper − lower)/|upper|; Infinity before the first certificate. */
  readonly gap: number;
  /** The gap by the latest estimate of the upper bound; Infinity before the first. */
  readonly estimatedGap: number;
  readonly lower: number;
  readonly upper: number;
  /** Of X − E; undefined before the dual iteration. */
  readonly rank: number | undefined;
  /** ρ in units of ‖D‖_F/√K; 0 before the dual iteration. */
  readonly penalty: number;
}
