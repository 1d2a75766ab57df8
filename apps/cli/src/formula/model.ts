/** A fitted formula as a file: JSON that says all that predictions need, and what was known of their errors. */
import { CurvatureError } from "@curvature/linalg";
import { formatOf } from "../read/model-file.js";
import type { Uncertainty } from "../tasks/formula/band.js";
import { PI } from "./names.js";
import { type Formula, parseFormula } from "./parse-formula.js";

export interface FormulaModel {
  readonly formula: Formula;
  /** The columns right of ~. */
  readonly variables: readonly string[];
  readonly parameters: readonly FormulaParameter[];
  /** Of a file of `curvature fit`; one that somebody wrote by hand may have none. */
  readonly fit: FormulaFit | undefined;
}

export interface FormulaParameter {
  readonly name: string;
  readonly value: number;
  readonly standardError: number | undefined;
  readonly interval: readonly [number, number] | undefined;
}

/** What the fit knew. */
export interface FormulaFit extends Uncertainty {
  readonly rows: number;
  readonly degreesOfFreedom: number;
  readonly r2: number | undefined;
  readonly loss: string;
  /** Of robust losses. */
  readonly lossScale: number | undefined;
  /** Of the intervals. */
  readonly level: number;
  /** The status with which it ended. */
  readonly ended: string;
}

const FORMAT = "curvature-formula";
const VERSION = 1;

export function formulaModelText({ formula, variables, parameters, fit }: FormulaModel): string {
  const plain = parameters.map(({ name, value, standardError, interval }) => ({
    name,
    value,
    standardError,
    interval,
  }));
  return `${JSON.stringify({ format: FORMAT, version: VERSION, formula: formula.text, variables, parameters: plain, fit })}\n`;
}

export const isFormulaModel = (bytes: Uint8Array): boolean => formatOf(bytes) === FORMAT;

/** @throws CurvatureError ERR_PARSE for what `formulaModelText` has not written */
export function formulaModelIn(path: string, bytes: Uint8Array): FormulaModel {
  const damaged = (what: string): CurvatureError =>
    new CurvatureError("ERR_PARSE", `${path}: the model of a formula ${what}. Fit it again.`, { path });
  let content: unknown;
  try {
    content = JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    throw damaged("is damaged");
  }
  if (typeof content !== "object" || content === null) throw damaged("is damaged");
  const [version, text, variables, parameters, fit = undefined]: unknown[] = [
    "version",
    "formula",
    "variables",
    "parameters",
    "fit",
  ].map((name) => Reflect.get(content, name));
  if (version !== VERSION)
    throw damaged(`is of version ${String(version)}, and this program reads ${VERSION}`);
  if (typeof text !== "string" || !areTexts(variables) || !areParameters(parameters))
    throw damaged("is damaged");
  if (fit !== undefined && !isFit(fit, parameters.length)) throw damaged("has a damaged account of its fit");
  const formula = parseFormula(text);
  const known = new Set([PI, ...variables, ...parameters.map(({ name }) => name)]);
  if (formula.model.some((node) => node.kind === "name" && !known.has(node.name)))
    throw damaged("has names without values");
  return {
    formula,
    variables,
    parameters: parameters.map(({ name, value, standardError, interval }) => ({
      ...{ name, value, standardError, interval },
    })),
    fit,
  };
}

const areTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((each) => typeof each === "string");

const isNumber = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value);
const maybe = (value: unknown): boolean => value === undefined || isNumber(value);
const areNumbers = (value: unknown, count: number): boolean =>
  Array.isArray(value) && value.length === count && value.every(isNumber);

const areParameters = (value: unknown): value is FormulaModel["parameters"] =>
  Array.isArray(value) &&
  value.every(
    (each) =>
      typeof each?.name === "string" &&
      isNumber(each.value) &&
      maybe(each.standardError) &&
      (each.interval === undefined || areNumbers(each.interval, 2)),
  );

function isFit(value: unknown, parameters: number): value is FormulaFit {
  if (typeof value !== "object" || value === null) return false;
  const of = (name: keyof FormulaFit): unknown => Reflect.get(value, name);
  const covariance = of("covariance");
  const active = of("active");
  return (
    (["rows", "degreesOfFreedom", "level"] as const).every((name) => isNumber(of(name))) &&
    (["r2", "lossScale", "quantile", "residualStandardDeviation"] as const).every((name) =>
      maybe(of(name)),
    ) &&
    (["loss", "ended"] as const).every((name) => typeof of(name) === "string") &&
    Array.isArray(active) &&
    active.every((j) => isNumber(j) && Number.isInteger(j) && j >= 0 && j < parameters) &&
    (covariance === undefined ||
      (Array.isArray(covariance) &&
        covariance.length === parameters &&
        covariance.every((row) => areNumbers(row, parameters))))
  );
}
