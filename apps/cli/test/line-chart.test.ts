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

test("an axis of whole numbers, as dimensions, has no halves", () => {
  for (const most of [1, 2, 3, 5, 7]) {
    const svg = chartOf(Array.from({ length: most }, (_, k) => ({ x: k + 1, y: 7.25 + 0.25 * k })));
    const below = [...svg.matchAll(/text-anchor="middle"[^>]*>([\d.]+)<\/text>/g)].map(([, name]) => name);
    expect(below.length).toBeGreaterThan(1);
    for (const name of below) expect(name).toMatch(/^\d+$/);
  }
});

test("a logarithmic panel has powers of ten, equally far apart", () => {
  const powers = [1e-6, 1e-3, 1, 1e3];
  const svg = svgChart({
    title: "t",
    subtitle: "",
    xTitle: "",
    panels: [
      {
        title: "F",
        xTitle: "seconds",
        isLogarithmic: true,
        lines: [{ name: "a", points: powers.map((y, x) => ({ x, y })) }],
      },
    ],
  });
  for (const tick of ["1e-6", "1e-4", "0.01", "1", "100", "seconds"])
    expect(svg).toContain(`>${tick}</text>`);
  const heights = [...svg.matchAll(/ cy="([^"]*)"/g)].map(([, y]) => Number(y));
  expect(heights).toHaveLength(4);
  const steps = heights.slice(1).map((y, k) => heights[k] - y);
  for (const step of steps) expect(step).toBeCloseTo(steps[0], 0);
});

test("positive values of any size have a place on a logarithmic axis", () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: 5e-324, max: 1e300, noNaN: true }), { minLength: 1, maxLength: 20 }),
      (values) => {
        const lines = [{ name: "a", points: values.map((y, x) => ({ x, y })) }];
        const svg = svgChart({
          title: "t",
          subtitle: "",
          xTitle: "x",
          panels: [
            { title: "F", isLogarithmic: true, lines },
            { title: "F", xTitle: "own", isLogarithmic: true, lines },
            { title: "F", xTitle: "own", lines },
          ],
        });
        expect(svg).not.toMatch(/NaN|Infinity/);
        const height = Number(/height="(\d+)"/.exec(svg)?.[1]);
        for (const place of numbersOf(svg)) {
          expect(place).toBeGreaterThanOrEqual(-1);
          expect(place).toBeLessThanOrEqual(height + 1);
        }
      },
    ),
    { numRuns: 200 },
  );
});

test("panels with an axis of their own do not share it", () => {
  const line = (end: number) => [
    {
      name: "a",
      points: [
        { x: 0, y: 1 },
        { x: end, y: 2 },
      ],
    },
  ];
  const svg = svgChart({
    title: "t",
    subtitle: "",
    xTitle: "unused",
    panels: [
      { title: "one", xTitle: "passes", lines: line(8) },
      { title: "two", xTitle: "seconds", lines: line(80) },
    ],
  });
  expect(svg).not.toContain("unused");
  // Both lines end at the right border.
  const ends = [...svg.matchAll(/ cx="([^"]*)"/g)].map(([, x]) => Number(x));
  expect(ends[1]).toBe(ends[3]);
});
