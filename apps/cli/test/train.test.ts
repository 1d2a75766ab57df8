/** `curvature train`, `predict` and `evaluate` as a process: what they write, how they end. */
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gunzipSync, gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { eventsOf, isOneSentence, workplace } from "./cli.js";

const place = workplace();
const fixture = (name: string): string =>
  fileURLToPath(
    new URL(`../../../packages/optim-sgdqn/test/fixtures/linear/${name}.svm.gz`, import.meta.url),
  );
const textOf = (name: string): string => gunzipSync(readFileSync(fixture(name))).toString();
const linesOf = (text: string): string[] => text.trimEnd().split("\n");

async function reportOf(
  name: string,
  words: readonly string[],
): Promise<Record<string, Record<string, unknown>>> {
  const ended = await place().run(["train", ...words, "--quiet", "--report", name]);
  expect(ended.stderr).toBe("");
  expect(ended.code).toBe(0);
  return JSON.parse(place().read(name));
}

/** Two classes that a line parts, as LIBSVM text. */
const parted = (rows: number, names: readonly [string, string] = ["-1", "+1"]): string =>
  Array.from({ length: rows }, (_, i) => {
    const x = ((i * 7919) % 1000) / 500 - 1;
    const y = ((i * 104_729) % 1000) / 500 - 1;
    return `${names[x + 2 * y > 0.1 ? 1 : 0]} 1:${x} 2:${y}\n`;
  }).join("");

describe("a9a", () => {
  test("trains to its tolerance; test error, model, predictions and evaluation agree", async () => {
    const words = [fixture("a9a.train"), "--test", fixture("a9a.test"), "--model", "a9a.json"];
    const report = await reportOf("a9a-report.json", words);
    expect(report["input"]).toMatchObject({ rows: 32_560, classes: 2, classNames: [-1, 1] });
    expect(report["result"]).toMatchObject({ status: "converged" });
    expect(report["metrics"]["gap"]).toBeLessThan(1e-3);
    const error = Number(report["metrics"]["testError"]);
    // LIBLINEAR's models of this set err on 15.0 %.
    expect(error).toBeLessThan(0.152);

    const evaluated = await place().run(["evaluate", "a9a.json", fixture("a9a.test"), "--report", "e.json"]);
    expect(evaluated.code).toBe(0);
    expect(evaluated.stdout).toContain(`error                   ${(100 * error).toFixed(2)} %`);
    const figures = JSON.parse(place().read("e.json")).metrics;
    expect(figures.error).toBe(error);
    expect(figures.areaUnderCurve).toBeGreaterThan(0.9);

    const predicted = await place().run(["predict", "a9a.json", fixture("a9a.test"), "--scores", "--quiet"]);
    const [header, ...rows] = linesOf(predicted.stdout);
    expect(header).toBe("label,score");
    const truth = linesOf(textOf("a9a.test")).map((line) => Number.parseInt(line, 10));
    const wrong = rows.filter((row, i) => Number(row.split(",")[0]) !== truth[i]);
    expect(wrong.length / truth.length).toBeCloseTo(error, 12);
    expect(rows.every((row) => Number(row.split(",")[0]) > 0 === Number(row.split(",")[1]) > 0)).toBe(true);
  });

  test.each(["sgdqn", "sgdqn2009", "svmsgd2", "sgd", "asgd", "dcd", "newton", "lbfgs"])(
    "--solver %s",
    async (solver) => {
      const words = [fixture("a9a.train"), "--test", fixture("a9a.test"), "--solver", solver];
      const report = await reportOf(`a9a-${solver}.json`, words);
      expect(report["options"]["solver"]).toBe(solver === "sgdqn2009" ? "sgdqn-2009" : solver);
      expect(report["metrics"]["testError"]).toBeLessThan(0.17);
    },
  );

  test("a stream learns in one pass what comes through standard input", async () => {
    const stdin = textOf("a9a.train");
    const words = ["train", "-", "--test", fixture("a9a.test"), "--report", "s.json", "--quiet"];
    const ended = await place().run(words, { stdin });
    expect(ended.code).toBe(0);
    const { result, metrics, input } = JSON.parse(place().read("s.json"));
    expect(input.rows).toBe(32_560);
    expect(result.passes).toBe(1);
    expect(metrics.testError).toBeLessThan(0.16);
    const compressed = await place().run([...words.slice(0, -2), "s2.json", "--quiet"], {
      stdin: gzipSync(stdin),
    });
    expect(compressed.code).toBe(0);
    expect(JSON.parse(place().read("s2.json")).metrics).toEqual(metrics);
  });

  test("--plot draws cost and errors by passes", async () => {
    for (const form of ["svg", "html", "png"]) {
      const words = [fixture("a9a.train"), "--test", "0.2", "--solver", "sgdqn", "--plot", `curve.${form}`];
      const { metrics } = await reportOf(`curve-${form}.json`, [...words, "--max-passes", "4"]);
      expect(metrics["curve"]).toHaveLength(4);
      expect(metrics["testCurve"]).not.toHaveLength(0);
    }
    expect(place().read("curve.svg")).toContain(">cost P</text>");
    expect(place().read("curve.svg")).toContain(">test</text>");
    expect(place().read("curve.html")).toContain("<svg ");
    expect([...place().bytes("curve.png").slice(1, 4)]).toEqual([80, 78, 71]);
  });
});

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
      const { metrics } = await reportOf(`${loss}.json`, [
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
    const more = await place().run(["predict", "seen.json", "unseen.svm"]);
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
    const plain = await place().run(["predict", "named.json", "named.csv", "--labels", "kind"]);
    expect(eventsOf(plain.stderr).filter(({ event }) => event === "warning")).toEqual([]);
    const turned = await place().run(["predict", "named.json", "turned.csv"]);
    expect(turned.stdout).toBe(plain.stdout);
    const messages = eventsOf(turned.stderr).map(({ message }) => message);
    expect(messages).toContain('turned.csv: the column "when" did not occur in the training and is ignored.');
    expect(messages).toContain(
      "turned.csv has its columns in another order than the training; they are matched by name.",
    );
    const other = await place().run(["predict", "named.json", "other.csv", "--quiet"]);
    expect(other.code).not.toBe(0);
    expect(other.stderr).toContain('other.csv lacks the column "y"');
    expect(other.stderr).toContain('it has the column "z" instead');
    const bare = await place().run(["predict", "named.json", "bare.csv"]);
    expect(bare.stdout).toBe(plain.stdout);
  });

  test("tells what the search for the weight has tried", async () => {
    place().write("tried.svm", parted(200));
    const report = await reportOf("tried.json", ["tried.svm", "--lambda-path"]);
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

describe.concurrent("every option does something", () => {
  const base = [fixture("spam.train"), "--solver", "sgdqn", "--max-passes", "3"];
  const model = async (words: readonly string[]): Promise<string> => {
    const ended = await place().run(["train", ...base, ...words, "--quiet"]);
    expect(ended.stderr).toBe("");
    expect(ended.code).toBe(0);
    return JSON.stringify(JSON.parse(ended.stdout).parameters ?? JSON.parse(ended.stdout));
  };
  let plain: Promise<string> | undefined;

  test.each<readonly string[]>([
    ["--loss", "hinge"],
    ["--loss", "logistic"],
    ["--loss", "modified-huber"],
    ["--loss", "smoothed-hinge"],
    ["--loss", "smoothed-hinge", "--loss-width", "0.3"],
    ["--lambda", "0.01"],
    ["--lambda-path"],
    ["--bias", "none"],
    ["--bias", "free"],
    ["--scale", "max"],
    ["--scale", "rms"],
    ["--scale", "standard"],
    ["--scale", "unit"],
    ["--class-weight", "balanced"],
    ["--class-weight", "1=5"],
    ["--seed", "1"],
    ["--no-shuffle"],
    ["--t0", "1e5"],
    ["--max-passes", "1"],
    ["--test", "0.3"],
    ["--probabilities"],
  ])("%s %s", async (...words) => {
    plain ??= model([]);
    expect(await model(words)).not.toBe(await plain);
  });

  test("--folds gives the error of every fold", async () => {
    const { metrics } = await reportOf("folds.json", [fixture("spam.train"), "--folds", "4"]);
    const { folds, values, mean } = metrics["crossValidation"] as {
      folds: number;
      values: number[];
      mean: number;
    };
    expect(folds).toBe(4);
    expect(values).toHaveLength(4);
    expect(mean).toBeGreaterThan(0.04);
    expect(mean).toBeLessThan(0.09);
  });

  test("--test with a share sets rows apart", async () => {
    const { metrics, input } = await reportOf("share.json", [fixture("spam.train"), "--test", "0.25"]);
    expect(input["rows"]).toBe(3601 - Number(metrics["testRows"]));
    expect(metrics["testRows"]).toBe(900);
  });

  test("--index-base", async () => {
    place().write("base.svm", parted(50));
    const columns = async (words: readonly string[]): Promise<unknown> =>
      (await reportOf(`base${words.at(-1)}.json`, ["base.svm", ...words]))["input"]["columns"];
    expect(await columns(["--index-base", "auto"])).toBe(2);
    expect(await columns(["--index-base", "0"])).toBe(3);
  });

  test("text without an index 0 counts as the model's did", async () => {
    const from0 = (x: string): string => `1 0:${x} 1:1\n-1 0:0 1:-1\n`;
    place().write("from0.svm", from0("2").repeat(9));
    place().write("no0.svm", "1 1:1\n-1 1:-1\n1 1:3\n");
    const figures = async (words: readonly string[]): Promise<unknown> =>
      (await reportOf(`from0${words[0]}.json`, [...words, "--test", "no0.svm"]))["metrics"]["testError"];
    expect(await figures(["from0.svm", "--model", "from0.model.json"])).toBe(0);
    expect(await figures(["from0.svm", "--stream", "--model", "from0s.model.json"])).toBe(0);
    for (const model of ["from0.model.json", "from0s.model.json"]) {
      const { stdout } = await place().run(["predict", model, "no0.svm", "--quiet"]);
      expect(linesOf(stdout)).toEqual(["label", "1", "-1", "1"]);
    }
    await place().run(["train", "no0.svm", "--model", "from1.model.json", "--quiet"]);
    const refused = await place().run(["evaluate", "from1.model.json", "from0.svm"]);
    expect(refused.code).toBe(65);
    expect(refused.stderr).toContain("counted from 1");
    const stated = ["evaluate", "from1.model.json", "from0.svm", "--index-base", "0", "--quiet"];
    expect((await place().run(stated)).code).toBe(0);
  });

  test("--t0", async () => {
    const { options } = await reportOf("t0.json", [fixture("spam.train"), "--solver", "sgd", "--t0", "auto"]);
    expect(options["t0"]).toBeGreaterThan(2);
    const given = await reportOf("t0.json", [fixture("spam.train"), "--solver", "sgd", "--t0", "7e5"]);
    expect(given["options"]["t0"]).toBe(7e5);
    for (const words of [
      ["--solver", "sgd", "--t0", "0.5"],
      ["--solver", "newton", "--t0", "5"],
    ]) {
      const refused = await place().run(["train", fixture("spam.train"), ...words]);
      expect(refused.code).toBe(64);
      expect(refused.stderr).toContain("--t0");
    }
  });

  test("--plot takes test labels that are numbers for the words that they are among the classes", async () => {
    place().write("mixed.csv", "a,k\n1,1\n-1,x\n2,1\n-3,x\n");
    place().write("mixed-test.csv", "a,k\n1,1\n-1,1\n");
    const words = ["mixed.csv", "--labels", "k", "--test", "mixed-test.csv", "--plot", "mixed.svg"];
    expect((await reportOf("mixed.json", words))["metrics"]["testError"]).toBe(0.5);
    expect(place().has("mixed.svg")).toBe(true);
  });

  test("--folds that cannot be are refused before the training", async () => {
    place().write("rare.svm", `${"-1 1:1\n".repeat(9)}1 1:-1\n`);
    for (const folds of ["2", "11"]) {
      const refused = await place().run(["train", "rare.svm", "--folds", folds, "--json"]);
      expect(refused.code).toBe(65);
      expect(refused.stderr).not.toContain('"training"');
      expect(refused.stdout).toBe("");
    }
  });

  test("fractions as classes are doubted", async () => {
    place().write("fractions.svm", Array.from({ length: 30 }, (_, i) => `${i / 8} 1:${i}\n`).join(""));
    const doubted = await place().run(["train", "fractions.svm", "--model", "fractions.json"]);
    expect(doubted.stderr).toContain("choose --loss squared-error");
    const meant = ["train", "fractions.svm", "--loss", "squared-error", "--model", "fractions.json"];
    expect((await place().run(meant)).stderr).not.toContain("choose");
  });
});

describe.concurrent("endings", () => {
  test("a limit ends with 2, the passes of a method without a gap with 0", async () => {
    const limited = ["train", fixture("spam.train"), "--solver", "lbfgs", "--max-passes", "3", "--quiet"];
    expect((await place().run(limited)).code).toBe(2);
    const passes = ["train", fixture("spam.train"), "--solver", "asgd", "--max-passes", "3", "--quiet"];
    expect((await place().run(passes)).code).toBe(0);
  });

  test("Ctrl-C on a stream that waits writes what there is", async () => {
    const program = fileURLToPath(new URL("../bin/curvature.js", import.meta.url));
    const child = spawn(process.execPath, [program, "train", "-", "--model", "stopped.json"], {
      cwd: place().folder,
      stdio: ["pipe", "ignore", "pipe"],
    });
    child.stdin.on("error", () => undefined);
    let talk = "";
    let isStopped = false;
    child.stderr.setEncoding("utf8").on("data", (piece: string) => {
      talk += piece;
      if (!isStopped && talk.includes('"iteration"')) {
        isStopped = true;
        child.kill("SIGINT");
      }
    });
    child.stdin.write(textOf("a9a.train").repeat(2));
    const code = await new Promise((done) => child.on("close", done));
    expect(code).toBe(3);
    const evaluated = await place().run(["evaluate", "stopped.json", fixture("a9a.test"), "--report", "-"]);
    expect(JSON.parse(evaluated.stdout).metrics.error).toBeLessThan(0.2);
  });

  test("Ctrl-C before any row leaves nothing", async () => {
    const program = fileURLToPath(new URL("../bin/curvature.js", import.meta.url));
    const child = spawn(process.execPath, [program, "train", "-", "--model", "nothing.json"], {
      cwd: place().folder,
      stdio: ["pipe", "ignore", "pipe"],
    });
    let talk = "";
    child.stderr.setEncoding("utf8").on("data", (piece: string) => {
      talk += piece;
      if (piece.includes("training on")) child.kill("SIGINT");
    });
    const code = await new Promise((done) => child.on("close", done));
    expect(talk).toContain("Stopped before there was anything to write.");
    expect(code).toBe(3);
    expect(place().has("nothing.json")).toBe(false);
  });
});

/** Runs `curvature train data` with content in the file, and expects a failure that says this. */
async function expectFailure(
  name: string,
  content: string | Uint8Array,
  words: readonly string[],
  code: number,
  sentence: RegExp,
): Promise<void> {
  place().write(name, content);
  const out = `${name}.model.json`;
  const ended = await place().run(["train", name, "--model", out, ...words, "--quiet"]);
  expect(ended.stderr).toMatch(sentence);
  expect(isOneSentence(ended.stderr), ended.stderr).toBe(true);
  expect(ended.code).toBe(code);
  expect(ended.stdout).toBe("");
  expect(place().has(out)).toBe(false);
}

describe.concurrent("bad data", () => {
  test.each<[string, string, readonly string[], RegExp]>([
    ["same", "1 1:2\n1 2:3\n", [], /same\.svm: at least two classes are needed: all labels are 1/],
    [
      "three",
      "1 1:2\n2 2:3\n3 1:1\n",
      ["--classes", "1,2"],
      /row 3 of the data has the label 3, which is none of the classes 1, 2\. Name all classes beforehand with --classes/,
    ],
    ["missing-label", "1 1:2\n1:2 2:3\n", [], /Line 2 begins with "1:2", so its label is missing/],
    ["several", "1,2 1:2\n", [], /Line 1 has the label "1,2"/],
    ["mixed", "1 1:2\nx 2:3\n", [], /Line 2 has the label "x", but the labels before it are numbers/],
    ["repeated", "1 3:2 3:3\n-1 2:1\n", [], /Line 1 has feature 3 twice/],
    ["negative", "1 -3:2\n-1 2:1\n", [], /Line 1 has the index -3/],
    ["too-large", "1 4294967296:2\n-1 2:1\n", [], /Line 1 has the index 4294967296, the largest possible/],
    ["nan", "1 2:1\n-1 2:nan\n", [], /Line 2 has feature 2 with "nan"/],
    ["inf", "1 2:inf\n-1 2:1\n", [], /Line 1 has feature 2 with "inf"/],
    ["overflow", "1 2:1\n-1 2:1e999\n", [], /Line 2 has feature 2 with "1e999"/],
    ["missing-value", "1 2:\n-1 2:1\n", [], /Line 1 has feature 2 without a value/],
    ["empty", "", [], /empty\.svm: The input is empty/],
    ["labels-only", "1\n-1\n", [], /labels-only\.svm has labels only/],
    ["words-for-numbers", "x 1:2\ny 2:1\n", ["--loss", "huber"], /row 1 of the data has the label "x"/],
    ["few-for-folds", "1 1:2\n-1 2:1\n", ["--folds", "5"], /--folds must be at most 2/],
    ["few-for-test", "1 1:2\n-1 2:1\n", ["--test", "0.1"], /leaves 2 to train and 0 to test/],
  ])("%s", async (name, content, words, sentence) => {
    await expectFailure(`${name}.svm`, content, words, 65, sentence);
  });

  test("a stream names the same lines", async () => {
    await expectFailure(
      "stream.svm",
      "1 1:2\n-1 2:nan\n",
      ["--stream"],
      65,
      /stream\.svm: Line 2 has feature 2/,
    );
  });

  test("a table without labels", async () => {
    await expectFailure(
      "table.csv",
      "a,b\n1,2\n3,4\n",
      [],
      65,
      /table\.csv has no labels\. Name their column/,
    );
  });

  test("a model that cannot fit into the memory", async () => {
    const content = "1 2147483646:2\n-1 2:1\n";
    await expectFailure("huge.svm", content, [], 4, /A model of 2147483646 features takes about/);
    await expectFailure("huge-stream.svm", content, ["--stream"], 4, /A model of 2147483646 features/);
  });

  test("cut gzip", async () => {
    const whole = gzipSync(parted(5000));
    await expectFailure("cut.svm.gz", whole.subarray(0, whole.length - 50), [], 65, /damaged or cut off/);
  });
});

describe.concurrent("data that are only unusual", () => {
  test.each<[string, string]>([
    ["CRLF", parted(40).replaceAll("\n", "\r\n")],
    ["a byte order mark", `\ufeff${parted(40)}`],
    ["no line end at the end", parted(40).trimEnd()],
    ["comments", `# two classes\n${parted(40).replaceAll("\n", " # row\n")}`],
    ["indices from 0", parted(40).replaceAll(" 1:", " 0:").replaceAll(" 2:", " 1:")],
    ["unsorted indices", parted(40).replaceAll(/ (1:\S+) (2:\S+)/g, " $2 $1")],
  ])("%s", async (name, content) => {
    const key = name.replaceAll(" ", "-");
    place().write(`${key}-plain.svm`, parted(40));
    place().write(`${key}.svm`, content);
    const plain = await place().run(["train", `${key}-plain.svm`, "--quiet"]);
    const ended = await place().run(["train", `${key}.svm`, "--quiet"]);
    // The file says what the indices were counted from; all else is alike.
    const likewise = ended.stdout.replace('"indexBase":0', '"indexBase":1').replace(/"checksum":.*/, "");
    expect(likewise).toBe(plain.stdout.replace(/"checksum":.*/, ""));
    expect([ended.code, ended.stderr]).toEqual([0, ""]);
  });

  test("LIBSVM text is as good as a table to curvature embed", async () => {
    place().write("map.svm", parted(60));
    const ended = await place().run(["embed", "map.svm", "--max-evaluations", "5", "--quiet"]);
    expect(ended.code).toBe(0);
    const [header, first] = linesOf(ended.stdout);
    expect(header).toBe("x,y,label");
    expect(first).toMatch(/,-1$/);
  });

  test("empty lines are skipped with a warning", async () => {
    place().write("gaps.svm", `\n${parted(40)}\n`);
    const ended = await place().run(["train", "gaps.svm", "--model", "gaps.json"]);
    expect(ended.code).toBe(0);
    expect(ended.stderr.split("gaps.svm: Line 1 is empty; empty lines are skipped.")).toHaveLength(2);
  });

  test("rows of very different size make no NaN", async () => {
    for (const solver of ["auto", "sgdqn", "sgd", "svmsgd2"]) {
      place().write(`wild-${solver}.svm`, "1 1:1e15\n-1 1:-1e15 2:3\n1 2:1e-15\n-1 2:-1\n".repeat(10));
      const words = ["train", `wild-${solver}.svm`, "--solver", solver, "--model", `wild-${solver}.json`];
      const ended = await place().run([...words, "--report", `wild-${solver}-report.json`, "--quiet"]);
      expect([0, 2, 4]).toContain(ended.code);
      const { result } = JSON.parse(place().read(`wild-${solver}-report.json`));
      expect(result.status === "diverged").toBe(ended.code === 4);
      if (!place().has(`wild-${solver}.json`)) continue;
      const scores = await place().run(["predict", `wild-${solver}.json`, `wild-${solver}.svm`, "--scores"]);
      expect(scores.code).toBe(0);
      expect(
        linesOf(scores.stdout)
          .slice(1)
          .every((row) => Number.isFinite(Number(row.split(",")[1]))),
      ).toBe(true);
    }
  });
});

describe.concurrent("bad models", () => {
  test.each<[string, (model: string) => string, RegExp]>([
    ["garbage", () => "garbage", /garbage-model\.json: /],
    [
      "another-version",
      (model) => model.replace(/"version":1/, '"version":99'),
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
    expect(labels.stderr).toMatch(/The classes of the model are numbers, but the labels are words/);
    expect(labels.code).toBe(65);
    const unknown = await place().run(["predict", "numbers.json", "names.svm", "--probabilities", "--quiet"]);
    expect(unknown.stderr).toMatch(/numbers\.json knows none\. Train it with --loss logistic/);
    expect(unknown.code).toBe(64);
  });
});

describe.concurrent("the command line", () => {
  test.each<[readonly string[], RegExp]>([
    [["train", "x.svm", "--lambda", "0"], /--lambda <l>.*a number above 0/],
    [["train", "x.svm", "--lambda=-1"], /--lambda <l>.*a number above 0/],
    [["train", "x.svm", "--lambda", "1", "--lambda-path"], /leave out --lambda/],
    [["train", "x.svm", "--loss", "cubic"], /one of: squared-hinge, hinge/],
    [["train", "x.svm", "--solver", "sgd-qn"], /one of: auto, newton/],
    [["train", "x.svm", "--loss", "huber", "--classes", "a,b"], /--classes is for classes/],
    [["train", "x.svm", "--loss", "huber", "--class-weight", "balanced"], /--class-weight is for classes/],
    [["train", "x.svm", "--classes", "a,a"], /two or more different classes/],
    [["train", "x.svm", "--class-weight", "a=0"], /classes with numbers above 0/],
    [["train", "x.svm", "--test", "1.5"], /a number between 0 and 1/],
    [["train", "x.svm", "--folds", "1"], /at least 2/],
    [["train", "x.svm", "--stream", "--folds", "3"], /--folds needs all rows at once: leave out --stream/],
    [
      ["train", "-", "--solver", "dcd"],
      /--solver dcd needs all rows at once: standard input is read as a stream/,
    ],
    [["train", "-", "--max-passes", "3"], /standard input can be read once only/],
    [["train", "x.svm", "--model", "m.json", "--report", "m.json"], /name the same output/],
    [["train", "x.svm", "--resume"], /--resume needs --checkpoint/],
    [["predict", "m.json", "x.svm", "--scores", "--probabilities"], /not both/],
    [["predict", "-", "-"], /can be read once only/],
    [["evaluate", "m.json"], /Missing required argument 'file'/],
    [["trian", "x.svm"], /Did you mean train\?/],
  ])("%j", async (words, sentence) => {
    const ended = await place().run(words);
    expect(ended.stderr).toMatch(sentence);
    expect(ended).toMatchObject({ code: 64, stdout: "" });
  });

  test("a weight of what is no class, labels for LIBSVM text, and a limit are named as they are", async () => {
    place().write("named-weights.svm", parted(60));
    const run = (words: readonly string[]) => place().run(["train", "named-weights.svm", ...words]);
    const weight = await run(["--class-weight", "maybe=2", "--quiet"]);
    expect(weight.stderr).toContain('--class-weight must be by class, of -1, 1; received "maybe".');
    expect(weight.code).toBe(64);
    const labels = await run(["--labels", "k", "--quiet"]);
    expect(labels.stderr).toContain("--labels must be left out for the format libsvm");
    expect(labels.stderr).not.toContain("no file of this name");
    const limited = await run(["--max-passes", "1", "--solver", "newton", "--report", "-", "--quiet"]);
    expect(JSON.parse(limited.stdout).result.message).toMatch(/^The limit of 1 passes is reached: half the/);
  });

  test("no input is overwritten, and a missing one is named", async () => {
    place().write("kept.svm", parted(20));
    const ended = await place().run(["train", "kept.svm", "--model", "kept.svm"]);
    expect(ended.stderr).toMatch(/never overwritten/);
    expect(ended.code).toBe(64);
    for (const words of [
      ["train", "none.svm"],
      ["train", "none.svm", "--stream"],
      ["predict", "none.json", "kept.svm"],
    ]) {
      const missing = await place().run([...words, "--quiet"]);
      expect(missing.stderr).toMatch(/Cannot read none\.\w+: there is no such file/);
      expect(missing.code).toBe(74);
    }
  });

  test("help states the stopping rules' formulas", async () => {
    const ended = await place().run(["train", "--help"]);
    for (const words of [
      "--lambda-path",
      "(P - D) / P",
      "Newton decrement",
      "|grad P|^2 / (2 lambda P)",
      "74",
    ]) {
      expect(ended.stdout).toContain(words);
    }
  });
});
