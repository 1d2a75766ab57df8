/** `curvature ordinal` as a process: what it writes, how it ends, and what it says of odd answers. */
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { RandomGenerator } from "@curvature/linalg";
import { procrustes } from "@curvature/optim-svrg";
import { describe, expect, test } from "vitest";
import { eventsOf, isOneSentence, workplace } from "./cli.js";
import { answers, answersCsv, distances, distancesCsv, names, positions, rowsOf } from "./eurodist.js";

const place = workplace();

/** The places in a map as CSV, in the order of the cities. */
function placesOf(csv: string): number[][] {
  const { rows } = rowsOf(csv);
  return names.map((name) => {
    const row = rows.find(([object]) => object === name);
    return (row ?? []).slice(1).map(Number);
  });
}

/** The share of the cities' answers that a map does not meet. */
function errorOf(csv: string): number {
  const places = placesOf(csv);
  const distance = (a: number, b: number): number =>
    Math.hypot(...places[a].map((x, axis) => x - places[b][axis]));
  const all = answers(1);
  return all.filter(([i, j, k]) => !(distance(i, j) < distance(i, k))).length / all.length;
}

let fourth: Promise<string> | undefined;

/** The map of every fourth answer, by default; made once. */
function plainMap(): Promise<string> {
  fourth ??= place()
    .run(["ordinal", place().write("fourth.csv", answersCsv(answers(4))), "--quiet"])
    .then(({ stdout }) => stdout);
  return fourth;
}

describe.concurrent("Europe", () => {
  test("from its road distances: the map is Europe's, with the cities' names", async () => {
    place().write("distances.csv", distancesCsv());
    const ended = await place().run([
      "ordinal",
      "--from-distances",
      "distances.csv",
      "--out",
      "europe.csv",
      "--plot",
      "europe.svg",
      "--report",
      "europe.json",
    ]);
    expect([0, 2]).toContain(ended.code);
    const map = place().read("europe.csv");
    expect(rowsOf(map).header).toBe("object,x,y");
    expect(rowsOf(map).rows.map(([name]) => name)).toEqual(names);
    expect(errorOf(map)).toBeLessThan(0.05); // the best known map of two dimensions misses 0.044 of these
    expect(procrustes(positions, placesOf(map)).disparity).toBeLessThan(0.06);
    const svg = place().read("europe.svg");
    for (const name of names) expect(svg).toContain(`<title>${name}</title>`);
    expect(svg).toContain(">Stockholm</text>");
    const report = JSON.parse(place().read("europe.json"));
    expect(report).toMatchObject({
      command: "ordinal",
      input: {
        kind: "distances",
        objects: 21,
        named: true,
        answers: 3986,
        ties: 4,
        duplicates: 0,
        contradictions: 0,
        components: 1,
        unmentioned: [],
      },
      metrics: { testError: null },
    });
    expect(report.metrics.trainingError).toBeCloseTo(errorOf(map), 12);
  });

  test("from answers by name, a share of them held out", async () => {
    place().write("answers.csv", answersCsv(answers(1)));
    const words = ["ordinal", "answers.csv", "--test", "0.5", "--report", "half.json", "--out", "-"];
    const ended = await place().run(words);
    expect([0, 2]).toContain(ended.code);
    const { input, metrics } = JSON.parse(place().read("half.json"));
    expect(input).toMatchObject({ answers: 1993, testAnswers: 1993, objects: 21 });
    expect(metrics.trainingError).toBeLessThan(0.06);
    expect(metrics.testError).toBeLessThan(0.08);
    expect(errorOf(ended.stdout)).toBeCloseTo((metrics.trainingError + metrics.testError) / 2, 12);
  });

  test("the same from indices with names beside them, from standard input and compressed", async () => {
    const half = answers(2);
    place().write("cities.txt", `${names.join("\n")}\n`);
    const stdin = answersCsv(half, false);
    const options = ["--names", "cities.txt", "--quiet"];
    const plain = await place().run(["ordinal", "-", ...options], { stdin });
    expect(plain.stderr).toBe("");
    expect(rowsOf(plain.stdout).rows.map(([name]) => name)).toEqual(names);
    const zipped = await place().run(["ordinal", "-", ...options], { stdin: gzipSync(stdin) });
    expect(zipped.stdout).toBe(plain.stdout);
    place().write("named.csv", answersCsv(half));
    const named = await place().run(["ordinal", "named.csv", ...options]);
    expect(named.stdout).toBe(plain.stdout);
  });

  test("a test in a file of its own; the columns in another order", async () => {
    place().write("train.csv", answersCsv(answers(2)));
    const test = answers(2, 1).map(([i, j, k]) => `${names[k]};x;${names[i]};${names[j]}`);
    place().write("test.csv", `far;who;anchor;near\n${test.join("\n")}\n`);
    const ended = await place().run(["ordinal", "train.csv", "--test", "test.csv", "--report", "two.json"]);
    expect(ended.stderr).toContain("columns not used: who");
    const { input, metrics } = JSON.parse(place().read("two.json"));
    expect(input.testAnswers).toBe(1993);
    expect(metrics.testError).toBeLessThan(0.08);
  });

  test("a map goes on from another: --init", async () => {
    place().write("more.csv", answersCsv(answers(1)));
    const first = await place().run(["ordinal", "more.csv", "--quiet", "--out", "first.csv"]);
    expect([0, 2]).toContain(first.code);
    const options = ["--solver", "lbfgs", "--init", "first.csv", "--max-iterations", "1", "--out", "-"];
    const again = await place().run(["ordinal", "more.csv", ...options, "--quiet"]);
    expect(again.code).toBe(2);
    expect(errorOf(again.stdout)).toBeLessThan(errorOf(place().read("first.csv")) + 0.01);
    place().write("few.csv", "object,x,y\nRome,1,2\nParis,,\n");
    const missing = await place().run(["ordinal", "more.csv", "--init", "few.csv", "--quiet"]);
    expect(missing.stderr).toContain("few.csv has no place for");
    expect(missing.code).toBe(65);
  });

  test.each([
    ["--loss", "ste"],
    ["--loss", "tste"],
    ["--loss", "gnmds"],
    ["--loss", "ckl"],
    ["--loss", "logistic"],
    ["--solver", "svrg-sbb"],
    ["--solver", "svrg-bb"],
    ["--solver", "svrg"],
    ["--solver", "lbfgs"],
    ["--solver", "gd"],
    ["--solver", "gram"],
    ["--restarts", "2", "--init", "random"],
    ["--dim", "3"],
    ["--seed", "5", "--init", "random"],
  ])("%s %s: another map, of more or less the same errors", async (...options) => {
    const plain = await plainMap();
    const other = await place().run(["ordinal", "fourth.csv", "--quiet", ...options]);
    expect(other.stderr).toBe("");
    expect([0, 2]).toContain(other.code);
    expect(other.stdout).not.toBe(plain);
    expect(errorOf(other.stdout)).toBeLessThan(0.16);
  });

  test("names that a spreadsheet would run come back from a map", async () => {
    place().write("formula.csv", "i,j,k\n=1+1,-b,c\n-b,c,=1+1\nc,-b,=1+1\n");
    await place().run(["ordinal", "formula.csv", "--quiet", "--out", "formula-map.csv"]);
    expect(place().read("formula-map.csv")).toContain("\n'=1+1,");
    for (const words of [
      ["ordinal", "formula.csv", "--init", "formula-map.csv"],
      ["questions", "--map", "formula-map.csv", "--answers", "formula.csv"],
    ]) {
      const ended = await place().run([...words, "--quiet"]);
      expect(ended).toMatchObject({ code: 0, stderr: "" });
    }
  });

  test("answers to one question are held out together", async () => {
    const twice = answers(8).flatMap((row) => [row, row]);
    place().write("twice.csv", answersCsv(twice));
    await place().run(["ordinal", "twice.csv", "--test", "0.3", "--quiet", "--report", "twice.json"]);
    const { input } = JSON.parse(place().read("twice.json"));
    expect(input.answers + input.testAnswers).toBe(twice.length);
    expect(input.duplicates).toBe(input.answers / 2);
    place().write("lone.csv", "i,j,k\n0,1,2\n");
    const lone = await place().run(["ordinal", "lone.csv", "--test", "0.3", "--quiet"]);
    expect(lone.stderr).toMatch(/one question, too few to hold out/);
    expect(lone.code).toBe(65);
  });

  test("sgd runs, too, and its step is the user's business", async () => {
    place().write("for-sgd.csv", answersCsv(answers(4)));
    const ended = await place().run(["ordinal", "for-sgd.csv", "--solver", "sgd", "--quiet"]);
    expect([0, 2]).toContain(ended.code);
    expect(rowsOf(ended.stdout).rows).toHaveLength(21);
  });

  test("pictures in pixels and as a page, with the names", async () => {
    place().write("picture.csv", answersCsv(answers(4)));
    for (const form of ["png", "html"]) {
      const ended = await place().run(["ordinal", "picture.csv", "--plot", `map.${form}`, "--quiet"]);
      expect([0, 2]).toContain(ended.code);
    }
    expect([...place().bytes("map.png").subarray(1, 4)]).toEqual([0x50, 0x4e, 0x47]);
    expect(place().read("map.html")).toContain('"Hook of Holland"');
    expect(place().read("map.html")).toContain('"namesShown":true');
  });

  test("JSON and TSV", async () => {
    place().write("forms.csv", answersCsv(answers(4)));
    for (const form of ["csv", "tsv", "json"])
      await place().run(["ordinal", "forms.csv", "--quiet", "--out", `map-form.${form}`]);
    const csv = place().read("map-form.csv");
    expect(place().read("map-form.tsv")).toBe(csv.replaceAll(",", "\t"));
    const { columns, labels, data } = JSON.parse(place().read("map-form.json"));
    expect(columns).toEqual(["x", "y"]);
    expect(data).toEqual(rowsOf(csv).rows.map(([, ...cells]) => cells.map(Number)));
    expect(labels).toEqual(rowsOf(csv).rows.map(([name]) => name));
  });
});

describe.concurrent("answers that are odd but not wrong", () => {
  test("repeated and contradictory ones are kept, and counted", async () => {
    const rows = answers(4);
    place().write("odd.csv", answersCsv([...rows, rows[0], rows[0], [rows[1][0], rows[1][2], rows[1][1]]]));
    const ended = await place().run(["ordinal", "odd.csv", "--report", "odd.json"]);
    expect([0, 2]).toContain(ended.code);
    expect(JSON.parse(place().read("odd.json")).input).toMatchObject({
      answers: rows.length + 3,
      duplicates: 2,
      contradictions: 1,
    });
  });

  test("objects that none mentions are named, and have no place", async () => {
    place().write("all.txt", `${[...names, "Atlantis", "Utopia"].join("\n")}\n`);
    place().write("no-utopia.csv", answersCsv(answers(4)));
    const words = [
      "ordinal",
      "no-utopia.csv",
      "--names",
      "all.txt",
      "--report",
      "no-utopia.json",
      "--out",
      "-",
    ];
    const ended = await place().run([...words, "--plot", "no-utopia.svg"]);
    expect([0, 2]).toContain(ended.code);
    const { rows } = rowsOf(ended.stdout);
    expect(rows.slice(21)).toEqual([
      ["Atlantis", "", ""],
      ["Utopia", "", ""],
    ]);
    const warnings = eventsOf(ended.stderr).filter(({ event }) => event === "warning");
    expect(warnings).toEqual([
      { event: "warning", message: "No answer mentions Atlantis and Utopia: they have no place in the map." },
    ]);
    expect(JSON.parse(place().read("no-utopia.json")).input.unmentioned).toEqual(["Atlantis", "Utopia"]);
    expect(place().read("no-utopia.svg").match(/<use /g)).toHaveLength(21);
  });

  test("objects that are numbered from 1: a warning says what to do", async () => {
    const fromOne = answers(4).map((row) => row.map((object) => object + 1));
    place().write("from-one.csv", answersCsv(fromOne, false));
    const ended = await place().run(["ordinal", "from-one.csv", "--out", "-"]);
    expect(ended.stderr).toMatch(/No answer mentions 0: .* numbered from 1, let --objects names/);
    expect(rowsOf(ended.stdout).rows[0]).toEqual(["0", "", ""]);
    const named = await place().run(["ordinal", "from-one.csv", "--objects", "names", "--quiet"]);
    expect(rowsOf(named.stdout).rows).toHaveLength(21);
  });

  test("groups that no answer connects are told", async () => {
    const west = answers(1).filter((row) => row.every((city) => city < 10));
    const east = answers(1).filter((row) => row.every((city) => city >= 10));
    place().write("apart.csv", answersCsv([...west, ...east]));
    const ended = await place().run(["ordinal", "apart.csv", "--report", "apart.json"]);
    expect([0, 2]).toContain(ended.code);
    expect(ended.stderr).toMatch(/fall into 2 groups of objects that none connects/);
    expect(JSON.parse(place().read("apart.json")).input.components).toBe(2);
  });

  test("circles of answers, and names that a PNG cannot show, are told", async () => {
    place().write("circle.csv", "i,j,k\n北,b,c\n北,c,d\n北,d,b\nb,c,d\n");
    for (const [form, isTold] of [
      ["png", true],
      ["svg", false],
    ] as const) {
      const { code, stderr } = await place().run(["ordinal", "circle.csv", "--plot", `circle.${form}`]);
      expect([0, 2]).toContain(code);
      expect(stderr).toMatch(/3 of 4 answers contradict each other in circles/);
      expect(stderr.includes("font of PNG plots")).toBe(isTold);
    }
  });

  test("names that look like numbers are taken as names, with a warning, or by --objects names without", async () => {
    const rename = (object: number): string => (object === 0 ? "x1" : String(1000 + object));
    const csv = `i,j,k\n${answers(4)
      .map((row) => row.map(rename).join(","))
      .join("\n")}\n`;
    place().write("years.csv", csv);
    const ended = await place().run(["ordinal", "years.csv", "--out", "-"]);
    expect(ended.stderr).toMatch(
      /years\.csv: All 21 objects are taken by their names, although 20 of these are numbers/,
    );
    expect(rowsOf(ended.stdout).rows).toHaveLength(21);
    place().write("ids.csv", csv.replaceAll("x1", "1000"));
    const ids = await place().run(["ordinal", "ids.csv", "--objects", "names", "--quiet"]);
    expect(rowsOf(ids.stdout).rows).toHaveLength(21);
  });

  test("lines that compare what is the same are dropped if asked", async () => {
    place().write("same.csv", answersCsv([...answers(4), [3, 3, 4], [3, 4, 3]]));
    const ended = await place().run(["ordinal", "same.csv", "--degenerate", "drop", "--report", "same.json"]);
    expect([0, 2]).toContain(ended.code);
    expect(ended.stderr).toContain("2 lines that compare what is the same have been dropped");
    expect(JSON.parse(place().read("same.json")).input.dropped).toBe(2);
  });

  test("weights count", async () => {
    const rows = answers(4);
    const weighted = (weight: (q: number) => number): string =>
      `i,j,k,weight\n${rows.map((row, q) => [...row, weight(q)].join(",")).join("\n")}\n`;
    place().write(
      "even.csv",
      weighted(() => 2),
    );
    place().write(
      "uneven.csv",
      weighted((q) => (q % 2 === 0 ? 5 : 0.1)),
    );
    const even = await place().run(["ordinal", "even.csv", "--quiet"]);
    const uneven = await place().run(["ordinal", "uneven.csv", "--quiet"]);
    expect(even.stdout).not.toBe(uneven.stdout);
  });
});

describe.concurrent("wrong input: the right exit code, one sentence, nothing written", () => {
  test.each<[string, string, RegExp]>([
    ["empty", "", /empty\.csv: The input is empty/],
    ["only-header", "i,j,k\n", /a header and no lines of data/],
    ["itself", "i,j,k\n0,1,2\n4,4,2\n", /Line 3 compares the distance of 4 to itself/],
    ["columns", "0,1\n", /Line 1 has 2 columns/],
    ["ragged", "0,1,2\n0,1\n", /Line 2 has 2 columns, the first line has 3/],
    ["nan", "0,1,2\n0,NaN,2\n", /line 2, column 2 is "NaN", which names no object/],
    ["negative", "0,1,2\n0,-1,2\n", /line 2, column 2 is "-1", which cannot be an object's index/],
    ["huge", "0,1,2\n0,1,4294967296\n", /line 2, column 3 is "4294967296"/],
    ["identifiers", "0,1,2\n0,1,99999999\n", /line 2, column 3 is 99999999, but only 4 objects occur/],
    ["header", "a,b,c\n0,1,2\n", /Line 1 \("a", "b", "c"\) seems to name the columns/],
    ["weights", "i,j,k,weight\n0,1,2,-3\n", /The weight at line 2, column 4 is -3/],
  ])("%s", async (name, content, sentence) => {
    place().write(`${name}.csv`, content);
    const out = ["--out", `${name}-map.csv`, "--plot", `${name}.svg`, "--report", `${name}.json`];
    const ended = await place().run(["ordinal", `${name}.csv`, ...out]);
    expect(ended.stderr).toMatch(sentence);
    expect(isOneSentence(ended.stderr), ended.stderr).toBe(true);
    expect(ended.code).toBe(65);
    for (const file of [`${name}-map.csv`, `${name}.svg`, `${name}.json`])
      expect(place().has(file)).toBe(false);
  });

  test.each<[string, string, RegExp]>([
    ["not-square", "0,1,2\n1,0,3\n", /2 rows and 3 columns/],
    ["not-symmetric", "0,1,2\n1,0,3\n2,4,0\n", /from object 3 to object 2 is 4, but back it is 3/],
    ["all alike", "0,1,1\n1,0,1\n1,1,0\n", /no question has an answer/],
    ["no number", "0,NaN,2\nNaN,0,3\n2,3,0\n", /line 1, column 2/],
    ["similarities", "1,0,0\n0,1,0\n0,0,1\n", /Give distances, not similarities/],
    ["two", "0,1\n1,0\n", /There are 2 objects, but a comparison needs three/],
  ])("distances: %s", async (name, content, sentence) => {
    place().write(`d-${name}.csv`, content);
    const ended = await place().run([
      "ordinal",
      "--from-distances",
      `d-${name}.csv`,
      "--out",
      `d-${name}-map.csv`,
    ]);
    expect(ended.stderr).toMatch(sentence);
    expect(isOneSentence(ended.stderr), ended.stderr).toBe(true);
    expect(ended.code).toBe(65);
    expect(place().has(`d-${name}-map.csv`)).toBe(false);
  });

  test("an object of the test that the answers do not know", async () => {
    place().write("known.csv", answersCsv(answers(4)));
    place().write("foreign.csv", "i,j,k\nRome,Pariss,Milan\n");
    const ended = await place().run(["ordinal", "known.csv", "--test", "foreign.csv"]);
    expect(ended.stderr).toMatch(/foreign\.csv: .*line 2, column 2 is "Pariss".* Did you mean "Paris"\?/);
    expect(ended.code).toBe(65);
  });

  test.each<[readonly string[], RegExp]>([
    [["ordinal"], /Name a file with answers/],
    [["ordinal", "a.csv", "--from-distances", "b.csv"], /not both/],
    [["ordinal", "a.csv", "--loss", "hinge"], /--loss .* one of: soe/],
    [["ordinal", "a.csv", "--test", "1.5"], /a share above 0 and below 1/],
    [["ordinal", "a.csv", "--out", "map.npy"], /must end in \.csv, \.tsv, \.json/],
    [["ordinal", "a.csv", "--answers", "100"], /give --from-distances/],
    [["ordinal", "-", "--names", "-"], /can be read once only/],
    [["ordinal", "a.csv", "--resume"], /--resume needs --checkpoint/],
    [["questions"], /Name the objects/],
  ])("%j", async (words, sentence) => {
    const ended = await place().run(words);
    expect(ended.stderr).toMatch(sentence);
    expect(isOneSentence(ended.stderr), ended.stderr).toBe(true);
    expect(ended.code).toBe(64);
  });

  test("a file that is not there", async () => {
    const ended = await place().run(["ordinal", "nowhere.csv"]);
    expect(ended.stderr).toMatch(/Cannot read nowhere\.csv: there is no such file/);
    expect(ended.code).toBe(74);
  });
});

describe.concurrent("runs that end early", () => {
  const endless = [
    "--solver",
    "gd",
    "--tolerance",
    "0",
    "--max-passes",
    "1e9",
    "--max-iterations",
    "1000000000",
  ];

  test("Ctrl-C writes what there is, and exits 3", async () => {
    place().write("long.csv", answersCsv(answers(1)));
    let told = false;
    const outputs = ["--out", "long-map.csv", "--plot", "long.svg", "--report", "long.json"];
    const ended = await place().run(["ordinal", "long.csv", ...endless, ...outputs], {
      onTalk: (child, talk) => {
        if (told || !talk.includes('"event":"iteration"')) return;
        told = true;
        child.kill("SIGINT");
      },
    });
    expect(ended.code).toBe(3);
    expect(rowsOf(place().read("long-map.csv")).rows).toHaveLength(21);
    expect(place().read("long.svg")).toContain("Rome");
    expect(JSON.parse(place().read("long.json")).result.status).toBe("aborted");
  });

  test("--max-seconds", async () => {
    place().write("timed.csv", answersCsv(answers(1)));
    const ended = await place().run(["ordinal", "timed.csv", ...endless, "--max-seconds", "0.2", "--quiet"]);
    expect(ended.code).toBe(2);
    expect(rowsOf(ended.stdout).rows).toHaveLength(21);
  });

  test("--checkpoint and --resume: the same map as without an end between", async () => {
    place().write("parts.csv", answersCsv(answers(1)));
    const run = ["ordinal", "parts.csv", "--solver", "svrg-sbb", "--tolerance", "0", "--quiet"];
    const whole = await place().run([...run, "--max-iterations", "41"]);
    const first = await place().run([...run, "--max-iterations", "17", "--checkpoint", "parts.bin"]);
    expect(first.code).toBe(2);
    expect(first.stdout).not.toBe(whole.stdout);
    const rest = await place().run([
      ...run,
      "--max-iterations",
      "41",
      "--checkpoint",
      "parts.bin",
      "--resume",
    ]);
    expect(rest.stdout).toBe(whole.stdout);
    const other = await place().run([...run, "--loss", "ste", "--checkpoint", "parts.bin", "--resume"]);
    expect(other.code).toBe(65);
    expect(isOneSentence(other.stderr)).toBe(true);
  });

  test("--json tells all, and the result carries the errors", async () => {
    place().write("told.csv", answersCsv(answers(2)));
    const ended = await place().run([
      "ordinal",
      "told.csv",
      "--json",
      "--test",
      "0.1",
      "--out",
      "told-map.csv",
    ]);
    const result = eventsOf(ended.stderr).at(-1);
    expect(result).toMatchObject({ event: "result", exitCode: ended.code });
    expect(result).toHaveProperty("metrics.testError");
  });
});

test("distances of many objects: so many answers as asked for", async () => {
  const count = 60;
  const at = Array.from({ length: count }, (_, i) => [(i * 37) % count, (i * 23) % 41]);
  const line = (i: number): string => at.map(([x, y]) => Math.hypot(x - at[i][0], y - at[i][1])).join(",");
  place().write("many.csv", `${at.map((_, i) => line(i)).join("\n")}\n`);
  const words = ["ordinal", "--from-distances", "many.csv", "--answers", "3000", "--report", "many.json"];
  const ended = await place().run([...words, "--test", "0.1"]);
  expect([0, 2]).toContain(ended.code);
  const { input, metrics } = JSON.parse(place().read("many.json"));
  expect(input.answers + input.testAnswers).toBe(3000);
  expect(metrics.testError).toBeLessThan(0.05);
  expect(distances.rows).toBe(21);
});

test("a million answers about ten thousand objects: in less than 400 MB, and with progress", async () => {
  const [objects, count] = [10_000, 1_000_000];
  const random = new RandomGenerator(1);
  const at = Float64Array.from({ length: 2 * objects }, () => random.uniform());
  const distance = (i: number, j: number): number =>
    (at[2 * i] - at[2 * j]) ** 2 + (at[2 * i + 1] - at[2 * j + 1]) ** 2;
  const lines = ["i,j,k"];
  while (lines.length <= count) {
    const [i, j, k] = [random.integer(objects), random.integer(objects), random.integer(objects)];
    if (i === j || i === k || j === k) continue;
    lines.push(distance(i, j) < distance(i, k) ? `${i},${j},${k}` : `${i},${k},${j}`);
  }
  place().write("million.csv", lines.join("\n"));
  const told = 'if (isMainThread) process.on("exit", () => console.error(process.resourceUsage().maxRSS));';
  place().write("memory.mjs", `import { isMainThread } from "node:worker_threads";\n${told}\n`);
  const words = ["ordinal", "million.csv", "--test", "0.1", "--max-iterations", "5", "--json", "--out", "-"];
  const ended = await place().run(words, {
    environment: { NODE_OPTIONS: `--import=${pathToFileURL(place().path("memory.mjs"))}` },
  });
  expect(ended.code).toBe(2);
  const talk = ended.stderr.trimEnd().split("\n");
  expect(Number(talk.pop())).toBeLessThan(400_000); // kilobytes
  expect(talk.filter((line) => line.includes('"iteration"')).length).toBeGreaterThan(0);
}, 240_000);
