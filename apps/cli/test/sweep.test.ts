/** `curvature sweep` on this machine: what comes out, what is refused, how it goes on. */
import { mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { eventsOf, groupsCsv, isOneSentence, workplace } from "./cli.js";

const place = workplace();

const grid = [
  "--grid",
  "perplexity=5,10",
  "--grid",
  "method=tsne,ssne",
  "--restarts",
  "2",
  "--init",
  "random",
];
const quick = ["--max-evaluations", "30", "--labels", "group"];

interface Report {
  readonly command: string;
  readonly result: object;
  readonly metrics: { readonly knnPreservation: number };
}

const reportIn = (path: string): Report => JSON.parse(readFileSync(place().path(path), "utf8"));
const rowsOf = (csv: string): string[][] =>
  csv
    .trimEnd()
    .split("\n")
    .map((line) => line.split(","));

describe.concurrent("curvature sweep", () => {
  test("writes a report of each run, a table, a picture, and names the best; the same with one worker and two", async () => {
    const file = place().write("points.csv", groupsCsv(60));
    const words = ["sweep", "embed", file, ...grid, ...quick];
    const two = await place().run([...words, "--out", "two", "--concurrency", "2", "--json"]);
    const one = await place().run([...words, "--out", "one", "--concurrency", "1"]);
    expect(two).toMatchObject({ code: 0, stdout: "" });
    expect(one.code).toBe(0);
    const table = place().read("two/summary.csv");
    expect(place().read("one/summary.csv")).toBe(table);
    expect(place().read("one/picture.svg")).toBe(place().read("two/picture.svg"));
    const [header, ...rows] = rowsOf(table);
    expect(header.slice(0, 5)).toEqual(["run", "perplexity", "method", "seed", "status"]);
    expect(rows.map((row) => row.slice(0, 4).join(" "))).toEqual([
      "1 5 tsne 0",
      "2 5 tsne 1",
      "3 5 ssne 0",
      "4 5 ssne 1",
      "5 10 tsne 0",
      "6 10 tsne 1",
      "7 10 ssne 0",
      "8 10 ssne 1",
    ]);
    const column = header.indexOf("knnPreservation");
    const figures = rows.map((row) => Number(row[column]));
    const best = figures.indexOf(Math.max(...figures)) + 1;
    expect(eventsOf(two.stderr).at(-1)).toMatchObject({
      event: "result",
      runs: 8,
      done: 8,
      metric: "knnPreservation",
      best: { run: best, figure: Math.max(...figures) },
    });
    expect(place().read("two/summary.md")).toContain(`Best by knnPreservation (the highest): run ${best}, `);
    expect(
      place()
        .read("two/picture.svg")
        .match(/<rect x=/g),
    ).toHaveLength(4);
    expect(readdirSync(place().path("two/runs"))).toHaveLength(8);
  });

  test("a run of a sweep is the command itself: the same figures, the same options", async () => {
    const file = place().write("alone.csv", groupsCsv(45));
    const out = ["--out", "alone-sweep"];
    await place().run(["sweep", "embed", file, ...quick, "--grid", "perplexity=7", "--seed", "3", ...out]);
    await place().run([
      "embed",
      file,
      ...quick,
      "--perplexity",
      "7",
      "--seed",
      "3",
      "--report",
      "alone.json",
    ]);
    const swept = reportIn("alone-sweep/runs/001-perplexity=7,seed=3.json");
    const alone = reportIn("alone.json");
    const timeless = (report: Report): unknown =>
      JSON.parse(
        JSON.stringify(report, (key, value) => (/phases|Seconds|sweep/.test(key) ? undefined : value)),
      );
    expect(timeless(swept)).toEqual(timeless(alone));
  });

  test("keeps the best run's map and model: those of the command itself", async () => {
    const file = place().write("saved.csv", groupsCsv(45));
    const swept = await place().run([
      "sweep",
      "embed",
      file,
      ...quick,
      "--grid",
      "perplexity=4,7",
      "--out",
      "saved",
    ]);
    const best = /run (\d)/.exec(swept.stderr)?.[1] === "1" ? "4" : "7";
    const alone = ["--perplexity", best, "--out", "saved-alone.csv", "--model", "saved-alone.model"];
    await place().run(["embed", file, ...quick, ...alone]);
    expect(place().read("saved/best.csv")).toBe(place().read("saved-alone.csv"));
    expect(place().bytes("saved/best.model")).toEqual(place().bytes("saved-alone.model"));
    const none = [
      "--grid",
      "perplexity=4,7",
      "--save",
      "none",
      "--compare-by",
      "evaluations",
      "--out",
      "unsaved",
    ];
    expect(await place().run(["sweep", "embed", file, ...quick, ...none])).toMatchObject({ code: 0 });
    expect(place().has("unsaved/best.csv")).toBe(false);
  });

  test.each([
    ["train", ["--labels", "group", "--grid", "lambda=0.01,1", "--folds", "3"], "crossValidation.mean"],
    ["disentangle", ["--labels", "group", "--grid", "clusters=2,3"], "bic"],
    ["fit", ["--labels", "group", "--objective", "softmax", "--grid", "solver=lbfgs,adam:0.01"], "value"],
    [
      "fit",
      ["--labels", "group", "--objective", "mlp", "--grid", "hidden=4;5,3", "--max-passes", "2"],
      "value",
    ],
  ])("of %s too", { tags: ["full"] }, async (command, words, metric) => {
    const out = `out-${command}-${words.length}`;
    const file = place().write(`${out}.csv`, groupsCsv(36));
    const ended = await place().run(["sweep", command, file, ...words, "--out", out, "--json"]);
    expect(eventsOf(ended.stderr).at(-1)).toMatchObject({
      event: "result",
      runs: 2,
      done: 2,
      metric,
      exitCode: 0,
    });
    expect(place().read(`${out}/picture.svg`)).toContain("<svg");
    // One thread reads the file once for both runs; two read it once each.
    await place().run(["sweep", command, file, ...words, "--out", `${out}-one`, "--concurrency", "1"]);
    expect(place().read(`${out}-one/summary.csv`)).toBe(place().read(`${out}/summary.csv`));
  });

  test.each([
    ["five folds", "5"],
    ["as many folds as rows, none of which has an R²", "20"],
  ])("numbers are compared by how wrong they were, in %s", { tags: ["full"] }, async (_, folds) => {
    const rows = Array.from({ length: 20 }, (_, i) => `${i % 7},${i % 3},${2 * (i % 7) - (i % 3) + 5}`);
    const file = place().write("numbers.csv", `a,b,price\n${rows.join("\n")}\n`);
    const words = ["sweep", "train", file, "--labels", "price", "--loss", "squared-error", "--folds", folds];
    const out = ["--out", `numbers-${folds}`];
    const ended = await place().run([...words, "--grid", "lambda=100,1e-6,1", ...out, "--json"]);
    expect(eventsOf(ended.stderr).at(-1)).toMatchObject({
      event: "result",
      metric: "crossValidation.mean",
      best: { run: 2 },
      exitCode: 0,
    });
  });

  test("of ordinal, from distances that are a file, with starts of its own varied by the grid", {
    tags: ["full"],
  }, async () => {
    const line = (i: number): string => Array.from({ length: 9 }, (_, j) => Math.abs(i - j)).join(",");
    place().write("distances.csv", `${Array.from({ length: 9 }, (_, i) => line(i)).join("\n")}\n`);
    const words = ["--from-distances", "distances.csv", "--grid", "restarts=1,2", "--out", "ordinal"];
    const ended = await place().run(["sweep", "ordinal", ...words]);
    expect(ended.code).toBe(0);
    expect(rowsOf(place().read("ordinal/summary.csv")).map((row) => row[1])).toEqual(["restarts", "1", "2"]);
  });

  test("a run that is refused is told and not tried again; the rest goes on", async () => {
    const file = place().write("few.csv", groupsCsv(12));
    const ended = await place().run(["sweep", "embed", file, ...quick, "--grid", "pca=2,50", "--out", "few"]);
    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain("A run was refused (pca=50,seed=0): --pca must be at most 4");
    expect(rowsOf(place().read("few/summary.csv"))[2].slice(0, 4)).toEqual(["2", "50", "0", "failed"]);
    expect(place().read("few/summary.md")).toContain("1 of 2 runs has no result.");
  });

  test("a run that may go better another time is tried three times", { tags: ["full"] }, async () => {
    const file = place().write("short.csv", groupsCsv(12));
    const words = ["sweep", "disentangle", file, "--labels", "group", "-k", "3", "--out", "short"];
    const ended = await place().run([...words, "--grid", "memory-limit=0.0000001,1"]);
    expect(ended.code).toBe(2);
    expect(ended.stderr).toMatch(
      /A run failed 3 times \(memory-limit=0.0000001,seed=0\): .* GiB, and --memory/,
    );
  });

  test("where every run is refused the command ends as one of them would, and leaves no folder", {
    tags: ["full"],
  }, async () => {
    const file = place().write("twelve.csv", groupsCsv(12));
    const words = [
      "sweep",
      "train",
      file,
      "--labels",
      "group",
      "--grid",
      "lambda=1,2",
      "--out",
      "new/refused",
    ];
    const folds = await place().run([...words, "--folds", "13"]);
    expect(folds.code).toBe(65);
    expect(folds.stderr).toContain("curvature: Every run was refused: --folds must be at most 12");
    expect(folds.stderr.match(/A run was refused/g)).toHaveLength(1);
    expect(isOneSentence(folds.stderr)).toBe(true);
    expect(place().has("new")).toBe(false);
    const points = ["sweep", "embed", file, "--labels", "group", "--grid", "pca=50,60", "--out"];
    mkdirSync(place().path("there"));
    place().write("there/mine.txt", "mine");
    const pca = await place().run([...points, "there"]);
    expect(pca.code).toBe(64);
    expect(readdirSync(place().path("there"))).toEqual(["mine.txt"]);
  });

  test("stopped by Ctrl-C it writes what there is, and --resume goes on from there", {
    tags: ["full"],
  }, async () => {
    const file = place().write("many.csv", groupsCsv(250));
    const words = ["sweep", "embed", file, "--labels", "group", "--restarts", "6", "--init", "random"];
    const whole = await place().run([...words, "--out", "whole"]);
    expect(whole.code).toBe(0);
    let killed = false;
    const cut = await place().run([...words, "--out", "cut", "--concurrency", "1"], {
      onLog: (child, log) => {
        if (killed || !/ of 6 runs/.test(log)) return;
        killed = true;
        child.kill("SIGINT");
      },
    });
    expect(cut.code).toBe(3);
    const there = readdirSync(place().path("cut/runs")).length;
    expect(there).toBeGreaterThan(0);
    expect(there).toBeLessThan(6);
    expect(
      place()
        .read("cut/summary.csv")
        .match(/not run/g),
    ).toHaveLength(6 - there);
    const resumed = await place().run([...words, "--out", "cut", "--resume"]);
    expect(resumed.code).toBe(0);
    expect(resumed.stderr).toContain(`${there} of 6 runs are there already.`);
    expect(place().read("cut/summary.csv")).toBe(place().read("whole/summary.csv"));
    const torn = join("cut", "runs", readdirSync(place().path("cut/runs"))[0]);
    place().write(torn, "{");
    const mended = await place().run([...words, "--out", "cut", "--resume"]);
    expect(mended.stderr).toContain("5 of 6 runs are there already.");
    expect(place().read("cut/summary.csv")).toBe(place().read("whole/summary.csv"));
  });

  test("a folder with another sweep is left alone", { tags: ["full"] }, async () => {
    const file = place().write("other.csv", groupsCsv(12));
    const words = ["sweep", "embed", file, ...quick, "--out", "taken"];
    await place().run([...words, "--grid", "perplexity=2"]);
    const before = place().read("taken/summary.csv");
    const ended = await place().run([...words, "--grid", "perplexity=3"]);
    expect(ended).toMatchObject({ code: 64 });
    expect(ended.stderr).toContain("--out taken holds another sweep");
    expect(place().read("taken/summary.csv")).toBe(before);
  });

  test("a file of others is not overwritten", { tags: ["full"] }, async () => {
    const file = place().write("theirs.csv", groupsCsv(12));
    for (const name of ["summary.csv", "summary.md", "picture.svg"]) {
      const out = `theirs-${name}`;
      mkdirSync(place().path(out));
      place().write(`${out}/${name}`, "a,b\n");
      const words = [...quick, "--grid", "perplexity=2", "--out", out];
      const ended = await place().run(["sweep", "embed", file, ...words]);
      expect(ended).toMatchObject({ code: 64 });
      expect(ended.stderr).toContain(`--out ${out} holds a ${name} that is no sweep's`);
      expect(readdirSync(place().path(out))).toEqual([name]);
      expect(place().read(`${out}/${name}`)).toBe("a,b\n");
    }
  });

  test("a run without the figure is never the best, and is listed as such", { tags: ["full"] }, async () => {
    const file = place().write("figures.csv", groupsCsv(24));
    const words = [
      ...quick,
      "--grid",
      "method=ee,tsne",
      "--compare-by",
      "klDivergence",
      "--out",
      "figures",
      "--json",
    ];
    const ended = await place().run(["sweep", "embed", file, ...words]);
    expect(ended.code).toBe(0);
    expect(eventsOf(ended.stderr).at(-1)).toMatchObject({ done: 2, best: { run: 2 } });
    const [header, ee, tsne] = rowsOf(place().read("figures/summary.csv"));
    const column = header.indexOf("klDivergence");
    expect([ee[column], Number(tsne[column]) > 0]).toEqual(['""', true]);
    const text = place().read("figures/summary.md");
    expect(text).toContain("1 of 2 runs has no klDivergence.");
    expect(text).toContain("## Without klDivergence, and so not compared\n\n- Run 1: method ee, seed 0");
  });

  describe("a folder of results that takes nothing", { tags: ["full"] }, () => {
    /** Node's file system, where writing a file of this name fails. */
    const failing = (name: string, code: string): Readonly<Record<string, string>> => {
      const hook = `import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
for (const call of ["openSync", "mkdirSync"]) {
  const original = fs[call];
  fs[call] = (path, ...more) => {
    const isWriting = call === "mkdirSync" || /[wxa]/.test(String(more[0]));
    if (isWriting && String(path).includes(${JSON.stringify(name)}))
      throw Object.assign(new Error("no"), { code: ${JSON.stringify(code)}, syscall: "open", path });
    return original(path, ...more);
  };
}
syncBuiltinESMExports();`;
      return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(hook)}` };
    };
    /** A file of its own for each: a sweep beside it would find one that is being written. */
    const words = (out: string, file = place().write(`${out}.csv`, groupsCsv(30))): string[] => [
      ...["sweep", "embed", file, ...quick, "--grid", "perplexity=4,5,6,7"],
      ...["--concurrency", "1", "--out", out],
    ];

    test.each([
      ["a full disk", "ENOSPC", "the disk is full"],
      ["a read-only file system", "EROFS", "the file system is read-only"],
    ])(
      "%s, on the way: says which file, and goes on from there when there is room",
      async (_, code, reason) => {
        const out = `space-${code}`;
        const cut = await place().run(words(out), { environment: failing(".003-perplexity=6", code) });
        expect(cut.code).toBe(74);
        expect(cut.stderr).toMatch(new RegExp(`Cannot write ${out}/runs/003-perplexity=6\\S*: ${reason}`));
        expect(readdirSync(place().path(`${out}/runs`))).toHaveLength(2);
        const resumed = await place().run([...words(out, `${out}.csv`), "--resume"]);
        expect(resumed.code).toBe(0);
        expect(resumed.stderr).toContain("2 of 4 runs are there already.");
        const whole = await place().run(words(`${out}-whole`, `${out}.csv`));
        expect(whole.code).toBe(0);
        expect(place().read(`${out}/summary.csv`)).toBe(place().read(`${out}-whole/summary.csv`));
      },
    );

    test("a disk that is full for the table alone: the runs are there", async () => {
      const cut = await place().run(words("table"), { environment: failing("summary.csv", "ENOSPC") });
      expect(cut.code).toBe(74);
      expect(cut.stderr).toContain("Cannot write table/summary.csv: the disk is full");
      expect(cut.stderr).not.toContain("A run failed");
      expect(readdirSync(place().path("table/runs"))).toHaveLength(4);
      const resumed = await place().run([...words("table", "table.csv"), "--resume"]);
      expect(resumed).toMatchObject({ code: 0 });
      expect(resumed.stderr).toContain("4 of 4 runs are there already.");
      expect(place().has("table/summary.csv")).toBe(true);
    });

    test("a device without room takes the place of a report", async () => {
      mkdirSync(place().path("device/runs"), { recursive: true });
      symlinkSync("/dev/full", place().path("device/runs/002-perplexity=5,seed=0.json"));
      const cut = await place().run(words("device"));
      expect(cut.code).toBe(74);
      expect(cut.stderr).toContain("002-perplexity=5,seed=0.json: the disk is full");
    });

    test("nothing can be made there: nothing is run", async () => {
      const ended = await place().run(words("barred"), { environment: failing("barred", "EROFS") });
      expect(ended.code).toBe(74);
      expect(ended.stderr).toContain("Cannot write barred: the file system is read-only; write elsewhere.");
      expect(isOneSentence(ended.stderr)).toBe(true);
    });
  });

  test("without the package for it, a sentence says what to install; the other commands do not miss it", {
    tags: ["full"],
  }, async () => {
    const hook = `import { registerHooks } from "node:module";
registerHooks({
  resolve(name, context, next) {
    if (!name.startsWith("@curvature/cluster")) return next(name, context);
    throw Object.assign(new Error("not here"), { code: "ERR_MODULE_NOT_FOUND" });
  },
});`;
    const environment = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(hook)}` };
    place().write("lonely.csv", groupsCsv(12));
    const sweep = await place().run(["sweep", "embed", "lonely.csv", "--out", "lonely"], { environment });
    const worker = await place().run(["worker", "--redis", "redis://127.0.0.1:1", "--data", "."], {
      environment,
    });
    for (const { code, stderr } of [sweep, worker]) {
      expect(code).toBe(64);
      expect(stderr).toContain("npm install @curvature/cli @curvature/cluster");
      expect(isOneSentence(stderr)).toBe(true);
    }
    expect(
      (await place().run(["embed", "lonely.csv", "--labels", "group", "--quiet"], { environment })).code,
    ).toBe(0);
  });

  test("the help lists what can be swept, and each has its own", { tags: ["full"] }, async () => {
    const help = await place().run(["sweep", "--help"]);
    for (const name of ["embed", "disentangle", "ordinal", "train", "fit"])
      expect(help.stdout).toContain(`  ${name}`);
    const own = await place().run(["sweep", "train", "--help"]);
    for (const word of ["--grid", "--folds", "--lambda", "summary.csv"]) expect(own.stdout).toContain(word);
    expect(own.stdout).not.toContain("--checkpoint");
  });
});
