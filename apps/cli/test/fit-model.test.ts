/** A model of `curvature fit`: fitted, saved, used on other rows, and measured there. */
import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { eventsOf, isOneSentence, rowsOf, workplace } from "./cli.js";
import { reportIn, writeDigits } from "./fit-cases.js";

const place = workplace();

/** Three kinds of fruit by size, a word, and a weight in units of thousands; `price` is a number with fractions. */
function fruits(rows: number, columns: readonly string[], seed: number): string {
  let state = seed;
  const uniform = (): number => {
    state = (state * 48271) % 2147483647;
    return state / 2147483647;
  };
  const lines = Array.from({ length: rows }, (_, i) => {
    const kind = i % 3;
    const size = 3 + 2 * kind + uniform();
    const weight = 50_000 + 9000 * kind + 3000 * uniform();
    const row: Record<string, string | number> = {
      size,
      colour: ["red", "green", "yellow"][(kind + Number(uniform() < 0.1)) % 3],
      weight,
      kind: ["apple", "lime", "pear"][kind],
      sweet: ["no", "yes"][Number(size > 5)],
      price: 1000 + 20 * size + 0.01 * (weight - 50_000) + uniform(),
    };
    return columns.map((name) => row[name]).join(",");
  });
  return `${[columns.join(","), ...lines].join("\n")}\n`;
}

const inputs = ["size", "colour", "weight"] as const;

beforeAll(() => {
  for (const label of ["kind", "sweet", "price"] as const) {
    place().write(`${label}.csv`, fruits(120, [...inputs, label], 1));
    place().write(`${label}-later.csv`, fruits(60, [label, "weight", "colour", "size"], 7));
  }
});

const fit = (file: string, label: string, ...words: string[]) =>
  place().run(["fit", file, "--labels", label, "--words", "one-hot", "--quiet", ...words]);

/** A perceptron with a layer of so many units. */
const mlp = (units?: number): string[] => [
  "--objective",
  "mlp",
  ...(units === undefined ? [] : ["--hidden", String(units)]),
];

const cells = (csv: string): string[][] => rowsOf(csv).map((line) => line.split(","));

/** What `curvature predict` writes, its header first. */
const predicted = async (model: string, file: string, ...words: string[]): Promise<string[][]> =>
  cells((await place().run(["predict", model, file, ...words, "--quiet"])).stdout);

/** The figures of `curvature evaluate`. */
const evaluated = async (model: string, file: string): Promise<Record<string, number>> =>
  JSON.parse((await place().run(["evaluate", model, file, "--report", "-", "--quiet"])).stdout).metrics;

describe.concurrent("fitted, saved, used and measured", () => {
  test.each([
    ["mlp", "kind", ["--hidden", "6", "--activation", "rectified-linear"]],
    ["softmax", "kind", []],
    ["logistic", "sweet", []],
    ["mlp", "sweet", ["--hidden", "4"]],
  ] as const)("%s of %s: columns by name, in whatever order", async (objective, label, words) => {
    const model = `${objective}-${label}.json`;
    const report = `${objective}-${label}-report.json`;
    const outputs = ["--model", model, "--report", report, "--test", `${label}-later.csv`];
    expect(await fit(`${label}.csv`, label, "--objective", objective, ...words, ...outputs)).toMatchObject({
      stdout: "",
      stderr: "",
    });
    const { metrics } = reportIn(place(), report);
    expect(metrics).toMatchObject({ trainingRows: 120, testRows: 60 });
    expect(metrics.trainingError).toBeLessThan(0.05);
    const measured = await evaluated(model, `${label}-later.csv`);
    expect(measured).toMatchObject({
      kind: "classification",
      rows: 60,
      error: Reflect.get(metrics, "testError"),
    });
    expect(measured.logLoss).toBe(Reflect.get(metrics, "testLogLoss"));
    expect(measured.error).toBeLessThan(0.1);

    const beside = ["--probabilities", "--scores", "--keep", label];
    const [header, ...rows] = await predicted(model, `${label}-later.csv`, ...beside);
    const classes = label === "kind" ? ["apple", "lime", "pear"] : ["no", "yes"];
    const scores = classes.length === 2 ? ["score"] : classes.map((name) => `score_${name}`);
    expect(new Set(header)).toEqual(
      new Set([label, "label", ...scores, ...classes.map((name) => `probability_${name}`)]),
    );
    const at = (name: string): number => header.indexOf(name);
    let wrong = 0;
    let loss = 0;
    for (const row of rows) {
      const shares = classes.map((name) => Number(row[at(`probability_${name}`)]));
      expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 12);
      expect(row[at("label")]).toBe(classes[shares.indexOf(Math.max(...shares))]);
      wrong += Number(row[at("label")] !== row[at(label)]);
      loss -= Math.log(shares[classes.indexOf(row[at(label)])]);
    }
    expect(wrong / 60).toBeCloseTo(measured.error, 12);
    expect(loss / 60).toBeCloseTo(measured.logLoss, 12);
  });

  test("numbers: by the labels, in their own unit, or as --loss says", async () => {
    const outputs = ["--model", "price.json", "--report", "price-report.json", "--test", "0.25"];
    const ended = await fit("price.csv", "price", ...mlp(5), ...outputs);
    expect(ended).toMatchObject({ stdout: "", stderr: "" });
    const { input, metrics } = reportIn(place(), "price-report.json");
    expect(input).toMatchObject({ classes: null, rows: 120 });
    expect(metrics).toMatchObject({ trainingRows: 90, testRows: 30 });
    expect(Reflect.get(metrics, "testR2")).toBeGreaterThan(0.98);
    const [header, ...rows] = await predicted("price.json", "price-later.csv", "--keep", "price");
    expect(header).toEqual(["price", "prediction"]);
    const squares = rows.reduce((sum, [truth, guess]) => sum + (Number(truth) - Number(guess)) ** 2, 0);
    const figures = await evaluated("price.json", "price-later.csv");
    expect(figures.rootMeanSquaredError).toBeCloseTo(Math.sqrt(squares / 60), 9);
    expect(figures.r2).toBeGreaterThan(0.98);
    // Another unit of the target is another unit of the predictions, and nothing else.
    const inCents = rowsOf(place().read("price.csv")).map((line, k) => {
      const [size, colour, weight, price] = line.split(",");
      return [size, colour, weight, k === 0 ? price : String(1024 * Number(price))].join(",");
    });
    place().write("cents.csv", `${inCents.join("\n")}\n`);
    await fit("cents.csv", "price", ...mlp(5), "--test", "0.25", "--model", "cents.json");
    for (const [k, [prediction]] of (await predicted("cents.json", "price-later.csv")).slice(1).entries())
      expect(Number(prediction) / 1024).toBeCloseTo(Number(rows[k][1]), 6);

    const once = ["--loss", "logistic", "--max-passes", "1", "--report", "as-classes.json"];
    await fit("price.csv", "price", ...mlp(), ...once);
    expect(reportIn(place(), "as-classes.json").input).toMatchObject({ classes: 120 });
    const few = rowsOf(place().read("kind.csv")).map((line) =>
      line.replace("apple", "1").replace("lime", "2").replace("pear", "4"),
    );
    place().write("few.csv", `${few.join("\n")}\n`);
    await fit("few.csv", "kind", ...mlp(), "--loss", "squared-error", "--report", "as-numbers.json");
    expect(Reflect.get(reportIn(place(), "as-numbers.json").metrics, "trainingR2")).toBeGreaterThan(0.9);
  });

  test("rows held out stop a network of numbers early, and others test it", async () => {
    const words = [...mlp(5), "--validation", "price-later.csv", "--test", "0.25"];
    const outputs = ["--model", "stopped.json", "--report", "stopped-report.json"];
    await fit("price.csv", "price", ...words, ...outputs);
    const { metrics } = reportIn(place(), "stopped-report.json");
    expect(metrics).toMatchObject({ trainingRows: 90, testRows: 30, validationRows: 60 });
    const { r2, rootMeanSquaredError } = await evaluated("stopped.json", "price-later.csv");
    expect(metrics).toMatchObject({ validationR2: r2, validationRootMeanSquaredError: rootMeanSquaredError });
    // The loss is the mean square of what is off, in deviations of the targets that are fitted.
    const { targets } = JSON.parse(place().read("stopped.json"));
    const loss = (rootMeanSquaredError / targets.deviation) ** 2;
    expect(Number(metrics.validationLoss) / loss).toBeCloseTo(1, 9);
  });

  test("the parameters of --out and of the model are the same, and compute the model's outputs", async () => {
    const outputs = ["--model", "both.json", "--out", "both.npy"];
    await fit("price.csv", "price", ...mlp(3), ...outputs, "--columns", "size,weight");
    const { data, shape, targets, scaling, preparation } = JSON.parse(place().read("both.json"));
    expect({ scaling, columns: preparation.columns.map(({ name }: { name: string }) => name) }).toEqual({
      scaling: "standard",
      columns: ["size", "weight"],
    });
    const bytes = Buffer.from(data.join(""), "base64");
    const numbers = Array.from({ length: bytes.length / 8 }, (_, k) => bytes.readDoubleLE(8 * k));
    const npy = readFileSync(place().path("both.npy"));
    const parameters = Array.from({ length: 13 }, (_, k) => npy.readDoubleLE(npy.length - 8 * 13 + 8 * k));
    expect(numbers.slice(0, 13)).toEqual(parameters);
    expect(shape.layout.map(({ name }: { name: string }) => name)).toEqual([
      "weights 1",
      "biases 1",
      "weights 2",
      "biases 2",
    ]);
    const [, ...rows] = await predicted("both.json", "price.csv", "--keep", "size,weight");
    for (const [size, weight, prediction] of rows.map((row) => row.map(Number))) {
      const [a, b] = [size, weight].map((x, j) => (x - numbers[13 + j]) / numbers[15 + j]);
      let u = parameters[12];
      for (let k = 0; k < 3; k++)
        u +=
          parameters[9 + k] *
          Math.tanh(parameters[2 * k] * a + parameters[2 * k + 1] * b + parameters[6 + k]);
      expect(targets.mean + targets.deviation * u).toBeCloseTo(prediction, 9);
    }
  });

  test("autoencoders give codes, ica sources", async () => {
    const columns = ["--columns", "size,weight", "--quiet"];
    const code = ["--objective", "autoencoder", "--hidden", "2", "--decoder", "linear"];
    for (const [objective, model] of [
      [code, "code.json"],
      [["--objective", "ica"], "ica.json"],
    ] as const)
      await place().run([
        "fit",
        "price.csv",
        ...columns,
        ...objective,
        "--scale",
        "standard",
        "--model",
        model,
      ]);
    const codes = await predicted("code.json", "price-later.csv", "--keep", "price");
    expect(codes[0]).toEqual(["price", "code_1", "code_2"]);
    expect(codes).toHaveLength(61);
    expect((await predicted("ica.json", "price-later.csv"))[0]).toEqual(["source_1", "source_2"]);
    const refused = await place().run(["evaluate", "ica.json", "price-later.csv", "--labels", "price"]);
    expect(refused).toMatchObject({ code: 64, stdout: "" });
    expect(refused.stderr).toMatch(/predicts no labels/);
  });

  test("--initial goes on from a model, and from numbers", async () => {
    const words = [...mlp(4), "--max-passes", "5"];
    const outputs = ["--model", "first.json", "--out", "first.csv", "--report", "first-report.json"];
    await fit("kind.csv", "kind", ...words, ...outputs);
    const { result } = reportIn(place(), "first-report.json");
    for (const initial of ["first.json", "first.csv"]) {
      const again = ["--initial", initial, "--report", "second-report.json"];
      const ended = await fit("kind.csv", "kind", ...words, ...again);
      expect(ended.stderr).toBe("");
      const { metrics, result: second } = reportIn(place(), "second-report.json");
      expect(metrics.initialValue).toBeCloseTo(result.value, 9);
      expect(second.value).toBeLessThan(result.value);
    }
  });
});

test("LIBSVM text: features by their index, whatever the later rows leave out", async () => {
  const line = (i: number): string =>
    `${i % 2 === 0 ? "+1" : "-1"} 0:${(i % 5) + 1} 1:${(i % 2) + (i % 7) / 10} 3:${(i * i) % 11}`;
  place().write("known.svm", `${Array.from({ length: 60 }, (_, i) => line(i)).join("\n")}\n`);
  // The same rows, with and without an index 0 and the last feature.
  place().write("full.svm", "+1 0:0 1:1.5 3:0\n-1 0:0 1:0.25 3:0\n");
  place().write("short.svm", "+1 1:1.5\n-1 1:0.25\n");
  const words = [...mlp(3), "--test", "full.svm", "--model", "svm.json", "--quiet"];
  expect(await place().run(["fit", "known.svm", ...words])).toMatchObject({ stderr: "", stdout: "" });
  const [full, short] = await Promise.all(
    ["full.svm", "short.svm"].map((file) =>
      place().run(["predict", "svm.json", file, "--probabilities", "--quiet"]),
    ),
  );
  expect(short).toMatchObject({ stderr: "", code: 0 });
  expect(short.stdout).toBe(full.stdout);
});

test("the README's network, trained, saved and used", async () => {
  const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
  const [, script = ""] =
    /^### A network trained, saved and used\n\n```sh\n([\s\S]*?)^```/m.exec(readme) ?? [];
  const withIds = (csv: string): string =>
    `${rowsOf(csv)
      .map((line, k) => `${k === 0 ? "id" : 100 + k},${line}`)
      .join("\n")}\n`;
  place().write("houses.csv", withIds(fruits(150, ["size", "weight", "price"], 3)));
  place().write("later.csv", withIds(fruits(40, ["price", "weight", "size"], 5)));
  const lines = script.trim().split("\n");
  expect(lines).toHaveLength(3);
  for (const line of lines) {
    const [program, ...words] = line.split(" ");
    expect(program).toBe("curvature");
    const ended = await place().run([...words, "--quiet"]);
    expect(ended.stderr).toBe("");
    if (words[0] === "evaluate") expect(ended.stdout).toMatch(/^R² +(0\.9|1\.0)/m);
  }
  expect(cells(place().read("prices.csv"))[0]).toEqual(["id", "prediction"]);
});

test("a convnet's model, its pixels rescaled alike", async () => {
  await writeDigits(place());
  const words = "--labels digit --objective convnet --hidden 3,8 --filter 3 --max-passes 5".split(" ");
  const outputs = ["--model", "conv.json", "--report", "conv-report.json", "--quiet"];
  await place().run(["fit", "digits300.csv", ...words, ...outputs]);
  const { trainingError } = reportIn(place(), "conv-report.json").metrics;
  expect(trainingError).toBeLessThan(0.4);
  expect((await evaluated("conv.json", "digits300.csv")).error).toBe(trainingError);
  const { data } = JSON.parse(place().read("conv.json"));
  const bytes = Buffer.from(data.join(""), "base64");
  const scales = new Set(
    Array.from({ length: 64 }, (_, k) => bytes.readDoubleLE(bytes.length - 8 * (64 - k))),
  );
  expect(scales.size).toBe(1);
});

test("columns of thousands are standardised unless --scale says otherwise, and a note says so", async () => {
  const words = ["--labels", "kind", "--ignore", "colour", "--objective", "mlp", "--json"];
  const [usual, raw] = await Promise.all(
    ["auto", "none"].map((scale) =>
      place().run(["fit", "kind.csv", ...words, "--scale", scale, "--report", `${scale}.json`]),
    ),
  );
  const isSaid = ({ stderr }: { readonly stderr: string }): boolean =>
    eventsOf(stderr).some(({ message }) => /standardised.*--scale none/.test(String(message)));
  expect([isSaid(usual), isSaid(raw)]).toEqual([true, false]);
  expect(reportIn(place(), "auto.json").options).toMatchObject({ scale: "standard" });
  expect(reportIn(place(), "auto.json").metrics.trainingError).toBe(0);
  expect(reportIn(place(), "none.json").metrics.trainingError).toBeGreaterThan(0.1);
});

describe("what cannot be is one sentence", () => {
  beforeAll(async () => {
    await fit("kind.csv", "kind", ...mlp(2), "--max-passes", "1", "--model", "net.json");
    const linear = ["--labels", "kind", "--words", "one-hot", "--model", "linear.json", "--quiet"];
    await place().run(["train", "kind.csv", ...linear]);
    const text = place().read("net.json");
    place().write("cut.json", text.slice(0, -40));
    place().write("changed.json", text.replace('"apple"', '"grape"'));
    place().write("indented.json", JSON.stringify(JSON.parse(text), null, 2));
    place().write("newer.json", text.replace('"version":1', '"version":9'));
    place().write("without.csv", fruits(9, ["size", "colour", "kind"], 1));
    place().write("five.csv", "1\n2\n3\n4\n5\n");
  });
  const inside = "kind.csv --labels kind --words one-hot --objective";
  test.each<readonly [number, RegExp, string]>([
    [65, /lacks.* "weight", which the model was fitted on/, "predict net.json without.csv"],
    [65, /cut\.json: The model file does not agree with its checksum/, "predict cut.json kind.csv"],
    [65, /changed\.json: The model file does not agree with its checksum/, "evaluate changed.json kind.csv"],
    [
      65,
      /indented\.json: The model file was formatted anew or edited, .* Take the file of a trained model as it was written, or train the model again\./,
      "predict indented.json kind.csv",
    ],
    [65, /newer\.json: .*version 9; .*version 1/, "predict newer.json kind.csv"],
    [
      64,
      /--weights is for linear models; net\.json is one of curvature fit/,
      "inspect net.json --weights w.json",
    ],
    [64, /--costs needs|is for models of two classes/, "predict net.json kind.csv --costs fp=1,fn=2"],
    [
      65,
      /five\.csv has 5 parameters, and mlp has 21 \(weights 1: 2 x 5/,
      `fit ${inside} mlp --hidden 2 --initial five.csv`,
    ],
    [65, /net\.json has 21 parameters, and mlp has 39/, `fit ${inside} mlp --hidden 4 --initial net.json`],
    [65, /other layers/, `fit ${inside} mlp --hidden 2 --activation sigmoid --initial net.json`],
    [65, /linear\.json is a model of another command/, `fit ${inside} mlp --initial linear.json`],
    [64, /--activation is for --objective mlp/, `fit ${inside} softmax --activation tanh`],
    [64, /--loss is for --formula and for --objective mlp/, `fit ${inside} softmax --loss squared-error`],
    [64, /--loss huber is for --formula/, `fit ${inside} mlp --loss huber`],
    [64, /--loss logistic is for --objective mlp/, "fit kind.csv --formula weight~a*size --loss logistic"],
    [65, /"apple", but regression needs numbers/, `fit ${inside} mlp --loss squared-error`],
    [64, /an Ising model computes nothing of new rows/, "fit kind.csv --objective ising --model x.json"],
    [
      64,
      /--test measures predictions of labels, which ica does not make/,
      "fit kind.csv --objective ica --test 0.2",
    ],
    [64, /--test is for objectives made from data/, "fit --module x.mjs --test 0.2"],
    [65, /leaves 0 to train|to test on/, `fit ${inside} mlp --test 0.0001`],
  ])("%i %s", async (code, sentence, words) => {
    const ended = await place().run(words.split(" "));
    expect(ended.stderr).toMatch(sentence);
    expect(isOneSentence(ended.stderr)).toBe(true);
    expect(ended).toMatchObject({ code, stdout: "" });
  });
});

test("--initial is of the columns that it was fitted to, in their order and scale", async () => {
  await fit("price.csv", "price", ...mlp(2), "--max-passes", "1", "--model", "begun.json");
  place().write("moved.csv", fruits(120, ["weight", "size", "colour", "price"], 1));
  const words = [...mlp(2), "--initial", "begun.json"];
  const moved = await fit("moved.csv", "price", ...words);
  expect(moved.code).toBe(65);
  expect(moved.stderr).toContain('begun.json has "size" as its column 1, where the data have "weight".');
  const unscaled = await fit("price.csv", "price", ...words, "--scale", "none");
  expect(unscaled.code).toBe(65);
  expect(unscaled.stderr).toContain("was fitted to columns rescaled (standard), and these are as they are.");
});

test("inspect says what a network computes", async () => {
  await fit("price.csv", "price", ...mlp(4), "--max-passes", "1", "--model", "said.json");
  const { stdout, code } = await place().run(["inspect", "said.json"]);
  expect(code).toBe(0);
  expect(rowsOf(stdout).map((line) => line.replace(/ +/g, " "))).toEqual([
    'said.json: a multilayer perceptron of "price"',
    " inputs 5, standardised columns: size, colour=green, colour=red, colour=yellow, weight",
    " layer 1 5 to 4, tanh",
    " layer 2 4 to 1, linear",
    " outputs as they are",
    expect.stringMatching(/^ numbers mean [\d.,]+, deviation [\d.]+ in the fit$/),
    " parameters 29",
  ]);
  const { stdout: json } = await place().run(["inspect", "said.json", "--json"]);
  expect(JSON.parse(json)).toMatchObject({ objective: "mlp", inputs: 5, parameters: 29 });
});

test("a table without names has its labels where the fit had them", async () => {
  const lines = (rows: number): string[] => rowsOf(fruits(rows, ["kind", "size", "weight"], 4)).slice(1);
  place().write("nameless.csv", `${lines(60).join("\n")}\n`);
  await place().run([
    "fit",
    "nameless.csv",
    "--labels",
    "0",
    ...mlp(4),
    "--model",
    "nameless.json",
    "--quiet",
  ]);
  const { stdout, code, stderr } = await place().run(["evaluate", "nameless.json", "nameless.csv"]);
  expect(code, stderr).toBe(0);
  expect(stdout).toMatch(/^rows +60\nerror +0\.00 %/);
  const [, ...labels] = await predicted("nameless.json", "nameless.csv");
  place().write(
    "features.csv",
    `${lines(60)
      .map((line) => line.replace(/^\w+,/, ""))
      .join("\n")}\n`,
  );
  const [, ...alone] = await predicted("nameless.json", "features.csv");
  expect(alone).toEqual(labels);
});

test("a feature may be kept beside the predictions", async () => {
  await fit("kind.csv", "kind", "--objective", "softmax", "--model", "kept.json");
  const kept = await predicted("kept.json", "kind-later.csv", "--keep", "size");
  const plain = await predicted("kept.json", "kind-later.csv");
  expect(kept[0]).toEqual(["size", "label"]);
  expect(kept.map(([, label]) => label)).toEqual(plain.map(([label]) => label));
});

test("an autoencoder of rows beyond 0 and 1 has a linear decoder, and many numbers as classes are noted", async () => {
  const words = "--columns size,weight --scale standard --objective autoencoder --hidden 2".split(" ");
  const outputs = ["--contraction", "0", "--max-passes", "60", "--report", "decoder.json", "--quiet"];
  await place().run(["fit", "price.csv", ...words, ...outputs]);
  const { result, metrics } = reportIn(place(), "decoder.json");
  expect(result.value).toBeLessThan(0.1 * Number(metrics.initialValue));
  place().write(
    "counts.csv",
    `x,n\n${Array.from({ length: 90 }, (_, i) => `${(i * 7) % 13},${i % 15}`).join("\n")}\n`,
  );
  const counted = await place().run(["fit", "counts.csv", "--labels", "n", ...mlp(), "--max-passes", "1"]);
  expect(counted.stderr).toContain(
    "The 15 different numbers in the labels are taken for classes; --loss squared-error predicts numbers.",
  );
});
