// @module-tag full
/** `curvature embed` as a process: how it ends, with unusual data too, and what it reads and writes as a stream. */
import { existsSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { eventsOf, groupsCsv, isOneSentence, rowsOf, workplace } from "./cli.js";

const place = workplace();

/** No square of these is a number above 0. */
const tiny = Array.from({ length: 20 }, (_, i) => `${i}e-160,${(i * 7) % 11}e-160\n`).join("");

describe.concurrent("how it ends", () => {
  test.each<[number, readonly string[], string]>([
    [0, [], "the schedule's end"],
    [0, ["--max-evaluations", "30"], "a shorter schedule's end"],
    [0, ["--solver", "lbfgs"], "convergence"],
    [0, ["--method", "laplacian"], "a direct method"],
    [2, ["--solver", "sd", "--max-iterations", "3"], "the iterations allowed"],
    [2, ["--solver", "sd", "--max-evaluations", "5"], "the evaluations allowed"],
    [2, ["--max-seconds", "1e-9"], "the time allowed"],
  ])("with %d: %s (%s)", async (code, words) => {
    place().write("endings.csv", groupsCsv(45));
    const ended = await place().run(["embed", "endings.csv", "--labels", "group", "--quiet", ...words]);
    expect(ended.code).toBe(code);
    expect(rowsOf(ended.stdout)).toHaveLength(46);
  });

  test("with 4: divergence, the best finite map being the first; all of it is written", async () => {
    place().write("far-data.csv", groupsCsv(45));
    place().write("far.csv", Array.from({ length: 45 }, (_, i) => `${i % 7}e200,${i % 5}e200\n`).join(""));
    const words = [
      "--labels",
      "group",
      "--solver",
      "lbfgs",
      "--init",
      "far.csv",
      "--out",
      "far-map.csv",
      "--plot",
      "far.svg",
      "--report",
      "far.json",
    ];
    const ended = await place().run(["embed", "far-data.csv", ...words]);
    expect(ended.code).toBe(4);
    expect(rowsOf(place().read("far-map.csv"))).toHaveLength(46);
    expect(place().read("far.svg")).not.toMatch(/NaN|Infinity/);
    const { result } = JSON.parse(place().read("far.json"));
    expect(result.status).toBe("diverged");
  });

  test("a perplexity beyond the points says the largest that is allowed", async () => {
    place().write("forty.csv", groupsCsv(40));
    const ended = await place().run(["embed", "forty.csv", "--labels", "group", "--perplexity", "50"]);
    expect(ended.stderr).toMatch(/--perplexity must be above 1 and below 39.*received 50/);
    expect(isOneSentence(ended.stderr)).toBe(true);
    expect(ended.code).toBe(64);
  });

  test("principal components that a far point leaves nothing of are told", async () => {
    const rows = Array.from({ length: 60 }, (_, i) => `${i % 7},${(i * i) % 11},${(3 * i) % 5}`);
    place().write("stray.csv", `${["x,y,z", ...rows, "-1e17,-1e17,-1e17"].join("\n")}\n`);
    const ended = await place().run(["embed", "stray.csv", "--pca", "3", "--out", "stray-map.csv"]);
    expect(ended.code).toBe(0);
    expect(ended.stderr).toMatch(/[12] of the 3 principal components vary not at all.*give --scale/);
  });

  test("more principal components than columns", async () => {
    place().write("narrow.csv", groupsCsv(40));
    const ended = await place().run(["embed", "narrow.csv", "--labels", "group", "--pca", "9"]);
    expect(ended.stderr).toMatch(/--pca must be at most 4, the columns of the data; received 9/);
    expect(ended.code).toBe(64);
  });
});

describe.concurrent("unusual data", () => {
  test.each<[string, string, readonly string[]]>([
    ["three points", "0,0\n1,0\n0,1\n", []],
    ["three points on a line", "1\n2\n3\n", []],
    ["four points in three dimensions", "0,0,1\n1,0,2\n0,1,3\n5,5,5\n", ["--dim", "3"]],
    ["constant columns", Array.from({ length: 30 }, (_, i) => `7,${i % 7},${i},0\n`).join(""), []],
    ["every point twice", Array.from({ length: 40 }, (_, i) => `${i >> 1},${(i >> 1) % 5}\n`).join(""), []],
    ["a point forty times", `${"1,2\n".repeat(40)}3,4\n5,6\n7,9\n`, []],
    [
      "more dimensions than points",
      Array.from(
        { length: 6 },
        (_, i) => `${Array.from({ length: 50 }, (_, j) => (i * 31 + j * 17) % 23).join(",")}\n`,
      ).join(""),
      [],
    ],
    ["tiny numbers, scaled", tiny, ["--scale", "max"]],
    [
      "a scale of huge numbers",
      Array.from({ length: 20 }, (_, i) => `${i}e150,${(i * 7) % 11}e150\n`).join(""),
      ["--scale", "max"],
    ],
  ])("%s make a finite map", async (name, data, words) => {
    const file = place().write(`${name.replaceAll(" ", "-")}.csv`, data);
    for (const method of ["tsne", "ee"]) {
      const ended = await place().run(["embed", file, "--quiet", "--method", method, ...words]);
      expect(ended.stderr).toBe("");
      expect([0, 2]).toContain(ended.code);
      expect(rowsOf(ended.stdout)).toHaveLength(rowsOf(data).length + 1);
      expect(ended.stdout).not.toMatch(/NaN|Infinity/);
    }
  });

  test("numbers whose squares are none are refused, with what to do", async () => {
    const file = place().write("tiny.csv", tiny);
    expect(await place().run(["embed", file, "--quiet"])).toMatchObject({
      code: 65,
      stderr:
        "curvature: tiny.csv: Points has no number above 1.9e-159: squared distances would underflow. Rescale the data.\n",
    });
  });

  test("all points in one place end with a map or with a sentence, never with a crash", async () => {
    const file = place().write("same.csv", "1,2\n".repeat(12));
    const ended = await place().run(["embed", file, "--json"]);
    expect([0, 2, 65]).toContain(ended.code);
    if (ended.code === 65) expect(eventsOf(ended.stderr).at(-1)).toMatchObject({ event: "error" });
    else expect(rowsOf(ended.stdout)).toHaveLength(13);
    const warnings = eventsOf(ended.stderr).filter(({ event }) => event === "warning");
    expect(warnings).toEqual([
      { event: "warning", message: expect.stringMatching(/^All 12 points are the same: .* means nothing/) },
    ]);
  });
});

describe.concurrent("streams", () => {
  test("a reader that goes away early is no error: head has what it wanted", async () => {
    place().write("long.csv", groupsCsv(2000));
    const words = ["embed", "long.csv", "--labels", "group", "--solver", "sd", "--max-iterations", "2"];
    const ended = await place().run([...words, "--kappa", "3"], {
      onLog: (child) => child.stdout?.destroy(),
    });
    expect(ended.stderr).not.toMatch(/EPIPE|at .*\.js/);
    expect(ended.code).toBe(2);
  });

  test.runIf(existsSync("/dev/full"))(
    "a full disk is named, exits 74, and costs no other output",
    async () => {
      place().write("full.csv", groupsCsv(45));
      const words = [
        "embed",
        "full.csv",
        "--labels",
        "group",
        "--out",
        "/dev/full",
        "--report",
        "still.json",
      ];
      const ended = await place().run(words);
      expect(ended.stderr).toMatch(/curvature: Cannot write \/dev\/full: the disk is full/);
      expect(isOneSentence(ended.stderr)).toBe(true);
      expect(ended.code).toBe(74);
      expect(JSON.parse(place().read("still.json")).command).toBe("embed");
    },
  );
});
