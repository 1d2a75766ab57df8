/**
 * The solvers of sums by name, with their numbers behind colons: `adam:0.01`, `momentum:0.1:0.9`, `lbfgs`.
 */
import { badOption, CurvatureError, nearestName, shown } from "@curvature/linalg";

/** A parsed name: the method and the numbers that were given with it. */
export interface SumSolverName {
  readonly method: SumSolverMethod;
  readonly numbers: readonly number[];
}

/** Which numbers may follow each method's name, in this order; all have defaults. */
export const sumSolverMethods = Object.freeze({
  sgd: ["initialStep", "decay"],
  momentum: ["learningRate", "momentum"],
  adagrad: ["learningRate"],
  adam: ["learningRate"],
  sag: ["lipschitz"],
  lbfgs: ["memory"],
  "minibatch-lbfgs": ["batches", "iterationsPerBatch"],
  "hessian-free": ["initialDamping", "chunks"],
} as const);

export type SumSolverMethod = keyof typeof sumSolverMethods;

/**
 * `name`, or `name:number`, or `name:number:number`; see `sumSolverMethods`.
 *
 * @throws CurvatureError ERR_OPTION that names the nearest known method, or the part that is no number
 */
export function parseSumSolverName(text: string): SumSolverName {
  if (typeof text !== "string") throw badOption("parseSumSolverName", "solver", "a string", text);
  const [name, ...parts] = text.trim().split(":");
  if (!isMethod(name)) throw unknownMethod(name);
  const known: readonly string[] = sumSolverMethods[name];
  if (parts.length > known.length)
    throw new CurvatureError(
      "ERR_OPTION",
      `The solver ${shown(text)}: ${name} takes at most ${known.length} numbers (${known.join(", ")}); received ${parts.length}.`,
      { path: "solver", expected: [name, ...known].join(":"), received: text },
    );
  const numbers = parts.map((part, k) => {
    const value = part.trim() === "" ? Number.NaN : Number(part);
    if (Number.isFinite(value)) return value;
    throw new CurvatureError(
      "ERR_OPTION",
      `The solver ${shown(text)}: ${known[k]} must be a finite number; received ${shown(part)}.`,
      { path: known[k], expected: "a finite number", received: part },
    );
  });
  return { method: name, numbers };
}

function isMethod(name: string): name is SumSolverMethod {
  return Object.hasOwn(sumSolverMethods, name);
}

function unknownMethod(name: string): CurvatureError {
  const known = Object.keys(sumSolverMethods);
  const nearest = nearestName(name, known);
  const hint = nearest === undefined ? `Known solvers: ${known.join(", ")}.` : `Did you mean "${nearest}"?`;
  return new CurvatureError("ERR_OPTION", `Unknown solver ${shown(name)}. ${hint}`, {
    path: "solver",
    expected: known.join(", "),
    received: name,
  });
}
