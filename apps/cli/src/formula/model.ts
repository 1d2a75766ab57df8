/** A fitted formula as a file: JSON that says all that predictions need. */
import { CurvatureError } from "@curvature/linalg";
import { PI } from "./names.js";
import { type Formula, parseFormula } from "./parse-formula.js";

export interface FormulaModel {
  readonly formula: Formula;
  /** The columns right of ~. */
  readonly variables: readonly string[];
  readonly parameters: readonly { readonly name: string; readonly value: number }[];
}

const FORMAT = "curvature-formula";
const VERSION = 1;
const BEGIN = `{"format":"${FORMAT}"`;

export function formulaModelText({ formula, variables, parameters }: FormulaModel): string {
  const plain = parameters.map(({ name, value }) => ({ name, value }));
  return `${JSON.stringify({ format: FORMAT, version: VERSION, formula: formula.text, variables, parameters: plain })}\n`;
}

export const isFormulaModel = (bytes: Uint8Array): boolean =>
  new TextDecoder().decode(bytes.subarray(0, BEGIN.length)) === BEGIN;

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
  const [version, text, variables, parameters]: unknown[] = [
    "version",
    "formula",
    "variables",
    "parameters",
  ].map((name) => Reflect.get(content, name));
  if (version !== VERSION)
    throw damaged(`is of version ${String(version)}, and this program reads ${VERSION}`);
  if (typeof text !== "string" || !areTexts(variables) || !areParameters(parameters))
    throw damaged("is damaged");
  const formula = parseFormula(text);
  const known = new Set([PI, ...variables, ...parameters.map(({ name }) => name)]);
  if (formula.model.some((node) => node.kind === "name" && !known.has(node.name)))
    throw damaged("has names without values");
  return { formula, variables, parameters };
}

const areTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((each) => typeof each === "string");

const areParameters = (value: unknown): value is FormulaModel["parameters"] =>
  Array.isArray(value) &&
  value.every((each) => typeof each?.name === "string" && Number.isFinite(each.value));
