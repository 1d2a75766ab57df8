/**
 * Driving a solver that asks and tells: the evaluations are made here, one at a time or several at once.
 */
import {
  badOption,
  CurvatureError,
  integerFrom,
  type OptionsOf,
  optionTable,
  shown,
} from "@curvature/linalg";
import { isPromise } from "./event-loop.js";
import type { SumOfFunctions } from "./problem.js";
import type { AskTellSolver, Iteration, Point, Question, Snapshot, Solver } from "./solver.js";
import { checkSum, checkValue } from "./sum.js";

export const driveOptions = optionTable({
  /**
   * How many evaluations may be under way at once. One at a time is deterministic; with more, answers are told in the order
   * in which they arrive, and runs differ.
   */
  concurrency: integerFrom(1).default(1),
});
export type DriveOptions = OptionsOf<typeof driveOptions>;

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
 * step; its question is kept and evaluated anew by the next. A step before the promise of the last one has settled
 * throws ERR_ARGUMENT, and a restore makes the step under way reject with it.
 *
 * @throws CurvatureError ERR_ARGUMENT for what is no solver or no sum, and for solver and sum of different dimensions;
 *   ERR_OPTION
 */
export function driveSum<Details>(
  solver: AskTellSolver<Details>,
  sum: SumOfFunctions,
  options?: DriveOptions,
): Solver<Details> {
  checkAskTell(solver);
  checkSum("driveSum", sum);
  const { concurrency } = driveOptions.resolve("driveSum", options);
  if (solver.dimension !== sum.dimension)
    throw badOption("driveSum", "the solver's dimension", `${sum.dimension}, the sum's`, solver.dimension);
  return new Driver(solver, sum, concurrency);
}

function checkAskTell(solver: unknown): void {
  const parts = typeof solver === "object" && solver !== null ? solver : {};
  if (["ask", "tell", "save", "restore"].every((name) => typeof Reflect.get(parts, name) === "function"))
    return;
  throw new CurvatureError(
    "ERR_ARGUMENT",
    `the solver must have the functions ask, tell, save and restore; received ${shown(solver)}.`,
    { where: "driveSum", path: "solver", received: solver },
  );
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
  /** Answers to questions asked before a restore are of no use: they carry a lower count. */
  private restores = 0;
  /** The step under way, if it is a promise. */
  private stepping: Promise<Iteration<Details>> | undefined;

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
    if (this.stepping !== undefined)
      throw this.misused(
        "A step is under way. Await its promise first; one solver serves one run at a time.",
      );
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

  private settle(): Promise<Iteration<Details>> {
    if (this.underWay === 0) throw this.silence();
    const { restores } = this;
    this.stepping = this.nextIteration(restores).finally(() => {
      if (restores === this.restores) this.stepping = undefined;
    });
    return this.stepping;
  }

  private async nextIteration(restores: number): Promise<Iteration<Details>> {
    for (;;) {
      if (this.arrivals.length === 0)
        await new Promise<void>((resolve) => {
          this.wake = resolve;
        });
      if (restores !== this.restores) throw this.misused("It was restored while this step was under way.");
      const iteration = this.advance();
      if (iteration !== undefined) return iteration;
      if (this.underWay === 0) throw this.silence();
    }
  }

  /** @returns false if the solver has no question now */
  private startNext(): boolean {
    if (this.queue.length === 0) this.queue.push(...this.solver.ask(this.concurrency - this.underWay));
    const question = this.queue.shift();
    if (question === undefined) return false;
    const gradient = this.spare.pop() ?? new Float64Array(this.dimension);
    gradient.fill(Number.NaN); // an entry that is not written shows
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
    const { restores } = this;
    const arrive = (answer: Answer): void => {
      if (restores !== this.restores) return;
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
    let value: number;
    try {
      value = checkValue(answer.value, question.index);
    } catch (error) {
      this.queue.unshift(question);
      throw error;
    }
    return this.solver.tell(question.ticket, value, gradient);
  }

  private silence(): CurvatureError {
    return this.misused("It asks for no evaluation and waits for none, so it cannot go on.");
  }

  private misused(what: string): CurvatureError {
    return new CurvatureError("ERR_ARGUMENT", `The solver ${this.name}: ${what}`, { path: "solver" });
  }

  /** Evaluations under way are no part of it: after a restore they are asked anew. */
  save(): Snapshot {
    return this.solver.save();
  }

  restore(snapshot: Snapshot): void {
    this.solver.restore(snapshot);
    this.restores++;
    this.queue = [];
    this.arrivals = [];
    this.underWay = 0;
    this.stepping?.catch(() => undefined); // nobody may be waiting for it any more
    this.stepping = undefined;
    this.wake(); // a step under way ends with an error
  }
}
