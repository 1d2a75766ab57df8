// @module-tag full
/** What `curvature train` says of data and words that are odd or wrong. */
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { isOneSentence, workplace } from "./cli.js";
import { linesOf, parted } from "./linear-rows.js";

const place = workplace();

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
    ["same", "1 1:2\n1 2:3\n", [], /same\.svm: At least two classes are needed: all labels are 1/],
    [
      "three",
      "1 1:2\n2 2:3\n3 1:1\n",
      ["--classes", "1,2"],
      /Row 3 of the data has the label 3, which is none of the classes 1, 2\. Name all classes beforehand by --classes/,
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
      /^curvature: table\.csv has no labels\. Name their column/,
    );
  });

  test("a model that cannot fit into the memory", async () => {
    const content = "1 2147483646:2\n-1 2:1\n";
    await expectFailure("huge.svm", content, [], 65, /A model of 2147483646 features takes about/);
    await expectFailure("huge-stream.svm", content, ["--stream"], 65, /A model of 2147483646 features/);
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

describe.concurrent("the command line", () => {
  test.each<[readonly string[], RegExp]>([
    [["train", "x.svm", "--lambda", "0"], /--lambda <l>.*a finite number above 0/],
    [["train", "x.svm", "--lambda=-1"], /--lambda <l>.*a finite number above 0/],
    [["train", "x.svm", "--loss", "cubic"], /one of "hinge", "squared-hinge"/],
    [["train", "x.svm", "--solver", "sgd-qn"], /one of "auto", "sgd"/],
    [["train", "x.svm", "--loss", "huber", "--classes", "a,b"], /--classes is for classes/],
    [["train", "x.svm", "--loss", "huber", "--class-weight", "balanced"], /--class-weight is for classes/],
    [["train", "x.svm", "--classes", "a,a"], /at least two classes/],
    [["train", "x.svm", "--class-weight", "a=0"], /numbers above 0 by class/],
    [["train", "x.svm", "--test", "1.5"], /a share between 0 and 1/],
    [["train", "x.svm", "--folds", "1"], /a whole number from 2/],
    [["train", "x.svm", "--stream", "--folds", "3"], /--folds needs all rows at once: leave out --stream/],
    [
      ["train", "-", "--solver", "dcd"],
      /--solver dcd needs all rows at once: standard input is read as a stream/,
    ],
    [["train", "-", "--max-passes", "3"], /standard input can be read once only/],
    [["train", "x.svm", "--model", "m.json", "--report", "m.json"], /name the same output/],
    [["train", "x.svm", "--resume"], /--resume needs --checkpoint/],
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
    expect(labels.stderr).toContain(
      '--labels: there is no file "k", and the features of LIBSVM text have no names.',
    );
    const limited = await run(["--max-passes", "1", "--solver", "newton", "--report", "-", "--quiet"]);
    expect(JSON.parse(limited.stdout).result.message).toMatch(
      /^The limit of 1 passes is reached: the duality gap is/,
    );
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
    for (const words of ["chosen by rows left out", "(P - D) / P", "D a value of", "74"]) {
      expect(ended.stdout).toContain(words);
    }
  });
});
