/** What a page and its worker say to each other, and errors as plain data, which keep their class, code and details. */
import { CurvatureError, type ErrorCode, shown } from "@curvature/linalg";
import type { Iteration } from "@curvature/optim-core";
import type { EmbeddingDetails } from "../immediate-solver.js";
import type { MapParts } from "../map-parts.js";
import type { EmbedInput } from "../source.js";

/** Functions of the caller's that the worker calls, by the names of their options. */
export type CallName = "onIteration" | "onPhase" | "write";

/** Options without their functions and signal. */
type PlainOptions = Readonly<Record<string, unknown>>;

export type Task =
  | {
      readonly name: "embed";
      readonly points: EmbedInput;
      readonly options: PlainOptions;
      readonly calls: readonly CallName[];
      /** Whether the caller looks at every iteration, and the next waits for that. */
      readonly isStepwise: boolean;
    }
  | {
      readonly name: "transform";
      readonly map: MapParts;
      readonly newPoints: unknown;
      readonly calls: readonly CallName[];
    };

export type ToWorker =
  | { readonly type: "start"; readonly task: Task }
  /** What a function of the caller's gave: whether it was `false`, or whether it threw. */
  | { readonly type: "answer"; readonly id: number; readonly isFalse: boolean; readonly hasThrown: boolean }
  | { readonly type: "abort" }
  /** The caller has looked at the iteration: on, or out of the loop. */
  | { readonly type: "next" }
  | { readonly type: "leave" };

export type FromWorker =
  /** The script has been loaded. */
  | { readonly type: "ready" }
  /** From here on there is a result also of a run that is aborted. */
  | { readonly type: "begun" }
  | {
      readonly type: "call";
      readonly id: number;
      readonly name: CallName;
      readonly given: readonly unknown[];
    }
  | { readonly type: "point"; readonly point: PlainPoint }
  | { readonly type: "result"; readonly result: unknown }
  | { readonly type: "left" }
  | { readonly type: "error"; readonly error: PlainError }
  /** What the caller's function threw in answer to this call. */
  | { readonly type: "thrown"; readonly id: number }
  | { readonly type: "aborted" };

/** Where a run stands, as `embed.iterate` yields it. */
export interface PlainPoint {
  readonly iteration: Iteration<EmbeddingDetails>;
  readonly best: { readonly x: Float64Array; readonly value: number | undefined };
  readonly last: { readonly x: Float64Array; readonly value: number | undefined };
}

/** An error as a message can have it. */
export interface PlainError {
  readonly name: string;
  readonly message: string;
  readonly stack: string | undefined;
  readonly cause: PlainError | undefined;
  /** Of a CurvatureError. */
  readonly curvature:
    | {
        readonly code: ErrorCode;
        readonly sentence: string;
        readonly where: string | undefined;
        readonly path: string | undefined;
        readonly expected: string | undefined;
        readonly received: unknown;
        readonly partial: unknown;
      }
    | undefined;
}

/** Causes of causes that are kept. */
const DEPTH = 8;

export function plainError(error: unknown, depth = 0): PlainError {
  if (!(error instanceof Error))
    return {
      name: "Error",
      message: String(error),
      stack: undefined,
      cause: undefined,
      curvature: undefined,
    };
  const { name, message, stack, cause } = error;
  const kept = { name, message, stack };
  const because = cause === undefined || depth >= DEPTH ? undefined : plainError(cause, depth + 1);
  if (!(error instanceof CurvatureError)) return { ...kept, cause: because, curvature: undefined };
  const { code, sentence, where, path, expected, received, partial } = error;
  const details = { code, sentence, where, path, expected };
  const data = { received: posted(received) ?? shown(received), partial: posted(partial) };
  return { ...kept, cause: because, curvature: { ...details, ...data } };
}

/** Undefined in the place of what no message can have. */
function posted(value: unknown): unknown {
  try {
    return structuredClone(value);
  } catch {
    return undefined;
  }
}

/** The error again: a CurvatureError with its code and details where it was one. */
export function errorOf({ name, message, stack, cause: because, curvature }: PlainError): Error {
  const cause = because === undefined ? undefined : errorOf(because);
  if (curvature !== undefined) {
    const { code, sentence, ...details } = curvature;
    return new CurvatureError(code, sentence, { ...details, cause });
  }
  const error = new Error(message, cause === undefined ? {} : { cause });
  error.name = name;
  if (stack !== undefined) error.stack = stack;
  return error;
}
