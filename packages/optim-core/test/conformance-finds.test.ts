/** The suite must be able to fail: each of these solvers breaks one promise, and the check that should find it does. */
import {
  GradientDescent,
  type Iteration,
  type Objective,
  type Snapshot,
  type Solver,
} from "@curvature/optim-core";
import { Faults, solverConformance } from "@curvature/optim-core/conformance";
import { expect, test } from "vitest";
import { quadratic, rosenbrock, rosenbrockStart } from "./problems.js";

let serial = 0;

type Broken = new (objective: Objective, x: Float64Array) => Solver;
const kept: Iteration[] = [];

const breaks: Readonly<Record<string, { readonly broken: Broken; readonly found: string }>> = {
  "a hidden random number": {
    found: "the same seed gives the same bits",
    broken: class extends GradientDescent {
      constructor(objective: Objective, x: Float64Array) {
        super(
          objective,
          x.map((xi) => xi + 1e-9 * ++serial),
        );
      }
    },
  },
  "state outside of the snapshot": {
    found: "restored from a snapshot, it goes on bit for bit",
    broken: class extends GradientDescent {
      private steps = 0;
      override step() {
        if (++this.steps % 3 === 0) this.line.x[0] += 1e-6;
        return super.step();
      }
    },
  },
  "a snapshot that is not a copy": {
    found: "a snapshot is plain data of its own",
    broken: class extends GradientDescent {
      override save(): Snapshot {
        const { state, ...rest } = super.save();
        return typeof state === "object" ? { ...rest, state: { ...state, x: this.line.x } } : super.save();
      }
    },
  },
  "taking any snapshot": {
    found: "a snapshot of another solver, another version or damaged is refused, and nothing changes",
    broken: class extends GradientDescent {
      override restore(snapshot: Snapshot) {
        super.restore({ ...snapshot, solver: this.name });
      }
    },
  },
  "counting backwards": {
    found: "iterations are well formed and their counters never fall",
    broken: class extends GradientDescent {
      override step() {
        const iteration = super.step();
        return { ...iteration, evaluations: -iteration.index, gradientEvaluations: -iteration.index };
      }
    },
  },
  "a best that is not": {
    found: "best is at least as good as every reported value",
    broken: class extends GradientDescent {
      override get best() {
        return { x: super.best.x, value: (super.best.value ?? 0) + 1 };
      }
    },
  },
  "a NaN as best": {
    found: "a value that is not finite never becomes the best, whenever it comes",
    broken: class extends GradientDescent {
      private seen = 0;
      constructor(objective: Objective, x: Float64Array) {
        super(
          {
            ...objective,
            dimension: objective.dimension,
            evaluate: (at, g) => {
              const value = objective.evaluate(at, g);
              if (!Number.isFinite(value)) this.seen = value;
              return value;
            },
          },
          x,
        );
      }
      override get best() {
        return { x: super.best.x, value: this.seen === 0 ? super.best.value : this.seen };
      }
    },
  },
  "swallowing errors": {
    found: "an evaluation that throws ends the run as failed, with the best point kept",
    broken: class extends GradientDescent {
      private before: ReturnType<GradientDescent["step"]> | undefined;
      override step() {
        try {
          this.before = super.step();
        } catch {}
        return this.before ?? super.step();
      }
    },
  },
  "a step that cannot be made again": {
    found: "after an evaluation that threw, the same steps follow as without it",
    broken: class extends GradientDescent {
      override step() {
        try {
          return super.step();
        } catch (error) {
          this.line.x[0] += 1e-6;
          throw error;
        }
      }
    },
  },
  "a leak": {
    found: "a step leaves nothing behind",
    broken: class extends GradientDescent {
      override step() {
        const iteration = super.step();
        kept.push({ ...iteration, details: new Float64Array(100_000) });
        return iteration;
      }
    },
  },
};

test.each(Object.entries(breaks))("%s is found", async (_, { broken, found }) => {
  const create = (_seed: number, faults: Faults) =>
    new broken(faults.objective(rosenbrock(4)), rosenbrockStart(4));
  const bytesInUse = () => process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers;
  const checks = solverConformance({ name: "broken", create, bytesInUse, longSteps: 100 });
  const check = checks.find(({ name }) => name === `broken: ${found}`);
  await expect(check?.check()).rejects.toThrowError("Not conforming");
});

test("bits that are not those of other engines, and a tiny problem that is not tiny, are found", async () => {
  const make = () => new GradientDescent(quadratic(2, 2), new Float64Array(2));
  const checks = solverConformance({ name: "x", create: make, createTiny: make, bits: "0" });
  const failing = checks.filter(({ name }) => /every other engine|dimension 1/.test(name));
  expect(failing).toHaveLength(2);
  for (const { check } of failing) await expect(check()).rejects.toThrowError("Not conforming");
});

test("sparse evaluations are spoilt as well, in the entries that they touch", () => {
  const sum = new Faults({ call: 2, poison: Number.NaN }).sum({
    dimension: 3,
    count: 1,
    evaluate: () => 0,
    evaluateSparse(_index: number, _x: Float64Array, coordinates: Int32Array, entries: Float64Array) {
      coordinates[0] = 2;
      entries[0] = 7;
      return { value: 5, touched: 1 };
    },
  });
  const [coordinates, entries] = [new Int32Array(3), new Float64Array(3)];
  const evaluated = () => sum.evaluateSparse(0, new Float64Array(3), coordinates, entries);
  expect([evaluated(), [...entries]]).toEqual([{ value: 5, touched: 1 }, [7, 0, 0]]);
  expect([evaluated(), [...entries]]).toEqual([{ value: Number.NaN, touched: 1 }, [Number.NaN, 0, 0]]);
});
