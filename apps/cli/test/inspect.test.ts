/** What `curvature inspect` says of models, and what anyone makes of the weights that it writes. */
import { expect, test } from "vitest";
import { shortNumber } from "../src/run/terminal.js";
import { isOneSentence, workplace } from "./cli.js";
import { linesOf, parted } from "./linear-rows.js";

const place = workplace();

const noise = (i: number, j: number): number => ((i * 7919 + j * 104_729 + i * i * 31) % 1009) / 1009;

/** Passengers: sex of two levels, port of three, age with gaps. */
function passengers(rows = 160): string {
  const lines = Array.from({ length: rows }, (_, i) => {
    const sex = noise(i, 1) > 0.6 ? "female" : "male";
    const port = ["C", "Q", "S"][Math.floor(3 * noise(i, 2))];
    const age = 1 + Math.floor(70 * noise(i, 3));
    const score = (sex === "female" ? 2 : -1) - age / 40 + (port === "C" ? 1 : 0) + 6 * noise(i, 5) - 3;
    return `${sex},${port},${i % 17 === 0 ? "" : age},${(100 * noise(i, 4)).toFixed(2)},${score > 0 ? "yes" : "no"}`;
  });
  return `sex,port,age,fare,survived\n${lines.join("\n")}\n`;
}

async function trained(name: string, words: readonly string[]): Promise<string> {
  const ended = await place().run(["train", ...words, "--model", name, "--quiet"]);
  expect(ended.code).toBe(0);
  return name;
}

const passengerWords = ["passengers.csv", "--labels", "survived", "--words", "one-hot", "--missing", "mean"];

test("one screen: what it is, why this lambda, the coefficients by name with their odds ratios", async () => {
  place().write("passengers.csv", passengers());
  await trained("passengers.json", [...passengerWords, "--loss", "logistic"]);
  const { code, stdout, stderr } = await place().run(["inspect", "passengers.json"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const words = stdout.replace(/\s+/g, " ");
  expect(words).toContain('passengers.json: a linear model of "survived", 2 classes: no, yes');
  expect(words).toContain("trained on 160 rows, 7 features of 4 columns");
  expect(words).toMatch(
    /lambda [\d.e-]+ on standardised columns, by rows left out: .* nearest to 1\/n = 0\.006250/,
  );
  expect(words).toMatch(/rows left out [\d.]+ % wrong, log loss 0\.\d+/);
  expect(words).toContain("bias free of the penalty");
  expect(words).toContain("column coefficient ± 95 % odds ratio deviation odds ratio of it");
  expect(words).toContain("sex=male (not female)");
  expect(words).toContain("above 0 means yes");
  expect(words).toContain("posterior");
  for (const line of linesOf(stdout)) expect(line.length).toBeLessThanOrEqual(100);
  const { stdout: json } = await place().run(["inspect", "passengers.json", "--json"]);
  const { coefficients, training } = JSON.parse(json);
  expect(training).toMatchObject({ rows: 160, lambdaRule: "leave-one-out", anchor: 1 / 160 });
  const sizes = coefficients.map((c: { values: number[]; deviation: number }) =>
    Math.abs(c.values[0] * c.deviation),
  );
  expect(sizes).toEqual([...sizes].sort((a, b) => b - a));
  const sex = coefficients.find(({ level }: { level?: string }) => level === "male");
  expect(sex).toMatchObject({ name: "sex=male", base: "female" });
  expect(stdout).toContain(` ${shortNumber(Math.exp(sex.values[0]))} `);
  const port = coefficients.find(({ name }: { name: string }) => name === "port=C");
  expect(port).toMatchObject({ level: "C" });
  expect(port.base).toBe(undefined);
});

test("the weights give anyone the scores and the probabilities of predict", async () => {
  place().write("passengers.csv", passengers());
  await trained("p2.json", [...passengerWords, "--loss", "logistic"]);
  await place().run(["inspect", "p2.json", "--weights", "weights.json", "--out", "screen.txt"]);
  const { columns, coefficients, intercept, probabilities, classes } = JSON.parse(
    place().read("weights.json"),
  );
  expect(classes).toEqual(["no", "yes"]);
  expect(columns).toEqual(["sex=male", "port=C", "port=Q", "port=S", "age", "age is missing", "fare"]);
  const ages = linesOf(passengers())
    .slice(1)
    .map((line) => line.split(",")[2]);
  const known = ages.filter((age) => age !== "").map(Number);
  const mean = known.reduce((a, b) => a + b, 0) / known.length;
  const said: Record<string, string[]> = {};
  for (const flag of ["scores", "probabilities"]) {
    const { stdout } = await place().run(["predict", "p2.json", "passengers.csv", `--${flag}`, "--quiet"]);
    said[flag] = linesOf(stdout).slice(1);
  }
  for (const [i, line] of linesOf(passengers()).slice(1).entries()) {
    const [sex, port, age, fare] = line.split(",");
    const values: Record<string, number> = {
      [`sex=${sex}`]: 1,
      [`port=${port}`]: 1,
      age: age === "" ? mean : Number(age),
      "age is missing": Number(age === ""),
      fare: Number(fare),
    };
    const score = columns.reduce(
      (sum: number, name: string, j: number) => sum + coefficients[0][j] * (values[name] ?? 0),
      intercept[0],
    );
    const [label, theirs] = said["scores"][i].split(",");
    expect(Math.abs(score - Number(theirs))).toBeLessThan(1e-12 * Math.max(1, Math.abs(score)) * 4);
    expect(label).toBe(classes[Number(score > 0)]);
    const p = 1 / (1 + Math.exp(-(probabilities.scale[0] * score + probabilities.shift[0])));
    expect(p).toBeCloseTo(Number(said["probabilities"][i].split(",")[2]), 12);
  }
});

test("several classes have a column each; long lists are cut, and --all has them", async () => {
  const names = Array.from({ length: 25 }, (_, j) => `x${j}`);
  const lines = Array.from({ length: 120 }, (_, i) =>
    [...names.map((_, j) => (noise(i, j) + Number(j === i % 3)).toFixed(3)), "abc"[i % 3]].join(","),
  );
  place().write("wide.csv", `${[...names, "kind"].join(",")}\n${lines.join("\n")}\n`);
  await trained("wide.json", ["wide.csv", "--labels", "kind", "--loss", "logistic"]);
  const { stdout } = await place().run(["inspect", "wide.json"]);
  expect(stdout).toContain("one softmax problem");
  expect(stdout).toMatch(/column +a +b +c\n/);
  expect(stdout).toContain("± ");
  expect(stdout).toContain("… and 5 more (--all)");
  const all = await place().run(["inspect", "wide.json", "--all"]);
  for (const name of names) expect(all.stdout).toMatch(new RegExp(`^ +${name} `, "m"));
});

test("a picture has a bar for each coefficient, and for each class", async () => {
  place().write("passengers.csv", passengers());
  await trained("p3.json", [...passengerWords, "--loss", "logistic"]);
  const { code } = await place().run(["inspect", "p3.json", "--plot", "bars.svg", "--out", "bars.txt"]);
  expect(code).toBe(0);
  const svg = place().read("bars.svg");
  expect(svg).not.toMatch(/NaN|Infinity/);
  for (const name of ["sex=male (not female)", "port=C", "fare"]) expect(svg).toContain(`>${name}</text>`);
  // The page's own, and one for each of seven coefficients.
  expect(svg.match(/<rect /g)).toHaveLength(8);
});

test("numbers, text that counts its features, a stream without errors of rows left out", async () => {
  const rows = Array.from({ length: 60 }, (_, i) => [
    noise(i, 1),
    noise(i, 2),
    3 * noise(i, 1) + noise(i, 9),
  ]);
  place().write("prices.csv", `a,b,price\n${rows.map((row) => row.join(",")).join("\n")}\n`);
  await trained("prices.json", [
    "prices.csv",
    "--labels",
    "price",
    "--loss",
    "squared-error",
    "--lambda",
    "0.01",
  ]);
  const numbers = await place().run(["inspect", "prices.json"]);
  expect(numbers.stdout).toContain('a linear model of numbers: "price"');
  expect(numbers.stdout).toContain("as given");
  place().write("parted.svm", parted(200));
  await trained("stream.json", ["parted.svm", "--stream", "--loss", "logistic", "--lambda", "0.01"]);
  const stream = await place().run(["inspect", "stream.json"]);
  expect(stream.code).toBe(0);
  expect(stream.stdout).toContain("feature 1");
  expect(stream.stdout).not.toContain("rows left out");
  expect(stream.stdout).not.toContain("±");
});

test("what is no model, or one of another version, is refused by a sentence", async () => {
  place().write("parted.svm", parted(100));
  await trained("now.json", ["parted.svm"]);
  place().write("old.json", place().read("now.json").replace('"version":3', '"version":2'));
  const old = await place().run(["inspect", "old.json"]);
  expect(old.code).toBe(65);
  expect(isOneSentence(old.stderr)).toBe(true);
  expect(old.stderr).toContain("is of version 2; this library reads version 3");
  const missing = await place().run(["inspect", "none.json", "--json"]);
  expect(missing.code).toBe(74);
  expect(JSON.parse(missing.stderr)).toMatchObject({ code: "ERR_IO" });
  const same = await place().run(["inspect", "now.json", "--weights", "now.json"]);
  expect(same.code).toBe(64);
});
