import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { svgPlot } from "../src/map-view/svg-map.js";
import { type Frame, maxNamedPoints, type PointName, placePointNames } from "../src/map-view/names.js";

const fontSize = 13;
const radius = 5;
const bounds = { left: 0, top: 0, width: 700, height: 700 };

const place = (points: readonly (readonly [number, number])[], width: number): PointName[] =>
  placePointNames(
    Float64Array.from(points.flat()),
    points.map(() => width),
    { fontSize, radius, bounds, taken: [] },
  );

const height = 1.15 * fontSize;
const shared = (a: PointName, b: PointName, width: number): number =>
  Math.max(0, width - Math.abs(a.x - b.x)) * Math.max(0, height - Math.abs(a.y - b.y));

describe("placePointNames", () => {
  test("a lonely name stands to the right of its point; at the right edge, to the left", () => {
    const [alone, atEdge] = place(
      [
        [100, 100],
        [690, 400],
      ],
      60,
    );
    expect(alone.x).toBe(108);
    expect(Math.abs(alone.y - 100)).toBeLessThan(height / 2);
    expect(atEdge.x).toBe(690 - 8 - 60);
  });

  test("a name keeps off the words of classes, or is left out", () => {
    const named = (taken: readonly Frame[]): PointName[] =>
      placePointNames(Float64Array.of(100, 100), [60], { fontSize, radius, bounds, taken });
    const right: Frame = [104, 90, 200, 110];
    expect(named([right])[0].x).toBe(100 - 8 - 60);
    expect(named([[0, 0, 300, 300]])).toEqual([]);
  });

  test("names of near points keep apart", () => {
    const names = place(
      [
        [100, 100],
        [112, 100],
        [100, 112],
        [112, 112],
      ],
      50,
    );
    expect(names).toHaveLength(4);
    for (const a of names) for (const b of names) if (a !== b) expect(shared(a, b, 50)).toBe(0);
  });

  test("of names for which there is no room, some are left out, and none lies much on another", () => {
    const coordinate = fc.integer({ min: 0, max: 120 });
    fc.assert(
      fc.property(fc.array(fc.tuple(coordinate, coordinate), { minLength: 1, maxLength: 60 }), (points) => {
        const names = place(points, 40);
        expect(names.length).toBeGreaterThan(0);
        for (const a of names) {
          for (const b of names) {
            if (a !== b) expect(shared(a, b, 40)).toBeLessThanOrEqual(0.2 * 40 * height + 1e-9);
          }
        }
      }),
      { numRuns: 40 },
    );
  });

  test("points without a name get none", () => {
    const pixels = Float64Array.of(10, 10, 300, 300);
    const names = placePointNames(pixels, [0, 20], { fontSize, radius, bounds, taken: [] });
    expect(names.map(({ index }) => index)).toEqual([1]);
  });
});

describe("in a plot", () => {
  const mapOf = (rows: number) => ({
    rows,
    columns: 2,
    data: Float64Array.from({ length: 2 * rows }, (_, k) => ((k * 7919) % 1009) / 100),
  });
  const words = { labels: undefined, labelName: "", title: "a title", subtitle: "" };
  const namesOf = (rows: number) => Array.from({ length: rows }, (_, n) => `N${n}<&`);

  test("few points have their names beside them, many tell them when pointed at", () => {
    const few = svgPlot({ ...words, map: mapOf(20), names: namesOf(20) });
    for (let n = 0; n < 20; n++) expect(few).toContain(`>N${n}&#60;&#38;</text>`);
    const many = svgPlot({ ...words, map: mapOf(maxNamedPoints + 1), names: namesOf(maxNamedPoints + 1) });
    expect(many).not.toContain(">N0&#60;&#38;</text>");
    expect(many).toContain("<title>N0&#60;&#38;</title>");
  });
});
