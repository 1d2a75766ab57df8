/** Maps in pixels. */
import { svgMap } from "@curvature/map-view";
import { expect, test } from "vitest";
import { pngOf } from "../src/plot/png.js";

const mapOf = (rows: number, columns: number) => ({
  rows,
  columns,
  data: Float64Array.from({ length: rows * columns }, (_, k) => ((k * 7919) % 1000) / 100),
});

test("a picture in pixels is a PNG, with letters in it", async () => {
  const draw = (title: string) => pngOf(svgMap(mapOf(20, 2), { title }));
  const [with_, without] = [await draw("WWWW"), await draw("    ")];
  expect([...with_.subarray(0, 8)]).toEqual([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  expect(with_.length).toBeGreaterThan(without.length + 200);
});
