/** Every kind of bad input, given to the command as a process: the right exit code and one clear sentence. */
import { spawnSync } from "node:child_process";
import { chmodSync, closeSync, existsSync, mkdirSync, openSync, readFileSync, symlinkSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { eventsOf, groupsCsv, isOneSentence, workplace } from "./cli.js";

const place = workplace();
const isRoot = process.getuid?.() === 0;

/** Runs `curvature embed data` with content in the file, and expects a failure that says this. */
async function expectFailure(
  content: string | Uint8Array,
  words: readonly string[],
  code: number,
  sentence: RegExp,
  name = "data.csv",
): Promise<void> {
  place().write(name, content);
  const ended = await place().run(["embed", name, "--out", "map.csv", ...words]);
  expect(ended.stderr).toMatch(sentence);
  expect(isOneSentence(ended.stderr), ended.stderr).toBe(true);
  expect(ended.code).toBe(code);
  expect(ended.stdout).toBe("");
  expect(place().has("map.csv")).toBe(false);
}

describe.concurrent("data", () => {
  test.each<[string, string | Uint8Array, RegExp]>([
    ["empty", "", /empty\.csv: The input is empty/],
    ["only-header", "a,b,c\n", /a header and no rows/],
    ["ragged", "a,b\n1,2\n3,4\n5\n6,7\n", /Line 4 has 1 cell/],
    ["text", "a,b\n1,2\n3,x\n", /"b" holds numbers and words \(line 3: "x"\)/],
    ["nan", "1,2\n3,NaN\n", /"column 2" has no value in 1 row \(line 2\)/],
    [
      "infinity",
      "1,2\n-inf,4\n",
      /"column 1" is infinite in 1 row \(line 2\).*--missing drop or --missing mean/,
    ],
    [
      "overflow",
      "1,2\n3,1e999\n",
      /"column 2" is infinite in 1 row \(line 2\).*--missing drop or --missing mean/,
    ],
    ["blank-cell", "a,b\n1,2\n3,\n", /"b" has no value in 1 row \(line 3\)/],
    [
      "either-comma",
      'a;b\n"1,234";2\n"5,678";3\n',
      /a decimal or thousands\. Say --decimal , or --thousands ,/,
    ],
  ])("%s", async (name, content, sentence) => {
    await expectFailure(content, [], 65, sentence, `${name}.csv`);
  });

  test.each([
    [1, /One point has no neighbourhoods/],
    [2, /Two points have no neighbourhoods/],
  ])("%d points have a map that means nothing, and it says so", async (rows, sentence) => {
    place().write(`few-${rows}.csv`, groupsCsv(rows));
    const ended = await place().run(["embed", `few-${rows}.csv`, "--labels", "group"]);
    expect(ended.code).toBe(0);
    expect(ended.stderr).toMatch(sentence);
    expect(ended.stderr).not.toMatch(/All|1 points/);
    expect(ended.stdout.trim().split("\n")).toHaveLength(rows + 1);
  });

  test("a .gz that is no gzip, one that is cut, and one in another", async () => {
    const whole = gzipSync(groupsCsv(50));
    await expectFailure("1,2\n3,4\n", [], 65, /the content is not gzip/, "plain.csv.gz");
    await expectFailure(
      whole.subarray(0, whole.length - 20),
      ["--labels", "group"],
      65,
      /damaged or cut off/,
      "cut.csv.gz",
    );
    await expectFailure(gzipSync(whole), [], 65, /holds another gzip|is damaged or cut off/, "twice.csv.gz");
  });

  test("a damaged npy file", async () => {
    await expectFailure(
      Buffer.from([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0, 3]),
      [],
      65,
      /bad\.npy: /,
      "bad.npy",
    );
  });
});

describe.concurrent("labels", () => {
  test("a column that is not there comes with the nearest one", async () => {
    await expectFailure(
      groupsCsv(9),
      ["--labels", "grop"],
      64,
      /no column "grop"\. Did you mean "group"\?/,
      "l1.csv",
    );
  });

  test("an index beyond the columns", async () => {
    await expectFailure(
      groupsCsv(9),
      ["--labels", "12"],
      64,
      /there is no column 12; the columns are 0 to 4/,
      "l2.csv",
    );
  });

  test("a file with another number of labels than there are points", async () => {
    place().write("labels.txt", "a\nb\nc\n");
    await expectFailure(
      "1,2\n3,4\n5,6\n7,8\n9,1\n",
      ["--labels", "labels.txt"],
      65,
      /labels\.txt has 3 labels, but there are 5 points/,
      "l3.csv",
    );
  });
});

describe.concurrent("the command line", () => {
  test.each<[string, readonly string[], RegExp]>([
    ["no command", [], /Name a command/],
    ["an unknown command", ["emebd", "x.csv"], /Unknown command 'emebd'\. Did you mean embed\?/],
    [
      "an unknown option",
      ["embed", "x.csv", "--perplexty", "3"],
      /Unknown option '--perplexty'\. Did you mean --perplexity\?/,
    ],
    ["the beginning of an option", ["embed", "x.csv", "--max-iter", "3"], /Did you mean --max-iterations\?/],
    [
      "an option that begins with a known one",
      ["embed", "x.csv", "--output", "y.csv"],
      /Did you mean --out\?/,
    ],
    ["a part of an option", ["embed", "x.csv", "--iterations", "3"], /Did you mean --max-iterations\?/],
    [
      "an option like none",
      ["embed", "x.csv", "--zebra"],
      /Unknown option '--zebra'\. See npx @curvature\/cli embed --help\./,
    ],
    [
      "an option before the command",
      ["--quiet", "embed", "x.csv"],
      /--quiet belongs to a command; put it behind/,
    ],
    [
      "an option of other commands alone",
      ["train", "x.csv", "--labels", "y", "--out", "m.json"],
      /Unknown option '--out'\. See npx @curvature\/cli train --help\./,
    ],
    ["no file", ["embed"], /Missing required argument 'file'/],
    ["two files", ["embed", "a.csv", "b.csv"], /Too many arguments/],
    [
      "no number",
      ["embed", "x.csv", "--perplexity", "many"],
      /--perplexity <k>.*'many'.*a finite number above 1/,
    ],
    ["a number out of range", ["embed", "x.csv", "--dim", "0"], /--dim <n>.*a whole number from 1/],
    [
      "an unknown method",
      ["embed", "x.csv", "--method", "umap"],
      /one of "tsne", "ssne", "sne", "nonsymmetric-tsne", "ee", "tee", "laplacian"/,
    ],
    ["a forgotten name", ["embed", "x.csv", "--out", "--json"], /the name of a file/],
    ["a plot of unknown form", ["embed", "x.csv", "--plot", "map.gif"], /must end in \.svg, \.png, \.html/],
    [
      "a map of unknown form",
      ["embed", "x.csv", "--out", "map.xlsx"],
      /must end in \.csv, \.tsv, \.npy, \.json/,
    ],
    ["resume without a checkpoint", ["embed", "x.csv", "--resume"], /--resume needs --checkpoint/],
    [
      "one output twice",
      ["embed", "x.csv", "--out", "m.csv", "--report", "./m.csv"],
      /--out and --report name the same output/,
    ],
    [
      "a GPU for another model",
      ["embed", "x.csv", "--device", "gpu", "--method", "ee"],
      /--device gpu makes maps by --method tsne with --dim 2 and --solver auto/,
    ],
    [
      "a GPU for another metric",
      ["embed", "x.csv", "--device", "gpu", "--metric", "manhattan"],
      /--device gpu searches neighbours by euclidean/,
    ],
    [
      "a homotopy for auto",
      ["embed", "x.csv", "--homotopy"],
      /--homotopy: the solver auto has .* leave it out/,
    ],
    ["standard input twice", ["embed", "-", "--init", "-"], /can be read once only/],
    ["standard output twice", ["embed", "x.csv", "--out", "-", "--report", "-"], /name the same output/],
  ])("%s", async (_, words, sentence) => {
    const ended = await place().run(words);
    expect(ended.stderr).toMatch(sentence);
    expect(ended.code).toBe(64);
    expect(ended.stdout).toBe("");
    expect(ended.stderr).not.toMatch(/\bat .*\.js:\d+/);
  });

  test("with --json the error is a line of JSON with its code", async () => {
    const usage = await place().run(["embed", "x.csv", "--json", "--nope"]);
    expect(eventsOf(usage.stderr)).toMatchObject([{ event: "error", code: "ERR_OPTION", exitCode: 64 }]);
    const data = await place().run(["embed", "missing.csv", "--json"]);
    expect(eventsOf(data.stderr).at(-1)).toMatchObject({ event: "error", code: "ERR_IO", exitCode: 74 });
    expect(data.code).toBe(74);
  });
});

describe.concurrent("files", () => {
  test("a missing input, a folder, a path through a file", async () => {
    place().write("plain.csv", "1,2\n");
    for (const [name, sentence] of [
      ["none.csv", /no such file/],
      [".", /it is a folder/],
      ["plain.csv/x.csv", /not a folder/],
    ] as const) {
      const ended = await place().run(["embed", name]);
      expect(ended.stderr).toMatch(sentence);
      expect(isOneSentence(ended.stderr)).toBe(true);
      expect(ended.code).toBe(74);
    }
  });

  test.skipIf(isRoot)("an input and a folder without permission", async () => {
    place().write("secret.csv", groupsCsv(9));
    chmodSync(place().path("secret.csv"), 0);
    const input = await place().run(["embed", "secret.csv"]);
    expect(input.stderr).toMatch(/permission denied/);
    expect(input.code).toBe(74);
    place().write("open.csv", groupsCsv(9));
    mkdirSync(place().path("closed"), { mode: 0o500 });
    const output = await place().run(["embed", "open.csv", "--out", "closed/map.csv"]);
    expect(output.stderr).toMatch(/permission denied/);
    expect(output.code).toBe(74);
  });

  test("an output folder that is missing, and an output that is one, are found before the work", async () => {
    const name = place().write("points-a.csv", groupsCsv(9));
    mkdirSync(place().path("folder"));
    for (const option of ["--out", "--plot", "--report", "--checkpoint"]) {
      const ending = { "--out": ".csv", "--plot": ".svg", "--report": ".json", "--checkpoint": ".bin" }[
        option
      ];
      const ended = await place().run(["embed", name, "--labels", "group", option, `nowhere/x${ending}`]);
      expect(ended.stderr).toMatch(/Cannot write nowhere\/x.*: its folder does not exist/);
      expect(ended.code).toBe(74);
    }
    const ended = await place().run(["embed", name, "--labels", "group", "--report", "folder"]);
    expect(ended.stderr).toMatch(/it is a folder/);
    expect(ended.code).toBe(74);
  });

  test("no input is ever overwritten, whatever it is called", async () => {
    const name = place().write("points-b.csv", groupsCsv(9));
    symlinkSync(name, place().path("alias.csv"));
    place().write("names.txt", "a\n".repeat(9));
    for (const words of [
      ["--out", name],
      ["--out", `./${name}`],
      ["--out", "alias.csv"],
      ["--labels", "names.txt", "--report", "names.txt"],
      ["--checkpoint", name],
    ]) {
      const ended = await place().run(["embed", name, ...words]);
      expect(ended.stderr).toMatch(/never overwritten/);
      expect(ended.code).toBe(64);
    }
    expect(place().read(name)).toBe(groupsCsv(9));
  });

  test("a file that is no checkpoint does not become one", async () => {
    const name = place().write("points-c.csv", groupsCsv(9));
    place().write("notes.txt", "dear to me");
    const ended = await place().run(["embed", name, "--labels", "group", "--checkpoint", "notes.txt"]);
    expect(ended.stderr).toMatch(/exists and is no checkpoint/);
    expect(ended.code).toBe(64);
    expect(place().read("notes.txt")).toBe("dear to me");
  });

  test.runIf(existsSync("/dev/null"))("a device, like a pipe, is no place for a checkpoint", async () => {
    const name = place().write("points-d.csv", groupsCsv(9));
    const ended = await place().run(["embed", name, "--labels", "group", "--checkpoint", "/dev/null"]);
    expect(ended.stderr).toMatch(/--checkpoint \/dev\/null: this is no ordinary file/);
    expect(ended.code).toBe(64);
  });
});

test("the version is that of the package", async () => {
  const ended = await place().run(["--version"]);
  const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  expect(ended).toMatchObject({ code: 0, stdout: `${manifest.version}\n`, stderr: "" });
});

test("help states the stopping rules' formulas and the exit codes, on standard output", async () => {
  const ended = await place().run(["embed", "--help"]);
  expect(ended.code).toBe(0);
  expect(ended.stderr).toBe("");
  for (const words of ["--perplexity", "<= t |E(k)|", "--tolerance", "74", "130", "Exit codes:"]) {
    expect(ended.stdout).toContain(words);
  }
});

test.runIf(existsSync("/dev/full"))("help on a full device is no crash", () => {
  const device = openSync("/dev/full", "w");
  const program = new URL("../bin/curvature.js", import.meta.url);
  const ended = spawnSync(process.execPath, [fileURLToPath(program), "embed", "--help"], {
    stdio: ["ignore", device, "pipe"],
    encoding: "utf8",
  });
  closeSync(device);
  expect(ended).toMatchObject({ signal: null, stderr: "" });
});
