import type { SparseMatrix } from "@curvature/linalg";
import { linearLoss } from "@curvature/objectives/linear";
import { runSync } from "@curvature/optim-core";
import {
  createStochasticSolver,
  type LabeledRows,
  LinearClassifier,
  LinearRegressor,
} from "@curvature/optim-sgdqn";
import { expect, test } from "vitest";
import { fixture, noisyHalves, sparseOf } from "../helpers/rows.js";

const growing = ["sgd", "svmsgd2", "sgdqn", "sgdqn-2009", "asgd"] as const;
const online = [...growing, "olbfgs"] as const;

function part(
  { rows: n, columns, rowPointers, columnIndices, values }: SparseMatrix,
  from: number,
  to: number,
) {
  const end = Math.min(to, n);
  return {
    rows: end - from,
    columns,
    rowPointers: rowPointers.slice(from, end + 1).map((p) => p - rowPointers[from]),
    columnIndices: columnIndices.slice(rowPointers[from], rowPointers[end]),
    values: values.slice(rowPointers[from], rowPointers[end]),
  };
}

function* batches(rows: SparseMatrix, labels: Float64Array, size: number): Generator<LabeledRows> {
  for (let from = 0; from < rows.rows; from += size)
    yield {
      rows: part(rows, from, from + size),
      labels: labels.subarray(from, Math.min(from + size, rows.rows)),
    };
}

const spam = fixture("spam", "train");
const spamTest = fixture("spam", "test");

test.each(growing)("%s: partialFit on all rows is one pass of the solver, bit for bit", async (solver) => {
  const model = new LinearClassifier({ solver, lambda: 1e-3, shuffle: false, scale: "none" });
  await model.partialFit(spam.rows, spam.labels);
  const problem = {
    rows: spam.rows,
    targets: spam.labels,
    loss: linearLoss("logistic"),
    lambda: 1e-3,
    bias: "free",
  } as const;
  const { last } = runSync(
    createStochasticSolver(problem, { solver, maxPasses: 1, shuffle: false, step: "implicit" }),
  );
  expect(model.fitted?.parameters).toEqual(last);
});

test("calls of partialFit count in their order, whether or not each is awaited", async () => {
  const [awaited, called] = [0, 1].map(() => new LinearClassifier({ lambda: 1e-3 }));
  const all = [...batches(spam.rows, Float64Array.from(spam.labels), 300)];
  for (const batch of all) await awaited.partialFit(batch.rows, batch.labels);
  await Promise.all(all.map((batch) => called.partialFit(batch.rows, batch.labels)));
  expect(called.fitted).toEqual(awaited.fitted);
});

test("partialFit on all rows is what fit does in one pass, where that takes implicit steps too", async () => {
  for (const solver of growing) {
    const options = { solver, lambda: 1e-3, shuffle: false } as const;
    const [called, fitted] = [
      new LinearClassifier(options),
      new LinearClassifier({ ...options, maxPasses: 1 }),
    ];
    await called.partialFit(spam.rows, spam.labels);
    await fitted.fit(spam.rows, spam.labels);
    // A stream is not kept, so that its model knows neither its rows nor its standard errors.
    expect({ ...called.fitted, training: fitted.fitted?.training }).toEqual(fitted.fitted);
    const resumable = new LinearClassifier({ ...options, maxPasses: 2 });
    await resumable.partialFit(spam.rows, spam.labels);
    expect(resumable.fitted).toEqual(called.fitted);
  }
});

test("a resumed stream may have other limits", async () => {
  const some = part(spam.rows, 0, 300);
  const labels = spam.labels.subarray(0, 300);
  const source = () => batches(some, labels, 50);
  const saved: Uint8Array[] = [];
  await new LinearClassifier({ lambda: 0.01 }).fitStream(source, {
    checkpoint: { write: (bytes) => void saved.push(bytes), everyIterations: 4 },
  });
  const longer = new LinearClassifier({ lambda: 0.01, maxPasses: 2 });
  const { x } = await longer.fitStream(source, { resume: saved[0] });
  const whole = await new LinearClassifier({ lambda: 0.01, maxPasses: 2 }).fitStream(source);
  expect(x).toEqual(whole.x);
});

test.each(online)("%s: batches continue each other, bit for bit", async (solver) => {
  // The first batch decides t0 and skip, so that both ways begin with the same one.
  const options = { solver, lambda: 1e-3, shuffle: false, t0: 1e5 } as const;
  const some = part(spam.rows, 0, 900);
  const labels = spam.labels.subarray(0, 900);
  const called = new LinearClassifier(options);
  for (const batch of batches(some, labels, 300)) await called.partialFit(batch.rows, batch.labels);
  const streamed = new LinearClassifier(options);
  const result = await streamed.fitStream(batches(some, labels, 300));
  expect(streamed.fitted).toEqual(called.fitted);
  expect(result.x).toEqual(called.fitted?.parameters);
  expect(result.status).toBe("max-iterations");
  expect(result.passes).toBe(1);
  expect(result.t0).toBe(1e5);
});

test("one pass over a stream of spam comes near the error of the optimum", async () => {
  const model = new LinearClassifier({ lambda: 1e-3, classes: [-1, 1] });
  const { lambda, warnings } = await model.fitStream(batches(spam.rows, spam.labels, 100));
  // The optimum of λ = 1e-3 has 5 to 6 % on these 1000 rows, saying "no spam" to all 39 %.
  expect(model.score(spamTest.rows, spamTest.labels)).toBeGreaterThan(0.92);
  expect(lambda).toBe(1e-3);
  expect(warnings).toEqual([]);
});

test("several passes over a stream that opens anew", async () => {
  const labels = spam.labels;
  let opened = 0;
  const source = () => {
    opened++;
    return batches(spam.rows, labels, 1000);
  };
  const model = new LinearClassifier({ lambda: 1e-3, maxPasses: 3 });
  const { passes, iterations } = await model.fitStream(source);
  expect([opened, passes, iterations]).toEqual([3, 3, 3 * 4 + 3]);
  await expect(
    new LinearClassifier({ maxPasses: 2 }).fitStream(batches(spam.rows, labels, 9)),
  ).rejects.toThrowError("give a function that opens the stream anew");
});

test.each(growing)("%s: it makes no difference when room for a feature is made", async (solver) => {
  const { rows, targets } = noisyHalves(200, 30, { density: 0.3, seed: 3 });
  // Until row 80 only the first 5 features, until 150 the first 9.
  const limit = (i: number) => (i < 80 ? 5 : i < 150 ? 9 : 30);
  const data = rows.data.map((x, k) => (k % 30 < limit(Math.floor(k / 30)) ? x : 0));
  const all = sparseOf({ ...rows, data });
  const trained = async (columns: readonly number[]) => {
    const model = new LinearClassifier({
      solver,
      lambda: 0.01,
      shuffle: false,
      t0: 500,
      bias: "regularized",
    });
    for (const [k, from] of [0, 80, 150].entries()) {
      const to = [80, 150, 200][k];
      await model.partialFit({ ...part(all, from, to), columns: columns[k] }, targets.subarray(from, to));
    }
    return model.fitted;
  };
  const late = await trained([5, 9, 30]);
  expect(await trained([5, 30, 30])).toEqual(late);
  expect(await trained([5, 10, 30])).toEqual(late);
  if (solver === "sgd") expect(await trained([30, 30, 30])).toEqual(late); // no skip or average to depend on d
  const early = await trained([5, 900, 900]);
  expect(early?.parameters.subarray(0, 30)).toEqual(late?.parameters.subarray(0, 30));
  expect(early?.parameters.subarray(30, 900).every((w) => w === 0)).toBe(true);
});

test("the parameters grow with the columns", async () => {
  const model = new LinearClassifier({ lambda: 0.1, solver: "sgdqn", shuffle: false });
  await model.partialFit([[1], [-1]], ["a", "b"]);
  expect([model.features, model.coefficients.columns]).toEqual([1, 1]);
  await model.partialFit([[0, 0, 0, 0, 2]], ["b"]);
  expect(model.features).toBe(5);
  expect(model.coefficients.data[4]).toBeGreaterThan(0);
  expect([...model.coefficients.data.subarray(1, 4)]).toEqual([0, 0, 0]);
  await model.partialFit([[3]], ["a"]);
  expect(model.features).toBe(5);
});

test("olbfgs takes no new features", async () => {
  const model = new LinearClassifier({ solver: "olbfgs", lambda: 0.1 });
  const rows = Array.from({ length: 40 }, (_, i) => [i]);
  await model.partialFit(
    rows,
    rows.map(([x]) => x % 2),
  );
  await expect(model.partialFit([[1, 2, 3]], [0])).rejects.toThrowError("takes no new features");
});

test("a stream's state does not grow with its length", async () => {
  const model = new LinearClassifier({ lambda: 0.01 });
  let largest = 0;
  const sizes: number[] = [];
  function* endless(): Generator<LabeledRows> {
    for (let k = 0; k < 400; k++) {
      largest = Math.max(largest, k);
      yield {
        rows: [
          [Math.sin(k), 1],
          [Math.cos(k), -1],
        ],
        labels: [0, 1],
      };
    }
  }
  await model.fitStream(endless(), {
    checkpoint: { everyIterations: 100, write: (bytes) => void sizes.push(bytes.length) },
  });
  expect(largest).toBe(399);
  expect(sizes.length).toBeGreaterThan(4);
  const before = sizes.slice(0, -1); // the last one also tells how it ended
  expect(Math.max(...before) - Math.min(...before)).toBeLessThan(100); // counters get digits
});

test.each(online)(
  "%s: a stream that was interrupted ends where it would have, bit for bit",
  async (solver) => {
    const options = { solver, lambda: 0.01, maxPasses: 2 } as const;
    const some = part(spam.rows, 0, 300);
    const labels = spam.labels.subarray(0, 300);
    const source = () => batches(some, labels, 50);
    const whole = new LinearClassifier(options);
    const expected = await whole.fitStream(source);
    for (const cut of [1, 4, 7, 9]) {
      const saved: Uint8Array[] = [];
      await new LinearClassifier(options).fitStream(source, {
        onIteration: ({ index }) => index < cut,
        checkpoint: { write: (bytes) => void saved.push(bytes) },
      });
      const model = new LinearClassifier(options);
      const { x, passes } = await model.fitStream(source, { resume: saved[saved.length - 1] });
      expect([x, passes]).toEqual([expected.x, expected.passes]);
      expect(model.fitted).toEqual(whole.fitted);
    }
  },
);

test("a checkpoint of a longer stream, or of other options, is refused", async () => {
  const saved: Uint8Array[] = [];
  const some = part(spam.rows, 0, 300);
  const labels = spam.labels.subarray(0, 300);
  await new LinearClassifier({ lambda: 0.01 }).fitStream(batches(some, labels, 50), {
    onIteration: ({ index }) => index < 5,
    checkpoint: { write: (bytes) => void saved.push(bytes) },
  });
  const resume = saved[saved.length - 1];
  await expect(
    new LinearClassifier({ lambda: 0.01 }).fitStream(batches(some, labels, 200), { resume }),
  ).rejects.toThrowError("The stream has 2 batches; the checkpoint was written after 5");
  await expect(
    new LinearClassifier({ lambda: 0.02 }).fitStream(batches(some, labels, 50), { resume }),
  ).rejects.toThrowError("another fingerprint");
});

test("asynchronous streams are read and closed, also when training ends early", async () => {
  let closed = 0;
  async function* source(): AsyncGenerator<LabeledRows> {
    try {
      for (let k = 0; ; k++) yield { rows: [[k % 3], [-1]], labels: ["yes", "no"] };
    } finally {
      closed++;
    }
  }
  const model = new LinearClassifier({ lambda: 0.1 });
  const aborted = await model.fitStream(source(), { onIteration: ({ index }) => index < 20 });
  expect([aborted.status, closed, aborted.iterations]).toEqual(["aborted", 1, 20]);
  expect(model.predict([[2], [-1]])).toEqual(["yes", "no"]);
  async function* broken(): AsyncGenerator<LabeledRows> {
    yield { rows: [[1], [2]], labels: [0, 1] };
    throw new Error("the disk is gone");
  }
  await expect(new LinearClassifier().fitStream(broken())).rejects.toThrowError("the disk is gone");
});

test("regression: a stream of a linear function is learned", async () => {
  const { rows, scores } = noisyHalves(4000, 5, { noise: 0 });
  const model = new LinearRegressor({ lambda: 1e-6 });
  function* source() {
    for (let from = 0; from < 4000; from += 500)
      yield {
        rows: { rows: 500, columns: 5, data: rows.data.subarray(5 * from, 5 * (from + 500)) },
        targets: scores.subarray(from, from + 500),
      };
  }
  await model.fitStream(source());
  expect(model.score(rows, scores)).toBeGreaterThan(0.95);
  const one = new LinearRegressor({ lambda: 1e-6, shuffle: false });
  await one.partialFit(rows, scores);
  expect(one.score(rows, scores)).toBeGreaterThan(0.95);
});

test("row weights count as repetitions do, class weights as weights", async () => {
  const rows = [
    [1, 0],
    [0, 1],
    [1, 1],
  ];
  const options = { lambda: 0.1, t0: 50, solver: "svmsgd2", shuffle: false } as const;
  const byClass = new LinearClassifier({ ...options, classWeights: { b: 3 } });
  await byClass.partialFit(rows, ["a", "b", "b"]);
  const plain = new LinearClassifier(options);
  await plain.partialFit(rows, ["a", "b", "b"]);
  expect(byClass.intercepts[0]).toBeGreaterThan(plain.intercepts[0]);
});

test("more than two classes learn side by side", async () => {
  const pen = fixture("pendigits", "train");
  const model = new LinearClassifier({ scale: "unit-rows", lambda: 1e-4 });
  for (let pass = 0; pass < 2; pass++) await model.partialFit(pen.rows, pen.labels);
  const checked = fixture("pendigits", "test");
  expect(model.classes).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(model.score(checked.rows, checked.labels)).toBeGreaterThan(0.75);
});
