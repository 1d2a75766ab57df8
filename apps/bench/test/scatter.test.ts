import { inflateSync } from "node:zlib";
import { expect, test } from "vitest";
import { panelsSvg } from "../src/scatter.ts";

const placesOf = (svg: string): number[][] =>
  [...svg.matchAll(/<circle cx="([-\d.]+)" cy="([-\d.]+)" r="2.5"/g)].map(([, x, y]) => [
    Number(x),
    Number(y),
  ]);

const corners = [
  [0, 0],
  [4, 0],
  [4, 1],
] as const;

test("a map keeps its proportions, up is up, and a stretched panel is filled", () => {
  const [a, b, c] = placesOf(panelsSvg("", [{ title: "", points: corners }]));
  expect(b[0] - a[0]).toBe(244);
  expect(a[1] - c[1]).toBe(61);
  const [d, , f] = placesOf(panelsSvg("", [{ title: "", points: corners, isStretched: true }]));
  expect(d[1] - f[1]).toBe(244);
});

test("a matrix is a picture of its entries, white where it is not positive", () => {
  const svg = panelsSvg("", [
    { title: "a < b", matrix: { rows: 2, columns: 2, data: Float64Array.of(4, 2, -1, 0) } },
  ]);
  expect(svg).toContain("a &#60; b");
  const png = Buffer.from(/base64,([^"]+)"/.exec(svg)?.[1] ?? "", "base64");
  expect(png.readUInt32BE(16)).toBe(2);
  const at = png.indexOf("IDAT");
  const lines = inflateSync(png.subarray(at + 4, at + 4 + png.readUInt32BE(at - 4)));
  expect([...lines]).toEqual([0, 0, 128, 0, 255, 255]);
});
