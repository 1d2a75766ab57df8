/** `curvature train` as a process: what its options do, how it ends. */
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { eventsOf, lastOfEach, workplace } from "./cli.js";
import { fixture, linesOf, parted, reportOf, textOf } from "./linear-rows.js";

const place = workplace();

describe("a9a", () => {
  test("trains to its tolerance; test error, model, predictions and evaluation agree", async () => {
    const words = [fixture("a9a.train"), "--test", fixture("a9a.test"), "--model", "a9a.json"];
    const report = await reportOf(place(), "a9a-report.json", words);
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

  /** Ten passes of the paper's methods are enough for rows as they are, and for no lambda as small as leave-one-out takes here. */
  const ofPaper = ["--scale", "none", "--lambda", "3e-4"];
  const isOfRows = (solver: string): boolean => !["dcd", "newton", "lbfgs"].includes(solver);

  test.each(["sgdqn", "sgdqn-2009", "svmsgd2", "sgd", "asgd", "dcd", "newton", "lbfgs"])(
    "--solver %s",
    { tags: ["full"] },
    async (solver) => {
      const given =
        solver === "dcd" ? ["--loss", "squared-hinge", ...ofPaper] : isOfRows(solver) ? ofPaper : [];
      const words = [fixture("a9a.train"), "--test", fixture("a9a.test"), "--solver", solver, ...given];
      const report = await reportOf(place(), `a9a-${solver}.json`, words);
      expect(report["options"]["solver"]).toBe(solver);
      expect(report["metrics"]["testError"]).toBeLessThan(0.16);
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

  test("--plot draws cost and errors by passes", { tags: ["full"] }, async () => {
    for (const form of ["svg", "html", "png"]) {
      const words = [fixture("a9a.train"), "--test", "0.2", "--solver", "sgdqn", "--plot", `curve.${form}`];
      const { metrics } = await reportOf(place(), `curve-${form}.json`, [...words, "--max-passes", "4"]);
      expect(metrics["curve"]).toHaveLength(4);
      expect(metrics["testCurve"]).not.toHaveLength(0);
    }
    expect(place().read("curve.svg")).toContain(">cost P</text>");
    expect(place().read("curve.svg")).toContain(">test</text>");
    expect(place().read("curve.html")).toContain("<svg ");
    expect([...place().bytes("curve.png").slice(1, 4)]).toEqual([80, 78, 71]);
  });
});

describe.concurrent("every option does something", { tags: ["full"] }, () => {
  const base = [fixture("spam.train"), "--solver", "sgdqn", "--max-passes", "3"];
  const model = async (words: readonly string[]): Promise<string> => {
    const ended = await place().run(lastOfEach(["train", ...base, ...words, "--quiet"]));
    expect(ended.stderr).toBe("");
    expect(ended.code).toBe(0);
    return JSON.stringify(JSON.parse(ended.stdout).parameters ?? JSON.parse(ended.stdout));
  };
  let plain: Promise<string> | undefined;

  test.each<readonly string[]>([
    ["--loss", "hinge"],
    ["--loss", "squared-hinge"],
    ["--loss", "modified-huber"],
    ["--loss", "smoothed-hinge"],
    ["--loss", "smoothed-hinge", "--loss-width", "0.3"],
    ["--lambda", "0.01"],
    ["--lambda-grid", "0.3,0.1"],
    ["--select", "error"],
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
    const { metrics } = await reportOf(place(), "folds.json", [fixture("spam.train"), "--folds", "4"]);
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
    const { metrics, input } = await reportOf(place(), "share.json", [
      fixture("spam.train"),
      "--test",
      "0.25",
    ]);
    expect(input["rows"]).toBe(3601 - Number(metrics["testRows"]));
    expect(metrics["testRows"]).toBe(900);
  });

  test("--index-base", async () => {
    place().write("base.svm", parted(50));
    const columns = async (words: readonly string[]): Promise<unknown> =>
      (await reportOf(place(), `base${words.at(-1)}.json`, ["base.svm", ...words]))["input"]["columns"];
    expect(await columns(["--index-base", "auto"])).toBe(2);
    expect(await columns(["--index-base", "0"])).toBe(3);
  });

  test("text without an index 0 counts as the model's did", { tags: ["full"] }, async () => {
    const from0 = (x: string): string => `1 0:${x} 1:1\n-1 0:0 1:-1\n`;
    place().write("from0.svm", from0("2").repeat(9));
    place().write("no0.svm", "1 1:1.5\n-1 1:-3\n1 1:3\n"); // feature 0 is 0, halfway
    const figures = async (words: readonly string[]): Promise<unknown> =>
      (await reportOf(place(), `from0${words[0]}.json`, [...words, "--test", "no0.svm"]))["metrics"][
        "testError"
      ];
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
    const { options } = await reportOf(place(), "t0.json", [fixture("spam.train"), "--solver", "sgd"]);
    expect(options["t0"]).toBeGreaterThan(2);
    const given = await reportOf(place(), "t0.json", [
      fixture("spam.train"),
      "--solver",
      "sgd",
      "--t0",
      "7e5",
    ]);
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

  test("--plot takes test labels that are numbers for the words that they are among the classes", {
    tags: ["full"],
  }, async () => {
    place().write("mixed.csv", "a,k\n1,1\n-1,x\n2,1\n-3,x\n");
    place().write("mixed-test.csv", "a,k\n1,1\n-1,1\n");
    const words = ["mixed.csv", "--labels", "k", "--test", "mixed-test.csv", "--plot", "mixed.svg"];
    expect((await reportOf(place(), "mixed.json", words))["metrics"]["testError"]).toBe(0.5);
    expect(place().has("mixed.svg")).toBe(true);
  });

  test("--folds that cannot be are refused before the training", { tags: ["full"] }, async () => {
    place().write("rare.svm", `${"-1 1:1\n".repeat(9)}1 1:-1\n`);
    for (const folds of ["2", "11"]) {
      const refused = await place().run(["train", "rare.svm", "--folds", folds, "--json"]);
      expect(refused.code).toBe(65);
      expect(refused.stderr).not.toContain('"training"');
      expect(refused.stdout).toBe("");
    }
  });

  test("features of very different size are scaled; without, --scale is advised", {
    tags: ["full"],
  }, async () => {
    const rows = Array.from({ length: 40 }, (_, i) => {
      const noise = Math.sin(99 * i);
      return `${1e6 + 1e4 * ((i % 2) + noise)},${(i * 7) % 11},${i % 2}\n`;
    });
    place().write("sizes.csv", `a,b,k\n${rows.join("")}`);
    const said = async (...words: string[]): Promise<unknown[]> => {
      const train = ["train", "sizes.csv", "--labels", "k", "--model", "sizes.json", ...words];
      const events = eventsOf((await place().run([...train, "--json"])).stderr);
      return events.flatMap(({ event, message }) => (event === "warning" ? [message] : []));
    };
    expect(await said()).toEqual([]);
    expect(await said("--scale", "none")).toEqual([
      expect.stringContaining("Scale them (leave out --scale none) unless that is meant"),
    ]);
    for (const how of ["max", "rms", "standard"]) expect(await said("--scale", how)).toEqual([]);
    expect(String(await said("--scale", "unit"))).not.toContain("times as large"); // but that it predicts nothing
  });

  test("fractions as classes are doubted", { tags: ["full"] }, async () => {
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
    const child = spawn(process.execPath, [program, "train", "-", "--model", "stopped.json", "--json"], {
      cwd: place().folder,
      stdio: ["pipe", "ignore", "pipe"],
    });
    child.stdin.on("error", () => undefined);
    let log = "";
    let isStopped = false;
    child.stderr.setEncoding("utf8").on("data", (piece: string) => {
      log += piece;
      if (!isStopped && log.includes('"iteration"')) {
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

  test("a stream with a mistake ends the command, although whoever writes it goes on", async () => {
    const program = fileURLToPath(new URL("../bin/curvature.js", import.meta.url));
    const child = spawn(process.execPath, [program, "train", "-", "--model", "mistaken.json"], {
      cwd: place().folder,
      stdio: ["pipe", "ignore", "ignore"],
    });
    child.stdin.on("error", () => undefined);
    child.stdin.write("1 1:1\n-1 1:x\n"); // and no end
    expect(await new Promise((done) => child.on("close", done))).toBe(65);
  });

  test("Ctrl-C before any row leaves nothing", async () => {
    const program = fileURLToPath(new URL("../bin/curvature.js", import.meta.url));
    const child = spawn(process.execPath, [program, "train", "-", "--model", "nothing.json", "--json"], {
      cwd: place().folder,
      stdio: ["pipe", "ignore", "pipe"],
    });
    let log = "";
    child.stderr.setEncoding("utf8").on("data", (piece: string) => {
      log += piece;
      if (piece.includes("training on")) child.kill("SIGINT");
    });
    const code = await new Promise((done) => child.on("close", done));
    expect(log).toContain("Stopped before there was anything to write.");
    expect(code).toBe(3);
    expect(place().has("nothing.json")).toBe(false);
  });
});
