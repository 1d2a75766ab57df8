/** How minimizeSum ends where subfunctions fail, and what it refuses. */
import { CurvatureError } from "@curvature/linalg";
import type { SumOfFunctions } from "@curvature/optim-core";
import { expect, test } from "vitest";
import {
  type MinimizeSumResult,
  minimizeSum,
  minimizeSumOptions,
  Sfo,
  splitIntoMinibatches,
} from "../src/index.js";
import { quadraticSum } from "./problems/quadratic.js";
import { whole, zero } from "./sums.js";

const said = ({ warnings }: MinimizeSumResult): string => warnings.map(({ message }) => message).join();

test("a subfunction that throws ends the run as failed, with the best point; noise is noticed", async () => {
  const sum = quadraticSum();
  let calls = 0;
  const broken = {
    ...sum,
    initial: new Float64Array(200),
    evaluate: (i: number, x: Float64Array, g?: Float64Array): number | Promise<number> => {
      if (++calls > 50) throw new Error("the disk is full");
      return sum.evaluate(i, x, g);
    },
  };
  const result = await minimizeSum(broken);
  expect(result.status).toBe("failed");
  expect(result.message).toContain("the disk is full");
  const noisy = {
    ...sum,
    evaluate: (i: number, x: Float64Array, g?: Float64Array) => Number(sum.evaluate(i, x, g)) + ++calls,
  };
  const { warnings } = await minimizeSum(noisy, { initial: new Float64Array(200), maxPasses: 1 });
  expect(warnings[0]).toMatchObject({
    code: "not-repeatable",
    message: expect.stringContaining("Subfunction 0 gives other values"),
  });
});

test("a value that is not finite at the first point is said to be so", async () => {
  const result = await minimizeSum({
    dimension: 2,
    count: 3,
    initial: new Float64Array(2),
    evaluate: () => Number.NaN,
  });
  expect(result.status).toBe("diverged");
  expect(result.usable).toBe(false);
  expect(result.message).toContain("is not finite");
});

test.each([1e150, 1e160, 1e200, 1e308])(
  "gradients of %d, which no step can use: nobody is asked about a point that is none, and none is returned",
  async (size) => {
    const asked: Float64Array[] = [];
    const result = await minimizeSum(
      {
        dimension: 2,
        count: 3,
        evaluate: (_, x, gradient) => {
          asked.push(x.slice());
          gradient?.set([size, -size]);
          return 1;
        },
      },
      { initial: new Float64Array(2), maxPasses: 5 },
    );
    expect(asked.every((x) => x.every(Number.isFinite))).toBe(true);
    expect(result.x.every(Number.isFinite)).toBe(true);
    expect(result.value).toBe(3);
  },
);

test("values that are no numbers are not added up", async () => {
  const sum = { dimension: 2, count: 8, initial: new Float64Array(2), evaluate: () => JSON.parse('"5"') };
  const result = await minimizeSum(sum);
  expect(result).toMatchObject({ status: "failed", value: undefined });
  expect(said(result)).toContain('must return a number or a promise of one; received "5"');
});

test("values that are not finite any more end as diverged, not as converged", {
  tags: ["full"],
}, async () => {
  const sum = quadraticSum();
  let calls = 0;
  const breaking = {
    ...sum,
    evaluate: (i: number, x: Float64Array, g?: Float64Array): number | Promise<number> =>
      ++calls > 200 ? Number.NaN : sum.evaluate(i, x, g),
  };
  const result = await minimizeSum(breaking, { initial: new Float64Array(200), maxPasses: 200 });
  expect(result.status).toBe("diverged");
  expect(result.x.every(Number.isFinite)).toBe(true);
});

test.each([
  [null, "must be an object"],
  [{ dimension: 2, count: 0, evaluate: zero }, "must be an object { dimension, count, evaluate }"],
  [{ dimension: 2, count: 3 }, "must be an object { dimension, count, evaluate }"],
  [{ dimension: 2, count: 3, evaluate: zero }, "there is no first point"],
  [{ dimension: 2, count: 3, evaluate: zero, initial: Float64Array.of(1) }, "Float64Array of length 2"],
])("problem %# is refused: %o", async (problem, message) => {
  // @ts-expect-error not a problem
  await expect(minimizeSum(problem)).rejects.toThrow(message);
});

test.each([
  ["maxPases", "maxPasses"],
  ["maxSecnds", "maxSeconds"],
  ["targetValu", "targetValue"],
  ["histry", "history"],
  ["memroy", "memory"],
])("the misspelt option %s names the nearest one, %s", async (name, nearest) => {
  const running = minimizeSum({ ...quadraticSum(), initial: new Float64Array(200) }, { [name]: 3 });
  await expect(running).rejects.toThrow(`unknown option "${name}". Did you mean "${nearest}"?`);
});

test("an option that is like none is told all that there are", async () => {
  const wrong: object = { learningSpeed: 3 };
  const running = minimizeSum({ ...quadraticSum(), initial: new Float64Array(200) }, wrong);
  const names = Object.keys(minimizeSumOptions.entries).join(", ");
  await expect(running).rejects.toThrow(`Known options: ${names}.`);
  expect(names).toContain("maxPasses");
  expect(names).toContain("memory");
});

test("no time at all is time for one iteration, and no limit is a limit too", async () => {
  const problem = { ...quadraticSum(), initial: new Float64Array(200) };
  const { status, iterations } = await minimizeSum(problem, { maxSeconds: 0 });
  expect([status, iterations]).toEqual(["time-limit", 1]);
  expect((await minimizeSum(problem, { maxSeconds: Number.POSITIVE_INFINITY, maxPasses: 1 })).status).toBe(
    "max-iterations",
  );
});

test("without a finite F anywhere a run ends as diverged, whatever else ended it", async () => {
  const sum = quadraticSum();
  const holed = {
    ...sum,
    initial: new Float64Array(200),
    evaluate: (i: number, x: Float64Array, g?: Float64Array) =>
      i === 7 ? Number.NaN : sum.evaluate(i, x, g),
  };
  const { status, usable, value, message } = await minimizeSum(holed, { maxPasses: 2 });
  expect(status).toBe("diverged");
  expect(usable).toBe(false);
  expect(value).toBeUndefined();
  expect(message).toContain("F is not finite at any point");
  const bottomless = { ...holed, evaluate: () => Number.NEGATIVE_INFINITY };
  expect((await minimizeSum(bottomless)).value).toBeUndefined();
});

test.each([null, 5, "x", [], Number.NaN])("options %o are refused everywhere", async (bad) => {
  const code = expect.objectContaining({ code: "ERR_OPTION" });
  const problem = { ...quadraticSum(), initial: new Float64Array(200) };
  // @ts-expect-error no options
  await expect(minimizeSum(problem, bad)).rejects.toThrow(code);
  // @ts-expect-error no options
  expect(() => splitIntoMinibatches([1], { dimension: 1, evaluate: zero }, bad)).toThrow(code);
  const solver = new Sfo({ dimension: 1, count: 2 }, Float64Array.of(1));
  // @ts-expect-error no options
  expect(() => solver.replaceSubfunction(0, bad)).toThrow(code);
  // @ts-expect-error neither a limit nor a point
  expect(() => [bad === 5 || solver.ask(bad), solver.recordMeasurement(bad, 1)]).toThrow(CurvatureError);
});

test("what is no shape, and more subfunctions than fit any memory, are refused", () => {
  const x = Float64Array.of(1);
  // @ts-expect-error no shape
  expect(() => new Sfo(null, x)).toThrow("problem must be an object");
  expect(() => new Sfo({ dimension: 1, count: 1e9 }, x)).toThrow("Join them into minibatches");
});

test.each([
  [3, 1],
  [3, 2],
  [40, 2],
])(
  "a start at the minimum of the first ones of %i, %i active, is not taken for that of the sum",
  { tags: ["full"] },
  async (count, initialActive) => {
    const towards = (i: number): number => (i < count - 1 ? 0 : count);
    const sum: SumOfFunctions = {
      dimension: 2,
      count,
      evaluate(i, x, gradient) {
        gradient?.set(x.map((entry) => 2 * (entry - towards(i))));
        return x.reduce((total, entry) => total + (entry - towards(i)) ** 2, 0);
      },
    };
    for (const deterministic of [false, true])
      for (const selection of ["both", "single", "distance", "cyclic", "random"] as const) {
        const options = { initialActive, deterministic, selection, maxPasses: 60 };
        const { status, x } = await minimizeSum(sum, { ...options, initial: new Float64Array(2) });
        expect([status, x[0].toFixed(4), x[1].toFixed(4)]).toEqual(["converged", "1.0000", "1.0000"]);
      }
  },
);

const never = new Promise<number>(() => undefined);

test("a signal that is aborted already rejects before anything is evaluated", async () => {
  let calls = 0;
  const sum = { dimension: 1, count: 2, initial: Float64Array.of(1), evaluate: () => ++calls };
  const running = minimizeSum(sum, { signal: AbortSignal.abort() });
  await expect(running).rejects.toMatchObject({ name: "AbortError" });
  expect(calls).toBe(0);
});

test("a promise that never settles can be aborted, in the trial before the run and in the last measurement", async () => {
  const controller = new AbortController();
  const stuck = { dimension: 1, count: 2, initial: Float64Array.of(1), evaluate: () => never };
  setTimeout(() => controller.abort(), 5);
  await expect(minimizeSum(stuck, { signal: controller.signal })).rejects.toMatchObject({
    name: "AbortError",
  });

  const atTheEnd = new AbortController();
  const sum = quadraticSum();
  const ends = {
    ...sum,
    initial: new Float64Array(200),
    evaluate(i: number, x: Float64Array, g?: Float64Array): number | Promise<number> {
      if (g !== undefined) return sum.evaluate(i, x, g);
      setTimeout(() => atTheEnd.abort(), 5);
      return never;
    },
  };
  const { warnings, status, value } = await minimizeSum(ends, { maxPasses: 1, signal: atTheEnd.signal });
  expect([status, value]).toEqual(["max-iterations", undefined]);
  expect(warnings.map(({ code }) => code)).toEqual(["measurement-aborted", "value-unknown"]);
});

test.each([0, 3])("subfunction %i, which writes into x, is named", async (culprit) => {
  const sum = quadraticSum();
  for (const kind of ["number", "promise", "thenable"]) {
    const evaluate = (i: number, x: Float64Array, g?: Float64Array): number => {
      const value = Number(sum.evaluate(i, x, g));
      if (i === culprit) x[7] += 1;
      return value;
    };
    const spoilt = {
      ...sum,
      initial: new Float64Array(200),
      evaluate(i: number, x: Float64Array, g?: Float64Array): number | Promise<number> {
        if (kind === "number") return evaluate(i, x, g);
        const later = Promise.resolve().then(() => evaluate(i, x, g));
        if (kind === "promise") return later;
        // biome-ignore lint/suspicious/noThenProperty: a thenable is what is tested
        const thenable = { then: (...reactions: Parameters<typeof later.then>) => later.then(...reactions) };
        // @ts-expect-error a thenable of another library, which has less than a promise
        return thenable;
      },
    };
    const sentence = `subfunction ${culprit} writes into x (its entry 7`;
    if (culprit === 0) {
      await expect(minimizeSum(spoilt)).rejects.toThrow(sentence);
    } else {
      const { status, message } = await minimizeSum(spoilt);
      expect(status).toBe("failed");
      expect(message).toContain(sentence);
    }
    expect(spoilt.initial).toEqual(new Float64Array(200));
  }
});

test("a run that failed returns a measured point where that is possible, and says so where it is not", async () => {
  const sum = quadraticSum();
  const failing = (isForGood: boolean) => {
    let calls = 0;
    return {
      ...sum,
      initial: new Float64Array(200),
      evaluate(i: number, x: Float64Array, g?: Float64Array): number | Promise<number> {
        calls++;
        if (calls === 90 || (isForGood && calls > 90)) throw new Error("no connection");
        return sum.evaluate(i, x, g);
      },
    };
  };
  const once = await minimizeSum(failing(false));
  expect(once.status).toBe("failed");
  expect(once.usable).toBe(true);
  expect(once.value).toBe(whole(sum, once.x));
  expect(once.value).toBeLessThan(whole(sum, new Float64Array(200)));
  expect(once.warnings).toEqual([]);
  const forGood = await minimizeSum(failing(true));
  expect([forGood.status, forGood.value, forGood.usable]).toEqual(["failed", undefined, false]);
  expect(said(forGood)).toContain("could not be measured: no connection");
  expect(said(forGood)).toContain("its value is not known");
});

test.each([0, 3])(
  "subfunction %i, which leaves an entry of its gradient unwritten, does not converge",
  { tags: ["full"] },
  async (culprit) => {
    const sum = quadraticSum();
    const spoilt = {
      ...sum,
      initial: new Float64Array(200),
      evaluate: (i: number, x: Float64Array, g?: Float64Array): number | Promise<number> => {
        const old = g?.[7];
        const value = sum.evaluate(i, x, g);
        if (i === culprit && g !== undefined) g[7] = old ?? Number.NaN;
        return value;
      },
    };
    if (culprit === 0)
      await expect(minimizeSum(spoilt)).rejects.toThrow("entry 7 of its gradient is not written, or is NaN");
    else expect((await minimizeSum(spoilt)).status).not.toBe("converged");
  },
);
