/**
 * Solvers that need their evaluations at once, on a sum that gives promises: gradient descent, L-BFGS, Hessian-free,
 * SVRG and any other.
 *
 * A step is made on answers that are there. Where one is missing the evaluation breaks the step off, the solver goes
 * back to where the step began, the answer is awaited, and the step is made again: it asks the same questions in the same
 * order, has their answers, and gets one further. A solver is plain state, so the steps that follow have the bits, and
 * the counts, of a run whose evaluations took no time. A step of k evaluations costs k + 1 tries of the solver's own
 * arithmetic and k evaluations: right where evaluations are dear, and steps ask for few.
 */
import { CurvatureError, shown } from "@curvature/linalg";
import type { Iteration, Point, Snapshot, Solver, SumOfFunctions } from "@curvature/optim-core";
import { evaluatePart } from "./answer-task.js";

/** An evaluation of this step, with its answer. */
interface Known {
  readonly indices: Int32Array;
  readonly x: Float64Array;
  readonly value: number;
  readonly gradient: Float64Array | undefined;
}

/** Thrown through the solver: what is to be evaluated before the step can go on. */
class Missing extends Error {
  constructor(
    readonly indices: Int32Array,
    readonly x: Float64Array,
    readonly wantsGradient: boolean,
  ) {
    super("An evaluation is on its way.");
  }
}

export interface AwaitingOptions {
  /** The same sum, here and now: for batches of less than half of the sum, as in the inner loop of SVRG. */
  readonly local?: SumOfFunctions;
}

/**
 * @param sum - its evaluations may be promises
 * @param create - makes the solver on the sum that it is given, whose evaluations are not
 * @throws CurvatureError as `create` does
 */
export function awaitingSolver<Details>(
  sum: SumOfFunctions,
  create: (sum: SumOfFunctions) => Solver<Details>,
  options: AwaitingOptions = {},
): Solver<Details> {
  return new AwaitingSolver(sum, create, options.local);
}

class AwaitingSolver<Details> implements Solver<Details> {
  private readonly solver: Solver<Details>;
  private known: Known[] = [];
  private next = 0;
  private isUnderWay = false;
  private restores = 0;

  constructor(
    private readonly sum: SumOfFunctions,
    create: (sum: SumOfFunctions) => Solver<Details>,
    private readonly local: SumOfFunctions | undefined,
  ) {
    const { dimension, count, fingerprint } = sum;
    this.solver = create({
      dimension,
      count,
      ...(fingerprint !== undefined && { fingerprint }),
      evaluate: (index, x, gradient) => this.lookUp(Int32Array.of(index), x, gradient),
      evaluateBatch: (indices, x, gradient) => this.lookUp(indices, x, gradient),
    });
  }

  get name(): string {
    return this.solver.name;
  }

  get dimension(): number {
    return this.solver.dimension;
  }

  get fingerprint(): string {
    return this.solver.fingerprint;
  }

  get options(): object {
    return this.solver.options ?? {};
  }

  get best(): Point {
    return this.solver.best;
  }

  get last(): Point {
    return this.solver.last;
  }

  step(): Iteration<Details> | Promise<Iteration<Details>> {
    if (this.isUnderWay)
      throw misused(
        this.name,
        "A step is under way. Await its promise first; one solver serves one run at a time.",
      );
    this.isUnderWay = true;
    return this.finish().finally(() => {
      this.isUnderWay = false;
      this.known = [];
    });
  }

  private async finish(): Promise<Iteration<Details>> {
    const { restores } = this;
    const start = this.solver.save();
    for (;;) {
      this.next = 0;
      let missing: Missing;
      try {
        const iteration = this.solver.step();
        if (!("then" in iteration)) return iteration;
        return await iteration;
      } catch (error) {
        this.solver.restore(start);
        if (!(error instanceof Missing)) throw error;
        missing = error;
      }
      const { indices, x, wantsGradient } = missing;
      const gradient = wantsGradient ? new Float64Array(this.dimension) : undefined;
      const value = await evaluatePart(this.sum, indices, x, gradient);
      if (restores !== this.restores)
        throw misused(this.name, "It was restored while this step was under way.");
      this.known.push({ indices, x, value, gradient });
    }
  }

  private lookUp(indices: Int32Array, x: Float64Array, gradient: Float64Array | undefined): number {
    const { local } = this;
    if (local !== undefined && 2 * indices.length < this.sum.count) return here(local, indices, x, gradient);
    const known = this.known[this.next];
    if (known === undefined) throw new Missing(indices.slice(), x.slice(), gradient !== undefined);
    this.next++;
    const isSame =
      (known.gradient !== undefined || gradient === undefined) &&
      known.indices.length === indices.length &&
      known.indices.every((index, k) => index === indices[k]) &&
      known.x.every((entry, j) => Object.is(entry, x[j]));
    if (!isSame)
      throw misused(
        this.name,
        "It asks for something else when a step is made again, so it cannot wait for answers.",
      );
    if (gradient !== undefined && known.gradient !== undefined) gradient.set(known.gradient);
    return known.value;
  }

  save(): Snapshot {
    return this.solver.save();
  }

  restore(snapshot: Snapshot): void {
    this.solver.restore(snapshot);
    this.restores++;
    this.known = [];
  }
}

/** In the inner loop of a solver, so nothing is copied. */
function here(
  local: SumOfFunctions,
  indices: Int32Array,
  x: Float64Array,
  gradient: Float64Array | undefined,
): number {
  if (indices.length === 1) return atOnce(local.evaluate(indices[0], x, gradient));
  if (local.evaluateBatch !== undefined) return atOnce(local.evaluateBatch(indices, x, gradient));
  const part = gradient && new Float64Array(local.dimension);
  let value = 0;
  gradient?.fill(0);
  for (const index of indices) {
    value += atOnce(local.evaluate(index, x, part));
    if (gradient === undefined || part === undefined) continue;
    for (let j = 0; j < gradient.length; j++) gradient[j] += part[j];
  }
  return value;
}

function atOnce(value: number | Promise<number>): number {
  if (typeof value === "number") return value;
  value.then(undefined, () => undefined); // its rejection, if any, has no other listener
  throw new CurvatureError("ERR_ARGUMENT", "the local sum must not give promises.", {
    where: "awaitingSolver",
    path: "local",
    received: shown(value),
  });
}

const misused = (name: string, what: string): CurvatureError =>
  new CurvatureError("ERR_ARGUMENT", `The solver ${name}: ${what}`, { path: "solver" });
