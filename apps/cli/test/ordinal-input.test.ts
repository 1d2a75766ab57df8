// @module-tag full
/** What `curvature ordinal` makes of answers that are odd, and says of input that is wrong. */
import { describe, expect, test } from "vitest";
import { eventsOf, isOneSentence, workplace } from "./cli.js";
import { answers, answersCsv, names, rowsOf } from "./eurodist.js";

const place = workplace();

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

  test("of a million answers it is said beforehand what memory the map takes", async () => {
    const [header, ...lines] = answersCsv(answers(4)).trimEnd().split("\n");
    place().write("many.csv", `${header}\n${`${lines.join("\n")}\n`.repeat(Math.ceil(1e6 / lines.length))}`);
    const ended = await place().run(["ordinal", "many.csv", "--max-passes", "1", "--json"]);
    const events = eventsOf(ended.stderr);
    const said = events.findIndex(({ message }) =>
      /answers: the map takes about 0\.1 GB/.test(String(message)),
    );
    const begun = events.findIndex(({ event }) => event === "progress");
    expect(said).toBeGreaterThanOrEqual(0);
    expect(begun < 0 || said < begun).toBe(true);
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
    const ended = await place().run([...words, "--plot", "no-utopia.svg", "--json"]);
    expect([0, 2]).toContain(ended.code);
    const { rows } = rowsOf(ended.stdout);
    expect(rows.slice(21)).toEqual([
      ["Atlantis", "", ""],
      ["Utopia", "", ""],
    ]);
    const warnings = eventsOf(ended.stderr).filter(({ event }) => event === "warning");
    expect(warnings).toEqual([
      { event: "warning", message: "No answer mentions Atlantis and Utopia: they have no place in the map." },
      { event: "warning", message: expect.stringMatching(/no trial is named.*--trial/) },
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

  test("cycles of answers, and names that a PNG cannot show, are told", async () => {
    place().write("cycle.csv", "i,j,k\n北,b,c\n北,c,d\n北,d,b\nb,c,d\n");
    for (const [form, isTold] of [
      ["png", true],
      ["svg", false],
    ] as const) {
      const { code, stderr } = await place().run(["ordinal", "cycle.csv", "--plot", `cycle.${form}`]);
      expect([0, 2]).toContain(code);
      expect(stderr).toMatch(/About 1 of 4 answers would have to go for the rest to be free of cycles/);
      expect(stderr.includes("font of PNG pictures")).toBe(isTold);
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

  test.each<[string, string, readonly string[], readonly string[]]>([
    ["words of which one comes again", "a,b,c\nc,d,e\nd,c,e\n", [], ["a", "b", "c", "d", "e"]],
    ["words alone", "a,b,c\n", [], ["a", "b", "c"]],
    ["words below a header", "i,j,k\na,b,c\nd,e,f\nf,d,e\n", [], ["a", "b", "c", "d", "e", "f"]],
    ["words that --names lists", "a,b,c\nd,e,f\nf,d,e\n", ["--names"], ["f", "e", "d", "c", "b", "a"]],
  ])("a first line of %s is an answer", async (name, content, flags, objects) => {
    place().write(`${name}.csv`, content);
    place().write(`${name}.txt`, `${objects.join("\n")}\n`);
    const given = flags.flatMap((flag) => [flag, `${name}.txt`]);
    const ended = await place().run([
      "ordinal",
      `${name}.csv`,
      ...given,
      "--out",
      "-",
      "--report",
      `${name}.json`,
    ]);
    expect([0, 2]).toContain(ended.code);
    expect(rowsOf(ended.stdout).rows.map(([object]) => object)).toEqual(objects);
    const lines = content.replace("i,j,k\n", "").trim().split("\n").length;
    expect(JSON.parse(place().read(`${name}.json`)).input.answers).toBe(lines);
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
    ["ragged", "0,1,2\n0,1\n", /Line 2 has 2 cells, the others have 3/],
    ["nan", "0,1,2\n0,NaN,2\n", /line 2, column 2 is "NaN", which names no object/],
    ["negative", "0,1,2\n0,-1,2\n", /line 2, column 2 is "-1", which cannot be an object's index/],
    ["huge", "0,1,2\n0,1,4294967296\n", /line 2, column 3 is "4294967296"/],
    ["identifiers", "0,1,2\n0,1,99999999\n", /line 2, column 3 is 99999999, but only 4 objects occur/],
    ["header", "a,b,c\n0,1,2\n", /Line 1 \("a", "b", "c"\) seems to name the columns/],
    [
      "words above names",
      `city,closer,farther\n${"Rome,Milan,Paris\nMilan,Rome,Lyons\n".repeat(5)}`,
      /Line 1 \("city", "closer", "farther"\) seems to name the columns.* put a header above it: i, j, k\./,
    ],
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

  test("a header of unknown words is told with --quiet and --objects names, and standard input, too", async () => {
    const ended = await place().run(["ordinal", "-", "--quiet", "--objects", "names"], {
      stdin: "a,b,c\n1998,2001,2007\n2001,1998,2007\n",
    });
    expect(ended.stderr).toMatch(/Line 1 \("a", "b", "c"\) seems to name the columns/);
    expect(ended.code).toBe(65);
    expect(ended.stdout).toBe("");
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
    [["ordinal", "a.csv", "--loss", "hinge"], /--loss .* one of "gnmds"/],
    [["ordinal", "a.csv", "--test", "1.5"], /a share between 0 and 1/],
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
