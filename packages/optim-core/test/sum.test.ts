import {
  asObjective,
  checkGradient,
  driveSum,
  Lbfgs,
  maxIterations,
  run,
  runSync,
  type SumOfFunctions,
} from "@curvature/optim-core";
import { bitsOf } from "@curvature/optim-core/conformance";
import { describe, expect, test } from "vitest";
import { Incremental, separable } from "./incremental.js";
import { distance, quadratic } from "./problems.js";

const later = <T>(value: T, milliseconds: number): Promise<T> =>
  new Promise((resolve) => setTimeout(() => resolve(value), milliseconds));

/** The same sum, each evaluation after a while that depends on its index. */
const delayed = (sum: SumOfFunctions, milliseconds: (index: number) => number): SumOfFunctions => ({
  ...sum,
  evaluate: async (index, x, gradient) => {
    const copy = x.slice();
    await later(undefined, milliseconds(index));
    return sum.evaluate(index, copy, gradient);
  },
});

describe("asObjective", () => {
  const x = Float64Array.of(3, -1, 4, 1);

  test("adds up values and gradients", () => {
    const whole = asObjective(separable(4));
    const [g, expected] = [new Float64Array(4).fill(9), new Float64Array(4)];
    expect(whole.evaluate(x, g)).toBe(quadratic(4, 1).evaluate(x, expected));
    expect(g).toEqual(expected);
    expect(whole.evaluate(x)).toBe(whole.evaluate(x, g));
    expect(checkGradient(whole, x).isCorrect).toBe(true);
  });

  test("uses the batch form where it is there", () => {
    const batches: (readonly number[])[] = [];
    const whole = asObjective({
      ...separable(4),
      evaluate: () => Number.NaN,
      evaluateBatch: (indices, at, g) => {
        batches.push([...indices]);
        return quadratic(4, 1).evaluate(at, g);
      },
    });
    expect(whole.evaluate(x, new Float64Array(4))).toBe(quadratic(4, 1).evaluate(x));
    expect(whole.evaluate(x)).toBe(quadratic(4, 1).evaluate(x));
    expect(batches).toEqual([
      [0, 1, 2, 3],
      [0, 1, 2, 3],
    ]);
  });

  test("lets L-BFGS run on a sum, and keeps the fingerprint", () => {
    const whole = asObjective({ ...separable(4), fingerprint: "mine" });
    const result = runSync(new Lbfgs(whole, x), { stop: maxIterations(20) });
    expect(distance(result.x, [0, 1, 2, 3])).toBeLessThan(1e-12);
    expect(whole.fingerprint).toBe("mine");
    expect("fingerprint" in asObjective(separable(4))).toBe(false);
  });

  test("a promise is an error that says what to do; its rejection is not left unhandled", async () => {
    for (const evaluate of [async () => 1, async () => Promise.reject(new Error("later"))]) {
      const whole = asObjective({ ...separable(2), evaluate });
      const result = runSync(new Lbfgs(whole, new Float64Array(2)));
      expect(result.status).toBe("failed");
      expect(result.message).toContain("Use a solver of sums with driveSum and run");
    }
    await later(undefined, 5);
  });

  test("what is no sum is refused", () => {
    const refused = (sum: unknown) => () => Reflect.apply(asObjective, undefined, [sum]);
    expect(refused({ ...separable(2), count: 0 })).toThrowError("a count from 1 to 2^31 - 1");
    expect(refused({ dimension: 2, count: 2 })).toThrowError("asObjective: the sum must have");
    expect(refused(null)).toThrowError("received null");
  });
});

describe("driveSum", () => {
  const make = (perStep = 3) => new Incremental(6, new Float64Array(6).fill(9), perStep);
  const options = { stop: maxIterations(12), history: true };
  const told = (result: { readonly history: readonly { readonly details: { readonly told: string } }[] }) =>
    result.history.map(({ details }) => details.told);

  test("steps at once where evaluations are at once, and gives the sum's order", () => {
    const result = runSync(driveSum(make(), separable(6)), options);
    expect(told(result).slice(0, 3)).toEqual(["0,1,2", "3,4,5", "0,1,2"]);
    expect(result.options).toMatchObject({ perStep: 3, concurrency: 1, solver: "incremental" });
    expect(result.passes).toBe(6);
  });

  test("waits for promises, one after the other, with the same bits", async () => {
    const atOnce = runSync(driveSum(make(), separable(6)), options);
    let running = 0;
    const sum = separable(6);
    const slow: SumOfFunctions = {
      ...sum,
      evaluate: async (index, x, gradient) => {
        expect(++running).toBe(1);
        await later(undefined, (7 * index) % 3);
        running--;
        return sum.evaluate(index, x, gradient);
      },
    };
    const waited = await run(driveSum(make(), slow), options);
    expect({ ...waited, elapsedSeconds: 0 }).toEqual({ ...atOnce, elapsedSeconds: 0 });
  });

  test("has as many under way as allowed, and tells in the order of arrival", async () => {
    let [running, most] = [0, 0];
    const sum = separable(6);
    const slow: SumOfFunctions = {
      ...sum,
      evaluate: async (index, x, gradient) => {
        most = Math.max(most, ++running);
        const copy = x.slice();
        await later(undefined, 40 - 15 * (index % 3));
        running--;
        return sum.evaluate(index, copy, gradient);
      },
    };
    const result = await run(driveSum(make(), slow, { concurrency: 3 }), {
      ...options,
      stop: maxIterations(2),
    });
    expect(most).toBe(3);
    expect(told(result)).toEqual(["2,1,0", "5,4,3"]);
  });

  test("keeps to its limit also with a solver that asks for all at once", async () => {
    let [running, most] = [0, 0];
    const sum = separable(6);
    const counted: SumOfFunctions = {
      ...sum,
      evaluate: async (index, x, gradient) => {
        most = Math.max(most, ++running);
        await later(undefined, 1);
        running--;
        return sum.evaluate(index, x, gradient);
      },
    };
    const eager = make(6);
    const ask = eager.ask.bind(eager);
    const result = await run(
      driveSum(Object.assign(eager, { ask: () => ask() }), counted, { concurrency: 2 }),
      options,
    );
    expect(most).toBe(2);
    expect(result.iterations).toBe(12);
  });

  test("mixes values that are there at once with promises", async () => {
    const sum = separable(6);
    const mixed: SumOfFunctions = {
      ...sum,
      evaluate: (index, x, gradient) => {
        const value = sum.evaluate(index, x, gradient);
        return index % 2 === 0 ? value : Promise.resolve(value);
      },
    };
    const [mix, plain] = [
      await run(driveSum(make(), mixed), options),
      runSync(driveSum(make(), separable(6)), options),
    ];
    expect(mix.last).toEqual(plain.last);
  });

  test("an error fails the run; the question is asked anew by the next", async () => {
    for (const isAsync of [false, true]) {
      const sum = separable(6);
      const error = new Error("worker lost");
      let calls = 0;
      const flaky: SumOfFunctions = {
        ...sum,
        evaluate: (index, x, gradient) => {
          if (++calls !== 8) return sum.evaluate(index, x, gradient);
          if (isAsync) return Promise.reject(error);
          throw error;
        },
      };
      const driver = driveSum(make(), flaky);
      const first = await run(driver, options);
      expect(first).toMatchObject({ status: "failed", cause: error, iterations: 2 });
      const second = await run(driver, options);
      const whole = runSync(driveSum(make(), separable(6)), options);
      expect(second).toMatchObject({ iterations: 12, last: whole.last });
    }
  });

  test("answers that were under way at a restore are not told", async () => {
    const sum = delayed(separable(6), (index) => 2 + index);
    const driver = driveSum(make(), sum, { concurrency: 3 });
    const reference = driveSum(make(), sum, { concurrency: 3 });
    await reference.step();
    await reference.step();
    await driver.step();
    const snapshot = driver.save();
    const abandoned = driver.step();
    driver.restore(snapshot);
    expect((await driver.step()).index).toBe(2);
    await expect(abandoned).rejects.toThrowError("restored while this step was under way");
    expect(bitsOf({ ...driver.save() })).toBe(bitsOf({ ...reference.save() }));
  });

  test("a step that nobody waits for any more makes no noise after a restore", async () => {
    const driver = driveSum(
      make(),
      delayed(separable(6), () => 2),
    );
    const snapshot = driver.save();
    void driver.step();
    driver.restore(snapshot);
    await later(undefined, 10); // an unhandled rejection would fail the suite
    expect((await driver.step()).index).toBe(1);
  });

  test("two runs at once do not hang: the second hears that a step is under way", async () => {
    const driver = driveSum(
      make(),
      delayed(separable(6), () => 1),
      { concurrency: 2 },
    );
    const [first, second] = await Promise.all([
      run(driver, { stop: maxIterations(3) }),
      run(driver, { stop: maxIterations(3) }),
    ]);
    expect(first).toMatchObject({ status: "max-iterations", iterations: 3 });
    expect(second.status).toBe("failed");
    expect(second.message).toContain("A step is under way. Await its promise first");
  });

  test("bad arguments are named", () => {
    expect(() => driveSum(make(), separable(5))).toThrowError(
      "the solver's dimension must be 5, the sum's; received 6",
    );
    expect(() => driveSum(make(), separable(6), { concurrency: 0 })).toThrowError(
      "concurrency must be a whole number",
    );
    const wordy = separable(6);
    Reflect.set(wordy, "evaluate", () => "1");
    expect(runSync(driveSum(make(), wordy)).message).toContain(
      'must return a number or a promise of one; received "1"',
    );
  });

  test("a solver that asks nothing is not waited for for ever", async () => {
    const silent = driveSum(Object.assign(make(), { ask: () => [] }), separable(6));
    expect((await run(silent)).message).toContain("asks for no evaluation and waits for none");
    expect(runSync(silent).message).toContain("asks for no evaluation and waits for none");
  });
});
