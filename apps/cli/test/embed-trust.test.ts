/** `curvature embed --trust`, `--restarts` and `--shuffled` as a process. */
import { describe, expect, test } from "vitest";
import { eventsOf, groupsCsv, isOneSentence, rowsOf, workplace } from "./cli.js";

const place = workplace();
const quickly = ["--perplexity", "8", "--max-evaluations", "40"];

/** Four columns of whole numbers that have nothing to do with each other, and where `group` says so a group apart. */
function drawn(rows: number, apart: number): string {
  const value = (i: number, j: number): number => (((i + 3) * (j * 7919 + 104729)) ** 2 % 65537) / 65537;
  const lines = Array.from({ length: rows }, (_, i) =>
    Array.from({ length: 4 }, (_, j) => value(i, j) * (i < apart ? 0.2 : 1) + (i < apart ? 9 : 0)).join(","),
  );
  return `${["p,q,r,trust", ...lines].join("\n")}\n`;
}

describe.concurrent("trust", () => {
  test("columns beside the places, agreement with other maps, and all of it in the report", async () => {
    place().write("groups.csv", groupsCsv(60));
    const words = ["--labels", "group", ...quickly, "--trust", "--restarts", "3", "--shuffled", "--json"];
    const files = ["--out", "groups-map.csv", "--report", "groups.json"];
    const { code, stderr } = await place().run(["embed", "groups.csv", ...words, ...files]);
    expect(code).toBe(0);
    const [header, ...rows] = rowsOf(place().read("groups-map.csv"));
    expect(header).toBe("x,y,kept,trust,regional_trust,distortion,agreement,group");
    expect(rows).toHaveLength(60);
    const cells = rows.map((row) => row.split(",").slice(0, 7).map(Number));
    const mean = (column: number): number => cells.reduce((sum, row) => sum + row[column], 0) / 60;
    const { metrics, options, phases } = JSON.parse(place().read("groups.json"));
    expect(mean(2)).toBeCloseTo(metrics.knnPreservation, 12);
    expect(mean(3)).toBeCloseTo(metrics.trustworthiness, 12);
    expect(mean(6)).toBeCloseTo(metrics.trust.agreement, 12);
    expect(cells.every((row) => row[5] >= 1)).toBe(true);
    expect(metrics.trust).toMatchObject({ neighbors: 10, restarts: 3, limit: 0.9, smallGroups: [] });
    expect(metrics.trust.untrusted).toBe(cells.filter((row) => row[4] < 0.9 && row[5] > 1).length);
    expect(metrics.shuffled).toMatchObject({ isBeyond: true, copies: 39, p: 1 / 40 });
    expect(options).toMatchObject({ trust: true, restarts: 3, shuffled: true });
    expect(phases.trust).toBeGreaterThan(0);
    // What it will take is said before it begins.
    const events = eventsOf(stderr);
    const at = (find: (event: Record<string, unknown>) => boolean): number => events.findIndex(find);
    const said = at(({ message }) => /^3 maps from random starts: about .*s\.$/.test(String(message)));
    expect(said).toBeGreaterThan(-1);
    expect(said).toBeLessThan(at(({ phase }) => phase === "maps from random starts"));
    const copies = at(({ message }) =>
      /^39 copies with shuffled columns: about .*s\.$/.test(String(message)),
    );
    expect(copies).toBeLessThan(at(({ phase }) => phase === "copies with shuffled columns"));
  });

  test("of copies that lie together nobody lies among strangers", async () => {
    place().write("copies.csv", `a,b\n${"0,0\n10,10\n".repeat(40)}`);
    const { code, stdout, stderr } = await place().run([
      "embed",
      "copies.csv",
      "--trust",
      "--report",
      "copies.json",
    ]);
    expect({ code }, stderr).toEqual({ code: 0 });
    expect(`${stdout}${stderr}`).not.toContain("lie among points that are far");
    expect(JSON.parse(place().read("copies.json")).metrics.trust.untrusted).toBe(0);
  });

  test("a list of neighbours has no trust, and says so", async () => {
    const pairs = Array.from({ length: 40 }, (_, i) => [1, 2, 3].map((d) => `${i},${(i + d) % 40},${d}`));
    place().write("pairs.csv", `from,to,distance\n${pairs.flat().join("\n")}\n`);
    const words = ["--input", "neighbors", "--trust", "--out", "pairs-map.csv"];
    const { code, stderr } = await place().run(["embed", "pairs.csv", ...words]);
    expect({ code }).toEqual({ code: 0 });
    expect(stderr).toContain("there is no column of trust or distortion");
    expect(rowsOf(place().read("pairs-map.csv"))[0]).toBe("x,y,kept,name");
  });

  test("the same map, and no figure more, without them", async () => {
    place().write("plain.csv", groupsCsv(45));
    const maps = await Promise.all(
      [[], ["--trust"]].map((words, k) =>
        place().run([
          ...["embed", "plain.csv", "--labels", "group", ...quickly, "--quiet", ...words],
          ...["--report", `plain-${k}.json`, "--out", `plain-${k}.csv`],
        ]),
      ),
    );
    for (const { code } of maps) expect(code).toBe(0);
    const places = [0, 1].map((k) =>
      rowsOf(place().read(`plain-${k}.csv`)).map((row) => row.split(",").slice(0, 2)),
    );
    expect(places[1]).toEqual(places[0]);
    expect(JSON.parse(place().read("plain-0.json")).metrics).not.toHaveProperty("trust");
  });

  test("independent columns and a group below the perplexity are warned of; a column of the data keeps its name", async () => {
    place().write("small.csv", drawn(90, 12));
    const words = ["--perplexity", "20", "--trust", "--shuffled", "--keep", "trust", "--plot", "small.svg"];
    const found = await place().run(["embed", "small.csv", ...words, "--out", "small-map.csv"]);
    expect(found.code).toBe(0);
    expect(found.stderr).toMatch(
      /A group of 12 points stands apart and has fewer points than the perplexity, 20/,
    );
    expect(found.stderr).toMatch(
      /trust +(?:no point lies|one point lies|\d+ points lie) among points that are far/,
    );
    expect(found.stderr).toMatch(/sizes of groups +(?:mean little|are partly kept)/);
    expect(rowsOf(place().read("small-map.csv"))[0]).toBe(
      "x,y,kept,map_trust,regional_trust,distortion,trust",
    );
    expect(place().read("small.svg")).toMatch(/>regional_trust</);
    place().write("nothing.csv", drawn(80, 0));
    const alone = await place().run([
      "embed",
      "nothing.csv",
      ...quickly,
      "--shuffled",
      "--out",
      "no-map.csv",
    ]);
    expect(alone.stderr).toMatch(/each column shuffled by itself have neighbours as near \(p = 0\.\d+\)/);
  });

  test("of given distances and pairs what is known of them", async () => {
    const at = (i: number): number[] => [Math.cos(i) + 3 * (i % 2), Math.sin(i)];
    const distance = (i: number, j: number): number => Math.hypot(...at(i).map((x, k) => x - at(j)[k]));
    const all = Array.from({ length: 24 }, (_, i) => i);
    place().write("all.csv", all.map((i) => all.map((j) => distance(i, j)).join(",")).join("\n"));
    const pairs = all.flatMap((i) => all.filter((j) => j < i).map((j) => `n${i},n${j},${distance(i, j)}`));
    place().write("pairs.csv", ["from,to,distance", ...pairs].join("\n"));
    const rest = ["--trust", "--quiet", "--perplexity", "5"];
    const ofAll = await place().run(["embed", "all.csv", "--input", "distances", ...rest]);
    const ofPairs = await place().run(["embed", "pairs.csv", "--input", "neighbors", ...rest]);
    expect(rowsOf(ofAll.stdout)[0]).toBe("x,y,kept,trust,regional_trust,distortion");
    expect(rowsOf(ofPairs.stdout)[0]).toBe("x,y,kept,name");
    for (const { stdout } of [ofAll, ofPairs]) expect(stdout).not.toMatch(/NaN|Infinity/);
  });

  test.each([
    [["--trust", "--out", "map.npy"], /--trust adds columns with names, which \.npy has not/],
    [["--restarts", "2", "--method", "laplacian"], /--restarts: Laplacian eigenmaps have no start/],
    [["--restarts", "0"], /--restarts/],
    [["--restarts", "many"], /--restarts/],
    [["--shuffled", "--input", "distances"], /--shuffled is for points/],
  ])("%j is refused", async (words, sentence) => {
    place().write("refused.csv", groupsCsv(30));
    const ended = await place().run(["embed", "refused.csv", "--labels", "group", ...words]);
    expect(ended.code).toBe(64);
    expect(ended.stderr).toMatch(sentence);
    expect(isOneSentence(ended.stderr)).toBe(true);
  });

  test("two points have a map, and a word on trust", async () => {
    place().write("two.csv", "a,b\n1,2\n3,4\n");
    const ended = await place().run(["embed", "two.csv", "--trust", "--shuffled"]);
    expect(ended.code).toBe(0);
    expect(rowsOf(ended.stdout)[0]).toBe("x,y");
    expect(ended.stderr).toMatch(/no neighbourhoods: there is no trust to measure/);
    expect(ended.stderr).toMatch(/Shuffled copies say nothing of one column or of fewer than 8 rows/);
  });
});
