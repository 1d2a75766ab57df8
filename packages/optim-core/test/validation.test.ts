/** Early stopping on paths that are known: f(x) = x² / 2 from 16, each step half of the way. */
import {
  type Iteration,
  jointEvaluations,
  Lbfgs,
  maxIterations,
  minimize,
  type Point,
  run,
  runSync,
  type Solver,
  ValidatedSolver,
  type ValidationOptions,
} from "@curvature/optim-core";
import { solverConformance } from "@curvature/optim-core/conformance";
import { DeclaredSolver, float64, stateOf, whole } from "@curvature/optim-core/state";
import { describe, expect, test } from "vitest";
import { rosenbrock, rosenbrockStart } from "./problems.js";

class Halving extends DeclaredSolver implements Solver<undefined> {
  readonly name = "halving";
  readonly dimension = 1;
  readonly fingerprint = "x^2 / 2";
  readonly state = stateOf({ x: float64(Float64Array.of(16)), index: whole() });

  get best(): Point {
    return this.last;
  }
  get last(): Point {
    return { x: this.state.x, value: this.state.x[0] ** 2 / 2 };
  }
  step(): Iteration<undefined> {
    const { state } = this;
    state.x[0] /= 2;
    const index = ++state.index;
    const counts = jointEvaluations(index, index / 2);
    const { value } = this.last;
    const known = { index, value, gradientNorm: state.x[0], stepLength: 0.5, phase: "step" };
    return { ...known, ...counts, details: undefined, outcome: undefined };
  }
}

/** 16, 8, 4, 2, 1, ½, …: 169, 25, 1, 1, 4, 6¼, … */
const evaluate = ([x]: Float64Array): number => (x - 3) ** 2;

const ended = async (options: Partial<ValidationOptions>, unit: "passes" | "iterations" = "iterations") => {
  const solver = new ValidatedSolver(new Halving(), { evaluate, ...options }, { unit });
  return solver.finish(await run(solver, { stop: [...solver.rules, maxIterations(9)] }));
};

describe("a path of halves, validated by (x - 3)^2", () => {
  test("the first of the least is kept, and three in a row without a decrease end the run", async () => {
    const { x, value, last, status, iterations, message, validation, test } = await ended({ patience: 3 });
    expect([x[0], value, last[0], iterations, status]).toEqual([4, 8, 0.5, 5, "stalled"]);
    expect(validation.best).toEqual({ iteration: 2, passes: 1, value: 8, validation: 1 });
    expect(validation.history.map((at) => at.validation)).toEqual([169, 25, 1, 1, 4, 6.25]);
    expect(validation.history.map((at) => at.value)).toEqual([128, 32, 8, 2, 0.5, 0.125]);
    expect(test).toEqual({ name: "validations without a decrease", value: 3, limit: 3 });
    expect(message).toBe(
      "The validation has not fallen for 3 validations: it is 6.25 after 5 iterations, and was least, 1, after 2 iterations.",
    );
  });

  test("in passes, of which an iteration makes a half here", async () => {
    const { x, iterations, validation, message } = await ended({ patience: 2 }, "passes");
    expect(validation.history.map((at) => [at.iteration, at.passes, at.validation])).toEqual([
      [0, 0, 169],
      [2, 1, 1],
      [4, 2, 4],
      [6, 3, 7.5625],
    ]);
    expect([x[0], iterations]).toEqual([4, 6]);
    expect(message).toContain("it is 7.5625 after 3 passes, and was least, 1, after 1 pass.");
  });

  test("every need be no whole number, and what a step passes by is validated once", async () => {
    const { validation } = await ended({ every: 1.5, patience: 9 }, "passes");
    expect(validation.history.map((at) => at.iteration)).toEqual([0, 3, 6, 9]);
    const often = await ended({ every: 0.1, patience: 99 }, "passes");
    expect(often.validation.history).toHaveLength(10);
  });

  test("a target ends it where it is reached", async () => {
    const { x, status, message, iterations } = await ended({ target: 25 });
    expect([x[0], status, iterations]).toEqual([8, "target-reached", 1]);
    expect(message).toBe("The validation 25 reached the target 25, after 1 iteration.");
    expect((await ended({ target: 200 })).status).toBe("target-reached");
  });

  test("without patience to run out the run has its own end, and the best point still", async () => {
    const { x, status, iterations } = await ended({ patience: Number.POSITIVE_INFINITY });
    expect([x[0], status, iterations]).toEqual([4, "max-iterations", 9]);
  });

  test("minDecrease: what is no decrease for patience is kept all the same", async () => {
    const figures = [100, 99.5, 99, 98.5];
    const { x, status, validation, message } = await ended({
      evaluate: () => figures.shift() ?? 200,
      minDecrease: 0.01,
      patience: 2,
    });
    expect([x[0], status, validation.best?.validation]).toEqual([4, "stalled", 99]);
    expect(message).toContain("has not fallen by a part of 0.01 for 2 validations");
  });

  test("minDecrease: small decreases add up", async () => {
    const figures = [100, 99.5, 98.9, 98.5, 97.8, 97.5, 96.5, 96, 95, 94.9];
    const { status } = await ended({
      evaluate: () => figures.shift() ?? 200,
      minDecrease: 0.01,
      patience: 2,
    });
    expect(status).toBe("max-iterations");
  });

  test("negative figures fall, too", async () => {
    const figures = [-1, -2, -4, -3, -2];
    const { x } = await ended({ evaluate: () => figures.shift() ?? 0, patience: 2, minDecrease: 0.5 });
    expect(x[0]).toBe(4);
  });

  test("runSync takes no promise", () => {
    const later = new ValidatedSolver(new Halving(), { evaluate: async () => 1 }, { unit: "iterations" });
    expect(() => runSync(later)).toThrow(expect.objectContaining({ code: "ERR_ARGUMENT" }));
  });

  test("with more patience a run that has ended goes on from its checkpoint", async () => {
    let bytes = new Uint8Array();
    const validated = (patience: number) =>
      new ValidatedSolver(new Halving(), { evaluate, patience }, { unit: "iterations" });
    const first = validated(2);
    const write = (written: Uint8Array) => {
      bytes = written.slice();
    };
    const { status, iterations } = await run(first, { stop: [...first.rules], checkpoint: { write } });
    expect([status, iterations]).toEqual(["stalled", 4]);
    const same = validated(2);
    expect((await run(same, { stop: [...same.rules], resume: bytes })).iterations).toBe(4);
    const second = validated(4);
    const result = await run(second, { stop: [...second.rules], resume: bytes });
    expect([result.iterations, result.x[0]]).toEqual([6, 4]);
  });
});

describe("what is refused", () => {
  const solver = (options: object) => () =>
    Reflect.construct(ValidatedSolver, [new Halving(), options, { unit: "passes", where: "mine" }]);
  test.each([
    [{}, "evaluate"],
    [{ evaluate, patience: 0 }, "patience"],
    [{ evaluate, patience: 1.5 }, "patience"],
    [{ evaluate, every: 0 }, "every"],
    [{ evaluate, minDecrease: -1 }, "minDecrease"],
    [{ evaluate, target: Number.NaN }, "target"],
    [{ evaluate, pacience: 3 }, "pacience"],
  ])("%o", (options, path) => {
    expect(solver(options)).toThrow(expect.objectContaining({ code: "ERR_OPTION", path }));
    expect(solver(options)).toThrow("mine, validation");
  });
  test.each([
    [[undefined, { evaluate }, { unit: "passes" }], "solver"],
    [[new Halving(), { evaluate }], "run"],
    [[new Halving(), { evaluate }, { unit: "epochs" }], "run"],
  ])("arguments %#", (given, path) => {
    const make = () => Reflect.construct(ValidatedSolver, given);
    expect(make).toThrow(expect.objectContaining({ code: "ERR_ARGUMENT", path }));
  });
  test("several starts", async () => {
    const options = { starts: 2, validation: { evaluate: () => 1 } };
    await expect(minimize(([x]) => x * x, [1], options)).rejects.toMatchObject({ path: "starts" });
  });
});

describe("minimize", () => {
  test("evaluate gets the point in the arrangement of the first, and parameters are the best", async () => {
    const f = ({ a, b }: { readonly a: number; readonly b: readonly number[] }) =>
      (1 - a) ** 2 + 100 * (b[0] - a * a) ** 2;
    const validation = {
      evaluate: ({ a }: { readonly a: number; readonly b: readonly number[] }) => Math.abs(a + 0.5),
      patience: 1000,
    };
    const result = await minimize(f, { a: -1.2, b: [1] }, { validation });
    const { parameters, value, status } = result;
    expect(status).toBe("converged");
    expect(f(parameters)).toBe(value);
    expect(Math.abs(parameters.a + 0.5)).toBe(result.validation?.best?.validation);
    expect(result.validation?.history[0]).toMatchObject({ iteration: 0, value: f({ a: -1.2, b: [1] }) });
    expect(result.options).toMatchObject({ solver: "bfgs", validation: { patience: 1000, every: 1 } });
  });

  test.each(["bfgs", "cg", "gd", "hessian-free", "lbfgs", "lbfgsb", "trust-newton"] as const)(
    "the values of the history are those of the points: %s",
    async (method) => {
      const points: Float64Array[] = [];
      const evaluate = (x: readonly number[]) => points.push(Float64Array.from(x));
      const valley = rosenbrock(4);
      const f = (x: readonly number[]) => {
        const gradient = new Float64Array(4);
        return { value: valley.evaluate(Float64Array.from(x), gradient), gradient };
      };
      const validation = { evaluate, patience: 1000 };
      const start = Array.from(rosenbrockStart(4));
      const result = await minimize(f, start, { method, maxIterations: 25, validation });
      const history = result.validation?.history ?? [];
      expect(history.length).toBeGreaterThan(10);
      for (const [k, { value }] of history.entries()) expect(value).toBe(valley.evaluate(points[k]));
    },
  );
});

const checks = solverConformance({
  name: "a validated L-BFGS",
  create: (_, faults) =>
    new ValidatedSolver(
      new Lbfgs(faults.objective(rosenbrock(20)), rosenbrockStart(20)),
      { evaluate: (x) => x.reduce((sum, xi) => sum + xi * xi, 0), every: 3 },
      { unit: "iterations" },
    ),
  sense: "none",
});
for (const { name, check } of checks) test(name, check);
