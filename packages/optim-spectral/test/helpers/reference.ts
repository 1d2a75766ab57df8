/**
 * The fixtures of this package's tests.
 *
 * - `coil10-squared-distances.u24.gz`: squared distances between ten objects' 720 views of 16 × 16 grey levels (lower
 *   triangle by rows, three byte planes, least significant first); numbers derived from the Columbia Object Image
 *   Library (Nene, Nayar, Murase 1996); no grey levels are kept.
 * - `coil10-affinities.json`: β and parts of P and W⁻ of these at perplexity 20, by the same implementation as `reference.json`.
 * - `digits-8x8.u8.gz`: 1797 × 64 counts from 0 to 16, the UCI optical digits (E. Alpaydin, C. Kaynak, CC BY 4.0).
 * - `reference.json`: runs of an independent implementation in NumPy, and the starts of these runs (base64 float64).
 */
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import type { DenseMatrix } from "@curvature/linalg";
import {
  affinitiesOfSquaredDistances,
  distanceWeightsOf,
  type EmbeddingObjective,
  elasticEmbedding,
  jointAffinities,
  symmetricSne,
  tsne,
} from "@curvature/objectives/embedding";

const fixture = (name: string): Buffer => readFileSync(new URL(`../fixtures/${name}`, import.meta.url));

export interface Curve {
  readonly it: readonly number[];
  readonly E: readonly number[];
  readonly fevals: readonly number[];
}

export interface ReferenceRun {
  readonly lambda: number;
  readonly E0: number;
  readonly bestE: number;
  readonly gradientNorm: number;
  readonly sd: Curve;
  /** By method and share of E0 − best: iterations and evaluations to get there. */
  readonly reach: Readonly<Record<string, Readonly<Record<string, readonly [number, number] | null>>>>;
  readonly X0?: string;
}

interface Reference {
  readonly runs: Readonly<Record<string, ReferenceRun>>;
  readonly X0: string;
  readonly kappa: Readonly<Record<string, { readonly E_at: Readonly<Record<string, number>> }>>;
  readonly homotopy: Readonly<
    Record<string, { readonly totalIterations: number; readonly fevals: number; readonly finalE: number }>
  >;
  readonly minima: Readonly<
    Record<string, { readonly finalE: number; readonly E_at: Readonly<Record<string, number>> }>
  >;
  readonly sumPlogP: Readonly<Record<string, number>>;
}

export const reference: Reference = JSON.parse(fixture("reference.json").toString("utf8"));

export type DataName = "coil" | "digits";
export type ModelName = "ee" | "ssne" | "tsne";

function float64(base64: string): Float64Array {
  const bytes = Uint8Array.from(Buffer.from(base64, "base64"));
  return new Float64Array(bytes.buffer);
}

function coilDistances(): DenseMatrix {
  const N = 720;
  const pairs = (N * (N - 1)) / 2;
  const bytes = gunzipSync(fixture("coil10-squared-distances.u24.gz"));
  const data = new Float64Array(N * N);
  for (let i = 1, k = 0; i < N; i++) {
    for (let j = 0; j < i; j++, k++) {
      const integer = bytes[k] + 256 * bytes[pairs + k] + 65536 * bytes[2 * pairs + k];
      data[i * N + j] = integer / (255 * 255);
      data[j * N + i] = data[i * N + j];
    }
  }
  return { rows: N, columns: N, data };
}

/** 1797 × 64, grey levels from 0 to 1. */
export function digits(): DenseMatrix {
  const bytes = gunzipSync(fixture("digits-8x8.u8.gz"));
  return { rows: 1797, columns: 64, data: Float64Array.from(bytes, (level) => level / 16) };
}

function digitsDistances(): DenseMatrix {
  const { rows: N, columns: D, data: Y } = digits();
  const data = new Float64Array(N * N);
  for (let i = 0; i < N; i++)
    for (let j = 0; j < i; j++) {
      let sum = 0;
      for (let k = 0; k < D; k++) sum += (Y[i * D + k] - Y[j * D + k]) * (Y[i * D + k] - Y[j * D + k]);
      data[i * N + j] = sum;
      data[j * N + i] = sum;
    }
  return { rows: N, columns: N, data };
}

interface Affinities {
  readonly beta: Float64Array;
  readonly P: DenseMatrix;
  readonly repulsion: DenseMatrix;
}

const known = new Map<DataName, Affinities>();

/** P at perplexity 20 and W⁻ of squared distances, each of sum 1. */
export function affinities(data: DataName): Affinities {
  const made = known.get(data);
  if (made !== undefined) return made;
  const distances = data === "coil" ? coilDistances() : digitsDistances();
  const repulsion = distanceWeightsOf({ ...distances, data: distances.data.slice() });
  const { conditional, beta } = affinitiesOfSquaredDistances(distances, 20);
  if (!("data" in conditional)) throw new Error("expected dense affinities");
  const found = { beta, P: jointAffinities(conditional), repulsion };
  known.set(data, found);
  return found;
}

const models = new Map<string, EmbeddingObjective>();

export function model(data: DataName, name: ModelName): EmbeddingObjective {
  const key = `${data} ${name}`;
  const made = models.get(key) ?? newModel(data, name);
  models.set(key, made);
  return made;
}

function newModel(data: DataName, name: ModelName): EmbeddingObjective {
  const { P, repulsion } = affinities(data);
  if (name === "ee") return elasticEmbedding({ attraction: P, repulsion }, { lambda: 100 });
  return name === "ssne" ? symmetricSne(P) : tsne(P);
}

/** X_0 of a recorded run, for example "coil_ee_rand". */
export function start(data: DataName, run: string): Float64Array {
  const { X0 } = reference.runs[run];
  return X0 === undefined ? float64(reference.X0).slice(0, data === "coil" ? 1440 : 3594) : float64(X0);
}
