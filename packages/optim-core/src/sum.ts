/**
 * Sums of functions, for solvers of whole objectives and for solvers that ask.
 */
import { badOption, CurvatureError, checkOptions, integerFrom, shown } from "@curvature/linalg";
import { isPromise } from "./event-loop.js";
import type { Objective, SumOfFunctions } from "./problem.js";
import type { AskTellSolver, Iteration, Point, Question, Snapshot, Solver } from "./solver.js";

/**
 * The whole sum as one objective, F(x) = Σ fᵢ(x), added up in the order of the indices or by `evaluateBatch` where
 * that is there. An evaluation that throws lets its error through.
 *
 * @throws CurvatureError ERR_ARGUMENT for a sum without its parts; and from `evaluate` if one of the evaluations
 *   is a promise
 */
export function asObjective(sum: SumOfFunctions): Objective {
  checkSum("asObjective", sum);
  const { dimension, count } = sum;
  const all = Int32Array.from({ length: count }, (_, i) => i);
  const part = new Float64Array(dimension);
  const oneByOne = (x: Float64Array, gradient?: Float64Array): number => {
    let value = 0;
    gradient?.fill(0);
    for (let i = 0; i < count; i++) {
      if (gradient === undefined) {
        value += numberFrom(sum.evaluate(i, x));
      } else {
        value += numberFrom(sum.evaluate(i, x, part));
        for (let j = 0; j < dimension; j++) gradient[j] += part[j];
      }
    }
    return value;
  };
  return {
    dimension,
    ...(sum.fingerprint === undefined ? {} : { fingerprint: sum.fingerprint }),
    evaluate: (x, gradient) =>
      sum.evaluateBatch === undefined
        ? oneByOne(x, gradient)
        : numberFrom(
            gradient === undefined ? sum.evaluateBatch(all, x) : sum.evaluateBatch(all, x, gradient),
          ),
  };
}

function numberFrom(value: number | Promise<number>): number {
  if (!isPromise(value)) return value;
  value.then(undefined, () => undefined); // its rejection, if any, has no other listener
  throw new CurvatureError(
    "ERR_ARGUMENT",
    "asObjective: an evaluation of the sum returned a promise, and an objective's value is needed at once. Use a solver of sums with driveSum and run, or evaluate synchronously.",
    { path: "evaluate", expected: "a number", received: value },
  );
}

export interface DriveOptions {
  /**
   * How many evaluations may be under way at once. Default 1, which is deterministic; with more, answers are told
   * in the order in which they arrive, and runs differ.
   */
  readonly concurrency?: number;
}

export const driveDefaults: Required<DriveOptions> = Object.freeze({ concurrency: 1 });

/** What an evaluation under way came to. */
type Answer = { readonly value: number } | { readonly error: unknown };
interface Arrival {
  readonly question: Question;
  readonly gradient: Float64Array;
  readonly answer: Answer;
}

/**
 * A solver that asks and tells, made into one that steps: a step asks, evaluates and tells until an iteration is
 * complete. It is a promise only if an evaluation was one. An evaluation that throws or rejects throws out of the
 * step; its question is kept and evaluated anew by the next.
 *
 * @throws CurvatureError ERR_ARGUMENT for solver and sum of different dimensions, ERR_OPTION
 */
export function driveSum<Details>(
  solver: AskTellSolver<Details>,
  sum: SumOfFunctions,
  options?: DriveOptions,
): Solver<Details> {
  checkSum("driveSum", sum);
  const { concurrency } = checkOptions("driveSum", options, driveDefaults, { concurrency: integerFrom(1) });
  if (solver.dimension !== sum.dimension)
    throw badOption("driveSum", "the solver's dimension", `${sum.dimension}, the sum's`, solver.dimension);
  return new Driver(solver, sum, concurrency);
}

class Driver<Details> implements Solver<Details> {
  readonly name: string;
  readonly dimension: number;
  readonly fingerprint: string;
  private readonly solver: AskTellSolver<Details>;
  private readonly sum: SumOfFunctions;
  private readonly concurrency: number;
  /** Asked, not yet under way. */
  private queue: Question[] = [];
  /** Answered, not yet told. */
  private arrivals: Arrival[] = [];
  private underWay = 0;
  private spare: Float64Array[] = [];
  private wake: () => void = () => undefined;
  /** Answers to questions asked before a restore are of no use: they carry an older epoch. */
  private epoch = 0;

  constructor(solver: AskTellSolver<Details>, sum: SumOfFunctions, concurrency: number) {
    this.solver = solver;
    this.sum = sum;
    this.concurrency = concurrency;
    this.name = solver.name;
    this.dimension = solver.dimension;
    this.fingerprint = solver.fingerprint;
  }

  get options(): object {
    return { ...this.solver.options, concurrency: this.concurrency };
  }

  get best(): Point {
    return this.solver.best;
  }

  get last(): Point {
    return this.solver.last;
  }

  step(): Iteration<Details> | Promise<Iteration<Details>> {
    return this.advance() ?? this.settle();
  }

  /** Tells what has arrived and starts what can be started, until an iteration is complete or all are under way. */
  private advance(): Iteration<Details> | undefined {
    for (;;) {
      const arrival = this.arrivals.shift();
      if (arrival !== undefined) {
        const iteration = this.tell(arrival);
        if (iteration !== undefined) return iteration;
      } else if (this.underWay >= this.concurrency || !this.startNext()) {
        return undefined;
      }
    }
  }

  private async settle(): Promise<Iteration<Details>> {
    for (;;) {
      if (this.underWay === 0 && this.arrivals.length === 0) throw this.silence();
      if (this.arrivals.length === 0) {
        await new Promise<void>((resolve) => {
          this.wake = resolve;
        });
      }
      const iteration = this.advance();
      if (iteration !== undefined) return iteration;
    }
  }

  /** @returns false if the solver has no question now */
  private startNext(): boolean {
    if (this.queue.length === 0) this.queue.push(...this.solver.ask(this.concurrency - this.underWay));
    const question = this.queue.shift();
    if (question === undefined) return false;
    const gradient = this.spare.pop() ?? new Float64Array(this.dimension);
    let value: number | Promise<number>;
    try {
      value = this.sum.evaluate(question.index, question.point, gradient);
    } catch (error) {
      this.arrivals.push({ question, gradient, answer: { error } });
      return true;
    }
    if (isPromise(value)) this.await(question, gradient, value);
    else this.arrivals.push({ question, gradient, answer: { value } });
    return true;
  }

  private await(question: Question, gradient: Float64Array, promise: PromiseLike<number>): void {
    const { epoch } = this;
    const arrive = (answer: Answer): void => {
      if (epoch !== this.epoch) return;
      this.underWay--;
      this.arrivals.push({ question, gradient, answer });
      this.wake();
    };
    this.underWay++;
    promise.then(
      (value) => arrive({ value }),
      (error: unknown) => arrive({ error }),
    );
  }

  private tell({ question, gradient, answer }: Arrival): Iteration<Details> | undefined {
    this.spare.push(gradient);
    if ("error" in answer) {
      this.queue.unshift(question);
      throw answer.error;
    }
    const value: unknown = answer.value;
    if (typeof value === "number") return this.solver.tell(question.ticket, value, gradient);
    this.queue.unshift(question);
    throw new CurvatureError(
      "ERR_ARGUMENT",
      `The sum's evaluate must return a number or a promise of one; received ${shown(value)} for subfunction ${question.index}.`,
      { path: "evaluate", expected: "a number", received: value },
    );
  }

  private silence(): CurvatureError {
    return new CurvatureError(
      "ERR_ARGUMENT",
      `The solver ${this.name} asks for no evaluation and waits for none, so it cannot go on.`,
      { path: "solver" },
    );
  }

  /** Evaluations under way are no part of it: after a restore they are asked anew. */
  save(): Snapshot {
    return this.solver.save();
  }

  restore(snapshot: Snapshot): void {
    this.solver.restore(snapshot);
    this.epoch++;
    this.queue = [];
    this.arrivals = [];
    this.underWay = 0;
  }
}

function checkSum(where: string, sum: unknown): void {
  const isSum =
    typeof sum === "object" &&
    sum !== null &&
    "dimension" in sum &&
    isCount(sum.dimension) &&
    "count" in sum &&
    isCount(sum.count) &&
    "evaluate" in sum &&
    typeof sum.evaluate === "function";
  if (!isSum)
    throw new CurvatureError(
      "ERR_ARGUMENT",
      `${where}: the sum must have a dimension and a count of at least 1 and a function evaluate(index, x, gradient); received ${shown(sum)}.`,
      { path: "sum", received: sum },
    );
}

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 1;
