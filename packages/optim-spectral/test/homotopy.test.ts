import { describe, expect, test } from "vitest";
import {
  attractiveGraph,
  Homotopy,
  type HomotopyOptions,
  PartialHessian,
  spectralDirection,
} from "../src/index.js";
import { iterativeMethods, noise, smallModel } from "./helpers/small.js";

const objective = smallModel("ee");
const direction = spectralDirection(attractiveGraph(objective.attractiveWeights()));
const homotopy = (options?: HomotopyOptions, start = noise(60, 1e-5)): Homotopy =>
  new Homotopy(objective, start, (model, X) => new PartialHessian(model, X, direction), options);

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;

describe("the homotopy", () => {
  test("passes through log-spaced lambdas, the last of them the target's own", () => {
    const solver = homotopy({ steps: 7 });
    const lambdas = new Set<number>();
    let iteration = solver.step();
    for (; iteration.outcome === undefined; iteration = solver.step()) lambdas.add(iteration.details.lambda);
    lambdas.add(iteration.details.lambda);
    const found = [...lambdas];
    expect(found).toHaveLength(7);
    for (const [h, lambda] of found.entries()) expect(lambda / (1e-4 * 10 ** h)).toBeCloseTo(1, 10);
    expect(found[6]).toBe(100);
    expect(iteration.outcome.status).toBe("converged");
  });

  test("takes a snapshot wherever it stands, be it at a map of NaN", () => {
    const solver = homotopy({ steps: 5 });
    solver.step();
    const snapshot = solver.save();
    const spoilt = structuredClone(snapshot);
    const X = ["state", "inner", "state", "line", "x"].reduce<unknown>(fieldOf, spoilt);
    if (!(X instanceof Float64Array)) throw new Error("The snapshot has no map.");
    X.fill(Number.NaN);
    const other = homotopy({ steps: 5 });
    other.restore(spoilt);
    other.restore(snapshot);
    expect(other.step()).toEqual(solver.step());
  });

  test("knows its value only at the target, and its energy always", () => {
    const solver = homotopy({ steps: 5 });
    for (let k = 0; k < 100; k++) {
      const { details, value, outcome } = solver.step();
      expect(Number.isFinite(details.energy)).toBe(true);
      if (details.lambda < 100) expect(value).toBeUndefined();
      else expect(value).toBe(details.energy);
      if (outcome !== undefined) return;
    }
  });

  test.each(iterativeMethods)(
    "escapes X = 0, where all small lambdas lead, by its noise (%s)",
    { tags: ["full"] },
    (method) => {
      const model = smallModel(method);
      const sd = spectralDirection(attractiveGraph(model.attractiveWeights()));
      const solver = new Homotopy(
        model,
        noise(60, 1e-5),
        (atLambda, X) => new PartialHessian(atLambda, X, sd),
      );
      let iteration = solver.step();
      while (iteration.outcome === undefined) iteration = solver.step();
      const direct = new PartialHessian(model, noise(60, 1e-2), sd);
      let value = Number.NaN;
      for (let k = 0; k < 300; k++) value = direct.step().value ?? Number.NaN;
      const atZero = model.evaluate(new Float64Array(60));
      expect(iteration.value).toBeLessThan(atZero - 0.95 * (atZero - value));
    },
  );

  test.each(iterativeMethods)(
    "and does so wherever the mean of its start lies (%s)",
    { tags: ["full"] },
    (method) => {
      const model = smallModel(method);
      const sd = spectralDirection(attractiveGraph(model.attractiveWeights()));
      const ends = [0, 1].map((shift) => {
        const start = noise(60, 0.1).map((x) => x + shift);
        const solver = new Homotopy(model, start, (atLambda, X) => new PartialHessian(atLambda, X, sd));
        let iteration = solver.step();
        while (iteration.outcome === undefined) iteration = solver.step();
        return iteration.value ?? Number.NaN;
      });
      const atZero = model.evaluate(new Float64Array(60));
      expect(ends[0]).toBeLessThan(0.9 * atZero);
      expect(Math.abs(ends[1] - ends[0])).toBeLessThan(0.05 * (atZero - ends[0]));
    },
  );

  test("with a target below the first lambda has that one alone", () => {
    const small = objective.atLambda(1e-5);
    const solver = new Homotopy(small, noise(60, 1), (model, X) => new PartialHessian(model, X, direction));
    expect(solver.step().details.lambda).toBe(1e-5);
  });

  test("another seed, another noise; another tolerance, other lengths", () => {
    const end = (options: HomotopyOptions): { readonly X: string; readonly iterations: number } => {
      const solver = homotopy({ steps: 10, ...options });
      let iteration = solver.step();
      while (iteration.outcome === undefined) iteration = solver.step();
      return { X: solver.last.x.join(), iterations: iteration.index };
    };
    const usual = end({});
    expect(end({}).X).toBe(usual.X);
    expect(end({ seed: 1 }).X).not.toBe(usual.X);
    expect(end({ tolerance: 1e-3 }).iterations).toBeLessThan(usual.iterations);
    expect(end({ first: 50 }).X).not.toBe(usual.X);
  });

  test("bad options and starts are refused", () => {
    expect(() => homotopy({ steps: 0 })).toThrowError("steps must be");
    expect(() => homotopy({ first: 0 })).toThrowError("first must be");
    expect(() => homotopy({}, noise(59, 1))).toThrowError("The initial map must be 30 x 2");
    expect(() => homotopy({}, new Float64Array(60).fill(Number.NaN))).toThrowError("NaN at row 0, column 0");
  });
});
