/** `curvature embed` as a process: what it writes, and that every option does something. */
import { gzipSync } from "node:zlib";
import { readNpy } from "@curvature/datasets";
import { describe, expect, test } from "vitest";
import { eventsOf, groupsCsv, isOneSentence, rowsOf, workplace } from "./cli.js";

const place = workplace();

const maps = new Map<string, Promise<string>>();

/** The map of 45 points in three groups with these options, as CSV; made once. */
function mapWith(words: readonly string[]): Promise<string> {
  const key = words.join(" ");
  const map = maps.get(key) ?? makeMap(words);
  maps.set(key, map);
  return map;
}

async function makeMap(words: readonly string[]): Promise<string> {
  if (!place().has("groups.csv")) place().write("groups.csv", groupsCsv(45));
  const ended = await place().run(["embed", "groups.csv", "--labels", "group", "--quiet", ...words]);
  expect(ended.stderr).toBe("");
  expect([0, 2]).toContain(ended.code);
  return ended.stdout;
}

describe.concurrent("the map", () => {
  test("goes to standard output, one row per point in order, labels last", async () => {
    const [header, ...rows] = rowsOf(await mapWith([]));
    expect(header).toBe("x,y,group");
    expect(rows).toHaveLength(45);
    rows.forEach((row, i) => {
      const [x, y, label] = row.split(",");
      expect(Number.isFinite(Number(x)) && Number.isFinite(Number(y))).toBe(true);
      expect(label).toBe("abc"[i % 3]);
    });
  });

  test("is the same from a file, from standard input, compressed or not", { tags: ["full"] }, async () => {
    const expected = await mapWith([]);
    for (const stdin of [groupsCsv(45), gzipSync(groupsCsv(45))]) {
      const ended = await place().run(["embed", "-", "--labels", "group", "--quiet"], { stdin });
      expect(ended.stdout).toBe(expected);
    }
  });

  test("is CSV, TSV, NPY or JSON by the name of --out", { tags: ["full"] }, async () => {
    const expected = await mapWith([]);
    for (const form of ["csv", "tsv", "npy", "json"]) await mapWith(["--out", `map.${form}`]);
    expect(place().read("map.csv")).toBe(expected);
    expect(place().read("map.tsv")).toBe(expected.replaceAll(",", "\t"));
    const json = JSON.parse(place().read("map.json"));
    expect(json.columns).toEqual(["x", "y"]);
    expect(json.labels).toHaveLength(45);
    const { points } = await readNpy(place().bytes("map.npy"));
    expect(Array.from(points.data)).toEqual(json.data.flat());
    expect(rowsOf(expected)[7].split(",").slice(0, 2).map(Number)).toEqual(json.data[6]);
  });

  test("with a plot or a report, standard output stays empty unless --out - asks for it", {
    tags: ["full"],
  }, async () => {
    const expected = await mapWith([]);
    expect(await mapWith(["--report", "quiet.json"])).toBe("");
    expect(await mapWith(["--report", "quiet.json", "--out", "-"])).toBe(expected);
  });

  test.each([1, 3])("has %d dimensions if asked, and can be drawn", { tags: ["full"] }, async (dim) => {
    const map = await mapWith(["--dim", String(dim), "--out", "-", "--plot", `d${dim}.svg`]);
    expect(rowsOf(map)[0]).toBe(`${["x", "y", "z"].slice(0, dim).join(",")},group`);
    expect(place().read(`d${dim}.svg`)).toContain("<use ");
    await mapWith(["--dim", String(dim), "--plot", `d${dim}.html`]);
    expect(place().read(`d${dim}.html`)).toContain(`"axes":${dim === 3 ? 3 : 2}`);
  });
});

describe.concurrent("every option does something", { tags: ["full"] }, () => {
  test.each<readonly string[]>([
    ["--method", "ssne"],
    ["--method", "sne"],
    ["--method", "ee"],
    ["--method", "tee"],
    ["--method", "laplacian"],
    ["--solver", "sd"],
    ["--perplexity", "5"],
    ["--lambda", "2"],
    ["--neighbors", "35"],
    ["--pca", "2"],
    ["--scale", "max"],
    ["--scale", "standard"],
    ["--scale", "unit"],
    ["--init", "laplacian"],
    ["--init", "random"],
    ["--seed", "1"],
    ["--max-evaluations", "20"],
    ["--max-iterations", "5"],
  ])("%s %s", async (...words) => {
    expect(await mapWith(words)).not.toBe(await mapWith([]));
  });

  test("threads, of which any number makes the same map", { tags: ["full"] }, async () => {
    place().write("many.csv", groupsCsv(850));
    const words = ["embed", "many.csv", "--labels", "group", "--quiet", "--gradient", "exact"];
    const mapBy = async (threads: string): Promise<string> => {
      const limits = ["--perplexity", "5", "--max-evaluations", "5", "--report", `${threads}.json`];
      const ended = await place().run([...words, ...limits, "--threads", threads]);
      expect(ended.stderr).toBe("");
      return ended.stdout;
    };
    const maps = await Promise.all(["1", "2", "auto"].map(mapBy));
    expect(new Set(maps).size).toBe(1);
    const used = ["1", "2", "auto"].map(
      (threads) => JSON.parse(place().read(`${threads}.json`)).options.threads,
    );
    expect(used).toEqual([1, 2, expect.any(Number)]);
    const refused = ["0", "33"].map((wrong) => place().run([...words, "--threads", wrong]));
    for (const ended of await Promise.all(refused)) {
      expect(ended.code).toBe(64);
      expect(isOneSentence(ended.stderr)).toBe(true);
    }
  });

  test("the paper's solvers, each in its own way", { tags: ["full"] }, async () => {
    const solvers = ["sd", "sd-lbfgs", "sdminus", "fp", "diagh", "gd", "cg", "lbfgs"];
    const maps = await Promise.all(
      solvers.map((solver) => mapWith(["--solver", solver, "--max-iterations", "8"])),
    );
    expect(new Set(maps).size).toBe(solvers.length);
  });

  test.each<readonly string[]>([
    ["--kappa", "3"],
    ["--homotopy"],
    ["--tolerance", "0.1"],
    ["--max-seconds", "1e-9"],
  ])("%s with a solver of the paper's", { tags: ["full"] }, async (...words) => {
    const base = ["--solver", "sd", "--max-iterations", "60"];
    expect(await mapWith([...base, ...words])).not.toBe(await mapWith(base));
  });

  test("--neighbors all", async () => {
    expect(await mapWith(["--perplexity", "5", "--neighbors", "all"])).not.toBe(
      await mapWith(["--perplexity", "5"]),
    );
  });

  test("--neighbor-search approximate tells what share of the neighbours it found", async () => {
    await mapWith(["--neighbor-search", "approximate", "--perplexity", "2", "--report", "recall.json"]);
    const { metrics, options } = JSON.parse(place().read("recall.json"));
    expect(options.neighborSearch).toBe("approximate");
    expect(metrics.neighborRecall).toBeGreaterThan(0.95);
  });

  test("--repulsion with ee", async () => {
    expect(await mapWith(["--method", "ee", "--repulsion", "constant"])).not.toBe(
      await mapWith(["--method", "ee", "--repulsion", "distance"]),
    );
  });

  test("--init reads a map that embed has written, with labels and other columns beside the places", async () => {
    for (const file of ["written.csv", "written.tsv", "written.json"]) {
      await mapWith(["--trust", "--out", file]);
      expect(rowsOf(await mapWith(["--init", file])), file).toHaveLength(46);
    }
  });

  test("--init from a file starts there: the end of one run is no news to the next", async () => {
    place().write(
      "start.csv",
      rowsOf(await mapWith(["--solver", "lbfgs"]))
        .map((row) => row.replace(/,[^,]*$/, ""))
        .join("\n"),
    );
    const [before, after] = [
      rowsOf(place().read("start.csv")),
      rowsOf(await mapWith(["--solver", "gd", "--max-iterations", "1", "--init", "start.csv"])),
    ];
    const cells = (rows: string[]): number[] =>
      rows.slice(1).flatMap((row) => row.split(",").slice(0, 2).map(Number));
    const [from, to] = [cells(before), cells(after)];
    const size = Math.sqrt(from.reduce((sum, x) => sum + x * x, 0));
    const change = Math.sqrt(from.reduce((sum, x, k) => sum + (x - to[k]) ** 2, 0));
    expect(change / size).toBeLessThan(0.02);
    await mapWith(["--max-evaluations", "1", "--init", "start.csv", "--report", "started.json"]);
    expect(JSON.parse(place().read("started.json")).options.initialization).toBe("start.csv");
    const wrong = await place().run([
      "embed",
      "groups.csv",
      "--labels",
      "group",
      "--dim",
      "3",
      "--init",
      "start.csv",
    ]);
    expect(wrong.stderr).toMatch(/curvature: --init must be 45 x 3.*received 45 x 2/);
    expect(wrong.code).toBe(65);
  });

  test("the same words give the same bits", async () => {
    const words = ["--init", "random", "--seed", "7"];
    expect(await makeMap(words)).toBe(await makeMap(words));
  });
});

describe.concurrent("labels", () => {
  test("by name, by index and from a file are the same", { tags: ["full"] }, async () => {
    const expected = await mapWith([]);
    const data = groupsCsv(45);
    place().write("bare.csv", data.replaceAll(/,[^,\n]*\n/g, "\n"));
    place().write("groups.txt", Array.from({ length: 45 }, (_, i) => `${"abc"[i % 3]}\r\n`).join(""));
    const byIndex = await place().run(["embed", "groups.csv", "--labels", "4", "--quiet"]);
    expect(byIndex.stdout.replace("column 5", "group").replaceAll('"', "")).toBe(expected);
    const byFile = await place().run(["embed", "bare.csv", "--labels", "groups.txt", "--quiet"]);
    expect(byFile.stdout.replace("groups", "group")).toBe(expected);
  });

  test("text in them does no harm to plots and terminal", { tags: ["full"] }, async () => {
    const evil = '"</script><script>document.title=1</script>\u001b[2J"';
    const data = groupsCsv(12).replaceAll(/,a\n/g, `,${evil}\n`);
    const name = place().write("evil.csv", data);
    for (const form of ["svg", "html"]) {
      const ended = await place().run(["embed", name, "--labels", "group", "--plot", `evil.${form}`]);
      expect(ended.code).toBe(0);
      expect(ended.stderr).not.toContain("\u001b");
      const plot = place().read(`evil.${form}`);
      expect(plot).not.toContain("\u001b");
      expect(plot).not.toContain("<script>document");
    }
  });
});

describe.concurrent("plot and report", () => {
  test("are written beside the map", async () => {
    await mapWith(["--plot", "plot.svg", "--report", "report.json", "--out", "with-report.csv"]);
    const svg = place().read("plot.svg");
    expect(svg.match(/<use /g)).toHaveLength(45);
    expect(svg).toContain(">groups.csv</text>");
    expect(svg).toContain("45 points");
    const report = JSON.parse(place().read("report.json"));
    expect(report).toMatchObject({
      command: "embed",
      version: "0.0.0",
      input: { file: "groups.csv", rows: 45, columns: 4, labels: "group", classes: 3 },
      options: { method: "tsne", solver: "auto", dimensions: 2, seed: 0, scale: "none" },
      result: { status: "max-evaluations", evaluations: 100, message: expect.any(String) },
      metrics: { neighbors: 10, sample: null },
    });
    for (const name of ["value", "gradientNorm", "iterations", "evaluations", "passes", "elapsedSeconds"]) {
      expect(typeof report.result[name], name).toBe("number");
    }
    for (const name of ["klDivergence", "knnPreservation", "trustworthiness"]) {
      expect(report.metrics[name], name).toBeGreaterThan(0);
      expect(report.metrics[name], name).toBeLessThanOrEqual(1);
    }
    expect(Object.keys(report.phases)).toEqual(
      expect.arrayContaining(["reading", "neighbors", "affinities", "optimization", "metrics"]),
    );
  });

  test("a PNG is one, an HTML page carries all it needs and asks for nothing", {
    tags: ["full"],
  }, async () => {
    await mapWith(["--plot", "plot.png"]);
    expect([...place().bytes("plot.png").subarray(1, 4)]).toEqual([0x50, 0x4e, 0x47]);
    await mapWith(["--plot", "plot.html"]);
    const page = place().read("plot.html");
    expect(page).toContain("default-src 'none'; script-src 'sha256-");
    expect(page.replaceAll("http://www.w3.org", "")).not.toMatch(/https?:\/\//);
  });

  test("progress is JSON lines where standard error is no terminal, and ends with the result", async () => {
    place().write("events.csv", groupsCsv(45));
    const ended = await place().run([
      "embed",
      "events.csv",
      "--labels",
      "group",
      "--report",
      "events.json",
      "--json",
    ]);
    const events = eventsOf(ended.stderr);
    expect(events.map(({ event }) => event)).toEqual(
      expect.arrayContaining(["phase", "iteration", "result"]),
    );
    expect(events.at(-1)).toMatchObject({ event: "result", status: "max-evaluations", exitCode: 0 });
  });

  test("a column that decides most distances or counts the rows is named once, if it is taken, and not where it is rescaled or left out", {
    tags: ["full"],
  }, async () => {
    const [header, ...rows] = rowsOf(groupsCsv(45));
    const grams = rows.map((row, i) => `${1000 + ((i * 7919) % 1000)},${row}`);
    place().write("units.csv", [`grams,${header}`, ...grams].join("\n"));
    const warnings = async (...words: string[]): Promise<unknown[]> => {
      const ended = await place().run(["embed", "units.csv", "--labels", "group", "--json", ...words]);
      const events = eventsOf(ended.stderr).filter(({ event }) => event === "warning");
      return events.map(({ message }) => message);
    };
    expect(await warnings()).toEqual([
      expect.stringMatching(/^"grams" spans \d+ times as much .* give --scale standard\.$/),
    ]);
    expect(await warnings("--scale", "standard")).toEqual([]);
    place().write("units.csv", [`id,${header}`, ...rows.map((row, i) => `${i + 1},${row}`)].join("\n"));
    expect(await warnings()).toEqual([]); // it names the rows, and is left out with a note
    expect(await warnings("--columns", "0-4")).toEqual([
      '"id" counts the rows. Leave it out with --ignore, unless the order of the rows is meant.',
    ]);
  });
});

test("of few rows it says of how many nearest neighbours it counted", async () => {
  place().write("few.csv", Array.from({ length: 12 }, (_, i) => `${i},${(i * 5) % 7}`).join("\n"));
  const { code, stderr } = await place().run(["embed", "few.csv", "--out", "few-map.csv"]);
  expect(code, stderr).toBe(0);
  expect(stderr).toContain("of the 5 nearest");
});
