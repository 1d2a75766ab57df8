/**
 * The figures of a run as JSON, in the same form for every command. Shares and gaps are fractions; what is unknown
 * is null.
 */
import type { Status } from "@curvature/optim-core";

export interface Report {
  /** The command's words, as given. */
  readonly command: string;
  /** The version of this program. */
  readonly version: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** As used, defaults filled in. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly result: ReportedResult;
  readonly metrics: Readonly<Record<string, unknown>>;
  /** Seconds of the parts of the work. */
  readonly phases: Readonly<Record<string, number>>;
  readonly warnings: readonly string[];
}

export interface ReportedResult {
  readonly value: number | undefined;
  readonly gradientNorm: number | undefined;
  readonly iterations: number;
  readonly evaluations: number;
  readonly passes: number;
  readonly elapsedSeconds: number;
  readonly status: Status;
  readonly message: string;
}

export const reportText = (report: Report): string => plainText(report);

/** Figures as JSON, what is unknown as null. */
export function plainText(figures: object): string {
  return `${JSON.stringify(figures, (_key, value: unknown) => plain(value), 2)}\n`;
}

/** A value for JSON: no undefined, no NaN, and no data sets among the options. */
function plain(value: unknown): unknown {
  if (value === undefined || (typeof value === "number" && !Number.isFinite(value))) return null;
  if (ArrayBuffer.isView(value)) return `${value.constructor.name} of ${value.byteLength} bytes`;
  return value;
}

/** Of the options, what can go to another thread and into a report. */
export function plainOptions(options: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const plain = Object.entries(options).filter(
    ([, value]) => value === null || ["string", "number", "boolean"].includes(typeof value),
  );
  return Object.fromEntries(plain);
}
