/**
 * Early stopping: a solver is watched by a figure that it does not minimise, such as the loss of rows that were held out.
 *
 *   at the first point, then every `every` passes (or iterations), and at the end:
 *     v ← evaluate(a copy of the current point)
 *     the point is kept if v is the least so far
 *     k ← 0 if v fell by more than a part `minDecrease` below what was least when k was last 0, else k + 1
 *   ends as `target-reached` once v ≤ `target`, as `stalled` once k = `patience`
 *
 * The solver's steps are those that it would have made anyway; points, figures and k are part of its snapshots, so that a run goes on
 * from a checkpoint as if it had not been interrupted. An evaluation here is none of the function's: it is in no count of evaluations.
 *
 * Prechelt: Early Stopping - But When? In: Neural Networks: Tricks of the Trade, LNCS 1524 (1998) 55-69, whose criterion UP counts
 * increases in a row; here validations without a decrease are counted, so that a plateau ends, too.
 */
import { badOption, CurvatureError, checkArgument, option, type SettingsOf, shown } from "@curvature/linalg";
import { isPromise } from "./event-loop.js";
import type { RunResult } from "./result.js";
import { checkSolver } from "./run.js";
import type { Iteration, Point, Solver } from "./solver.js";
import { DeclaredSolver, float64, inner, list, maybe, number, record, stateOf, whole } from "./state.js";
import { rule, type StoppingRule, shortly, stop } from "./stopping.js";
import { type ValidationOptions, validationOptions } from "./validation-options.js";

type ValidationSettings = SettingsOf<typeof validationOptions> & Pick<ValidationOptions, "evaluate">;

/** A point that was validated. */
export interface ValidationPoint {
  /** 0 for the first point. */
  readonly iteration: number;
  readonly passes: number;
  /** What is minimised there; undefined where nobody has measured it. */
  readonly value: number | undefined;
  /** What `evaluate` gave. */
  readonly validation: number;
}

export interface ValidationResult {
  /** The least validation, of which `x` is the point; the first such one. Undefined if there was none. */
  readonly best: ValidationPoint | undefined;
  /** All of them, in their order. */
  readonly history: readonly ValidationPoint[];
}

/** What a run returns, with `x` the best point by the validation and `value` what is minimised there. */
export interface ValidatedResult<Details = unknown> extends RunResult<Details> {
  readonly validation: ValidationResult;
}

/** What is known of the run beside its solver. */
export interface ValidatedRun {
  /** In what `every` counts. */
  readonly unit: "passes" | "iterations";
  /** What is minimised at the first point, where that is known. */
  readonly firstValue?: number | undefined;
  /** Whose option the validation is, for messages. */
  readonly where?: string;
}

const validatedRun = /* @__PURE__ */ option(
  'an object { unit } whose unit is "passes" or "iterations"',
  (value): value is ValidatedRun =>
    typeof value === "object" &&
    value !== null &&
    "unit" in value &&
    (value.unit === "passes" || value.unit === "iterations"),
);

/**
 * A solver under validation, for `run` and its like: its best point is the best by the validation.
 *
 * @example
 * const lbfgs = new Lbfgs(training, x0);
 * const solver = new ValidatedSolver(lbfgs, { evaluate: (x) => heldOut.evaluate(x) }, { unit: "iterations" });
 * const { x, validation } = await solver.finish(await run(solver, { stop: [...solver.rules, maxIterations(100)] }));
 */
export class ValidatedSolver<Details = unknown> extends DeclaredSolver implements Solver<Details> {
  readonly name: string;
  readonly dimension: number;
  protected readonly state;
  private readonly settings: ValidationSettings;
  /** The iteration before a validation that threw or rejected. */
  private waiting: Iteration<Details> | undefined;

  /** @throws CurvatureError ERR_ARGUMENT for what is no solver or no run; ERR_OPTION */
  constructor(
    private readonly solver: Solver<Details>,
    options: ValidationOptions,
    private readonly run: ValidatedRun,
  ) {
    super();
    checkSolver("ValidatedSolver", solver);
    checkArgument("ValidatedSolver", "run", validatedRun, run);
    const where = run.where === undefined ? "ValidatedSolver" : `${run.where}, validation`;
    const { evaluate, ...settings } = validationOptions.resolve(where, options);
    if (evaluate === undefined) throw badOption(where, "evaluate", "a function", evaluate);
    this.settings = { ...settings, evaluate };
    this.name = `${solver.name}, validated`; // snapshots are other than the solver's own
    this.dimension = solver.dimension;
    const point = { iteration: whole(), passes: number(), value: maybe(number()), validation: number() };
    this.state = stateOf({
      solver: inner(solver),
      /** Validations that were due so far, beside that of the first point. */
      due: whole(),
      history: list(record(point)),
      best: maybe(record({ x: float64(new Float64Array(solver.dimension)), ...point })),
      /** k, and the validation that was least when it was last 0. */
      withoutDecrease: whole(),
      lowest: number(Number.POSITIVE_INFINITY),
    });
  }

  get fingerprint(): string {
    return this.solver.fingerprint;
  }

  get options(): object {
    const { evaluate: _, ...validation } = this.settings;
    return { ...this.solver.options, validation };
  }

  /** By the validation; the solver's own until there was one. */
  get best(): Point {
    return this.state.best ?? this.solver.best;
  }

  get last(): Point {
    return this.solver.last;
  }

  get validation(): ValidationResult {
    const { best, history } = this.state;
    if (best === undefined) return { best, history };
    const { x: _, ...point } = best;
    return { best: point, history };
  }

  /** To be among those of the run. */
  get rules(): readonly StoppingRule[] {
    const { target, patience } = this.settings;
    const reached = rule(`validation <= ${target}`, () => this.reached(target));
    const waited = rule(`validations without a decrease >= ${patience}`, () => this.waited(patience));
    return [
      ...(target > Number.NEGATIVE_INFINITY ? [reached] : []),
      ...(patience < Number.POSITIVE_INFINITY ? [waited] : []),
    ];
  }

  private reached(target: number) {
    const { best } = this.validation;
    if (best === undefined || !(best.validation <= target)) return undefined;
    const { validation: value } = best;
    return stop(
      "target-reached",
      `The validation ${shortly(value)} reached the target ${target}, ${this.when(best)}.`,
      {
        name: "validation",
        value,
        limit: target,
      },
    );
  }

  private waited(patience: number) {
    const { withoutDecrease } = this.state;
    const { best, history } = this.validation;
    const last = history.at(-1);
    if (best === undefined || last === undefined || withoutDecrease < patience) return undefined;
    const { minDecrease } = this.settings;
    const enough = minDecrease > 0 ? ` by a part of ${minDecrease}` : "";
    const message = `The validation has not fallen${enough} for ${withoutDecrease} validations: it is ${shortly(last.validation)} ${this.when(last)}, and was least, ${shortly(best.validation)}, ${this.when(best)}.`;
    return stop("stalled", message, {
      name: "validations without a decrease",
      value: withoutDecrease,
      limit: patience,
    });
  }

  private when({ iteration, passes }: ValidationPoint): string {
    if (iteration === 0) return "at the first point";
    const [count, one, many] =
      this.run.unit === "passes" ? [passes, "pass", "passes"] : [iteration, "iteration", "iterations"];
    return `after ${shortly(count)} ${count === 1 ? one : many}`;
  }

  limitWork(evaluations: number, passes: number): void {
    this.solver.limitWork?.(evaluations, passes);
  }

  /** @throws whatever `evaluate` throws; CurvatureError ERR_ARGUMENT or ERR_NON_FINITE for what is no finite number */
  step(): Iteration<Details> | Promise<Iteration<Details>> {
    const { solver, state } = this;
    if (state.history.length > 0) return this.stepOnce();
    const first = this.validated({
      iteration: 0,
      passes: 0,
      value: this.run.firstValue ?? solver.last.value,
    });
    return isPromise(first) ? first.then(() => this.stepOnce()) : this.stepOnce();
  }

  private stepOnce(): Iteration<Details> | Promise<Iteration<Details>> {
    const iteration = this.waiting ?? this.solver.step();
    return isPromise(iteration) ? iteration.then((made) => this.seen(made)) : this.seen(iteration);
  }

  private seen(iteration: Iteration<Details>): Iteration<Details> | Promise<Iteration<Details>> {
    const { index, passes, value } = iteration;
    const made = this.run.unit === "passes" ? passes : index;
    const due = Math.floor(made / this.settings.every + 1e-9); // passes are quotients, too
    if (due <= this.state.due) return iteration;
    this.waiting = iteration;
    const done = (): Iteration<Details> => {
      this.waiting = undefined;
      this.state.due = due;
      return iteration;
    };
    const validated = this.validated({ iteration: index, passes, value });
    return isPromise(validated) ? validated.then(done) : done();
  }

  /** Validates the current point, if it is one. */
  private validated(at: Omit<ValidationPoint, "validation">): void | Promise<void> {
    const x = this.solver.last.x.slice();
    if (!x.every(Number.isFinite)) return undefined; // the solver says so itself
    const given: unknown = this.settings.evaluate(x.slice());
    return isPromise(given)
      ? given.then((validation) => this.noted(x, at, validation))
      : this.noted(x, at, given);
  }

  private noted(x: Float64Array, at: Omit<ValidationPoint, "validation">, given: unknown): void {
    const { state } = this;
    const { best, lowest } = state;
    const point = { ...at, validation: this.checked(given, at) };
    const { validation } = point;
    state.history = [...state.history, point];
    if (best === undefined || validation < best.validation) state.best = { x, ...point };
    const isDecrease =
      best === undefined || validation < lowest - this.settings.minDecrease * Math.abs(lowest);
    state.withoutDecrease = isDecrease ? 0 : state.withoutDecrease + 1;
    if (isDecrease) state.lowest = validation;
  }

  private checked(given: unknown, at: Omit<ValidationPoint, "validation">): number {
    if (typeof given === "number" && Number.isFinite(given)) return given;
    const isNumber = typeof given === "number";
    throw new CurvatureError(
      isNumber ? "ERR_NON_FINITE" : "ERR_ARGUMENT",
      `validation.evaluate must return a finite number, or a promise of one; ${this.when({ ...at, validation: 0 })} it returned ${shown(given)}.`,
      { path: "validation.evaluate", expected: "a finite number", received: given },
    );
  }

  /**
   * What the run returned, with the best point by the validation. Its last point is validated, too, if it was not yet, unless the run was
   * aborted or broke off; should that fail, the status is `failed`.
   */
  async finish(result: RunResult<Details>): Promise<ValidatedResult<Details>> {
    const { status, iterations, passes } = result;
    const hasBroken = status === "aborted" || status === "failed" || status === "diverged";
    const isKnown = this.state.history.at(-1)?.iteration === iterations;
    let broken: Pick<RunResult, "status" | "message" | "cause"> | undefined;
    try {
      if (!hasBroken && !isKnown)
        await this.validated({ iteration: iterations, passes, value: this.solver.last.value });
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : shown(cause);
      broken = { status: "failed", message: `The last point could not be validated: ${reason}`, cause };
    }
    const { x, value } = this.best;
    const { best } = this.validation;
    const isValidated = best !== undefined;
    const isLast = best === undefined || best.iteration === iterations;
    const isSaid = result.test?.name.startsWith("validation") === true;
    return {
      ...result,
      // what is said of the last point is not said of x
      ...(!isLast && {
        gradientNorm: undefined,
        ...(!isSaid && {
          message: `${result.message} The point returned is that of the least validation, ${this.when(best)}.`,
        }),
      }),
      ...broken,
      x: x.slice(),
      value,
      options: { ...result.options, solver: this.solver.name },
      usable: isValidated ? value === undefined || Number.isFinite(value) : result.usable,
      validation: this.validation,
    };
  }

  protected override restored(): void {
    this.waiting = undefined;
  }
}
