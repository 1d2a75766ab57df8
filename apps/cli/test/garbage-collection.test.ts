/** Sweeps and workers run without V8's helper threads: the process replaces itself once by one that has the flag. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { restartArguments, singleThreadedGc } from "../src/run/garbage-collection.js";
import { groupsCsv, workplace } from "./cli.js";

const place = workplace();
const argv = ["/usr/bin/node", "/opt/curvature.js", "sweep", "embed", "a b.csv"];

test("sweeps and workers start again with the flag before all others, once; other commands do not", () => {
  const execArgv = ["--enable-source-maps"];
  expect(restartArguments(["sweep", "embed", "a b.csv"], { argv, execArgv })).toEqual([
    "/usr/bin/node",
    singleThreadedGc,
    "--enable-source-maps",
    "/opt/curvature.js",
    "sweep",
    "embed",
    "a b.csv",
  ]);
  expect(restartArguments(["worker"], { argv, execArgv })).toBeDefined();
  expect(restartArguments(["worker"], { argv, execArgv: [singleThreadedGc] })).toBeUndefined();
  for (const words of [[], ["embed", "sweep"], ["--help"]])
    expect(restartArguments(words, { argv, execArgv })).toBeUndefined();
});

test.skipIf(process.execve === undefined || process.platform !== "linux")(
  "a sweep keeps its process's number, its streams and its words",
  async () => {
    const file = place().write("points.csv", groupsCsv(20));
    const words = ["sweep", "embed", file, "--labels", "group", "--grid", "perplexity=3,4", "--out", "o"];
    let commandLine = "";
    const { code, stderr } = await place().run(words, {
      onLog: ({ pid }) => {
        if (commandLine === "") commandLine = readFileSync(`/proc/${pid}/cmdline`, "utf8");
      },
    });
    expect(stderr).toContain('"done":2');
    expect(code).toBe(0);
    expect(commandLine.split("\0")).toContain(singleThreadedGc);
  },
);
