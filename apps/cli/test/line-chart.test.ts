/** Curves as pictures: every place in them is finite and inside, whatever the numbers. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { svgChart } from "../src/plot/line-chart.js";

const chartOf = (points: readonly { readonly x: number; readonly y: number }[]) =>
  svgChart({
    title: "a < b",
    subtitle: "",
    xTitle: "passes",
    panels: [
      {
        title: "cost",
        lines: [
          { name: "P", points },
          { name: "Q", points },
        ],
      },
    ],
  });

const numbersOf = (svg: string): number[] =>
  [...svg.matchAll(/ (?:cx|cy|x|y)="([^"]*)"/g)].map(([, value]) => Number(value));

test("any finite values", () => {
  const value = fc.oneof(
    fc.double({ min: -1e300, max: 1e300, noNaN: true }),
    fc.constantFrom(0, 1, 5e-324, 1e-300, 0.15, 0.1500001),
  );
  fc.assert(
    fc.property(fc.array(value, { minLength: 1, maxLength: 80 }), (values) => {
      const svg = chartOf(values.map((y, x) => ({ x, y })));
      expect(svg).not.toMatch(/NaN|Infinity/);
      const [, width, height] = (/width="(\d+)" height="(\d+)"/.exec(svg) ?? []).map(Number);
      const largest = Math.max(width, height);
      for (const place of numbersOf(svg)) {
        expect(place).toBeGreaterThanOrEqual(-1);
        expect(place).toBeLessThanOrEqual(largest + 1);
      }
    }),
    { numRuns: 300 },
  );
});

test("words are text", () => {
  expect(chartOf([{ x: 1, y: 2 }])).toContain("a &#60; b");
});

test("the axis has round numbers", () => {
  const svg = chartOf([
    { x: 1, y: 0.212 },
    { x: 10, y: 0.481 },
  ]);
  for (const tick of ["0.2", "0.3", "0.4", "0.5", "0", "2", "10"]) expect(svg).toContain(`>${tick}</text>`);
});
