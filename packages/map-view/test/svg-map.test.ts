import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { areNames, coloringOf, scaleValue } from "../src/coloring.js";
import { drawingOrder, fitPoints, placeClassNames, planeOf } from "../src/layout.js";
import type { MapPicture } from "../src/map.js";
import { classColors, restColor, scaleColor } from "../src/palette.js";
import { escaped } from "../src/svg.js";
import { svgMap } from "../src/svg-map.js";

const mapOf = (rows: number, columns: number) => ({
  rows,
  columns,
  data: Float64Array.from({ length: rows * columns }, (_, k) => ((k * 7919) % 1000) / 100),
});
/** As the command line has it: a map with all that it shows. */
const svgOf = ({ map, ...options }: MapPicture): string => svgMap(map, options);
const words = { labelName: "kind", title: "a title", subtitle: "a subtitle" };

describe("coloringOf", () => {
  test("classes are in natural order, numbers as numbers, and every row finds its own", () => {
    const labels = ["10", "9", "b", "a", "9", ""];
    const { classes, classOf, scale } = coloringOf(labels.length, labels);
    expect(scale).toBeUndefined();
    expect(classes.map(({ name, count }) => [name, count])).toEqual([
      ["9", 2],
      ["10", 1],
      ["a", 1],
      ["b", 1],
      ["no label", 1],
    ]);
    expect(Array.from(classOf, (k) => classes[k].name)).toEqual(["10", "9", "b", "a", "9", "no label"]);
  });

  test("180 classes differ by colour or shape, and none is grey; a class beyond them has a colour all the same", () => {
    const labels = Array.from({ length: 600 }, (_, i) => `class ${i % 200}`);
    const { classes } = coloringOf(labels.length, labels);
    expect(classes).toHaveLength(200);
    const looks = new Set(classes.slice(0, 180).map(({ color, shape }) => `${color} ${shape}`));
    expect(looks.size).toBe(180);
    for (const { color, named } of classes) {
      expect(named).toBe(true);
      expect(color).not.toBe(restColor);
    }
    // The first ten by colour alone, the first sixty in the palette's own colours.
    expect(new Set(classes.slice(0, 10).map(({ color }) => color)).size).toBe(10);
    expect(new Set(classes.slice(0, 60).map(({ color }) => color))).toEqual(new Set(classColors));
  });

  test("labels of each row's own are names, and neither classes nor numbers are", () => {
    const rows = Array.from({ length: 60 }, (_, i) => i);
    expect(areNames(rows.map((i) => `item ${i}`))).toBe(true);
    expect(areNames(rows.map((i) => (i < 5 ? "" : `item ${i}`)))).toBe(true);
    expect(areNames(rows.map((i) => `kind ${i % 30}`))).toBe(false); // two of each
    expect(areNames(rows.map((i) => String(i / 7)))).toBe(false);
    expect(areNames(rows.slice(0, 20).map((i) => `item ${i}`))).toBe(false); // twenty looks do
  });

  test("a colour of numbers is a scale however few they are, by factors where they span many", () => {
    const few = coloringOf(6, ["4", "6", "8", "4", "", "8"], { isScale: true });
    expect(few.scale).toEqual({ low: 4, high: 8, isLogarithmic: false });
    expect([...few.classOf.slice(0, 3)]).toEqual([0, 32, 63]);
    const wide = coloringOf(3, ["1", "1000", "1e6"], { isScale: true });
    expect(wide.scale?.isLogarithmic).toBe(true);
    expect([...wide.classOf]).toEqual([0, 32, 63]);
    if (wide.scale) expect(scaleValue(wide.scale, 0.5)).toBeCloseTo(1000, 9);
    const equal = coloringOf(2, ["7", "7"], { isScale: true });
    expect(new Set(equal.classOf)).toEqual(new Set([32]));
    expect(coloringOf(2, ["a", "7"], { isScale: true }).scale).toBeUndefined();
  });

  test("many different numbers become a scale, their ends its ends", () => {
    const labels = Array.from({ length: 100 }, (_, i) => (i === 50 ? "" : String(i / 10)));
    const { classes, classOf, scale } = coloringOf(labels.length, labels);
    expect(scale).toEqual({ low: 0, high: 9.9, isLogarithmic: false });
    expect(classOf[0]).toBe(0);
    expect(classOf[99]).toBe(63);
    expect(classes[classOf[50]].name).toBe("no label");
    for (let i = 2; i < 100; i++)
      if (i !== 50 && i !== 51) expect(classOf[i]).toBeGreaterThanOrEqual(classOf[i - 1]);
  });

  test("a scale from end to end of float64 stays finite", () => {
    const labels = Array.from({ length: 30 }, (_, i) => String((i - 15) * 1.1e307));
    const { classOf } = coloringOf(30, labels);
    expect([...classOf].every((step) => step >= 0 && step < 64)).toBe(true);
  });

  test("takes any labels", () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { minLength: 1, maxLength: 60 }), (labels) => {
        const { classes, classOf } = coloringOf(labels.length, labels);
        expect(classOf).toHaveLength(labels.length);
        for (const k of classOf) expect(classes[k]).toBeDefined();
        expect(classes.reduce((sum, { count }) => sum + count, 0)).toBe(labels.length);
      }),
    );
  });
});

describe("layout", () => {
  test("both axes have one scale, y points up, and all lies in the box", () => {
    const plane = Float64Array.of(0, 0, 10, 0, 0, 5);
    const { box, pixels } = fitPoints(plane, { left: 30, top: 90 });
    const [x0, y0, x1, y1, x2, y2] = pixels;
    expect(x1 - x0).toBeCloseTo(2 * (y0 - y2), 9);
    expect(y1).toBe(y0);
    expect(x2).toBe(x0);
    for (let k = 0; k < 6; k += 2) {
      expect(pixels[k]).toBeGreaterThanOrEqual(box.left - 1e-9);
      expect(pixels[k]).toBeLessThanOrEqual(box.left + box.width + 1e-9);
      expect(pixels[k + 1]).toBeGreaterThanOrEqual(box.top - 1e-9);
      expect(pixels[k + 1]).toBeLessThanOrEqual(box.top + box.height + 1e-9);
    }
  });

  test.each([
    ["one point", Float64Array.of(3, 4)],
    ["equal points", Float64Array.of(3, 4, 3, 4)],
    ["a line", Float64Array.of(0, 1, 5, 1)],
    ["the ends of float64", Float64Array.of(-1.7e308, -1.7e308, 1.7e308, 1.7e308)],
  ])("%s is drawn in the middle or within", (_, plane) => {
    for (const pixel of fitPoints(plane, { left: 0, top: 0 }).pixels)
      expect(Number.isFinite(pixel)).toBe(true);
  });

  test("a line of points is spread over one band per class", () => {
    const labels = ["a", "b", "a", "b"];
    const plane = planeOf({ rows: 4, columns: 1, data: Float64Array.of(0, 1, 2, 3) }, coloringOf(4, labels));
    expect([plane[0], plane[2], plane[4], plane[6]]).toEqual([0, 1, 2, 3]);
    expect(Math.min(plane[1], plane[5])).toBeGreaterThan(Math.max(plane[3], plane[7]));
  });

  test("the drawing order is a permutation that mixes neighbours", () => {
    const order = drawingOrder(1000);
    expect([...order].sort((a, b) => a - b)).toEqual(Array.from({ length: 1000 }, (_, n) => n));
    expect(order.slice(0, 500).filter((n) => n < 500).length).toBeGreaterThan(200);
  });

  const widthOf = (name: string): number => 11 * (name.length + 1);

  test("of a crowd a class's name stands at one of its points, and no name covers another", () => {
    const labels = Array.from({ length: 900 }, (_, n) => (n < 400 ? "c" : n < 700 ? "a" : "b"));
    const pixels = Float64Array.from(labels.flatMap((name, n) => [name === "a" ? 10 : 300 + (n % 2), 300]));
    const coloring = coloringOf(900, labels);
    const area = { left: -20, top: -20, width: 600, height: 1000 };
    const names = placeClassNames(pixels, coloring, { fontSize: 16, area, widthOf });
    expect(names.map(({ index }) => coloring.classes[index].name)).toEqual(["c", "a"]);
    expect(names[1]).toMatchObject({ x: 10, y: 300 });
  });

  test("a long name at the edge of a crowd moves into the picture", () => {
    const labels = ["left", "right"].flatMap((side) => Array(400).fill(`${side} of the middle`));
    const pixels = Float64Array.from(labels.flatMap((_, n) => (n < 400 ? [2, 50] : [398, 80])));
    const place = (width: number) =>
      placeClassNames(pixels, coloringOf(800, labels), {
        fontSize: 10,
        area: { left: 0, top: 0, width, height: 100 },
        widthOf,
      });
    const [left, right] = place(400);
    expect(left).toMatchObject({ x: widthOf("left of the middle") / 2, y: 50 });
    expect(right).toMatchObject({ x: 400 - widthOf("right of the middle") / 2, y: 80 });
    expect(place(60).map(({ x }) => x)).toEqual([30, 30]); // no room: the middle
  });

  test("of few points each stays visible: a class's name hides none, nor another name, whatever the map", () => {
    let shown = 0;
    fc.assert(
      fc.property(
        fc.integer({ min: 6, max: 60 }),
        fc.integer({ min: 1, max: 6 }),
        fc.integer({ min: 0, max: 1e6 }),
        (rows, kinds, seed) => {
          const random = (k: number): number => (Math.imul(seed + k, 2_654_435_761) >>> 0) / 2 ** 32;
          const pixels = Float64Array.from({ length: 2 * rows }, (_, k) => 400 * random(k * k));
          const coloring = coloringOf(
            rows,
            Array.from({ length: rows }, (_, n) => `kind ${n % kinds}`),
          );
          const area = { left: -18, top: -18, width: 436, height: 436 };
          const names = placeClassNames(pixels, coloring, { fontSize: 17, area, widthOf });
          shown += names.length;
          const half = (index: number): number => widthOf(coloring.classes[index].name) / 2;
          for (const { index, x, y } of names) {
            for (let n = 0; n < rows; n++) {
              const apart = [Math.abs(pixels[2 * n] - x) - half(index), Math.abs(pixels[2 * n + 1] - y) - 11];
              expect(Math.max(...apart)).toBeGreaterThanOrEqual(4.9); // the radius of a point
            }
            for (const other of names)
              if (other.index > index)
                expect(
                  Math.abs(other.x - x) >= half(index) + half(other.index) || Math.abs(other.y - y) >= 22,
                ).toBe(true);
          }
        },
      ),
    );
    expect(shown).toBeGreaterThan(100);
  });

  test("a class's name stands close to its points, and where these leave no room it is left out", () => {
    const apart = Float64Array.of(100, 100, 120, 100, 110, 120, 400, 400, 420, 400, 410, 420);
    const area = { left: 0, top: 0, width: 500, height: 500 };
    const names = placeClassNames(apart, coloringOf(6, [..."aaabbb"]), { fontSize: 17, area, widthOf });
    for (const { index, x, y } of names)
      expect(Math.hypot(x - (index === 0 ? 110 : 410), y - (index === 0 ? 107 : 407))).toBeLessThan(40);
    expect(names).toHaveLength(2);
    const lattice = Float64Array.from({ length: 450 }, (_, k) =>
      k % 2 === 0 ? 12 * ((k / 2) % 15) : 12 * Math.floor(k / 30),
    );
    const all = { left: 0, top: 0, width: 168, height: 168 };
    const crowded = placeClassNames(lattice, coloringOf(225, Array(225).fill("a")), {
      fontSize: 17,
      area: all,
      widthOf,
    });
    expect(crowded).toEqual([]);
  });
});

describe("svgMap", () => {
  /** Ends of the ellipses that are drawn, beside the rectangle that cuts them. */
  const regionsIn = (svg: string) => {
    const [, ...area] = (/<clipPath id="area"><rect x="(.*?)" y="(.*?)" width="(.*?)" height="(.*?)"/.exec(
      svg,
    ) ?? []) as string[];
    const [left, top, width, height] = area.map(Number);
    const drawn = [
      ...svg.matchAll(/<ellipse cx="(.*?)" cy="(.*?)" rx="(.*?)" ry="(.*?)" transform="rotate\((\S+)/g),
    ];
    const reach = drawn.flatMap(([, ...words]) => {
      const [x, y, rx, ry, turn] = words.map(Number);
      return Array.from({ length: 360 }, (_, degree) => {
        const [t, r] = [(degree * Math.PI) / 180, (turn * Math.PI) / 180];
        const [a, b] = [rx * Math.cos(t), ry * Math.sin(t)];
        return [x + a * Math.cos(r) - b * Math.sin(r), y + a * Math.sin(r) + b * Math.cos(r)];
      });
    });
    return reach.filter(([x, y]) => x < left || y < top || x > left + width || y > top + height).length;
  };
  const regionMap = (major: number) => ({
    ...words,
    map: { rows: 3, columns: 2, data: Float64Array.of(0, 0, 4, 0, 2, 3) },
    labels: undefined,
    regions: {
      isMeaningless: false,
      // Slanting: the ends of its axes are not where it reaches furthest.
      ellipses: Float64Array.of(
        major,
        major / 2,
        Math.SQRT1_2,
        Math.SQRT1_2,
        1,
        1,
        1,
        0,
        ...Array(4).fill(Number.NaN),
      ),
    },
  });

  test("the picture holds the regions as far as twice the spread of the points, and says how many it cuts", () => {
    const small = svgOf(regionMap(3.9));
    expect(regionsIn(small)).toBe(0);
    expect(small).not.toContain("beyond the picture");
    const large = svgOf(regionMap(40));
    expect(regionsIn(large)).toBeGreaterThan(0);
    expect(large).toContain("a subtitle · 1 region reaches beyond the picture");
    const lonely = { ...regionMap(5), map: { rows: 3, columns: 2, data: new Float64Array(6) } };
    expect(regionsIn(svgOf(lonely))).toBe(0);
  });

  test("a picture that cannot be drawn leaves the dot of its point, with the name", () => {
    const map = mapOf(3, 2);
    const names = ["pear", "plum", "fig"];
    const images = ["data:image/png;base64,AAAA", "", "data:image/png;base64,AAAA"];
    const svg = svgOf({ ...words, map, labels: undefined, names, images });
    expect(svg.match(/<image /g)).toHaveLength(2);
    expect(svg).toMatch(/<use href="#c0" [^>]*><title>plum<\/title>/);
  });

  test("draws every point once, and a legend entry per class", () => {
    const labels = Array.from({ length: 50 }, (_, i) => "abcde"[i % 5]);
    const svg = svgOf({ map: mapOf(50, 2), labels, ...words });
    expect(svg.match(/<use /g)).toHaveLength(50);
    for (const name of "abcde") expect(svg).toContain(`>${name}</text>`);
    expect(svg).toContain(">kind</text>");
    for (const color of classColors.slice(0, 5)) expect(svg).toContain(color);
    expect(svg).not.toMatch(/NaN|Infinity|undefined/);
  });

  test.each([1, 2, 3, 5])("takes maps of %d dimensions, and of few points", (columns) => {
    for (const rows of [1, 2, 3]) {
      const svg = svgOf({ map: mapOf(rows, columns), labels: undefined, ...words });
      expect(svg.match(/<use /g)).toHaveLength(rows);
      expect(svg).not.toMatch(/NaN|Infinity|undefined/);
    }
  });

  test("long names keep the ends that tell them apart", () => {
    const labels = ["a", "b", "c"].map((end) => `${"the same beginning ".repeat(5)}and end ${end}`);
    const svg = svgOf({ map: mapOf(3, 2), labels, ...words });
    for (const end of ["a", "b", "c"]) expect(svg).toMatch(new RegExp(`>the same .*….* end ${end}</text>`));
  });

  test("labels cannot leave their text", () => {
    const evil = `</text><script>alert("1")</script>&amp;'\u0000\u001b[2J\ud800`;
    const svg = svgOf({
      map: mapOf(6, 2),
      labels: Array(6).fill(evil),
      labelName: evil,
      title: evil,
      subtitle: evil,
    });
    expect(svg).not.toContain("<script");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: XML forbids them
    expect(svg).not.toMatch(/[\u0000-\u0008\u000b-\u001f]/);
    expect(svg).not.toMatch(/\p{Surrogate}/u);
  });

  test("any text is escaped to what a parser gives back, less what XML cannot hold", {
    tags: ["full"],
  }, () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(escaped(text)).not.toMatch(/[<>"']|&(?!#\d+;)/);
      }),
    );
  });

  test("a scale has a bar with its ends", () => {
    const labels = Array.from({ length: 40 }, (_, i) => String(i));
    const svg = svgOf({ map: mapOf(40, 2), labels, ...words });
    expect(svg).toContain("linearGradient");
    expect(svg).toContain(">39</text>");
    expect(svg).toContain(scaleColor(0));
  });
});
