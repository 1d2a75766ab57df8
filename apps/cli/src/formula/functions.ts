/** The functions that a formula may call, each of one number, with its derivative. */
import { cos, exp, log, log1p, sin } from "@curvature/linalg";

interface FormulaFunction {
  value(x: number): number;
  /** @param y - its value at x */
  slope(x: number, y: number): number;
}

const tan = (x: number): number => sin(x) / cos(x);

const functions = {
  exp: { value: exp, slope: (_, y) => y },
  expm1: { value: Math.expm1, slope: (_, y) => y + 1 },
  log: { value: log, slope: (x) => 1 / x },
  log1p: { value: log1p, slope: (x) => 1 / (1 + x) },
  log2: { value: Math.log2, slope: (x) => Math.LOG2E / x },
  log10: { value: Math.log10, slope: (x) => Math.LOG10E / x },
  sqrt: { value: Math.sqrt, slope: (_, y) => 0.5 / y },
  cbrt: { value: Math.cbrt, slope: (_, y) => 1 / (3 * y * y) },
  abs: { value: Math.abs, slope: (x) => Math.sign(x) },
  sin: { value: sin, slope: cos },
  cos: { value: cos, slope: (x) => -sin(x) },
  tan: { value: tan, slope: (_, y) => 1 + y * y },
  asin: { value: Math.asin, slope: (x) => 1 / Math.sqrt(1 - x * x) },
  acos: { value: Math.acos, slope: (x) => -1 / Math.sqrt(1 - x * x) },
  atan: { value: Math.atan, slope: (x) => 1 / (1 + x * x) },
  sinh: { value: Math.sinh, slope: (x) => Math.cosh(x) },
  cosh: { value: Math.cosh, slope: (x) => Math.sinh(x) },
  tanh: { value: Math.tanh, slope: (_, y) => 1 - y * y },
} as const satisfies Readonly<Record<string, FormulaFunction>>;

export type FunctionName = keyof typeof functions;

export const functionNames: readonly string[] = Object.keys(functions);

export const isFunctionName = (name: string): name is FunctionName => Object.hasOwn(functions, name);

export const functionNamed = (name: FunctionName): FormulaFunction => functions[name];
