import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Frame, type PlacedName, placeNames } from "../src/names.js";
import { svgMap } from "../src/svg-map.js";

const fontSize = 13;
const radius = 5;
const bounds = { left: 0, top: 0, width: 700, height: 700 };

const place = (points: readonly (readonly [number, number])[], width: number): PlacedName[] =>
  placeNames(
    Float64Array.from(points.flat()),
    points.map(() => width),
    { fontSize, radius, bounds, taken: [] },
  );

const height = 1.15 * fontSize;
const shared = (a: PlacedName, b: PlacedName, width: number): number =>
  Math.max(0, width - Math.abs(a.x - b.x)) * Math.max(0, height - Math.abs(a.y - b.y));

describe("placeNames", () => {
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
    const named = (taken: readonly Frame[]): PlacedName[] =>
      placeNames(Float64Array.of(100, 100), [60], { fontSize, radius, bounds, taken });
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

  const coordinate = fc.double({ min: 0, max: 700, noNaN: true });
  const point = fc.record({
    x: coordinate,
    y: coordinate,
    width: fc.double({ min: 1, max: 200, noNaN: true }),
  });
  const words = fc.array(fc.tuple(coordinate, coordinate), { maxLength: 4 });

  test("no name lies on another, on other words, or beyond the edge, and each stands by its point", () => {
    fc.assert(
      fc.property(fc.array(point, { minLength: 1, maxLength: 300 }), words, (points, others) => {
        const taken = others.map(([x, y]): Frame => [x, y, x + 90, y + 20]);
        const names = placeNames(
          Float64Array.from(points.flatMap(({ x, y }) => [x, y])),
          points.map(({ width }) => width),
          { fontSize, radius, bounds, taken },
        );
        expect(new Set(names.map(({ index }) => index)).size).toBe(names.length);
        const frames = names.map(({ index, x, y }): Frame => {
          const top = y - 0.78 * height;
          return [x, top, x + points[index].width, top + height];
        });
        const slack = 1e-9;
        const isOn = (a: Frame, b: Frame): boolean =>
          Math.min(a[2], b[2]) - Math.max(a[0], b[0]) > slack &&
          Math.min(a[3], b[3]) - Math.max(a[1], b[1]) > slack;
        for (const [k, frame] of frames.entries()) {
          for (const other of [...frames.slice(0, k), ...taken]) expect(isOn(frame, other)).toBe(false);
          expect(frame[0] >= -slack && frame[1] >= -slack).toBe(true);
          expect(frame[2] <= 700 + slack && frame[3] <= 700 + slack).toBe(true);
          const { x, y } = points[names[k].index];
          const across = Math.max(frame[0] - x, x - frame[2], 0);
          const up = Math.max(frame[1] - y, y - frame[3], 0);
          expect(Math.max(across, up)).toBeLessThan(radius + 3 + 0.9 * fontSize + slack);
        }
      }),
      { numRuns: 60 },
    );
  });

  test("as many as fit: none that is left out has a free place, but where it would cover many points", () => {
    const far = Array.from({ length: 100 }, (_, k): [number, number] => [
      70 * (k % 10) + 20,
      70 * Math.floor(k / 10) + 20,
    ]);
    expect(place(far, 50)).toHaveLength(100);
    // Two names that need each other's place first find one each.
    const pair = placeNames(Float64Array.of(100, 100, 190, 100), [60, 60], {
      fontSize,
      radius,
      bounds: { left: 30, top: 92, width: 330, height: 16 },
    });
    expect(pair.map(({ index }) => index)).toEqual([0, 1]);
  });

  test("a crowd keeps some names, however many there are", () => {
    const crowd = (count: number): Float64Array =>
      Float64Array.from({ length: 2 * count }, (_, k) => ((k * 7919) % 7001) / 10);
    const placed = placeNames(crowd(20_000), new Float64Array(20_000).fill(60), {
      fontSize,
      radius: 1.1,
      bounds,
    });
    expect(placed.length).toBeGreaterThan(10);
  });

  test("points without a name get none", () => {
    const pixels = Float64Array.of(10, 10, 300, 300);
    const names = placeNames(pixels, [0, 20], { fontSize, radius, bounds, taken: [] });
    expect(names.map(({ index }) => index)).toEqual([1]);
  });
});

describe("in a plot", () => {
  const mapOf = (rows: number) => ({
    rows,
    columns: 2,
    data: Float64Array.from({ length: 2 * rows }, (_, k) => ((k * 7919) % 1009) / 100),
  });
  const namesOf = (rows: number) => Array.from({ length: rows }, (_, n) => `N${n}<&`);

  test("names stand beside their points, and all are there for the pointer", () => {
    const few = svgMap(mapOf(20), { names: namesOf(20) });
    for (let n = 0; n < 20; n++) expect(few).toContain(`>N${n}&#60;&#38;</text>`);
    const many = svgMap(mapOf(2000), { names: namesOf(2000) });
    const shown = many.match(/>N\d+&#60;&#38;<\/text>/g)?.length ?? 0;
    expect(shown).toBeGreaterThan(20);
    expect(shown).toBeLessThan(2000);
    expect(many.match(/<title>N\d+&#60;&#38;<\/title>/g)).toHaveLength(2000);
  });
});
