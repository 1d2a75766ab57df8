/**
 * Gradients by programs for automatic differentiation: TensorFlow.js, in single precision, and dual numbers, in double precision.
 * What they lead to is compared with what is known to more digits.
 */
import "@tensorflow/tfjs-backend-cpu";
import "@tensorflow/tfjs-core/dist/register_all_gradients.js";
import { readFileSync } from "node:fs";
import { exp, log, normal, RandomGenerator } from "@curvature/linalg";
import { checkGradient, leastSquares, minimize } from "@curvature/optim-core";
import * as tf from "@tensorflow/tfjs-core";
import * as ad from "@thi.ng/dual-algebra";
import { beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { problems } from "../../../apps/bench/data/optimizers/nist.mjs";

const certified: Readonly<Record<string, { readonly parameters: readonly number[] }>> = JSON.parse(
  readFileSync(new URL("../../../apps/bench/data/optimizers/nist-errors.json", import.meta.url), "utf8"),
);

/** Of values in single precision. */
const valueNoise = 2 ** -23;

beforeAll(() => tf.ready());

describe("TensorFlow.js: logistic regression", () => {
  // The 23 flights of the Space Shuttle before its last one: degrees Fahrenheit, and whether an O-ring was damaged.
  const degrees = [
    66, 70, 69, 68, 67, 72, 73, 70, 57, 63, 70, 78, 67, 53, 67, 75, 70, 81, 76, 79, 75, 76, 58,
  ];
  const damaged = [0, 1, 0, 0, 0, 0, 0, 0, 1, 1, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 1];
  /** As R's glm gives them: intercept, slope, and half the deviance. */
  const [INTERCEPT, SLOPE, MINIMUM] = [15.0429016, -0.2321627, 10.15759605];
  const twice = degrees.map((d, i) => ({ z: d, y: damaged[i] }));
  /** The same in double precision. */
  const exact = ([a, b]: readonly number[]): number =>
    twice.reduce((sum, { z, y }) => sum + log(1 + exp(a + b * z)) - y * (a + b * z), 0);

  /** With a temperature in units of `unit`, from `origin`. */
  const fit = (origin: number, unit: number) => {
    const X = tf.keep(tf.tensor1d(degrees.map((d) => (d - origin) / unit)));
    const Y = tf.keep(tf.tensor1d(damaged));
    const gradients = tf.valueAndGrads<tf.Scalar>((a, b) =>
      tf.mul(tf.losses.sigmoidCrossEntropy(Y, tf.add(tf.mul(X, b), a)), degrees.length),
    );
    return (spoil: readonly number[] = [1, 1]) =>
      (x: readonly number[]) =>
        tf.tidy(() => {
          const { value, grads } = gradients(x.map((entry) => tf.scalar(entry)));
          return {
            value: value.arraySync(),
            gradient: grads.map((g, i) => g.dataSync().map((entry) => spoil[i] * entry)),
          };
        });
  };

  test.each([
    ["as measured", 0, 1],
    ["in tens of degrees from 70", 70, 10],
  ])("to what glm finds, %s, and no tensor is left behind", async (_, origin, unit) => {
    const f = fit(origin, unit)();
    const tensors = tf.memory().numTensors;
    const { status, message, x, gradientSource, evaluations } = await minimize(f, [0, 0], { valueNoise });
    expect(tf.memory().numTensors).toBe(tensors);
    expect(status, message).toBe("converged");
    expect(gradientSource).toBe("objective");
    expect(evaluations).toBeLessThan(40);
    const found = [x[0] - (x[1] * origin) / unit, x[1] / unit];
    // A run ends where a hundred times the rounding, 400 ε f, is the most that may still be gained.
    expect(exact(found) - MINIMUM).toBeLessThan(400 * valueNoise * MINIMUM);
    expect(found[0] / INTERCEPT).toBeCloseTo(1, 3);
    expect(found[1] / SLOPE).toBeCloseTo(1, 3);
  });

  const points = [
    [0, 0],
    [1, -1],
    [0.5, 0.1],
    [1e-3, -1e-4],
  ];
  test.each(points)(
    "checkGradient at %d, %d: right passes, one entry wrong by a hundredth does not",
    (a, b) => {
      for (const gradients of [fit(0, 1), fit(70, 10)])
        for (const seed of [0, 1]) {
          const right = checkGradient(gradients(), [a, b], { seed, valueNoise });
          expect(right.isCorrect, right.message).toBe(true);
          for (const spoil of [
            [1.01, 1],
            [1, 0.99],
          ])
            expect(checkGradient(gradients(spoil), [a, b], { seed, valueNoise }).isCorrect).toBe(false);
        }
    },
  );

  test("a run without valueNoise goes on where there is nothing but rounding, and names it", async () => {
    const { status, message, x } = await minimize(fit(70, 10)(), [0, 0]);
    expect(status).toBe("stalled");
    expect(message).toContain("valueNoise");
    expect(exact([x[0] - 7 * x[1], x[1] / 10]) - MINIMUM).toBeLessThan(1e-5);
  });
});

describe("TensorFlow.js: a network of two layers, its parameters a tree", () => {
  const [COUNT, INPUTS, HIDDEN] = [60, 2, 5];
  const random = new RandomGenerator(3);
  const matrix = (rows: number, columns: number, size: number): number[][] =>
    Array.from({ length: rows }, () => Array.from({ length: columns }, () => size * normal(random)));
  const inputs = matrix(COUNT, INPUTS, 1);
  const targets = inputs.map(([a, b]) => [a * b + 0.1 * normal(random)]);
  const start = {
    w1: matrix(INPUTS, HIDDEN, 0.7),
    b1: new Float32Array(HIDDEN),
    w2: matrix(HIDDEN, 1, 0.7),
    b2: 0,
  };
  type Network = typeof start;
  type Doubled = Omit<Network, "b1"> & { readonly b1: Float64Array | Float32Array };

  const X = tf.tensor2d(inputs);
  const Y = tf.tensor2d(targets);
  const loss = (w1: tf.Tensor, b1: tf.Tensor, w2: tf.Tensor, b2: tf.Tensor): tf.Scalar => {
    const hidden = tf.tanh(tf.add(tf.matMul(X, w1), b1));
    const errors = tf.sub(tf.add(tf.matMul(hidden, w2), b2), Y);
    const decay = tf.add(tf.sum(tf.square(w1)), tf.sum(tf.square(w2)));
    return tf.add(tf.mean(tf.square(errors)), tf.mul(decay, 0.01));
  };
  const gradients = tf.valueAndGrads((...parts) => loss(parts[0], parts[1], parts[2], parts[3]));
  const tensors = ({ w1, b1, w2, b2 }: Network): tf.Tensor[] => [
    tf.tensor2d(w1),
    tf.tensor1d(b1),
    tf.tensor2d(w2),
    tf.scalar(b2),
  ];
  const named = <T>([w1, b1, w2, b2]: readonly T[]) => ({ w1, b1, w2, b2 });
  const f = (network: Network) =>
    tf.tidy(() => {
      const { value, grads } = gradients(tensors(network));
      return { value: value.arraySync(), gradient: named(grads.map((grad) => grad.dataSync())) };
    });
  /** The same in double precision, by differences. */
  const inDouble = ({ w1, b1, w2, b2 }: Doubled): number => {
    let sum = 0;
    inputs.forEach((input, k) => {
      let out = b2;
      for (let j = 0; j < HIDDEN; j++) {
        const e = exp(2 * (input[0] * w1[0][j] + input[1] * w1[1][j] + b1[j]));
        out += (w2[j][0] * (e - 1)) / (e + 1);
      }
      sum += (out - targets[k][0]) ** 2;
    });
    const decay = [...w1.flat(), ...w2.flat()].reduce((total, w) => total + w * w, 0);
    return sum / COUNT + 0.01 * decay;
  };
  const doubled = (network: Network) => ({ ...network, b1: Float64Array.from(network.b1) });

  test("reaches the minimum that double precision finds beside it, to what single precision allows", async () => {
    const before = tf.memory().numTensors;
    const single = await minimize(f, start, { valueNoise });
    expect(tf.memory().numTensors).toBe(before);
    expect(single.status, single.message).toBe("converged");
    expect(single.parameters.w1).toHaveLength(INPUTS);
    expect(single.parameters.b1).toBeInstanceOf(Float32Array);
    const beside = await minimize(inDouble, doubled(single.parameters));
    const { value: least = Number.NaN } = beside;
    expect(inDouble(single.parameters) - least).toBeLessThan(400 * valueNoise * least);
  });

  test("the same where values come as promises, as from a graphics card", async () => {
    const at = tf.memory().numTensors;
    const later = async (network: Network) => {
      const { value, grads } = tf.tidy(() => gradients(tensors(network)));
      const [number, ...parts] = await Promise.all([value.data(), ...grads.map((grad) => grad.data())]);
      tf.dispose([value, ...grads]);
      return { value: number[0], gradient: named(parts) };
    };
    const waited = await minimize(later, start, { valueNoise });
    expect(tf.memory().numTensors).toBe(at);
    expect(waited.x).toEqual((await minimize(f, start, { valueNoise })).x);
  });

  test.each([0, 1])(
    "checkGradient takes f as minimize does, and says where the gradient is wrong, seed %i",
    (seed) => {
      const right = checkGradient(f, start, { seed, valueNoise });
      expect(right.isCorrect, right.message).toBe(true);
      for (const [name, at, place] of [
        ["w1", 7, "w1[1][2]"],
        ["b1", 3, "b1[3]"],
        ["w2", 4, "w2[4][0]"],
        ["b2", 0, "b2"],
      ] as const) {
        const wrong = checkGradient(
          (network) => {
            const { value, gradient } = f(network);
            const spoilt = Float64Array.from(gradient[name]);
            spoilt[at] *= 1.01;
            return { value, gradient: { ...gradient, [name]: spoilt } };
          },
          start,
          { seed, valueNoise },
        );
        expect(wrong.isCorrect, wrong.message).toBe(false);
        expect(wrong.message).toContain(`worst at ${place}: given`);
      }
    },
  );
});

describe("dual numbers of @thi.ng/dual-algebra: curves of NIST, with the certified parameters", () => {
  /** Σ (model − y)² with its gradient. */
  const squares =
    (model: (b: ad.Dual[], t: number) => ad.Dual, ts: readonly number[], ys: readonly number[]) =>
    (x: ArrayLike<number>) => {
      const b = Array.from(x, (value, i) => ad.dual(value, x.length, i + 1));
      const constant = (value: number) => ad.dual(value, x.length);
      const [value, ...gradient] = ts.reduce((sum, t, k) => {
        const r = ad.sub(model(b, t), constant(ys[k]));
        return ad.add(sum, ad.mul(r, r));
      }, constant(0));
      return { value, gradient };
    };
  const misra = {
    ts: [77.6, 114.9, 141.1, 190.8, 239.9, 289, 332.8, 378.4, 434.8, 477.3, 536.8, 593.1, 689.1, 760],
    ys: [10.07, 14.73, 17.94, 23.93, 29.61, 35.18, 40.02, 44.82, 50.76, 55.05, 61.01, 66.4, 75.47, 81.78],
    // b₁ (1 − e^(−b₂ t))
    model: ([b1, b2]: ad.Dual[], t: number) =>
      ad.mul(b1, ad.sub(ad.dual(1, 2), ad.exp(ad.mul(b2, ad.dual(-t, 2))))),
  };
  const rat = {
    ts: [9, 14, 21, 28, 42, 57, 63, 70, 79],
    ys: [8.93, 10.8, 18.59, 22.33, 39.35, 56.11, 61.73, 64.62, 67.08],
    // b₁ / (1 + e^(b₂ − b₃ t))
    model: ([b1, b2, b3]: ad.Dual[], t: number) =>
      ad.div(b1, ad.add(ad.dual(1, 3), ad.exp(ad.sub(b2, ad.mul(b3, ad.dual(t, 3)))))),
  };

  test.each([
    ["Misra1a", misra],
    ["Rat42", rat],
  ] as const)("%s", async (name, { ts, ys, model }) => {
    const { x0, x1, fmin, residuals } = problems[name];
    const { parameters } = certified[name];
    const f = squares(model, ts, ys);
    for (const start of [x0, x1 ?? x0]) {
      expect(checkGradient(f, start)).toMatchObject({ isCorrect: true });
      const { status, message, x, value } = await minimize(f, start);
      expect(status, message).toBe("converged");
      expect((value ?? Number.NaN) / Number(fmin)).toBeCloseTo(1, 9);
      const curve = await leastSquares((b) => {
        const r = new Float64Array(ys.length);
        residuals(b, r);
        return r;
      }, start);
      for (let i = 0; i < parameters.length; i++) {
        expect(x[i] / parameters[i]).toBeCloseTo(1, 5);
        expect(x[i] / curve.x[i]).toBeCloseTo(1, 5);
      }
    }
  });
});

describe("gradients as tensors give them", () => {
  const table = [
    [1, 2],
    [3, 4],
  ];
  const bowl = (x: readonly (readonly number[])[]) => ({
    value: x.flat().reduce((sum, xi, i) => sum + (i + 1) * (xi - i) ** 2, 0),
    gradient: Float32Array.from(x.flat(), (xi, i) => 2 * (i + 1) * (xi - i)),
  });

  test("one row of numbers stands for what is nested, in its order", async () => {
    const { parameters } = await minimize(bowl, table, { valueNoise });
    for (const [i, entry] of parameters.flat().entries()) expect(entry).toBeCloseTo(i, 3);
    const { x } = await minimize((b: number) => ({ value: b * b, gradient: [2 * b] }), 3);
    expect(x[0]).toBeCloseTo(0, 9);
  });

  test.each([[[1, 2, 3]], [[[1, 2, 3, 4]]], [["1", "2", "3", "4"]], [BigInt64Array.of(1n, 2n, 3n, 4n)]])(
    "another count, or what is no number, is refused: %o",
    async (gradient) => {
      const f = () => ({ value: 1, gradient });
      const ended = Reflect.apply(minimize, undefined, [f, table]);
      await expect(ended).rejects.toMatchObject({ code: "ERR_SHAPE" });
      expect(() => Reflect.apply(checkGradient, undefined, [f, table])).toThrowError(
        "f(x).gradient must be an array of length 2, as in the first point",
      );
    },
  );

  test.each([[1], [Promise.resolve({ value: 1, gradient: 1 })], [{ value: "1", gradient: 1 }], [undefined]])(
    "checkGradient names an answer that has no value with a gradient: %o",
    (answer) => {
      expect(() => Reflect.apply(checkGradient, undefined, [() => answer, 1])).toThrowError(
        "f must return an object { value, gradient }, and no promise of it; received",
      );
    },
  );
});

test("the example of TensorFlow.js runs as it stands", async () => {
  const before = tf.memory().numTensors;
  const log = vi.spyOn(console, "log").mockImplementation(() => undefined);
  onTestFinished(() => log.mockRestore());
  await import("../../../examples/automatic-differentiation/tensorflow.js");
  const [[checked], [status, value], [left]] = log.mock.calls;
  expect(checked).toContain("The gradient is right: ");
  expect(status).toBe("converged");
  expect(value).toBeLessThan(0.2); // that of a coin is log 2 = 0.69
  expect(left).toBe(`${before + 2} tensors left`);
});
