// @module-tag full
/** The models of `curvature train`, and what `predict` and `evaluate` make of them. */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { eventsOf, isOneSentence, workplace } from "./cli.js";
import { fixture, linesOf, parted, reportOf } from "./linear-rows.js";

const place = workplace();
const program = fileURLToPath(new URL("../bin/curvature.js", import.meta.url));

describe.concurrent("the model", () => {
  test("goes to standard output without outputs, the same bytes as --model's, from any form of the data", async () => {
    place().write("parted.svm", parted(200));
    const piped = await place().run(["train", "parted.svm", "--quiet"]);
    expect(piped.code).toBe(0);
    place().write("parted.svm.gz", gzipSync(parted(200)));
    const csv = linesOf(parted(200)).map((line) => line.replace(/^(\S+) 1:(\S+) 2:(\S+)$/, "$2,$3,$1"));
    place().write("parted.csv", `x,y,class\n${csv.join("\n")}\n`);
    for (const words of [["parted.svm.gz"], ["parted.csv", "--labels", "class"]]) {
      const ended = await place().run(["train", ...words, "--model", "m.json", "--quiet"]);
      expect(ended).toMatchObject({ code: 0, stdout: "", stderr: "" });
    }
    const again = await place().run(["train", "parted.svm", "--quiet", "--model", "m1.json"]);
    expect(again.code).toBe(0);
    expect(place().read("m1.json")).toBe(piped.stdout);
  });

  test("of words predicts words; probabilities come from the logistic loss", async () => {
    place().write("mail.svm", parted(300, ["ham", "spam"]));
    const words = ["train", "mail.svm", "--loss", "logistic", "--model", "mail.json", "--quiet"];
    expect((await place().run(words)).code).toBe(0);
    const predicted = await place().run(["predict", "mail.json", "mail.svm", "--probabilities", "--quiet"]);
    const [header, ...rows] = linesOf(predicted.stdout);
    expect(header).toBe("label,probability_ham,probability_spam");
    for (const row of rows) {
      const [label, ham, spam] = row.split(",");
      expect(Number(ham) + Number(spam)).toBeCloseTo(1, 12);
      expect(label).toBe(Number(spam) > 0.5 ? "spam" : "ham");
    }
  });

  test("of numbers predicts numbers", async () => {
    const rows = Array.from({ length: 100 }, (_, i) => [i % 10, (i * 7) % 13]);
    const table = rows.map(([a, b]) => `${a},${b},${3 * a - b + 5}`);
    place().write("prices.csv", `a,b,price\n${table.join("\n")}\n`);
    for (const loss of ["squared-error", "huber"]) {
      const words = ["prices.csv", "--labels", "price", "--loss", loss, "--lambda", "1e-9", "--model"];
      const { metrics } = await reportOf(place(), `${loss}.json`, [
        ...words,
        `${loss}-model.json`,
        "--tolerance",
        "1e-10",
      ]);
      expect(metrics["trainingR2"]).toBeGreaterThan(0.99);
    }
    const predicted = await place().run([
      "predict",
      "squared-error-model.json",
      "prices.csv",
      "--labels",
      "price",
      "--quiet",
    ]);
    const [header, first] = linesOf(predicted.stdout);
    expect(header).toBe("prediction");
    expect(Number(first)).toBeCloseTo(5, 1);
    const table2 = await place().run([
      "evaluate",
      "squared-error-model.json",
      "prices.csv",
      "--labels",
      "price",
    ]);
    expect(table2.stdout).toMatch(/^rows +100\nR² +0\.99|^rows +100\nR² +1\.0/);
  });

  test("ignores features that the training never saw, and says so", async () => {
    place().write("seen.svm", parted(100));
    place().write("unseen.svm", parted(100).replaceAll("\n", " 7:3\n"));
    await place().run(["train", "seen.svm", "--model", "seen.json", "--quiet"]);
    const plain = await place().run(["predict", "seen.json", "seen.svm"]);
    const more = await place().run(["predict", "seen.json", "unseen.svm", "--json"]);
    expect(more.code).toBe(0);
    expect(more.stdout).toBe(plain.stdout);
    expect(eventsOf(more.stderr)).toContainEqual({
      event: "warning",
      message: "The data have 1 feature that the training never saw; the model ignores it.",
    });
  });

  test("knows its columns by name", async () => {
    const table = (names: string, order: (x: number, y: number, label: string) => string): string =>
      `${names}\n${linesOf(parted(100, ["no", "yes"]))
        .map((line) => {
          const [label, x, y] = line.split(/ \d:/);
          return `${order(Number(x), Number(y), label)}\n`;
        })
        .join("")}`;
    place().write(
      "named.csv",
      table("x,y,kind", (x, y, label) => `${x},${y},${label}`),
    );
    place().write(
      "turned.csv",
      table("y,when,x", (x, y) => `${y},7,${x}`),
    );
    place().write(
      "other.csv",
      table("x,z", (x, y) => `${x},${y}`),
    );
    place().write("bare.csv", table("", (x, y) => `${x},${y}`).trimStart());
    const test = ["--test", "turned-labels.csv"];
    place().write(
      "turned-labels.csv",
      table("kind,y,x", (x, y, label) => `${label},${y},${x}`),
    );
    const report = await place().run([
      ...["train", "named.csv", "--labels", "kind", ...test, "--model", "named.json", "--report", "n.json"],
    ]);
    expect(report.code).toBe(0);
    const { trainingError, testError } = JSON.parse(place().read("n.json")).metrics;
    expect(testError).toBe(trainingError);
    const plain = await place().run(["predict", "named.json", "named.csv", "--labels", "kind", "--json"]);
    expect(eventsOf(plain.stderr).filter(({ event }) => event === "warning")).toEqual([]);
    const turned = await place().run(["predict", "named.json", "turned.csv", "--json"]);
    expect(turned.stdout).toBe(plain.stdout);
    const messages = eventsOf(turned.stderr).map(({ message }) => message);
    expect(messages).toContain('turned.csv: "when" did not occur in the fit and is ignored.');
    expect(messages).toContain(
      "turned.csv: The columns come in another order than in the fit; they are matched by name.",
    );
    const other = await place().run(["predict", "named.json", "other.csv", "--quiet"]);
    expect(other.code).not.toBe(0);
    expect(other.stderr).toContain(
      'other.csv: The table lacks "y", which the model was fitted on; it has "z" instead.',
    );
    const bare = await place().run(["predict", "named.json", "bare.csv"]);
    expect(bare.stdout).toBe(plain.stdout);
  });

  test("without names takes a table's columns by position, and says so", async () => {
    place().write("nameless.svm", parted(60));
    await place().run(["train", "nameless.svm", "--model", "nameless.json", "--quiet"]);
    const notesFor = async (name: string, rows: string): Promise<unknown[]> => {
      place().write(name, rows);
      const ended = await place().run(["predict", "nameless.json", name, "--json"]);
      expect(ended.code).toBe(0);
      return eventsOf(ended.stderr).flatMap(({ event, message }) => (event === "note" ? [message] : []));
    };
    expect(await notesFor("titled.csv", "y,x\n1,2\n3,4\n")).toEqual([
      "titled.csv: Only one of table and model names its columns: they are matched by position. Check that they are in the order of the fit.",
    ]);
    expect(await notesFor("untitled.csv", "1,2\n3,4\n")).toEqual([]);
  });

  test("tells what the search for the weight has tried", async () => {
    place().write("tried.svm", parted(200));
    const report = await reportOf(place(), "tried.json", ["tried.svm", "--lambda", "auto"]);
    const tried = Object(report["metrics"]["triedLambdas"]);
    expect(tried.length).toBeGreaterThan(1);
    expect(tried[0].lambda).toBeGreaterThan(tried[1].lambda);
    expect(tried.map(({ lambda }: { lambda: number }) => lambda)).toContain(report["options"]["lambda"]);
  });

  test("is the same bits after an interruption and --resume", async () => {
    const base = ["train", fixture("spam.train"), "--solver", "sgdqn", "--model"];
    expect((await place().run([...base, "whole.json", "--max-passes", "6", "--quiet"])).code).toBe(0);
    const keep = ["--checkpoint", "run.bin"];
    const stop = ["--max-passes", "6", "--max-seconds", "1e-9"];
    expect((await place().run([...base, "half.json", ...stop, ...keep])).code).toBe(2);
    const ended = await place().run([...base, "resumed.json", "--max-passes", "6", ...keep, "--resume"]);
    expect(ended.code).toBe(0);
    expect(place().read("resumed.json")).toBe(place().read("whole.json"));
    expect(place().read("half.json")).not.toBe(place().read("whole.json"));
  });
});

describe.concurrent("bad models", () => {
  test.each<[string, (model: string) => string, RegExp]>([
    ["garbage", () => "garbage", /garbage-model\.json: /],
    [
      "another-version",
      (model) => model.replace(/"version":3/, '"version":99'),
      /another-version-model\.json: .*99/,
    ],
    ["doctored", (model) => model.replace(/"lambda":[^,]+/, '"lambda":7'), /doctored-model\.json: /],
    ["cut", (model) => model.slice(0, -40), /cut-model\.json: /],
    ["empty", () => "", /empty-model\.json: /],
  ])("%s", async (name, change, sentence) => {
    place().write(`${name}.svm`, parted(60));
    const trained = await place().run(["train", `${name}.svm`, "--quiet"]);
    place().write(`${name}-model.json`, change(trained.stdout));
    for (const command of ["predict", "evaluate"]) {
      const ended = await place().run([command, `${name}-model.json`, `${name}.svm`, "--quiet"]);
      expect(ended.stderr).toMatch(sentence);
      expect(isOneSentence(ended.stderr), ended.stderr).toBe(true);
      expect(ended).toMatchObject({ code: 65, stdout: "" });
    }
  });

  test("labels that cannot be the model's; probabilities that it does not know", async () => {
    place().write("numbers.svm", parted(60));
    place().write("names.svm", parted(60, ["ham", "spam"]));
    await place().run(["train", "numbers.svm", "--model", "numbers.json", "--quiet"]);
    const labels = await place().run(["evaluate", "numbers.json", "names.svm", "--quiet"]);
    expect(labels.stderr).toMatch(
      /The classes of the model are numbers \(-1, 1\), but the labels are words \("(ham|spam)", "(ham|spam)"\)\. Write/,
    );
    expect(labels.code).toBe(65);
    expect(isOneSentence(labels.stderr)).toBe(true);
    await place().run(["train", "names.svm", "--model", "names.json", "--quiet"]);
    const turned = await place().run(["evaluate", "names.json", "numbers.svm", "--quiet"]);
    expect(turned).toMatchObject({ code: 65, stdout: "" });
    expect(turned.stderr).toMatch(
      /The classes of the model are words \("ham", "spam"\), but the labels are numbers \(-?1, -?1\)\. Write/,
    );
    const tested = await place().run(["train", "names.svm", "--test", "numbers.svm", "--quiet"]);
    expect(tested.code).toBe(65);
    expect(tested.stderr).toMatch(/^curvature: numbers\.svm: The classes of the model are words/);
    await place().run(["train", "numbers.svm", "--loss", "hinge", "--model", "numbers.json", "--quiet"]);
    const unknown = await place().run(["predict", "numbers.json", "names.svm", "--probabilities", "--quiet"]);
    expect(unknown.stderr).toMatch(/numbers\.json knows none\. Train it with --loss logistic/);
    expect(unknown.code).toBe(64);
  });
});

describe.concurrent("a model that cannot be measured is kept", () => {
  test("where a file's labels are of another kind than those of a stream", async () => {
    place().write("other.svm", parted(60, ["ham", "spam"]));
    const words = ["train", "-", "--test", "other.svm", "--model", "streamed.json"];
    const ended = await place().run(words, { stdin: parted(60) });
    expect(ended.code).toBe(0);
    expect(ended.stderr).toMatch(
      /The model on other\.svm cannot be measured: .*The classes of the model are numbers/,
    );
    const evaluated = await place().run(["predict", "streamed.json", "other.svm", "--quiet"]);
    expect(evaluated.code).toBe(0);
  });

  test("where scores of test rows overflow", async () => {
    const rows = Array.from({ length: 40 }, (_, i) => `${i % 2 === 0 ? "a" : "b"},${i % 2},${(i % 5) / 5}`);
    place().write("usual.csv", `${["kind,x,y", ...rows].join("\n")}\n`);
    place().write("huge.csv", "kind,x,y\na,1.7e308,1.7e308\nb,1.7e308,-1.7e308\n");
    const words = ["train", "usual.csv", "--labels", "kind", "--test", "huge.csv", "--model", "usual.json"];
    const ended = await place().run([...words, "--lambda", "1e-9", "--report", "usual-report.json"]);
    expect(ended.stderr).toMatch(/The model on the test rows cannot be measured: /);
    expect(ended.code).toBe(0);
    expect((await place().run(["predict", "usual.json", "usual.csv", "--quiet"])).code).toBe(0);
    const { warnings } = JSON.parse(place().read("usual-report.json"));
    expect(warnings.join(" ")).toContain("The model on the test rows cannot be measured");
  });
});

test("of more classes than a confusion matrix has room for, all other figures are told", async () => {
  place().write("two.svm", parted(60, ["ham", "spam"]));
  await place().run(["train", "two.svm", "--model", "two.json", "--quiet"]);
  const kinds = Array.from({ length: 6000 }, (_, i) => `kind${i} 1:1\n`).join("");
  place().write("many.svm", `ham 1:1\nspam 1:-1\n${kinds}`);
  const ended = await place().run(["evaluate", "two.json", "many.svm", "--report", "many.json"]);
  expect(ended.code).toBe(0);
  expect(ended.stdout).toMatch(/^rows +6,?002$/m);
  expect(ended.stdout).toMatch(/confusion of 6002 classes: a table without room for it/);
  const { metrics } = JSON.parse(place().read("many.json"));
  expect(metrics.error).toBeGreaterThan(0.99);
  expect(metrics.confusion).toBeNull();
});

describe.concurrent("rows to test on", () => {
  const table = (names: string, columns: number): string => {
    const rows = Array.from({ length: 40 }, (_, i) =>
      [i % 2, ...Array.from({ length: columns }, (_, j) => (i % 2) + ((i * (j + 3)) % 7) / 10)].join(","),
    );
    return `${[...(names === "" ? [] : [names]), ...rows].join("\n")}\n`;
  };

  test("of fewer columns than those that are trained on are refused", async () => {
    place().write("three.csv", table("", 3));
    place().write("two.csv", table("", 2));
    const ended = await place().run(["train", "three.csv", "--labels", "0", "--test", "two.csv", "--quiet"]);
    expect(ended).toMatchObject({ code: 65, stdout: "" });
    expect(ended.stderr).toMatch(/two\.csv: The table has 2 columns, and the model was fitted on 3\./);
    expect(isOneSentence(ended.stderr)).toBe(true);
  });

  test("of more: the first, and it says so", async () => {
    place().write("narrow.csv", table("", 2));
    place().write("wide.csv", table("", 4));
    const words = ["train", "narrow.csv", "--labels", "0", "--test", "wide.csv", "--model", "narrow.json"];
    const { code, stderr } = await place().run(words);
    expect(code).toBe(0);
    expect(stderr).toContain(
      "wide.csv: The table has 4 columns where the model knows 2: the first 2 are taken.",
    );
  });

  test("labels that are all numbers are looked for among words by their value", async () => {
    const rows = Array.from(
      { length: 60 },
      (_, i) => `${["1.50", "2", "other"][i % 3]},${i % 3},${(i % 3) ** 2}`,
    );
    place().write("gaps.csv", `${["kind,x,y", ...rows].join("\n")}\n`);
    const known = rows.filter((row) => !row.startsWith("other"));
    place().write("known.csv", `${["kind,x,y", ...known].join("\n")}\n`);
    await place().run(["train", "gaps.csv", "--labels", "kind", "--model", "gaps.json", "--quiet"]);
    const words = ["evaluate", "gaps.json", "known.csv", "--labels", "kind", "--report", "known.json"];
    expect((await place().run(words)).code).toBe(0);
    expect(JSON.parse(place().read("known.json")).metrics.error).toBeLessThan(0.1);
  });
});

test.skipIf(process.platform === "win32")("a pipe under a name is read once, as standard input is", () => {
  const train = "trained.json";
  place().write("piped.csv", "kind,x,note\n1,0.5,a\n-1,-0.5,b\n1,0.7,c\n-1,-0.6,d\n");
  const shell = (line: string) =>
    spawnSync("bash", ["-c", line.replaceAll("curvature", `${process.execPath} ${program}`)], {
      cwd: place().folder,
      encoding: "utf8",
    });
  const trained = shell(`curvature train piped.csv --labels kind --ignore note --model ${train} --quiet`);
  expect(trained.status).toBe(0);
  const predicted = shell(`curvature predict ${train} <(cat piped.csv) --quiet`);
  expect(predicted).toMatchObject({
    status: 0,
    stdout: shell(`curvature predict ${train} piped.csv --quiet`).stdout,
  });
  const passes = shell("curvature train <(printf '1 1:1\\n-1 1:2\\n') --stream --max-passes 3 --quiet");
  expect(passes.status).toBe(64);
  expect(passes.stderr).toContain("--max-passes: a pipe can be read once only");
});

test("a stray label of a part of the data is told by its row in all of them", async () => {
  const rows = Array.from(
    { length: 50 },
    (_, i) => `${i === 41 || i === 43 ? "stray" : ["a", "b"][i % 2]},${i % 2},${i % 3}`,
  );
  place().write("stray.csv", `${["kind,x,y", ...rows].join("\n")}\n`);
  const words = ["train", "stray.csv", "--labels", "kind", "--classes", "a,b", "--test", "0.1", "--quiet"];
  const ended = await place().run(words);
  expect(ended.code).toBe(65);
  expect(ended.stderr).toMatch(/Row 4[24] of the data has the label "stray"/);
});
