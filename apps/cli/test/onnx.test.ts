/** `curvature inspect --onnx`: what ONNX Runtime predicts with the file is what `curvature predict` does, row by row. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { readTable } from "@curvature/datasets";
import { applyPreparation } from "@curvature/linalg/tables";
import { expect, test } from "vitest";
import { metadataOf, runOnnx } from "../../../test/onnx-runtime.ts";
import { isOneSentence, workplace } from "./cli.js";
import { linesOf } from "./linear-rows.js";

const place = workplace();

const fixture = (name: "iris.csv" | "penguins.csv"): string =>
  readFileSync(
    resolve(import.meta.dirname, "../../../packages/optim-sgdqn/test/fixtures/linear", name),
    "utf8",
  );

const tables = {
  iris: () => fixture("iris.csv"),
  /** With words for the sexes, and gaps. */
  penguins: () => {
    const [, ...lines] = linesOf(fixture("penguins.csv"));
    const rows = lines.map((line, i) => {
      const [bill, depth, flipper, mass, male, label] = line.split(",");
      return [bill, i % 13 === 0 ? "" : depth, flipper, mass, male === "1" ? "male" : "female", label].join(
        ",",
      );
    });
    return `bill,depth,flipper,mass,sex,label\n${rows.join("\n")}\n`;
  },
  /** Deliveries by the second. */
  deliveries: () => {
    const lines = Array.from({ length: 150 }, (_, i) => {
      const kilometres = (i * 37) % 101;
      return `${1.7e9 + 977 * i},${kilometres},${kilometres > 60 - i / 5 ? "yes" : "no"}`;
    });
    return `time,kilometres,late\n${lines.join("\n")}\n`;
  },
};

/** The rows of a table as the model wants them, which is the user's part. */
async function preparedRows(model: string, text: string): Promise<number[][]> {
  const { preparation } = JSON.parse(place().read(model));
  const { points } = applyPreparation(preparation, await readTable(text));
  if (!("data" in points)) throw new Error("sparse");
  const { rows, columns, data } = points;
  return Array.from({ length: rows }, (_, i) => [...data.subarray(i * columns, (i + 1) * columns)]);
}

const whole = ["--words", "one-hot", "--missing", "mean"];

test.each([
  ["iris", ["--labels", "label"], "float32", 2e-5],
  ["iris", ["--labels", "label", "--loss", "squared-hinge", "--probabilities"], "float32", 2e-5],
  ["penguins", ["--labels", "label", ...whole], "float32", 2e-5],
  [
    "penguins",
    ["--labels", "label", "--loss", "squared-hinge", "--probabilities", ...whole],
    "float64",
    1e-12,
  ],
  ["penguins", ["--labels", "sex", "--loss", "hinge", ...whole], "float64", 1e-12],
  // Of a column this far from 0 the model itself has fewer digits than the file, since it folds the offset into the intercept.
  ["deliveries", ["--labels", "late"], undefined, 1e-10],
] as const)("%s %j as %s: labels, scores and probabilities", async (name, words, type, tolerance) => {
  const text = tables[name]();
  place().write("rows.csv", text);
  expect((await place().run(["train", "rows.csv", ...words, "--model", "m.json", "--quiet"])).code).toBe(0);
  const precision = type === "float64" ? ["--precision", "double"] : [];
  const others = ["--weights", "w.json", "--out", "screen.txt"];
  const inspected = await place().run(["inspect", "m.json", "--onnx", "m.onnx", ...precision, ...others]);
  expect(inspected).toMatchObject({ code: 0, stderr: "" });
  const onnx = place().bytes("m.onnx");
  expect(metadataOf(onnx)["columns"]).toBe(JSON.stringify(JSON.parse(place().read("w.json")).columns));
  const outputs = await runOnnx(onnx, type ?? "float64", await preparedRows("m.json", text));
  const hasProbabilities = !words.some((word) => word === "hinge");
  for (const flag of ["scores", ...(hasProbabilities ? ["probabilities"] : [])]) {
    const { stdout } = await place().run(["predict", "m.json", "rows.csv", `--${flag}`, "--quiet"]);
    const rows = linesOf(stdout)
      .slice(1)
      .map((line) => line.split(","));
    expect(outputs["label"].data).toEqual(rows.map(([label]) => label));
    const ours = rows.flatMap(([, ...numbers]) => numbers.map(Number));
    const size = Math.max(1, ...ours.map(Math.abs));
    expect(outputs[flag].data.length).toBe(ours.length);
    for (const [e, number] of ours.entries())
      expect(Math.abs(Number(outputs[flag].data[e]) - number)).toBeLessThan(tolerance * size);
  }
});

test("numbers, of a table with words and gaps", async () => {
  place().write("penguins.csv", tables.penguins());
  const words = ["--labels", "mass", "--loss", "squared-error", ...whole];
  const trained = await place().run(["train", "penguins.csv", ...words, "--model", "g.json", "--quiet"]);
  expect(trained.code).toBe(0);
  await place().run(["inspect", "g.json", "--onnx", "g.onnx", "--out", "screen.txt"]);
  const rows = await preparedRows("g.json", place().read("penguins.csv"));
  const { prediction } = await runOnnx(place().bytes("g.onnx"), "float32", rows);
  const { stdout } = await place().run(["predict", "g.json", "penguins.csv", "--quiet"]);
  const ours = linesOf(stdout).slice(1).map(Number);
  expect(ours.length).toBe(prediction.data.length);
  for (const [i, number] of ours.entries())
    expect(Math.abs(Number(prediction.data[i]) - number)).toBeLessThan(1e-5 * Math.abs(number));
});

test.each([
  ["iris", ["--labels", "label", "--objective", "mlp", "--hidden", "5"], "probabilities"],
  ["iris", ["--labels", "label", "--objective", "softmax"], "scores"],
  ["penguins", ["--labels", "sex", "--objective", "logistic", ...whole], "probabilities"],
  ["penguins", ["--labels", "label", "--objective", "mlp", ...whole], "probabilities"],
  ["penguins", ["--labels", "mass", "--objective", "mlp", ...whole], "prediction"],
  ["iris", ["--ignore", "label", "--objective", "autoencoder", "--hidden", "2", "--scale", "max"], "code"],
  ["iris", ["--ignore", "label", "--objective", "ica", "--scale", "standard"], "prediction"],
] as const)("a model of curvature fit: %s %j, its %s", async (name, words, output) => {
  const text = tables[name]();
  place().write("rows.csv", text);
  const fitted = await place().run(["fit", "rows.csv", ...words, "--model", "net.json", "--quiet"]);
  expect(fitted).toMatchObject({ stderr: "" });
  const inspected = await place().run(["inspect", "net.json", "--onnx", "net.onnx"]);
  expect(inspected).toMatchObject({ code: 0, stdout: "", stderr: "" });
  const rows = await preparedRows("net.json", text);
  const outputs = await runOnnx(place().bytes("net.onnx"), "float32", rows);
  const flag = output === "scores" || output === "probabilities" ? [`--${output}`] : [];
  const { stdout } = await place().run(["predict", "net.json", "rows.csv", ...flag, "--quiet"]);
  const theirs = linesOf(stdout)
    .slice(1)
    .map((line) => line.split(","));
  if (flag.length > 0) expect(outputs["label"].data).toEqual(theirs.map(([label]) => label));
  const ours = theirs.flatMap((cells) => cells.slice(flag.length)).map(Number);
  const size = Math.max(1, ...ours.map(Math.abs));
  expect(outputs[output].data.length).toBe(ours.length);
  for (const [e, number] of ours.entries())
    expect(Math.abs(Number(outputs[output].data[e]) - number)).toBeLessThan(2e-5 * size);
});

test("single precision for a column far from 0 is warned of by its name, and double is not", async () => {
  place().write("deliveries.csv", tables.deliveries());
  for (const [command, ...words] of [["train"], ["fit", "--objective", "mlp", "--hidden", "3"]]) {
    const outputs = ["--model", "d.json", "--quiet"];
    await place().run([command, "deliveries.csv", "--labels", "late", ...words, ...outputs]);
    const said = async (...precision: string[]): Promise<string> =>
      (await place().run(["inspect", "d.json", "--onnx", "d.onnx", "--out", "screen.txt", ...precision]))
        .stderr;
    if (command === "train") {
      expect(await said("--precision", "float")).toMatch(
        /^warning: "time" lies far from 0 .* leave --precision out/s,
      );
      expect(await said()).toBe("");
      expect(await said("--precision", "double")).toBe("");
      expect(await said("--precision", "float", "--quiet")).toBe("");
    } else {
      const only = await place().run(["inspect", "d.json", "--onnx", "d.onnx", "--precision", "float"]);
      expect(only.stderr).toMatch(/^warning: "time" lies far from 0/);
    }
  }
});

test("a precision without a file, and a file that is the model's, are one sentence", async () => {
  place().write("iris.csv", tables.iris());
  await place().run(["train", "iris.csv", "--labels", "label", "--model", "i.json", "--quiet"]);
  for (const [words, said] of [
    [["--precision", "double"], /--precision is that of --onnx/],
    [["--onnx", "i.json"], /i\.json/],
    [["--onnx", "o.onnx", "--precision", "half"], /float, double|"float"|"double"/],
  ] as const) {
    const { code, stderr } = await place().run(["inspect", "i.json", ...words]);
    expect(code).toBe(64);
    expect(stderr).toMatch(said);
    isOneSentence(stderr);
  }
  expect(place().has("o.onnx")).toBe(false);
});
