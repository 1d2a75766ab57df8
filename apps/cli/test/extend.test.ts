/** A map of a raw table that is saved, and grows by rows that come later. */
import { beforeAll, expect, test } from "vitest";
import { isOneSentence, rowsOf, workplace } from "./cli.js";

const place = workplace();

/** Three groups, in units as tables have them. */
const table = (names: string, first: number, last: number): string =>
  [
    names,
    ...Array.from({ length: last - first }, (_, k) => {
      const i = first + k;
      const cells: Readonly<Record<string, string>> = {
        id: `P${i}`,
        kind: ["ape", "bee", "cat"][i % 3],
        size: String((i % 3 === 0 ? 20 : 0) + ((i * 37) % 101) / 100),
        mass: String(1000 * ((i % 3 === 1 ? 100 : 20) + ((i * 53) % 103) / 10)),
      };
      return names.split(",").map((name) => cells[name]);
    }),
  ].join("\n");

beforeAll(async () => {
  place().write("week1.csv", table("id,kind,size,mass", 0, 90));
  place().write("week2.csv", table("mass,kind,size,id", 90, 120));
  place().write("week3.csv", table("id,kind,size,mass", 120, 130));
  const words = ["embed", "week1.csv", "--labels", "kind", "--ignore", "id", "--scale", "standard"];
  const { code, stderr } = await place().run([...words, "--model", "map.model", "--out", "map.csv", "-q"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
});

const extend = (...words: string[]) => place().run(["extend", ...words]);

test("old rows come first, as far from their places as it says, and new ones with their labels; and again", async () => {
  const flags = ["--labels", "kind", "--keep", "id", "--plot", "map2.html", "--model", "map2.model"];
  const { code, stderr } = await extend("map.model", "week2.csv", ...flags, "--out", "map2.csv");
  expect(code, stderr).toBe(0);
  expect(stderr).toMatch(/A map of 120: 90 old rows and 30 of week2\.csv, \d+ of them outside\./);
  expect(stderr).toMatch(/movement of old rows +\d+\.\d % of the map's radius on average/);
  const [header, ...rows] = rowsOf(place().read("map2.csv")).map((row) => row.split(","));
  expect(header).toEqual(["x", "y", "new", "movement", "outside", "kind", "id"]);
  expect(rows).toHaveLength(120);
  expect(rows.map((row) => row[2])).toEqual(Array.from({ length: 120 }, (_, i) => (i < 90 ? "0" : "1")));
  expect([rows[91][3], ...rows[91].slice(5)]).toEqual(["0", "bee", "P91"]);
  const mean = rows.slice(0, 90).reduce((sum, row) => sum + Number(row[3]), 0) / 90;
  expect(stderr).toContain(`${(100 * mean).toFixed(1)} % of the map's radius on average`);
  expect(mean).toBeLessThan(0.1);
  expect(place().read("map2.html")).toContain("the map");
  const again = await extend("map2.model", "week3.csv", "--labels", "kind", "--json");
  expect({ code: again.code }, again.stderr).toEqual({ code: 0 });
  const record: unknown = JSON.parse(again.stderr.trim().split("\n").at(-1) ?? "");
  expect(record).toMatchObject({ rows: 10, old: 120 });
  expect(rowsOf(again.stdout)).toHaveLength(131);
  expect((await place().run(["transform", "map2.model", "week3.csv", "-q"])).code).toBe(0);
});

test("rows from elsewhere are flagged, and warned of", async () => {
  const [head, ...rows] = place().read("week2.csv").trim().split("\n");
  const far = rows.map((row, i) => (i === 3 ? row.replace(/^[^,]+/, "1e9") : row));
  place().write("far.csv", [head, ...far, ""].join("\n"));
  const { code, stdout, stderr } = await extend("map.model", "far.csv", "--out", "-");
  expect(code, stderr).toBe(0);
  expect(stderr).toContain("than any of these from its own nearest: the old map knew nothing");
  expect(rowsOf(stdout)[1 + 90 + 3].split(",")[4]).toBe("1");
});

test("--movement says how far", async () => {
  const movement = async (...words: string[]): Promise<number> => {
    const { stdout } = await extend("map.model", "week2.csv", "-q", ...words);
    const rows = rowsOf(stdout).slice(1, 91);
    return rows.reduce((sum, row) => sum + Number(row.split(",")[3]), 0) / 90;
  };
  const little = await movement("--movement", "0.02");
  expect(little).toBeLessThanOrEqual(0.02);
  expect(await movement("--movement", "free")).toBeGreaterThan(little);
});

test.each<[string, number, string, ...string[]]>([
  ["no number", 64, "free", "map.model", "week2.csv", "--movement", "0"],
  ["a missing column", 65, '"mass"', "map.model", "narrow.csv"],
  ["a gap", 65, "mass", "map.model", "gap.csv"],
  ["what is no map", 65, "does not begin with the header of a model", "week1.csv", "week2.csv"],
  ["its own input as output", 64, "map.model", "map.model", "week2.csv", "--model", "map.model"],
])("%s is named", async (_, expected, words, ...line) => {
  place().write("narrow.csv", "size\n1\n2\n");
  place().write("gap.csv", "size,mass\n1,\n");
  const { code, stderr } = await extend(...line, "-q");
  expect({ code }, stderr).toEqual({ code: expected });
  expect(stderr).toContain(words);
  expect(isOneSentence(stderr)).toBe(true);
});
