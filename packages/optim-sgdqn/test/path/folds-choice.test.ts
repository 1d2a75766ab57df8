/** λ by folds: of text, and of many rows and columns. */
import { RandomGenerator, type SparseMatrix, selectRows } from "@curvature/linalg";
import { type LinearProblem, linearLoss, rowAccess } from "@curvature/objectives/linear";
import { runSync } from "@curvature/optim-core";
import { LinearClassifier, LinearRegressor } from "@curvature/optim-sgdqn";
import { describe, expect, test } from "vitest";
import { binaryProblem, type MulticlassProblem } from "../../src/multiclass/problem.js";
import { SoftmaxNewton } from "../../src/multiclass/softmax/softmax-newton.js";
import { type ChooseLambdaOptions, chooseLambda, type LambdaChoice } from "../../src/path/choose-lambda.js";
import { defaultLambda } from "../../src/path/default-lambda.js";
import { dealContents } from "../../src/path/folds.js";
import { Newton } from "../../src/solvers/newton/newton.js";

const N = 2100;
const D = 2050;

/** Few words a row, of which every class has some of its own. */
function texts(classes = 2, seed = 1): { readonly rows: SparseMatrix; readonly labels: Int32Array } {
  const random = new RandomGenerator(seed);
  const columnIndices: number[] = [];
  const rowPointers = new Int32Array(N + 1);
  const labels = new Int32Array(N);
  for (let i = 0; i < N; i++) {
    labels[i] = Math.floor(classes * random.uniform());
    const words = new Set<number>();
    for (let w = 0; w < 6; w++) {
      const [own, word] = [random.uniform() < 0.4, random.uniform()];
      words.add(own ? 60 * labels[i] + Math.floor(60 * word) : Math.floor(D * word * word));
    }
    columnIndices.push(...[...words].sort((a, b) => a - b));
    rowPointers[i + 1] = columnIndices.length;
  }
  const values = new Float64Array(columnIndices.length).fill(1);
  return {
    rows: { rows: N, columns: D, rowPointers, columnIndices: Int32Array.from(columnIndices), values },
    labels,
  };
}

const common = { loss: linearLoss("logistic"), lambda: 1, bias: "none" } as const;

function binary(seed = 1): LinearProblem {
  const { rows, labels } = texts(2, seed);
  return { ...common, rows, targets: Float64Array.from(labels, (k) => (k === 1 ? 1 : -1)) };
}

const three = (): MulticlassProblem => ({ ...common, ...texts(3), classes: 3 });

/** The log loss of each row by folds, each fit alone from nothing, and tightly. */
function naiveLosses(problems: readonly LinearProblem[], labels: Int32Array, lambda: number): Float64Array {
  const [{ rows }] = problems;
  const { count, foldOf } = dealContents(rows, 5, 0, (i) => labels[i]);
  expect(count).toBe(5);
  const losses = new Float64Array(N);
  for (let fold = 0; fold < 5; fold++) {
    const kept = Int32Array.from(foldOf.keys()).filter((i) => foldOf[i] !== fold);
    const part = selectRows(rows, kept);
    const models = problems.map((problem) => {
      const targets = Float64Array.from(kept, (i) => problem.targets[i]);
      return runSync(new Newton({ ...problem, rows: part, targets, lambda }, { tolerance: 1e-9 })).x;
    });
    for (let i = 0; i < N; i++) {
      if (foldOf[i] !== fold) continue;
      const p = models.map((w) => 1 / (1 + Math.exp(-rowAccess(rows).dot(i, w))));
      const all = p.length === 1 ? [1 - p[0], p[0]] : p;
      losses[i] = -Math.log(all[labels[i]] / all.reduce((a, b) => a + b));
    }
  }
  return losses;
}

const mean = (values: Float64Array): number => values.reduce((a, b) => a + b) / values.length;

function expectNaive(choice: LambdaChoice, problems: readonly LinearProblem[], labels: Int32Array): void {
  const naive = choice.tried.map(({ lambda }) => naiveLosses(problems, labels, lambda));
  const means = naive.map(mean);
  const best = means.indexOf(Math.min(...means));
  // One wrong label among n + 1 is the difference between L and the mean, and a gap of 1e-3 that of the fits.
  for (const [k, { loss }] of choice.tried.entries()) expect(Math.abs(loss - means[k])).toBeLessThan(4e-3);
  const near = choice.tried.filter(({ lambda }, k) => {
    const difference = naive[k].map((each, i) => each - naive[best][i]);
    const m = mean(difference);
    const error = Math.sqrt(mean(difference.map((each) => (each - m) ** 2)) / (N - 1));
    const isBetween = (lambda - choice.anchor) * (lambda - choice.tried[best].lambda) <= 0;
    return isBetween && m <= 0.5 * error;
  });
  const distance = (lambda: number): number => Math.abs(Math.log(lambda / choice.anchor));
  const nearest = near.reduce((a, b) => (distance(b.lambda) < distance(a.lambda) ? b : a));
  expect(choice.lambda).toBe(nearest.lambda);
  const chosen = naive[choice.tried.indexOf(nearest)];
  expect(choice.leftOut?.loss).toBeCloseTo(mean(chosen), 2);
}

describe("λ by folds", () => {
  test("of two classes is what fits one by one say", async () => {
    const task = binary();
    const choice = await chooseLambda(task);
    expect(choice.rule).toBe("folds");
    expect(choice.anchor).toBeCloseTo(defaultLambda(task.rows) / 30, 15);
    expect(choice.tried.length).toBeGreaterThan(2);
    expectNaive(
      choice,
      [task],
      Int32Array.from(task.targets, (y) => (y > 0 ? 1 : 0)),
    );
  });

  test("of three classes, each against the rest, too", async () => {
    const task = three();
    expectNaive(
      await chooseLambda(task),
      [0, 1, 2].map((k) => binaryProblem(task, k)),
      task.labels,
    );
  });

  test("is the same in any order of the rows, and a row twice is one of weight 2", async () => {
    const { rows, labels } = texts(3);
    const words = Array.from(labels, (k) => ["a", "b", "c"][k]);
    const plain = await new LinearClassifier().fit(rows, words);
    const turned = Int32Array.from(labels.keys()).reverse();
    const backwards = await new LinearClassifier().fit(
      selectRows(rows, turned),
      Array.from(turned, (i) => words[i]),
    );
    expect(backwards.lambda / plain.lambda).toBeCloseTo(1, 12);
    expect(backwards.leftOut?.loss).toBeCloseTo(plain.leftOut?.loss ?? 0, 8);
    const sampleWeights = Array.from(labels, (_, i) => (i % 40 === 0 ? 0 : 1 + (i % 3)));
    const copies = Int32Array.from(sampleWeights.flatMap((w, i) => new Array<number>(w).fill(i)));
    const weighted = await new LinearClassifier().fit(rows, words, { sampleWeights });
    const repeated = await new LinearClassifier().fit(
      selectRows(rows, copies),
      Array.from(copies, (i) => words[i]),
    );
    expect([weighted.lambdaRule, repeated.lambdaRule]).toEqual(["folds", "folds"]);
    expect(weighted.triedLambdas).toHaveLength(repeated.triedLambdas.length);
    for (const [k, { lambda, loss, error }] of repeated.triedLambdas.entries()) {
      expect(weighted.triedLambdas[k].lambda / lambda).toBeCloseTo(1, 12);
      expect(weighted.triedLambdas[k].loss).toBeCloseTo(loss, 8);
      expect(weighted.triedLambdas[k].error).toBeCloseTo(error, 12);
    }
    expect(weighted.lambda / repeated.lambda).toBeCloseTo(1, 12);
  });

  test("is the same again with a seed, of the values that are asked for, the largest first", async () => {
    const lambdas = [1e-4, 1e-2, 1e-3];
    const choice = (options: ChooseLambdaOptions): Promise<LambdaChoice> =>
      chooseLambda(binary(), { lambdas, ...options });
    const [first, again, other] = [await choice({}), await choice({}), await choice({ seed: 9 })];
    expect(first.tried.map(({ lambda }) => lambda)).toEqual([1e-2, 1e-3, 1e-4]);
    expect(again).toEqual(first);
    expect(other.tried).not.toEqual(first.tried);
    const byArea = await choice({ select: "auc" });
    expect(lambdas).toContain(byArea.lambda);
  });

  test("goes to larger λ where words say nothing", async () => {
    const { lambda, anchor, leftOut } = await chooseLambda({ ...binary(), targets: binary(2).targets });
    expect(lambda).toBeGreaterThan(9 * anchor);
    expect(leftOut?.loss).toBeCloseTo(Math.LN2, 1);
  });

  test("with a class of one row, or of fewer rows than folds, whatever the bias", async () => {
    const { rows } = texts();
    for (const few of [1, 3])
      for (const bias of ["none", "free"] as const) {
        const targets = Float64Array.from({ length: N }, (_, i) => (i < few ? 1 : -1));
        const { lambda, leftOut } = await chooseLambda({ ...common, rows, targets, bias });
        expect([lambda > 0, Number.isFinite(leftOut?.loss)]).toEqual([true, true]);
        const labels = Int32Array.from({ length: N }, (_, i) => (i < few ? 2 : i % 2));
        const several = await chooseLambda({ ...common, rows, labels, classes: 3, bias });
        expect([several.lambda > 0, Number.isFinite(several.leftOut?.loss)]).toEqual([true, true]);
      }
  });

  test("of rows that are all the same, or empty, is that of their size", async () => {
    const empty = { rowPointers: new Int32Array(N + 1), columnIndices: new Int32Array(0) };
    const rows = { rows: N, columns: D, ...empty, values: new Float64Array(0) };
    const one = { ...common, rows, targets: new Float64Array(N).fill(1) };
    const choice = await chooseLambda(one);
    expect([choice.rule, choice.tried, choice.leftOut]).toEqual(["size", [], undefined]);
    expect(choice.lambda).toBeCloseTo(1 / 30 / N, 12);
    const both = await chooseLambda({ ...one, targets: binary().targets });
    expect([both.rule, both.lambda > 0]).toEqual(["folds", true]);
  });

  test("of the hinges is R²/n, unless a search is asked for", async () => {
    const { rows, labels } = texts();
    for (const loss of ["hinge", "squared-hinge"] as const) {
      const result = await new LinearClassifier({ loss }).fit(rows, Array.from(labels));
      expect([result.lambdaRule, result.triedLambdas]).toEqual(["size", []]);
      expect(result.lambda).toBe(defaultLambda(rows));
      const searched = await new LinearClassifier({ loss, select: "error" }).fit(rows, Array.from(labels));
      expect(searched.lambdaRule).toBe("folds");
      const errors = searched.triedLambdas.map(({ error }) => error);
      expect(searched.leftOut?.error).toBe(Math.min(...errors));
    }
  });

  test("of numbers, with Huber's width found on the way", async () => {
    const { rows, labels } = texts(3);
    const numbers = Array.from(labels, (k, i) => 10 * k + (i % 3));
    for (const loss of ["squared-error", "huber"] as const) {
      const result = await new LinearRegressor({ loss }).fit(rows, numbers);
      expect([result.lambdaRule, result.status]).toEqual(["folds", "converged"]);
      expect(result.leftOut?.error).toBeLessThan(67);
    }
  });

  test("of one softmax with many parameters is what fits one by one say", async () => {
    const random = new RandomGenerator(5);
    const [n, d, classes] = [400, 64, 8];
    const rows = {
      rows: n,
      columns: d,
      data: Float64Array.from({ length: n * d }, () => random.uniform() - 0.5),
    };
    const labels = Int32Array.from({ length: n }, (_, i) => {
      const scores = Array.from(
        { length: classes - 1 },
        (_, k) => rows.data[i * d + k] + 0.2 * random.uniform(),
      );
      return i === 7 ? classes - 1 : scores.indexOf(Math.max(...scores)); // the last class has one row
    });
    const task = { rows, labels, classes, loss: linearLoss("logistic"), lambda: 1, bias: "free" } as const;
    const { rule, lambda, leftOut } = await chooseLambda(task);
    expect([rule, leftOut?.rows]).toEqual(["folds", undefined]);
    const { foldOf } = dealContents(rows, 5, 0, (i) => labels[i]);
    const losses = new Float64Array(n);
    for (let fold = 0; fold < 5; fold++) {
      const kept = Int32Array.from(foldOf.keys()).filter((i) => foldOf[i] !== fold);
      const part = { rows: selectRows(rows, kept), labels: Int32Array.from(kept, (i) => labels[i]) };
      const { x } = runSync(new SoftmaxNewton({ ...task, ...part, lambda }, { tolerance: 1e-8 }));
      for (let i = 0; i < n; i++) {
        if (foldOf[i] !== fold) continue;
        const scores = Array.from({ length: classes }, (_, k) => {
          const w = x.subarray(k * (d + 1), (k + 1) * (d + 1));
          return w[d] + w.subarray(0, d).reduce((sum, wj, j) => sum + wj * rows.data[i * d + j], 0);
        });
        const most = Math.max(...scores);
        const sum = scores.reduce((all, s) => all + Math.exp(s - most), 0);
        losses[i] = Math.min(36, most + Math.log(sum) - scores[labels[i]]);
      }
    }
    expect(losses[7]).toBe(36);
    expect(leftOut?.loss).toBeCloseTo(mean(losses), 2);
  });

  test("of much data looks at some of the folds, and judges by their rows alone", async () => {
    const random = new RandomGenerator(3);
    const columns = 1050;
    const rows = { rows: 4400, columns, data: new Float64Array(4400 * columns) };
    const targets = new Float64Array(rows.rows);
    for (let i = 0; i < rows.rows; i++) {
      let score = 0;
      for (let j = 0; j < columns; j++) {
        const entry = random.uniform() - 0.5;
        rows.data[i * columns + j] = entry;
        if (j < 9) score += 9 * entry;
      }
      targets[i] = score > 4 * (random.uniform() - 0.5) ? 1 : -1;
    }
    const { rule, lambda, tried, leftOut } = await chooseLambda({ ...common, rows, targets });
    const { foldOf } = dealContents(rows, 5, 0, (i) => targets[i]);
    const looked = Int32Array.from(foldOf.keys()).filter((i) => foldOf[i] < 4); // of 4.6 million entries
    expect([rule, leftOut?.rows]).toEqual(["folds", looked]);
    expect(tried.length).toBeGreaterThan(2);
    const scores = new Float64Array(rows.rows);
    for (let fold = 0; fold < 4; fold++) {
      const kept = Int32Array.from(foldOf.keys()).filter((i) => foldOf[i] !== fold);
      const part = { rows: selectRows(rows, kept), targets: Float64Array.from(kept, (i) => targets[i]) };
      const { x } = runSync(new Newton({ ...common, ...part, lambda }, { tolerance: 1e-8 }));
      for (const i of looked) if (foldOf[i] === fold) scores[i] = rowAccess(rows).dot(i, x);
    }
    const losses = Float64Array.from(looked, (i) => Math.log1p(Math.exp(-targets[i] * scores[i])));
    expect(leftOut?.loss).toBeCloseTo(mean(losses), 2);
    expect(leftOut?.error).toBeCloseTo(
      mean(Float64Array.from(looked, (i) => Number(scores[i] > 0 !== targets[i] > 0))),
      2,
    );
  });

  test("is left by the signal between two fits, with its reason", async () => {
    const controller = new AbortController();
    const choice = chooseLambda(three(), { signal: controller.signal });
    setTimeout(() => controller.abort(new Error("enough")), 10);
    await expect(choice).rejects.toThrowError("enough");
  });
});

describe("folds by what rows hold", () => {
  test("keep equal rows together, have their share of every class, and follow the seed", () => {
    const { rows, labels } = texts(3);
    const twice = Int32Array.from([...labels.keys(), ...labels.keys()]);
    const { count, foldOf } = dealContents(selectRows(rows, twice), 5, 4, (i) => labels[i % N]);
    expect(count).toBe(5);
    for (let i = 0; i < N; i++) expect(foldOf[i]).toBe(foldOf[i + N]);
    for (let k = 0; k < 3; k++) {
      const sizes = new Float64Array(5);
      for (let i = 0; i < N; i++) if (labels[i] === k) sizes[foldOf[i]]++;
      expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThan(8); // rows that are the same by chance
    }
    const other = dealContents(rows, 5, 5, (i) => labels[i]);
    expect(other.foldOf).not.toEqual(foldOf.subarray(0, N));
  });

  test("are as many as there are different rows, where those are few, dense or sparse", () => {
    const data = Float64Array.of(1, 0, 0, 1, 1, 0, 2, 0);
    const { count, foldOf } = dealContents({ rows: 4, columns: 2, data }, 5, 0, undefined);
    expect([count, foldOf[0] === foldOf[2], new Set(foldOf).size]).toEqual([3, true, 3]);
    const sparse = { rows: 4, columns: 2, rowPointers: Int32Array.of(0, 1, 2, 4, 5) };
    const columnIndices = Int32Array.of(0, 1, 1, 0, 0);
    const values = Float64Array.of(1, 1, 0, 1, 2);
    expect(dealContents({ ...sparse, columnIndices, values }, 5, 0, undefined).foldOf).toEqual(foldOf);
  });
});
