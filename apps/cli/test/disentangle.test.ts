/** `curvature disentangle` as a process: two rings, one digit, and what goes wrong. */
import { loadDigits } from "@curvature/datasets/digits";
import { decodeCheckpoint } from "@curvature/optim-core";
import { beforeAll, describe, expect, test } from "vitest";
import { eventsOf, isOneSentence, workplace } from "./cli.js";

const place = workplace();

/** Points of two rings, one after the other, with the ring of each. */
function ringsCsv(perRing: number): string {
  const lines = ["x,y,ring"];
  for (let i = 0; i < 2 * perRing; i++) {
    const angle = (2 * Math.PI * i) / perRing;
    const [radius, name] = i < perRing ? [1, "outer"] : [0.5, "inner"];
    lines.push([radius * Math.cos(angle), radius * Math.sin(angle), name].join(","));
  }
  return `${lines.join("\n")}\n`;
}

const rowsOf = (text: string): string[][] =>
  text
    .trimEnd()
    .split("\n")
    .slice(1)
    .map((line) => line.split(","));

beforeAll(() => {
  place().write("rings.csv", ringsCsv(50));
});

const boundsHold = ({ upperBound, lowerBound, gap }: Record<string, number>): void => {
  expect(upperBound).toBeGreaterThanOrEqual(lowerBound);
  expect(gap).toBeCloseTo((upperBound - lowerBound) / Math.abs(upperBound), 12);
};

describe.concurrent("groups with noise", () => {
  const groupsCsv = (): string => {
    const rows = Array.from({ length: 90 }, (_, i) => [9 * (i % 3) + Math.sin(7 * i), Math.cos(5 * i * i)]);
    return `x,y\n${[...rows, [4, 900], [-300, 2]].map((row) => row.join(",")).join("\n")}\n`;
  };

  test("K is chosen, far rows are noise; table, pictures, file and report say so", async () => {
    place().write("noisy.csv", groupsCsv());
    const ended = await place().run([
      ...["disentangle", "noisy.csv", "-k", "auto", "--max-clusters", "5", "--noise-label"],
      ...["--assignments", "noisy-labels.csv", "--plot", "noisy.svg", "--choice-plot", "choice.svg"],
      ...["--report", "noisy.json", "--dendrogram", "noisy-tree.svg"],
    ]);
    expect(ended.code).toBe(0);
    expect(place().read("noisy-tree.svg")).toContain("3 clusters of 90 points, joined");
    expect(ended.stderr).toMatch(/\* +3 +\S/);
    expect(ended.stderr).toContain("a finding, not a fact");
    expect(ended.stderr).toMatch(/noise, label -1 +2 of 92 points/);
    const rows = rowsOf(place().read("noisy-labels.csv"));
    expect(place().read("noisy-labels.csv")).toMatch(/^cluster,membership,component,outlier_score\n/);
    expect(rows.map(([cluster]) => cluster)).toEqual([
      ...Array.from({ length: 90 }, (_, i) => String(i % 3)),
      ...["-1", "-1"],
    ]);
    expect(Number(rows[90][3])).toBeGreaterThan(3);
    const { metrics, choice } = JSON.parse(place().read("noisy.json"));
    expect(metrics).toMatchObject({ noise: 2, components: 3 });
    expect(choice.clusters).toBe(3);
    expect(choice.table).toHaveLength(5);
    const svg = place().read("noisy.svg");
    expect(svg.match(/<use /g)).toHaveLength(92);
    expect(svg).toMatch(/#a5aab2/);
    expect(svg).toContain(">noise<");
    expect(place().read("choice.svg")).toContain("BIC, the less the better");
  });

  test("what is for labels alone is refused with a matrix", async () => {
    place().write("plain.csv", groupsCsv());
    for (const words of [
      ["--noise-label", "-k", "3", "--out", "q.csv"],
      ["-k", "auto", "--layers", "auto"],
      ["--choice-plot", "c.svg", "-k", "3"],
      ["--max-clusters", "5", "-k", "3"],
      ["--max-clusters", "5", "--target", "curves"],
    ]) {
      const ended = await place().run(["disentangle", "plain.csv", ...words]);
      expect(ended.code).toBe(64);
      expect(ended.stderr).toMatch(/--(noise-label|clusters auto|choice-plot|max-clusters)/);
      expect(isOneSentence(ended.stderr)).toBe(true);
    }
  });

  test("a sweep over clusters judges by BIC, and not by how well the programme was solved", async () => {
    place().write("swept.csv", groupsCsv().split("\n").slice(0, 91).join("\n"));
    const ended = await place().run([
      "sweep",
      "disentangle",
      "swept.csv",
      "--grid",
      "clusters=1,2,3,4",
      "-o",
      "swept",
    ]);
    expect(ended.code).toBe(0);
    expect(ended.stderr + ended.stdout).toMatch(/Best by bic \(the lowest\): run 3, clusters 3/);
  });
});

describe.concurrent("two rings", () => {
  test("come apart in automatic layers; all outputs are there, and agree", async () => {
    const outputs = [
      ...["--assignments", "auto-clusters.csv", "--out", "auto-q.npy", "--embedding", "auto-plane.csv"],
      ...["--plot", "auto.svg", "--report", "auto.json"],
    ];
    const ended = await place().run([
      ...["disentangle", "rings.csv", "--layers", "auto", "--labels", "ring"],
      ...outputs,
    ]);
    expect(ended).toMatchObject({ code: 0, stdout: "" });
    const { command, input, result, metrics, layers } = JSON.parse(place().read("auto.json"));
    expect(command).toBe("disentangle");
    expect(input).toMatchObject({ rows: 100, columns: 2, labels: "ring", classes: 2 });
    expect(Object.keys(metrics)).toEqual([
      ...["upperBound", "lowerBound", "gap", "cost", "costLower", "costGap", "bic", "noise"],
      ...["smallestEntry", "rowSumError", "rank", "components"],
    ]);
    expect(metrics).toMatchObject({ cost: null, costLower: null, costGap: null });
    expect(metrics.components).toBe(2);
    expect(metrics.gap).toBeLessThanOrEqual(1e-3);
    expect(result.value).toBe(metrics.lowerBound);
    boundsHold(metrics);
    expect(layers.at(-1)).toMatchObject({ clusters: 2, components: 2 });
    const rows = rowsOf(place().read("auto-clusters.csv"));
    expect(rows).toHaveLength(100);
    for (const [cluster, membership, component, ring] of rows) {
      expect(cluster).toBe(ring === "outer" ? "0" : "1");
      expect(component).toBe(cluster);
      expect(Number(membership)).toBeGreaterThan(0.9);
    }
    expect(place().bytes("auto-q.npy")).toHaveLength(128 + 8 * 100 * 100);
    expect(rowsOf(place().read("auto-plane.csv"))).toHaveLength(100);
    const svg = place().read("auto.svg");
    expect(svg.match(/<use /g)).toHaveLength(100);
    expect(svg).toContain("data:image/png;base64,");
    expect(svg).toMatch(/2 components/);
    expect(svg).toContain("The points, by their principal components"); // the blocks of the last layer are constant
  });

  test("with one K, to standard output, by each solver", { tags: ["full"] }, async () => {
    for (const solver of ["auto", "admm", "bm"]) {
      const words = ["disentangle", "rings.csv", "-k", "8", "--labels", "ring", "--solver", solver];
      const ended = await place().run([...words, "--quiet", "--tolerance", "1e-2"]);
      expect(ended).toMatchObject({ code: 0, stderr: "" });
      const rows = rowsOf(ended.stdout);
      expect(new Set(rows.map(([cluster]) => cluster)).size).toBe(8);
    }
  });

  test("that come apart in one layer have a panel each, in which each is a ring", {
    tags: ["full"],
  }, async () => {
    const words = ["disentangle", "rings.csv", "-k", "16", "--labels", "ring", "--plot", "apart.svg"];
    const ended = await place().run([...words, "--quiet"]);
    expect(ended).toMatchObject({ code: 0, stderr: "" });
    const svg = place().read("apart.svg");
    expect(svg).toContain("Each component by the leading eigenvectors of its block");
    expect(svg.match(/>[01] · 50 points</g)).toHaveLength(2);
    const places = Array.from(svg.matchAll(/<use href="#c\d" x="([\d.]+)" y="([\d.]+)"/g), ([, x, y]) => [
      Number(x),
      Number(y),
    ]);
    expect(places).toHaveLength(100);
    const cut = places.reduce((sum, [x]) => sum + x / 100, 0);
    for (const half of [places.filter(([x]) => x < cut), places.filter(([x]) => x > cut)]) {
      expect(half).toHaveLength(50);
      const [x0, y0] = [0, 1].map((axis) => half.reduce((sum, place) => sum + place[axis] / 50, 0));
      const radii = half.map(([x, y]) => Math.hypot(x - x0, y - y0));
      expect(Math.min(...radii)).toBeGreaterThan(0.8 * Math.max(...radii));
    }
  });

  test("whose certificate does not fit into the memory end with the lower bound and a warning", {
    tags: ["full"],
  }, async () => {
    const words = ["disentangle", "rings.csv", "-k", "8", "--labels", "ring", "--memory-limit", "0.0005"];
    const ended = await place().run([...words, "--report", "little.json"]);
    expect(ended.code).toBe(0);
    const { metrics, warnings } = JSON.parse(place().read("little.json"));
    expect(metrics).toMatchObject({ upperBound: null, gap: null });
    expect(warnings.join()).toMatch(/takes up to 0.\d+ GiB, and --memory-limit allows 0.0005\d* GiB/);
    expect(warnings.join()).toMatch(/it is made with --certify and a --memory-limit of as much/);
  });

  test("as a PNG and as a page", { tags: ["full"] }, async () => {
    const words = ["disentangle", "rings.csv", "-k", "4", "--labels", "ring", "--tolerance", "1e-2"];
    for (const plot of ["rings.png", "rings.html"]) {
      const ended = await place().run([...words, "--quiet", "--plot", plot]);
      expect(ended).toMatchObject({ code: 0, stdout: "", stderr: "" });
    }
    expect([...place().bytes("rings.png").subarray(0, 4)]).toEqual([0x89, 0x50, 0x4e, 0x47]);
    expect(place().read("rings.html")).toContain("img-src data:");
  });

  test("as a Gram matrix they have the value of the points", { tags: ["full"] }, async () => {
    const points = rowsOf(ringsCsv(20)).map((row) => row.slice(0, 2).map(Number));
    const gram = points.map(([a, b]) => points.map(([c, d]) => a * c + b * d).join(","));
    place().write("gram.csv", `${gram.join("\n")}\n`);
    place().write("small.csv", ringsCsv(20));
    const values: number[] = [];
    for (const words of [
      ["gram.csv", "--input", "gram"],
      ["small.csv", "--labels", "ring", "--scale", "none", "--target", "matrix"],
    ]) {
      const report = `${words[0]}.json`;
      const more = ["-k", "3", "--tolerance", "1e-5", "--quiet", "--report", report];
      const ended = await place().run(["disentangle", ...words, ...more]);
      expect(ended).toMatchObject({ code: 0, stderr: "" });
      values.push(JSON.parse(place().read(report)).result.value);
    }
    expect(values[0] / values[1]).toBeCloseTo(1, 4);
  });
});

describe.concurrent("distances", () => {
  const names = Array.from({ length: 8 }, (_, i) => `city ${i}`);
  const rows = names.map((_, i) =>
    names.map((_, j) => Math.abs(i - j) + 20 * Math.abs((i >> 2) - (j >> 2))).join(","),
  );
  const header = names.join(",");
  const both = rows.map((row, i) => `${names[i]},${row}`);

  test.each<[string, readonly string[]]>([
    ["in the first line", [header, ...rows]],
    ["in the first column", both],
    ["in both, the corner empty", [`,${header}`, ...both]],
    ["in both, the corner named", [`place,${header}`, ...both]],
  ])("names %s stand beside what comes of the bare matrix", { tags: ["full"] }, async (_, lines) => {
    const bare = place().write("bare.csv", rows.join("\n"));
    const named = place().write(`named-${lines[0].length}-${lines.length}.csv`, lines.join("\n"));
    const words = ["--input", "distances", "-k", "2", "--quiet"];
    const plain = await place().run(["disentangle", bare, ...words]);
    expect(plain).toMatchObject({ code: 0, stderr: "" });
    const ended = await place().run(["disentangle", named, ...words]);
    expect(ended).toMatchObject({ code: 0, stderr: "" });
    expect(ended.stdout.startsWith("cluster,membership,component,name\n")).toBe(true);
    expect(rowsOf(ended.stdout)).toEqual(rowsOf(plain.stdout).map((cells, i) => [...cells, `"${names[i]}"`]));
  });

  test("a column of labels is still none of theirs", async () => {
    const file = place().write("kinds.csv", [`${header},kind`, ...rows.map((r) => `${r},x`)].join("\n"));
    const words = ["--input", "distances", "-k", "2", "--labels", "kind", "--quiet"];
    const ended = await place().run(["disentangle", file, ...words]);
    expect(rowsOf(ended.stdout)[0].at(-1)).toBe("x");
  });

  test("an object's column is no labels, and there is nothing to scale", { tags: ["full"] }, async () => {
    const file = place().write("square.csv", rows.join("\n"));
    const words = ["disentangle", file, "--input", "distances", "-k", "2"];
    const labelled = await place().run([...words, "--labels", "2"]);
    expect(labelled.code).toBe(64);
    expect(labelled.stderr).toContain(
      "square.csv, which is square with it; give a file with one label per line.",
    );
    const scaled = await place().run([...words, "--scale", "none"]);
    expect(scaled.code).toBe(64);
    expect(scaled.stderr).toContain("--scale is for points; leave it out.");
  });
});

describe.concurrent("one digit", () => {
  test("the zeros of the bundled digits end in a certified gap", async () => {
    const { points, labels } = await loadDigits();
    const lines: string[] = [];
    for (const [i, label] of Array.from(labels, Number).entries())
      if (label === 0 && lines.length < 90) lines.push(points.data.subarray(64 * i, 64 * i + 64).join(","));
    place().write("zeros.csv", `${lines.join("\n")}\n`);
    const words = ["disentangle", "zeros.csv", "--clusters", "8", "--report", "zeros.json"];
    const picture = ["--plot", "zeros.svg", "--target", "matrix"];
    const ended = await place().run([...words, ...picture, "--tolerance", "2e-3", "--json"]);
    expect(ended.code).toBe(0);
    const { metrics, result, options } = JSON.parse(place().read("zeros.json"));
    expect(options).toMatchObject({ solver: "auto", scale: "norm", tolerance: 2e-3, target: "matrix" });
    expect(metrics.gap).toBeLessThanOrEqual(2e-3);
    boundsHold(metrics);
    expect(result.status).toBe("converged");
    expect(place().read("zeros.svg")).toMatch(/certified gap/);
    const last = eventsOf(ended.stderr).at(-1);
    expect(last).toMatchObject({ event: "result", exitCode: 0 });
  });
});

describe.concurrent("labels as the target", () => {
  const rows = Array.from({ length: 60 }, (_, i) => `${50 * (i % 3) + Math.sin(i)},${Math.cos(7 * i)}`);

  test("is what it is without layers and matrices: their cost is certified, in the data's unit", async () => {
    place().write("apart.csv", `x,y\n${rows.join("\n")}\n`);
    const words = ["disentangle", "apart.csv", "-k", "3", "--report", "apart.json"];
    const ended = await place().run([...words, "--assignments", "apart-clusters.csv"]);
    expect(ended.code).toBe(0);
    expect(ended.stderr).toMatch(/No clustering into 3 groups costs less than/);
    expect(ended.stderr).toMatch(/cost of the labels .*\n.*no labels cost less .*\n.*gap of the cost/);
    const { metrics, options, result } = JSON.parse(place().read("apart.json"));
    expect(options.target).toBe("labels");
    expect(result.status).toBe("converged");
    expect(metrics.costGap).toBeLessThanOrEqual(1e-3);
    expect(metrics.costLower).toBeLessThanOrEqual(metrics.cost);
    let cost = 0;
    const points = rows.map((row) => row.split(",").map(Number));
    const clusters = rowsOf(place().read("apart-clusters.csv")).map(([cluster]) => cluster);
    for (const name of new Set(clusters)) {
      const members = points.filter((_, i) => clusters[i] === name);
      for (const j of [0, 1]) {
        const mean = members.reduce((sum, row) => sum + row[j], 0) / members.length;
        cost += members.reduce((sum, row) => sum + (row[j] - mean) ** 2, 0);
      }
    }
    expect(metrics.cost).toBeCloseTo(cost, 9);
  });

  test.each([
    [["--layers", "6,3"], "--target labels is for one layer"],
    [["-k", "2.5"], "--target labels is for a whole number of clusters"],
    [["-k", "2", "--input", "distances"], "--target labels is for points"],
  ])("with %j it is refused", async (words, sentence) => {
    const ended = await place().run(["disentangle", "rings.csv", "--target", "labels", ...words]);
    expect(ended.code).toBe(64);
    expect(ended.stderr).toContain(sentence);
  });
});

describe.concurrent("curves as the target", () => {
  const rows = Array.from({ length: 120 }, (_, i) => {
    const [angle, radius] = [0.7 * i * i, 1 + (i % 2)];
    return `${radius * Math.cos(angle)},${radius * Math.sin(angle)}`;
  });
  const table = `x,y\n${rows.join("\n")}\n`;

  test("two rings at uneven places are found, and their cut is certified", async () => {
    place().write("uneven.csv", table);
    const files = ["--report", "uneven.json", "--assignments", "uneven-curves.csv", "--plot", "uneven.svg"];
    const ended = await place().run(["disentangle", "uneven.csv", "--target", "curves", ...files]);
    expect(ended.code).toBe(0);
    expect(ended.stderr).toMatch(/2 curves, whose cut in the graph is .*proves the cut, not the truth/);
    expect(ended.stderr).toMatch(/cut of the curves .*\n.*no cut is below .*\n.*gap of the cut/);
    const { curves, options, result } = JSON.parse(place().read("uneven.json"));
    expect(options).toMatchObject({ target: "curves", clusters: 2 });
    expect(result.status).toBe("converged");
    expect(curves.clusters).toBe(2);
    expect(curves.cutLower).toBeLessThanOrEqual(curves.cut);
    expect(curves.kernels).toHaveLength(3);
    const clusters = rowsOf(place().read("uneven-curves.csv")).map(([cluster]) => cluster);
    expect(clusters).toEqual(rows.map((_, i) => String(i % 2)));
    expect(place().read("uneven.svg")).toContain("2 curves");
  });

  test.each([
    [["--layers", "6,3"], "--target curves is for one layer"],
    [["-k", "2.5"], "--target curves is for a whole number of clusters"],
    [["--input", "distances"], "--target curves is for points"],
    [["--scale", "none"], "--scale changes nothing for --target curves"],
  ])("with %j it is refused", async (words, sentence) => {
    const ended = await place().run(["disentangle", "rings.csv", "--target", "curves", ...words]);
    expect(ended.code).toBe(64);
    expect(ended.stderr).toContain(sentence);
  });
});

describe.concurrent("a run that is stopped", () => {
  const endless = ["--solver", "cg", "--tolerance", "0", "--labels", "ring", "-k", "6"];

  test("Ctrl-C writes the best feasible point with its gap, and a checkpoint from which it goes on", {
    tags: ["full"],
  }, async () => {
    let isSent = false;
    const outputs = [
      "--report",
      "stopped.json",
      "--assignments",
      "stopped.csv",
      "--checkpoint",
      "stopped.bin",
    ];
    const ended = await place().run(["disentangle", "rings.csv", ...endless, ...outputs], {
      onLog: (child, log) => {
        if (isSent || !/"event":"iteration"/.test(log)) return;
        isSent = true;
        child.kill("SIGINT");
      },
    });
    expect(ended).toMatchObject({ code: 3, stdout: "" });
    const { result, metrics } = JSON.parse(place().read("stopped.json"));
    expect(result.status).toBe("aborted");
    boundsHold(metrics);
    expect(metrics.rowSumError).toBeLessThan(1e-12);
    expect(rowsOf(place().read("stopped.csv"))).toHaveLength(100);
    const before = decodeCheckpoint(place().bytes("stopped.bin")).run.latest?.index ?? 0;
    const words = ["--checkpoint", "stopped.bin", "--resume", "--max-iterations", String(before + 30)];
    const resumed = await place().run([
      ...["disentangle", "rings.csv", ...endless, ...words, "--report", "resumed.json"],
    ]);
    expect(resumed.code).toBe(2);
    expect(JSON.parse(place().read("resumed.json")).result).toMatchObject({
      status: "max-iterations",
      iterations: before + 30,
    });
  });
});

describe.concurrent("what is wrong is told in one sentence", () => {
  test("a checkpoint of a run with other memory, which made no certificate", { tags: ["full"] }, async () => {
    const words = ["disentangle", "rings.csv", "--labels", "ring", "-k", "6", "--checkpoint", "other.bin"];
    const begun = [...words, "--no-certify", "--max-iterations", "40"];
    expect((await place().run([...begun, "--quiet"])).code).toBe(2);
    const resumed = await place().run([...words, "--resume", "--quiet"]);
    expect(resumed.code).toBe(65);
    expect(resumed.stderr).toMatch(
      /other\.bin: The checkpoint is of another dimension.*--certify or --no-certify/,
    );
    expect(isOneSentence(resumed.stderr)).toBe(true);
    expect((await place().run([...begun, "--resume", "--quiet"])).code).toBe(2);
  });

  test.each([
    ["gram", "1,2\n0,1\n", /--input gram: Matrix must be symmetric; row 1, column 0/],
    [
      "distances",
      "0,-1\n-1,0\n",
      /The distance of object 2 and object 1 is -1\. Give distances of at least 0/,
    ],
  ])("a file that holds no %s", async (input, text, sentence) => {
    place().write(`no-${input}.csv`, text);
    const ended = await place().run(["disentangle", `no-${input}.csv`, "--input", input, "-k", "1"]);
    expect(ended.stderr).toMatch(sentence);
    expect(isOneSentence(ended.stderr)).toBe(true);
    expect(ended).toMatchObject({ code: 65, stdout: "" });
  });

  test.each<[string, readonly string[], number, RegExp]>([
    ["no K", [], 64, /how many clusters there are \(--clusters 16\)/],
    ["K above n", ["-k", "101"], 64, /--clusters must be a number from 1 to 100/],
    ["K below 1", ["-k", "0.5"], 64, /--clusters must be a number from 1 to 100/],
    ["K that is no number", ["-k", "many"], 64, /It must be "auto" or a finite number above 0/],
    ["rising layers", ["--layers", "2,8"], 64, /none larger than the one before it/],
    ["a layer above n", ["--layers", "200,2"], 64, /--layers must be numbers from 1 to 100/],
    ["another solver", ["-k", "2", "--solver", "scs"], 64, /one of "auto", "cg", "admm", "bm"/],
    ["a picture of another kind", ["-k", "2", "--plot", "q.pdf"], 64, /must end in .svg, .png, .html/],
    ["a table of another kind", ["-k", "2", "--assignments", "a.npy"], 64, /must end in .csv, .tsv/],
    ["the plane in another form", ["-k", "2", "--embedding", "e.txt"], 64, /--embedding e.txt: the name/],
    ["points as a Gram matrix", ["-k", "2", "--input", "gram"], 65, /--input gram: Matrix must be square/],
    [
      "little memory",
      ["-k", "4", "--memory-limit", "0.00001"],
      65,
      /takes .* GiB, and --memory-limit allows/,
    ],
    [
      "no memory for a gap",
      ["-k", "4", "--certify", "--memory-limit", "0.0001"],
      65,
      /--no-certify does without/,
    ],
    ["pca of too many", ["-k", "2", "--pca", "9"], 64, /--pca must be at most 2/],
    ["resume from nowhere", ["-k", "2", "--resume"], 64, /--resume needs --checkpoint/],
  ])("%s", async (_, words, code, sentence) => {
    const ended = await place().run(["disentangle", "rings.csv", "--labels", "ring", ...words]);
    expect(ended.stderr).toMatch(sentence);
    expect(isOneSentence(ended.stderr)).toBe(true);
    expect(ended).toMatchObject({ code, stdout: "" });
  });
});
