/** What the viewer is made of: files of points, search, the lasso, neighbours in the map. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { csvOf } from "../src/viewer/csv.js";
import { nearestRows, pointsInside } from "../src/viewer/geometry.js";
import type { Payload } from "../src/viewer/payload.js";
import { searchIn } from "../src/viewer/search.js";

describe("the viewer's parts", () => {
  const payload = (names: string[], values: string[]): Payload => ({
    ...{ title: "", subtitle: "", legendName: "", axes: 2, points: names.flatMap((_, n) => [n, -n]) },
    ...{ names, columns: [{ name: "x", values }], neighbors: null, classes: [], classOf: names.map(() => 0) },
    ...{ order: [], scale: null, hasLegend: false, radius: 3, opacity: 1 },
  });

  test("CSV: what is in it comes back, and a column that is called as a coordinate keeps its name", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.string(), fc.string()), { minLength: 1, maxLength: 20 }), (cells) => {
        const text = csvOf(
          payload(
            cells.map(([name]) => name),
            cells.map(([, value]) => value),
          ),
          cells.map((_, n) => n),
        );
        expect(text.startsWith("row,name,map_x,y,x\r\n")).toBe(true);
        const found = [
          ...text.slice(text.indexOf("\r\n") + 2).matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g),
        ];
        // As our readers do: a quote in front of what a spreadsheet would run is no part of it.
        const read = (cell: string): string => (/^'+[=+\-@\t\r]/.test(cell) ? cell.slice(1) : cell);
        const back = found.map(([, quoted, plain]) => read(quoted?.replaceAll('""', '"') ?? plain));
        expect(back).toEqual(
          cells.flatMap(([name, value], n) => [String(n + 1), name, String(n), String(-n), value]),
        );
      }),
    );
  });

  test("CSV: nothing is left that a spreadsheet would run", () => {
    for (const word of ["=cmd|'/C calc'!A0", "+1+1", "-2+3", "@SUM(1)", "\t=1"])
      expect(csvOf(payload(["a"], [word]), [0])).toContain(`'${word}`);
    expect(csvOf(payload(["a"], ["-2.5e3"]), [0])).toContain(",-2.5e3");
  });

  test("search: the whole phrase first, then all of its words; a name that begins so comes first", () => {
    const search = searchIn(
      payload(["New York", "York", "Newark, old York", "Åland"], ["a b", "c", "d", "b a"]),
    );
    expect(search("york")).toEqual([1, 0, 2]);
    expect(search("new york")).toEqual([0]);
    expect(search("york new")).toEqual([0, 2]);
    expect(search("ALAND")).toEqual([3]);
    expect(search("a b")).toEqual([0]);
    expect(search("  ")).toEqual([]);
    expect(search("zzz")).toEqual([]);
  });

  test("a lasso has the points inside, also where it is bent", () => {
    const bent = [0, 0, 10, 0, 10, 10, 5, 2, 0, 10];
    expect(pointsInside([1, 1, 5, 9, 9, 8, 5, 1, 11, 1], bent)).toEqual([0, 2, 3]);
    expect(pointsInside([1, 1], [0, 0, 2, 2])).toEqual([]);
  });

  test("neighbours in the map", () => {
    expect(nearestRows([0, 0, 3, 0, 1, 0, 2, 0], 2, 0, 2)).toEqual([2, 3]);
    expect(nearestRows([0, 0, 3, 0, 1, 0, 2, 0], 2, 0, 2, (row) => row === 2)).toEqual([3, 1]);
  });
});
