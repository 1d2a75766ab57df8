/** Clusters from a table to later rows: scaling, model, report, tree; against figures computed here, and what is refused. */
import { beforeAll, describe, expect, test } from "vitest";
import { isOneSentence, workplace } from "./cli.js";

const place = workplace();

const rowsOf = (text: string): string[][] =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => line.split(","));

/** Three groups by two columns whose units differ by a million, a constant column, a name, a kind, and gaps on demand. */
function table(from: number, to: number, gap?: number): string {
  const lines = ["name,dose,income,site,kind"];
  for (let i = from; i < to; i++) {
    const g = i % 3;
    const noise = (k: number): number => ((i * k) % 17) / 17 - 0.5;
    const dose = i === gap ? "" : (g + 0.2 * noise(5)).toFixed(4);
    const income = (3e6 * (g === 1 ? 1 : 0) + 4e5 * noise(7)).toFixed(0);
    lines.push([`n${i}`, dose, income, 9, ["low", "mid", "high"][g]].join(","));
  }
  return `${lines.join("\n")}\n`;
}

beforeAll(() => {
  place().write("first.csv", table(0, 60));
  place().write("later.csv", `${table(60, 90)}far,40,-9000000,9,low\n`);
  const turned = rowsOf(place().read("later.csv")).map((cells) => [...cells, "x"].reverse());
  turned[0][0] = "more";
  place().write("turned.csv", `${turned.map((cells) => cells.join(",")).join("\n")}\n`);
  place().write("gap.csv", table(0, 60, 7));
});

const fit = ["disentangle", "first.csv", "-k", "3", "--keep", "name", "--labels", "kind"];
const sum = (numbers: readonly number[]): number => numbers.reduce((total, x) => total + x, 0);

/** Columns dose, income and site at mean 0 and deviation 1, or as they are. */
function points(file: string, fitted = file): number[][] {
  const numbers = (name: string): number[][] =>
    rowsOf(place().read(name))
      .slice(1)
      .map((cells) => cells.slice(1, 4).map(Number));
  const training = numbers(fitted);
  const means = [0, 1, 2].map((j) => sum(training.map((row) => row[j])) / training.length);
  const deviations = [0, 1, 2].map(
    (j) => Math.sqrt(sum(training.map((row) => (row[j] - means[j]) ** 2)) / training.length) || 1,
  );
  return numbers(file).map((row) => row.map((x, j) => (x - means[j]) / deviations[j]));
}

function costOf(rows: readonly number[][], labels: readonly number[]): number {
  let cost = 0;
  for (const c of new Set(labels)) {
    const members = rows.filter((_, i) => labels[i] === c);
    for (let j = 0; j < rows[0].length; j++) {
      const mean = sum(members.map((row) => row[j])) / members.length;
      cost += sum(members.map((row) => (row[j] - mean) ** 2));
    }
  }
  return cost;
}

describe("standardised", () => {
  test("one column no longer decides; cost, centres and the tree are what they are said to be", async () => {
    const raw = await place().run([...fit, "--report", "raw.json"]);
    expect(raw.stderr).toMatch(/"income" spans .* decides most distances\. .*--standardize/);
    const outputs = ["--assignments", "a.csv", "--report", "r.json", "--model", "c.model"];
    const ended = await place().run([...fit, "--standardize", ...outputs, "--hierarchy", "h.csv"]);
    expect(ended).toMatchObject({ code: 0, stdout: "" });
    expect(ended.stderr).not.toMatch(/spans/);
    expect(ended.stderr).toMatch(/"site" is the same in all rows and says nothing of clusters/);
    expect(ended.stderr).toMatch(/columns brought to mean 0 and standard deviation 1; costs/);
    const report = JSON.parse(place().read("r.json"));
    expect(report.options).toMatchObject({ standardize: true, metric: "euclidean" });
    expect(JSON.parse(place().read("raw.json")).agreement.adjustedRandIndex).toBeLessThan(0.8);
    const [header, ...found] = rowsOf(place().read("a.csv"));
    expect(header).toEqual(["cluster", "membership", "component", "outlier_score", "kind", "name"]);
    const labels = found.map(([cluster]) => Number(cluster));
    expect(report.metrics.cost).toBeCloseTo(costOf(points("first.csv"), labels), 8);
    expect(report.metrics.costLower).toBeLessThanOrEqual(report.metrics.cost);
    const { columns, sizes, centers } = report.clusters;
    expect(columns).toEqual(["dose", "income", "site"]);
    const first = rowsOf(place().read("first.csv")).slice(1);
    for (const [c, center] of centers.entries()) {
      const members = first.filter((_, i) => labels[i] === c);
      expect(sizes[c]).toBe(members.length);
      for (const [j, x] of center.entries())
        expect(x).toBeCloseTo(sum(members.map((cells) => Number(cells[j + 1]))) / members.length, 5);
    }
    expect(report.agreement).toMatchObject({ adjustedRandIndex: 1, rows: 60, clusters: [0, 1, 2] });
    const tree = rowsOf(place().read("h.csv"));
    expect(tree[0]).toEqual(["clusters_2", "clusters_3", "kind", "name"]);
    expect(tree.slice(1).map(([, finest]) => Number(finest))).toEqual(labels);
    const coarse = tree.slice(1).map(([two]) => Number(two));
    const unions = [
      [0, 1],
      [0, 2],
      [1, 2],
    ].map(([a, b]) =>
      costOf(
        points("first.csv"),
        labels.map((label) => (label === b ? a : label)),
      ),
    );
    expect(costOf(points("first.csv"), coarse)).toBeCloseTo(Math.min(...unions), 8);
    expect(report.hierarchy[0].increase).toBeCloseTo(Math.min(...unions) - report.metrics.cost, 8);
  });

  test("later rows go to the nearest centre, by the names of their columns", async () => {
    await place().run([...fit, "--standardize", "--assignments", "b.csv", "--model", "b.model", "-q"]);
    const labels = rowsOf(place().read("b.csv"))
      .slice(1)
      .map(([cluster]) => Number(cluster));
    const training = points("first.csv");
    const centers = [0, 1, 2].map((c) => {
      const members = training.filter((_, i) => labels[i] === c);
      return [0, 1, 2].map((j) => sum(members.map((row) => row[j])) / members.length);
    });
    const distance = (row: number[], c: number): number =>
      Math.hypot(...row.map((x, j) => x - centers[c][j]));
    const farthest = [0, 1, 2].map((c) =>
      Math.max(...training.filter((_, i) => labels[i] === c).map((row) => distance(row, c))),
    );
    const straight = await place().run(["assign", "b.model", "later.csv", "--keep", "name"]);
    expect(straight.code).toBe(0);
    const [header, ...rows] = rowsOf(straight.stdout);
    expect(header).toEqual(["name", "cluster", "distance", "outside"]);
    for (const [i, row] of points("later.csv", "first.csv").entries()) {
      const [, cluster, far, outside] = rows[i].map(Number);
      const nearest = [0, 1, 2].reduce((best, c) => (distance(row, c) < distance(row, best) ? c : best));
      expect(cluster).toBe(nearest);
      expect(far).toBeCloseTo(distance(row, nearest), 8);
      expect(outside).toBe(Number(far > (1 + 1e-9) * farthest[nearest])); // some rows are those of the training
    }
    expect(rows.at(-1)?.at(-1)).toBe("1");
    const turned = await place().run(["assign", "b.model", "turned.csv", "--keep", "name", "--out", "t.csv"]);
    expect(turned).toMatchObject({ code: 0, stdout: "" });
    expect(turned.stderr).toMatch(/another order than in the fit; they are matched by name/);
    expect(place().read("t.csv")).toBe(straight.stdout);
    const own = rowsOf((await place().run(["assign", "b.model", "first.csv", "-q"])).stdout).slice(1);
    expect(own.map(([cluster]) => Number(cluster))).toEqual(labels);
    expect(own.every(([, , outside]) => outside === "0")).toBe(true);
    const inspection = JSON.parse((await place().run(["inspect", "b.model", "--json"])).stdout);
    expect(inspection).toMatchObject({
      clusters: 3,
      columns: ["dose", "income", "site"],
      scaling: "standard",
    });
    for (const [c, radius] of farthest.entries()) expect(inspection.radii[c].at(-1)).toBeCloseTo(radius, 8);
    expect((await place().run(["inspect", "b.model"])).stdout).toMatch(/cluster {2}rows .*dose .*income/);
  });

  test("the adjusted Rand index is that of all pairs, and leaves out rows without a class", async () => {
    const kinds = rowsOf(place().read("first.csv"))
      .slice(1)
      .map((cells, i) => (i % 10 === 0 ? "" : i % 7 === 0 ? "mid" : cells[4]));
    place().write("kinds.txt", `${kinds.join("\n")}\n`);
    const words = ["disentangle", "first.csv", "-k", "3", "--ignore", "kind,name", "--labels", "kinds.txt"];
    const ended = await place().run([
      ...words,
      "--standardize",
      "--assignments",
      "k.csv",
      "--report",
      "k.json",
    ]);
    expect(ended.code).toBe(0);
    const labels = rowsOf(place().read("k.csv"))
      .slice(1)
      .map(([cluster]) => cluster);
    let [both, first, second, none] = [0, 0, 0, 0];
    for (const [i, kind] of kinds.entries())
      for (let j = 0; j < i; j++) {
        if (kind === "" || kinds[j] === "") continue;
        const [a, b] = [labels[i] === labels[j], kind === kinds[j]];
        if (a && b) both++;
        else if (a) first++;
        else if (b) second++;
        else none++;
      }
    const index =
      (2 * (both * none - first * second)) /
      ((both + first) * (first + none) + (both + second) * (second + none));
    const { agreement } = JSON.parse(place().read("k.json"));
    expect(agreement.adjustedRandIndex).toBeCloseTo(index, 12);
    expect(agreement.rows).toBe(54);
    expect(ended.stderr).toContain(`adjusted Rand index ${index.toFixed(3)}`);
  });
});

describe("places on the globe", () => {
  // Two groups of places within some degrees, one across the antimeridian, with the longitude first.
  const near = (latitude: number, longitude: number): string[] =>
    [0, 1, 2, 3, 4].map((k) => `${longitude + k - 2},${latitude + (k % 2)},p${k}`);
  const text = ["Longitude,LAT,name", ...near(-17, 180), ...near(50, 8)].join("\n");

  test("clusters, centres and distances, by the names of the columns", async () => {
    place().write("globe.csv", `${text}\n`);
    const ended = await place().run([
      ...["disentangle", "globe.csv", "-k", "2", "--metric", "haversine", "--keep", "name"],
      ...["--assignments", "globe-a.csv", "--report", "globe.json", "--model", "globe.model"],
    ]);
    expect(ended.code).toBe(0);
    expect(ended.stderr).toMatch(/places on the globe \(haversine\)/);
    const { clusters, options } = JSON.parse(place().read("globe.json"));
    expect(options.metric).toBe("haversine");
    const labels = rowsOf(place().read("globe-a.csv"))
      .slice(1)
      .map(([cluster]) => Number(cluster));
    expect(labels.slice(0, 5)).toEqual(new Array(5).fill(labels[0]));
    expect(labels.slice(5)).toEqual(new Array(5).fill(1 - labels[0]));
    const [longitude, latitude] = clusters.centers[labels[0]];
    expect(Math.abs(longitude)).toBeCloseTo(180, 9);
    expect(Math.abs(latitude + 16.6)).toBeLessThan(0.01);
    // one degree of latitude from the centre of the other group, along the globe
    const [along, up] = clusters.centers[labels[5]];
    place().write("later.csv", `lat,longitude\n${up + 1},${along}\n${up - 10},${along + 360}\n`);
    const refused = await place().run(["assign", "globe.model", "later.csv"]);
    expect(refused.code).not.toBe(0); // LAT is no lat
    place().write("later.csv", `LAT,Longitude\n${up + 1},${along}\n${up - 10},${along + 180 - 180}\n`);
    const assigned = await place().run(["assign", "globe.model", "later.csv"]);
    const [first, second] = rowsOf(assigned.stdout)
      .slice(1)
      .map((cells) => cells.map(Number));
    const degree = (6371.0088 * Math.PI) / 180;
    expect(first[0]).toBe(labels[5]);
    expect(first[1]).toBeCloseTo(degree, 6);
    expect(second[1]).toBeCloseTo(10 * degree, 5);
    expect([first[2], second[2]]).toEqual([0, 1]);
    expect((await place().run(["inspect", "globe.model"])).stdout).toMatch(/in km along the globe/);
    place().write("later.csv", "LAT,Longitude\n10,20\n91,20\n");
    const out = await place().run(["assign", "globe.model", "later.csv"]);
    expect(out.stderr).toMatch(
      /The latitude of row 2 of the data .* must be from -90 to 90 degrees; it is 91/,
    );
  });

  test.each([
    [
      "lat,lon,alt\n1,2,3\n4,5,6\n7,8,9\n",
      [],
      /takes two columns, .* has 3; keep the two with --columns "lat,lon"/,
    ],
    ["lat,lon\n1,2\n4,-361\n7,8\n", [], /The longitude of row 2 .* from -360 to 360 degrees; it is -361/],
    [
      "x,y\n151.2,-33.9\n144.9,-37.8\n138.6,-34.9\n",
      [],
      /latitude of row 1 .* it is 151\.2\. Is it the longitude\?/,
    ],
    ["lat,lon\n1,2\n4,5\n7,8\n", ["--pca", "1"], /--pca takes columns that --metric haversine needs/],
    ["lat,lon\n1,2\n4,5\n7,8\n", ["--standardize"], /--standardize and --metric haversine are two ways/],
  ])("are refused in one sentence where they are none (%#)", async (content, more, message) => {
    place().write("odd.csv", content);
    const ended = await place().run(["disentangle", "odd.csv", "-k", "2", "--metric", "haversine", ...more]);
    expect(ended.code).not.toBe(0);
    expect(ended.stderr).toMatch(message);
  });

  test("of places all around the globe none is the centre, and that is said", async () => {
    place().write("around.csv", "lat,lon\n35.68,139.69\n-35.68,-40.31\n");
    const ended = await place().run([
      ...["disentangle", "around.csv", "-k", "1", "--metric", "haversine"],
      ...["--model", "around.model", "--report", "around.json"],
    ]);
    expect(ended.code).toBe(0);
    expect(JSON.parse(place().read("around.json")).clusters.centers).toEqual([[null, null]]);
    for (const text of [ended.stderr, (await place().run(["inspect", "around.model"])).stdout]) {
      expect(text).toMatch(/none +none/);
      expect(text).toMatch(/rows of cluster 0 lie all around the globe.*no place is their centre/);
    }
  });

  test("without names the first column is the latitude, and that is said", async () => {
    place().write("plain.csv", "10,179\n11,-179\n50,0\n51,1\n");
    const ended = await place().run(["disentangle", "plain.csv", "-k", "2", "--metric", "haversine"]);
    expect(ended.stderr).toMatch(/first column is taken for the latitude/);
    const [a, b, c, d] = rowsOf(ended.stdout)
      .slice(1)
      .map(([cluster]) => cluster);
    expect([a, c]).toEqual([b, d]);
    expect(a).not.toBe(c);
  });
});

describe("other scalings and pictures", () => {
  test("cosine: rows at length 1, centres are their means; a row of zeros is refused by its number", async () => {
    place().write("way.csv", "a,b\n1,0\n20,1\n300,9\n0,1\n1,30\n2,50\n");
    const ended = await place().run([
      ...["disentangle", "way.csv", "-k", "2", "--metric", "cosine", "--model", "way.model"],
      ...["--report", "way.json", "--dendrogram", "way.svg"],
    ]);
    expect(ended.code).toBe(0);
    const { clusters, options } = JSON.parse(place().read("way.json"));
    expect(options).toMatchObject({ metric: "cosine", standardize: false });
    expect(clusters).toMatchObject({ sizes: [3, 3], centersAre: "means of rows of length 1" });
    const unit = [20 / Math.hypot(20, 1), 300 / Math.hypot(300, 9)];
    expect(clusters.centers[0][0]).toBeCloseTo((1 + unit[0] + unit[1]) / 3, 12);
    expect(place().read("way.svg")).toContain("cluster 0 · 3 rows");
    place().write("zero.csv", "a,b\n1,2\n3,4\n0,0\n");
    for (const words of [
      ["disentangle", "zero.csv", "-k", "2", "--metric", "cosine"],
      ["assign", "way.model", "zero.csv"],
    ]) {
      const refused = await place().run(words);
      expect(refused).toMatchObject({ code: 65, stdout: "" });
      expect(refused.stderr).toMatch(/Row 3 of the data \(counted from 1\) is all 0 and has no direction/);
    }
  });

  test("without labels the points are in the colours of their clusters", async () => {
    const words = ["disentangle", "first.csv", "--ignore", "name,kind", "-k", "3", "--standardize"];
    expect((await place().run([...words, "--plot", "c.svg", "-q"])).code).toBe(0);
    expect(place().read("c.svg")).toMatch(/>cluster</);
  });

  test("gaps are filled for the model as they were in the fit", async () => {
    const words = ["disentangle", "gap.csv", "-k", "3", "--ignore", "name,kind", "--standardize"];
    const refused = await place().run(words);
    expect(refused.code).toBe(65);
    expect(refused.stderr).toMatch(/"dose" has no value in 1 row \(line 9\)/);
    expect((await place().run([...words, "--missing", "mean", "--model", "g.model", "-q"])).code).toBe(0);
    const assigned = await place().run(["assign", "g.model", "gap.csv", "-q"]);
    expect(rowsOf(assigned.stdout)).toHaveLength(61);
  });

  test("columns without names are matched by position", async () => {
    place().write("bare.csv", "1,2\n1.5,2\n8,9\n9,9\n");
    const words = ["disentangle", "bare.csv", "--header", "no", "-k", "2", "--model", "bare.model", "-q"];
    expect((await place().run(words)).code).toBe(0);
    const ended = await place().run(["assign", "bare.model", "bare.csv", "--header", "no", "-q"]);
    expect(rowsOf(ended.stdout).map(([cluster]) => cluster)).toEqual(["cluster", "0", "0", "1", "1"]);
    place().write("narrow.csv", "1\n2\n");
    const narrow = await place().run(["assign", "bare.model", "narrow.csv", "--header", "no"]);
    expect(narrow.code).toBe(65);
    expect(isOneSentence(narrow.stderr)).toBe(true);
  });
});

test("links are respected; what contradicts, and what is no link, is refused", async () => {
  place().write("line.csv", "x\n0\n1\n2\n10\n11\n12\n");
  const lines = {
    "links.csv": "a,b,link\n2,3,must\n0,1,cannot\n",
    "bare.csv.txt": "2,3,must\n",
    "each.csv": "2,3,must\n0,1,cannot\n4,5,must\n",
    "two.csv": "1,4,must\n2,0,cannot\n",
    "chain.csv": "0,1,must\n1,2,must\n2,0,cannot\n",
    "odd.csv": "a,b,link\n0,1,perhaps\n",
    "far.csv": "a,b,link\n0,6,must\n",
    "same.csv": "a,b,link\n2,2,must\n",
  };
  for (const [name, text] of Object.entries(lines)) place().write(name, text);
  const run = (links: string): ReturnType<ReturnType<typeof place>["run"]> =>
    place().run(["disentangle", "line.csv", "-k", "2", "--links", links, "--assignments", "l.csv"]);
  expect(await run("links.csv")).toMatchObject({ code: 0 });
  const labels = rowsOf(place().read("l.csv"))
    .slice(1)
    .map(([cluster]) => cluster);
  expect(labels[2]).toBe(labels[3]);
  expect(labels[0]).not.toBe(labels[1]);
  for (const bare of ["bare.csv.txt", "each.csv", "two.csv"])
    expect(await run(bare)).toMatchObject({ code: 0 });
  for (const [name, sentence] of [
    ["chain.csv", /--links.* 2 and 0 \(counted from 0\).* 2 - 1 - 0/],
    ["odd.csv", /odd\.csv: Link 1 is "perhaps"/],
    ["far.csv", /names row 6, and there are 6/],
    ["same.csv", /Link 1 is of row 2 with itself/],
  ] as const) {
    const refused = await run(name);
    expect(refused.code, name).toBeGreaterThanOrEqual(64);
    expect(refused.stderr).toMatch(sentence);
    expect(isOneSentence(refused.stderr)).toBe(true);
  }
  const words = ["disentangle", "line.csv", "-k", "2", "--target", "matrix", "--links", "links.csv"];
  expect((await place().run(words)).stderr).toMatch(/--links is for (labels|points)/);
});

test("clusters of many dimensions that touch end as they should: the bound at a stand, exit code 0", async () => {
  const rows = Array.from({ length: 70 }, (_, i) =>
    Array.from({ length: 20 }, (_cell, j) => ((7919 * (i + 1) * (j + 3) ** 2) % 10007) / 1e4).join(","),
  );
  place().write("many.csv", `${rows.join("\n")}\n`);
  const words = ["disentangle", "many.csv", "--header", "no", "-k", "4", "--report", "many.json", "-q"];
  expect((await place().run(words)).code).toBe(0);
  const { result, metrics } = JSON.parse(place().read("many.json"));
  expect(result).toMatchObject({
    status: "stalled",
    message: expect.stringMatching(
      /come to a stand after \d+ steps\. Better labels need not exist; an exact run/,
    ),
  });
  expect(metrics.gap).toBeLessThan(1e-2); // of Q: less of it would not help the labels
  expect(metrics.costGap).toBeGreaterThan(1e-3);
});

describe("is refused in one sentence", () => {
  beforeAll(() => place().write("rows.svm", "1 1:2 3:1\n2 1:5\n1 2:3 3:9\n"));

  test.each([
    [64, /LIBSVM text, whose rows may lack/, ["disentangle", "rows.svm", "-k", "2", "--model", "s.model"]],
    [64, /two ways to scale points/, [...fit, "--standardize", "--metric", "cosine"]],
    [64, /--metric must be euclidean or cosine|euclidean/, [...fit, "--metric", "manhattan"]],
    [64, /--pca takes others/, [...fit, "--pca", "1", "--model", "x.model"]],
    [64, /for 2 clusters or more/, ["disentangle", "first.csv", "-k", "1", "--hierarchy", "h.csv"]],
    [64, /must end in \.csv, \.tsv/, [...fit, "--hierarchy", "h.json"]],
    [64, /must end in \.svg, \.png, \.html/, [...fit, "--dendrogram", "h.csv"]],
    [
      64,
      /--standardize is for points/,
      ["disentangle", "first.csv", "-k", "2", "--input", "gram", "--standardize"],
    ],
    [64, /--model is for points/, ["disentangle", "x.csv", "-k", "2", "--input", "gram", "--model", "m"]],
    [65, /does not begin with the header of a model/, ["assign", "first.csv", "first.csv"]],
    [74, /nothing\.model/, ["assign", "nothing.model", "first.csv"]],
    [64, /Standard input \(-\) can be read once only/, ["assign", "-", "-"]],
  ])("%i %s", async (code, sentence, words) => {
    const ended = await place().run([...words]);
    expect(ended).toMatchObject({ code, stdout: "" });
    expect(ended.stderr).toMatch(sentence);
    expect(isOneSentence(ended.stderr)).toBe(true);
  });

  test("models of another kind, and other columns than the model's", async () => {
    await place().run([...fit, "--standardize", "--model", "k.model", "-q"]);
    const words = [
      "train",
      "first.csv",
      "--labels",
      "kind",
      "--ignore",
      "name",
      "--model",
      "linear.json",
      "-q",
    ];
    await place().run(words);
    place().write("other.csv", "dose,wage\n1,2\n3,4\n");
    for (const [sentence, line] of [
      [/is a model of clusters, .* curvature assign/, "predict k.model first.csv"],
      [/is a model of clusters, .* curvature assign/, "evaluate k.model first.csv --labels kind"],
      [/whose numbers --json writes/, "inspect k.model --onnx k.onnx"],
      [/is a model of curvature train, .* curvature predict/, "assign linear.json first.csv"],
      [/lacks "income" and "site"/, "assign k.model other.csv"],
    ] as const) {
      const ended = await place().run(line.split(" "));
      expect(ended.code, line).toBeGreaterThanOrEqual(64);
      expect(ended.stderr).toMatch(sentence);
      expect(isOneSentence(ended.stderr)).toBe(true);
    }
    const text = place().read("k.model").replace(/"A/, '"B');
    place().write(
      "changed.model",
      text === place().read("k.model") ? text.replace(/"([^"]{9})/, '"$1x') : text,
    );
    const changed = await place().run(["assign", "changed.model", "first.csv"]);
    expect(changed).toMatchObject({ code: 65, stdout: "" });
  });
});
