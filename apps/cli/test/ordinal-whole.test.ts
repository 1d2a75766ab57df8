/** `curvature ordinal` from raw trials to the finished report: dimensions, regions, people, labels, pictures, features. */
import { mkdirSync } from "node:fs";
import { RandomGenerator } from "@curvature/linalg";
import { chooseDimension } from "@curvature/optim-svrg";
import { describe, expect, test } from "vitest";
import { workplace } from "./cli.js";

const place = workplace();

interface Drawn {
  readonly csv: string;
  readonly names: readonly string[];
  readonly points: Float64Array;
}

/** Trials of some people about points in the plane; the last person presses keys at random. */
function trialsOf({ objects = 14, people = 6, each = 90, seed = 5, differ = 0 } = {}): Drawn {
  const random = new RandomGenerator(seed);
  const normal = (): number => {
    let sum = -6;
    for (let k = 0; k < 12; k++) sum += random.uniform();
    return sum;
  };
  const names = Array.from({ length: objects }, (_, n) => `fruit ${n + 1}`);
  const points = Float64Array.from({ length: 2 * objects }, normal);
  const lines = ["who,trial_index,center,left,right,response,rt"];
  for (let person = 0; person < people; person++) {
    const own = points.map((value) => value + differ * normal());
    const squared = (a: number, b: number): number =>
      (own[2 * a] - own[2 * b]) ** 2 + (own[2 * a + 1] - own[2 * b + 1]) ** 2;
    for (let t = 0; t < each; t++) {
      const [i, j, k] = [random.integer(objects), random.integer(objects), random.integer(objects)];
      if (i === j || i === k || j === k) continue;
      const isWrong = random.uniform() < (person === people - 1 ? 0.5 : 0.04);
      const side = squared(i, j) < squared(i, k) !== isWrong ? "left" : "right";
      lines.push(
        `P${person + 1},${t},${names[i]},${names[j]},${names[k]},${side},${700 + random.integer(900)}`,
      );
    }
  }
  return { csv: `${lines.join("\n")}\n`, names, points };
}

const roles = ["--roles", "anchor=center,left=left,right=right,answer=response"];
const groups = ["--participant", "who", "--trial", "trial_index"];
const drawn = trialsOf();

/** Shares of the answers of each person that the map in a file does not have right, counted anew. */
function countedErrors(map: string, csv: string): Map<string, number> {
  const rows = map.replaceAll('"', "").trim().split("\n").slice(1);
  const at = new Map(rows.map((row) => [row.split(",")[0], row.split(",").slice(1).map(Number)]));
  const distance = (a: string, b: string): number =>
    Math.hypot(...(at.get(a) ?? []).map((value, t) => value - (at.get(b)?.[t] ?? Number.NaN)));
  const sums = new Map<string, [number, number]>();
  for (const line of csv.trim().split("\n").slice(1)) {
    const [who, , center, left, right, response] = line.split(",");
    const [near, far] = response === "left" ? [left, right] : [right, left];
    const [wrong, all] = sums.get(who) ?? [0, 0];
    sums.set(who, [wrong + Number(!(distance(center, near) < distance(center, far))), all + 1]);
  }
  return new Map([...sums].map(([who, [wrong, all]]) => [who, wrong / all]));
}

describe.concurrent("raw trials", () => {
  test("become a map with regions, its dimensions chosen, and a report of all of it", async () => {
    place().write("trials.csv", drawn.csv);
    const words = ["ordinal", "trials.csv", ...roles, ...groups, "--dim", "auto", "--candidates", "1-3,5"];
    const files = [
      "--plot",
      "map.svg",
      "--out",
      "map.csv",
      "--report",
      "r.json",
      "--choice-plot",
      "choice.svg",
    ];
    const ended = await place().run([...words, "--regions", "0.95", "--samples", "12", ...files]);
    expect(ended.code).toBe(0);
    const report = JSON.parse(place().read("r.json"));
    expect(report.choice).toMatchObject({ dimensions: 2, outcome: "inside" });
    expect(report.choice.candidates.map(({ dimensions }: { dimensions: number }) => dimensions)).toEqual([
      1, 2, 3, 5,
    ]);
    expect(report.options.dimensions).toBe(2);
    expect(report.input.ties).toBe(0);
    expect(ended.stderr).toMatch(/dimensions {12}2, of 1, 2, 3 and 5; error \d+\.\d % on answers held out/);
    expect(report.regions).toMatchObject({
      share: 0.95,
      samples: 12,
      isMeaningless: false,
      resampled: { kind: "participant", units: 6 },
    });
    expect(report.regions.objects).toHaveLength(14);
    for (const { major, minor, direction, spread } of report.regions.objects) {
      expect(major).toBeGreaterThan(minor);
      expect(Math.hypot(...direction)).toBeCloseTo(1, 12);
      expect(spread).toBeGreaterThan(0);
    }
    const svg = place().read("map.svg");
    expect(svg.match(/<ellipse /g)).toHaveLength(14);
    expect(svg).toContain("95 % regions");
    expect(place().read("choice.svg")).toContain("Error on answers held out");
    const counted = countedErrors(place().read("map.csv"), drawn.csv);
    for (const { participant, trainingError, answers } of report.participants) {
      expect(trainingError).toBeCloseTo(counted.get(participant) ?? Number.NaN, 12);
      expect(answers).toBeGreaterThan(50);
    }
    expect(ended.stderr).toMatch(/most: P6 \d/);
  });

  test("the choice is that of the package on the same answers", async () => {
    const { csv, names } = trialsOf({ people: 1, each: 300, seed: 9 });
    place().write("one.csv", csv);
    const number = new Map(names.map((name, n) => [name, n]));
    const order: string[] = [];
    const rows = csv
      .trim()
      .split("\n")
      .slice(1)
      .map((line) => {
        const [, , center, left, right, side] = line.split(",");
        const [near, far] = side === "left" ? [left, right] : [right, left];
        return [center, left, right, near, far];
      });
    for (const [center, left, right] of rows)
      for (const name of [center, left, right]) if (!order.includes(name)) order.push(name);
    expect(order.every((name) => number.has(name))).toBe(true);
    const ended = await place().run([
      "ordinal",
      "one.csv",
      ...roles,
      "--dim",
      "auto",
      "--candidates",
      "1,2",
      "--report",
      "-",
      "-q",
    ]);
    const { choice } = JSON.parse(ended.stdout);
    const triplets = rows.map(([center, , , near, far]) =>
      [center, near, far].map((name) => order.indexOf(name)),
    );
    const own = await chooseDimension(triplets, { candidates: [1, 2] });
    expect(choice.candidates[0].error).toBeGreaterThan(choice.candidates[1].error);
    expect(choice.dimensions).toBe(own.dimensions);
  });

  test("coin flips: the choice says so, and regions are marked", async () => {
    const random = new RandomGenerator(3);
    const lines = Array.from({ length: 300 }, () => {
      const i = random.integer(12);
      const j = (i + 1 + random.integer(11)) % 12;
      const k = [...Array(12).keys()].filter((n) => n !== i && n !== j)[random.integer(10)];
      return `${i},${j},${k}`;
    });
    place().write("coin.csv", `i,j,k\n${lines.join("\n")}\n`);
    const words = [
      "ordinal",
      "coin.csv",
      "--regions",
      "0.9",
      "--samples",
      "5",
      "--plot",
      "coin.html",
      "--report",
      "coin.json",
    ];
    const ended = await place().run(words);
    expect(JSON.parse(place().read("coin.json")).regions.isMeaningless).toBe(true);
    expect(ended.stderr).toContain("regions               mean nothing");
    expect(place().read("coin.html")).toContain("90 % regions mean nothing here");
    expect(place().read("coin.html")).toContain('"isMeaningless":true');
    const chosen = await place().run([
      "ordinal",
      "coin.csv",
      "--dim",
      "auto",
      "--candidates",
      "1,2",
      "--report",
      "c2.json",
    ]);
    expect(chosen.stderr).toContain("none is seen to predict new answers better than a coin");
    expect(chosen.stderr).toMatch(/warning: --dim auto: No number of dimensions/);
  });
});

describe.concurrent("people", () => {
  test.each([31, 32, 33])("who do not differ are not said to (draw %d)", async (seed) => {
    const { csv } = trialsOf({ people: 8, each: 100, differ: 0, seed });
    place().write(`alike-${seed}.csv`, csv);
    const words = ["ordinal", `alike-${seed}.csv`, ...roles, ...groups, "--individual", `alike-${seed}`];
    expect((await place().run(words)).stderr).toContain("what these show may be chance");
  });

  test("have maps of their own, moved onto the common one", async () => {
    const { csv } = trialsOf({ people: 5, each: 260, differ: 0.5, seed: 21 });
    place().write("people.csv", csv);
    const words = [
      "ordinal",
      "people.csv",
      ...roles,
      ...groups,
      "--individual",
      "own",
      "--report",
      "own.json",
    ];
    const ended = await place().run(words);
    expect(ended.code).toBe(0);
    expect(ended.stdout).toBe("");
    const { individuals } = JSON.parse(place().read("own.json"));
    expect(individuals.maps).toHaveLength(5);
    expect(individuals.isBetter).toBe(true);
    const table = place().read("own/people.csv").trim().split("\n");
    expect(table[0]).toBe(
      'participant,file,answers,"error of the common map","error of their own",disparity',
    );
    for (const [k, line] of table.slice(1).entries()) {
      const [participant, file, , , ownError] = line.split(",");
      expect(participant).toBe(`P${k + 1}`);
      const counted = countedErrors(place().read(`own/${file}`), csv).get(participant);
      expect(Number(ownError)).toBeCloseTo(counted ?? Number.NaN, 12);
    }
  });

  test("who answered little is named", async () => {
    const { csv } = trialsOf({ people: 3, seed: 4 });
    const short = csv
      .split("\n")
      .filter((line, n) => n === 0 || !line.startsWith("P2,") || Number(line.split(",")[1]) < 8)
      .join("\n");
    place().write("short.csv", short);
    const ended = await place().run(["ordinal", "short.csv", ...roles, ...groups, "--individual", "few"]);
    expect(ended.stderr).toContain("P2 gave fewer answers than a map has coordinates");
  });

  test("a test file of other people is of new people", async () => {
    place().write("first.csv", drawn.csv);
    const other = trialsOf({ seed: 5, people: 6 }).csv.replaceAll(/^P/gm, "Q");
    place().write("second.csv", other);
    const words = [
      "ordinal",
      "first.csv",
      ...roles,
      ...groups,
      "--test",
      "second.csv",
      "--report",
      "new.json",
    ];
    const ended = await place().run(words);
    expect(ended.code).toBe(0);
    const { participants, metrics } = JSON.parse(place().read("new.json"));
    expect(participants).toHaveLength(12);
    expect(metrics.testEstimate.people.units).toBe(6);
    const q = participants.find(({ participant }: { participant: string }) => participant === "Q1");
    expect(q).toMatchObject({ answers: 0, trainingError: null });
    expect(q.testAnswers).toBeGreaterThan(50);
  });
});

test("answers of the test that are in the fit, too, are counted", async () => {
  place().write("all.csv", drawn.csv);
  const [header, ...lines] = drawn.csv.trim().split("\n");
  // the other way round: the question is the same
  const turned = lines.slice(0, 7).map((line) => {
    const [who, trial, center, left, right, response, rt] = line.split(",");
    return [who, trial, center, right, left, response, rt].join(",");
  });
  const others = lines.slice(0, 3).map((line) => line.replace(/^P\d/, "Q1"));
  place().write("again.csv", `${[header, ...turned, ...others].join("\n")}\n`);
  const words = ["ordinal", "all.csv", ...roles, "--test", "again.csv"];
  const known = await place().run([...words, ...groups]);
  expect(known.stderr).toContain(
    "7 of the 10 answers of --test again.csv are to questions that the same people answer in the fit",
  );
  const unknown = await place().run(words);
  expect(unknown.stderr).toContain(
    "10 of the 10 answers of --test again.csv are to questions that are answered in the fit",
  );
  const people = lines.filter((line) => !line.startsWith("P1,"));
  place().write("p1.csv", `${[header, ...lines.filter((line) => line.startsWith("P1,"))].join("\n")}\n`);
  place().write("others.csv", `${[header, ...people].join("\n")}\n`);
  const apart = await place().run(["ordinal", "others.csv", ...roles, ...groups, "--test", "p1.csv"]);
  expect(apart.stderr).not.toContain("in the fit:");
});

/** One pixel. */
const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const svgPicture = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><circle r="4"/></svg>';

describe.concurrent("objects", () => {
  test("have pictures in place of dots, and colours by their labels", async () => {
    place().write("fruit.csv", drawn.csv);
    mkdirSync(place().path("pictures"));
    for (const [n, name] of drawn.names.entries())
      place().write(`pictures/${name}${n % 2 === 0 ? ".PNG" : ".svg"}`, n % 2 === 0 ? png : svgPicture);
    const labels = drawn.names.map((name, n) => `${name},${n < 7 ? "stone" : "berry"}`);
    place().write("kinds.csv", `object,kind\n${labels.join("\n")}\nnever asked,berry\n`);
    const words = [
      "ordinal",
      "fruit.csv",
      ...roles,
      ...groups,
      "--images",
      "pictures",
      "--labels",
      "kinds.csv",
    ];
    const ended = await place().run([...words, "--plot", "pictures.svg"]);
    expect(ended.code).toBe(0);
    expect(ended.stderr).toContain("kinds.csv labels what is none of the objects: never asked.");
    expect(ended.stderr).not.toContain("has no label for");
    const svg = place().read("pictures.svg");
    expect(svg.match(/<image /g)).toHaveLength(14);
    expect(svg.match(/href="data:image\/png;base64,/g)).toHaveLength(7);
    expect(svg.match(/href="data:image\/svg\+xml;base64,/g)).toHaveLength(7);
    expect(svg).toContain(">stone</text>");
    expect(svg).toContain(">kind</text>");
    expect(svg).not.toMatch(/href="(?!#|data:)/);
    await place().run([...words, "--plot", "pictures.html"]);
    const page = place().read("pictures.html");
    expect(page).toContain("img-src data:");
    expect(page).toContain('"images":{"urls":["data:image/');
  });

  test.each([
    ["a folder without some of them", "some", /has no picture of fruit \d+, .*fruit \d+\.png/],
    ["a file that is no picture", "wrong", /no picture that a page can show/],
  ])("%s is refused", async (_, folder, message) => {
    place().write(`${folder}.csv`, drawn.csv);
    mkdirSync(place().path(folder));
    if (folder === "wrong") for (const name of drawn.names) place().write(`wrong/${name}.png`, "text");
    else place().write("some/fruit 2.png", png);
    const words = ["ordinal", `${folder}.csv`, ...roles, "--images", folder, "--plot", `${folder}.svg`];
    const ended = await place().run(words);
    expect(ended.code).toBe(folder === "some" ? 74 : 65);
    expect(ended.stderr).toMatch(message);
    expect(place().has(`${folder}.svg`)).toBe(false);
  });

  test("pictures are those of the folder, whatever folders the names have; each object has its own", async () => {
    mkdirSync(place().path("inside"));
    mkdirSync(place().path("outside"));
    const lines = (names: readonly string[]): string =>
      `i,j,k\n${names.map((_, n) => [0, 1, 2].map((k) => names[(n + k) % 4]).join(",")).join("\n")}\n`;
    const names = ["a", "b", "c", "d"].map((name) => `../outside/${name}`);
    for (const name of "abcd") place().write(`outside/${name}.svg`, svgPicture);
    place().write("leave.csv", lines(names));
    const words = ["ordinal", "leave.csv", "--images", "inside", "--plot", "inside.svg"];
    const left = await place().run(words);
    expect([left.code, left.stderr]).toEqual([74, expect.stringMatching(/has no picture of .*: a\.png\.$/m)]);
    for (const name of "abcd") place().write(`inside/${name}.png`, png);
    expect([0, 2]).toContain((await place().run(words)).code);
    expect(
      place()
        .read("inside.svg")
        .match(/data:image\/png/g),
    ).toHaveLength(4);
    expect(place().read("inside.svg")).not.toContain("data:image/svg");
    place().write("twice.csv", lines(["x/a", "y/a", "b", "c"]));
    const twice = await place().run(["ordinal", "twice.csv", ...words.slice(2)]);
    expect([twice.code, twice.stderr]).toEqual([
      74,
      expect.stringMatching(/one picture, a\.png, for two objects, x\/a and y\/a/),
    ]);
  });

  test("labels that miss objects name them", async () => {
    place().write("all-but-two.csv", drawn.csv);
    place().write(
      "most.csv",
      drawn.names
        .slice(2)
        .map((name) => `${name},a\n`)
        .join(""),
    );
    const words = ["ordinal", "all-but-two.csv", ...roles, "--labels", "most.csv", "--report", "most.json"];
    const ended = await place().run(words);
    expect(ended.code).toBe(0);
    const sentence = "most.csv has no label for fruit 1 and fruit 2.";
    expect(ended.stderr).toContain(`warning: ${sentence}`);
    expect(JSON.parse(place().read("most.json")).warnings).toContain(sentence);
  });

  test.each([
    ["three columns", "object,kind,x\nfruit 1,a,1\n", /it has 3 columns\. Give two columns/],
    ["one column without a list of names", "a\nb\n", /with --names, one label per line/],
    ["two labels for one object", "fruit 1,a\nfruit 1,b\n", /line 2 labels "fruit 1" "b", line 1 "a"/],
    ["other objects", "object,kind\napple,a\n", /labels none of the objects: it names apple/],
  ])("labels of %s are refused", async (what, content, message) => {
    const name = what.replaceAll(" ", "-");
    place().write(`${name}-trials.csv`, drawn.csv);
    place().write(`${name}.csv`, content);
    const ended = await place().run(["ordinal", `${name}-trials.csv`, ...roles, "--labels", `${name}.csv`]);
    expect(ended.code).toBe(65);
    expect(ended.stderr).toMatch(message);
  });

  test("without answers get a place by their features", async () => {
    place().write("known.csv", drawn.csv);
    const lines = drawn.names.map(
      (name, n) => `${name},${drawn.points[2 * n]},${1000 * drawn.points[2 * n + 1]}`,
    );
    // A new object with the features of a known one lies beside it.
    lines.push(lines[0].replace("fruit 1,", "twin,"));
    place().write("features.csv", `object,u,v\n${lines.join("\n")}\n`);
    const words = [
      "ordinal",
      "known.csv",
      ...roles,
      "--features",
      "features.csv",
      "--out",
      "with.csv",
      "--report",
      "with.json",
    ];
    const ended = await place().run(words);
    expect(ended.code).toBe(0);
    const rows = place()
      .read("with.csv")
      .replaceAll('"', "")
      .trim()
      .split("\n")
      .slice(1)
      .map((row) => row.split(","));
    expect(rows).toHaveLength(15);
    const find = (name: string): number[] =>
      (rows.find(([called]) => called === name) ?? []).slice(1).map(Number);
    const { placed } = JSON.parse(place().read("with.json"));
    expect(placed).toMatchObject({ objects: 1, learnedFrom: 14 });
    expect(placed.leaveOneOutError).toBeLessThan(0.6 * placed.spread);
    const [a, b] = [find("fruit 1"), find("twin")];
    expect(Math.hypot(a[0] - b[0], a[1] - b[1])).toBeLessThan(0.35 * placed.spread);
  });
});

describe.concurrent("options", () => {
  test.each([
    [["--test", "0.2", "--test-by", "participant"], 64, /no column names them\. Name it with --participant/],
    [
      ["--solver", "sgd", "--initial-step", "1e300"],
      4,
      /not finite; the point before it is kept\. Give a smaller --initial-step\./,
    ],
  ] as const)("%j: what to do is said in words of the command line", async (words, code, message) => {
    const name = `flags-${words[1]}.csv`;
    place().write(name, drawn.csv);
    const ended = await place().run(["ordinal", name, ...roles, ...words]);
    expect(ended.stderr).toMatch(message);
    expect(ended.stderr).not.toMatch(/groups|initialStep/);
    expect(ended.code).toBe(code);
  });

  test("too few answers for --dim auto", async () => {
    place().write("three.csv", "i,j,k\n0,1,2\n1,2,3\n2,3,0\n");
    const ended = await place().run(["ordinal", "three.csv", "--dim", "auto"]);
    expect(ended.stderr).toMatch(/too few answers for --dim auto.*at least 5.*--dim 2/);
    expect(ended.stderr).not.toContain("folds");
    expect(ended.code).toBe(65);
  });

  test("--test-by of what is held out by pairs is refused", async () => {
    place().write("rated.csv", "who,a,b,rating\nx,u,v,1\nx,u,w,2\ny,v,w,3\ny,u,v,2\ny,u,w,1\n");
    const by = ["--test", "0.5", "--test-by", "participant"];
    const rated = await place().run([
      ...["ordinal", "rated.csv", "--roles", "first=a,second=b,distance=rating", "--participant", "who"],
      ...by,
    ]);
    expect([rated.code, rated.stderr]).toEqual([64, expect.stringMatching(/made of pairs.*Leave it out/)]);
    place().write("square.csv", "0,1,2,3\n1,0,1,2\n2,1,0,1\n3,2,1,0\n");
    const square = await place().run(["ordinal", "--from-distances", "square.csv", ...by]);
    expect([square.code, square.stderr]).toEqual([64, expect.stringMatching(/of a matrix.*leave it out/)]);
  });

  test.each([
    [["--candidates", "1,2"], /--candidates is of the choice of --dim auto/],
    [["--choice-plot", "c.svg"], /--choice-plot is of the choice of --dim auto/],
    [["--samples", "9"], /--samples is of --regions/],
    [["--regions", "95"], /above 0 and below 1/],
    [["--individual", "own"], /name their column with --participant/],
    [["--images", "folder"], /--images are for the picture of --plot/],
    [["--dim", "auto", "--candidates", "0"], /whole numbers of at least 1/],
    [["--test-by", "people"], /trial.*participant/],
    [["--test-by", "participant"], /--test-by is of the share that --test holds out/],
    [["--test-by", "participant", "--test", "other.csv"], /--test-by is of the share that --test holds out/],
    [["--epsilon", "0.1"], /--epsilon must be left out: it is of svrg-sbb, and not of auto/],
    [["--solver", "svrg-bb", "--epsilon", "0.1"], /not of svrg-bb/],
  ])("%j is refused", async (words, message) => {
    const name = `${words.join("").replaceAll(/\W/g, "")}.csv`;
    place().write(name, drawn.csv);
    const ended = await place().run(["ordinal", name, ...roles, ...words]);
    expect(ended.stderr).toMatch(message);
    expect(ended.code).toBe(64);
  });

  test("the numbers of the paper's method are those of the package", async () => {
    place().write("paper.csv", drawn.csv);
    const numbers = [
      "--epsilon",
      "0.01",
      "--batch-size",
      "5",
      "--epoch-length",
      "100",
      "--initial-step",
      "2",
    ];
    const words = [
      "ordinal",
      "paper.csv",
      ...roles,
      "--solver",
      "svrg-sbb",
      ...numbers,
      "--epochs-per-module",
      "3",
    ];
    const ended = await place().run([...words, "--max-passes", "30", "--report", "paper.json", "-q"]);
    expect([0, 2]).toContain(ended.code);
    expect(JSON.parse(place().read("paper.json")).options).toMatchObject({
      ...{ epsilon: 0.01, batchSize: 5, epochLength: 100, initialStep: 2, epochsPerModule: 3 },
    });
  });

  test("text in UTF-16 says which option reads it", async () => {
    place().write("wide.csv", Buffer.from(`\ufeff${drawn.csv}`, "utf16le"));
    const refused = await place().run(["ordinal", "wide.csv", ...roles]);
    expect(refused.code).toBe(65);
    expect(refused.stderr).toContain("give --encoding utf-16le");
    expect((await place().run(["ordinal", "wide.csv", ...roles, "--encoding", "utf-16le"])).code).toBe(0);
  });
});
