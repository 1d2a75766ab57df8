/** What the plots are made of: camera, picking, colours, the film. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { boundsOf, fitted, panned, toPlane, toScreen, zoomed } from "../src/plot/camera.js";
import { type Coloring, coloringOf, colorOfPoint, looksOf } from "../src/plot/coloring.js";
import { fixed } from "../src/plot/numbers.js";
import { channelsOf, classColor, mostClasses } from "../src/plot/palette.js";
import { pointAt, pointsWithin } from "../src/plot/pick.js";
import { Film } from "../src/views/embed/film.js";

const size = { width: 400, height: 300 };
const coordinate = fc.double({ min: -1e6, max: 1e6, noNaN: true });

describe("the camera", () => {
  test("shows every point of the bounds it was fitted to", () => {
    fc.assert(
      fc.property(fc.array(coordinate, { minLength: 2, maxLength: 40 }), (values) => {
        const positions = values.slice(0, values.length - (values.length % 2));
        const bounds = boundsOf(positions);
        if (bounds === undefined) throw new Error("There are points.");
        const camera = fitted(bounds, size);
        for (let k = 0; k < positions.length; k += 2) {
          const [x, y] = toScreen(camera, size, positions[k], positions[k + 1]);
          expect(x >= 13.9 && x <= 386.1 && y >= 13.9 && y <= 286.1).toBe(true);
        }
      }),
    );
  });

  test("shows points that differ by rounding alone", () => {
    const positions = [1e6, 5, 1e6 + 2 ** -33, 5];
    const bounds = boundsOf(positions);
    if (bounds === undefined) throw new Error("There are points.");
    const camera = fitted(bounds, size);
    for (const x of [1e6, 1e6 + 2 ** -33])
      expect(Math.abs(toScreen(camera, size, x, 5)[0] - size.width / 2)).toBeLessThan(1);
  });

  test("keeps what lies under the pointer there while it zooms", () => {
    const camera = { x: 3, y: -2, scale: 20 };
    const before = toPlane(camera, size, 70, 200);
    const after = toPlane(zoomed(camera, size, 3.7, 70, 200), size, 70, 200);
    expect(after[0]).toBeCloseTo(before[0], 10);
    expect(after[1]).toBeCloseTo(before[1], 10);
  });

  test("moves with the hand", () => {
    const camera = { x: 0, y: 0, scale: 10 };
    expect(toScreen(panned(camera, 30, -20), size, 0, 0)).toEqual([230, 130]);
  });

  test("points that are not finite do not count", () => {
    expect(boundsOf([Number.NaN, 0, 1, 2, 3, Number.POSITIVE_INFINITY])).toEqual({
      left: 1,
      right: 1,
      bottom: 2,
      top: 2,
    });
    expect(boundsOf([])).toBeUndefined();
  });
});

test("what rounds to nothing has no sign", () => {
  expect([-1e-17, -0.00004, 0.71234, -1.5].map((value) => fixed(value, 4))).toEqual([
    "0.0000",
    "0.0000",
    "0.7123",
    "-1.5000",
  ]);
});

describe("picking", () => {
  const camera = { x: 0, y: 0, scale: 10 };

  test("the nearest point within reach, or none", () => {
    const positions = [0, 0, 1, 0];
    expect(pointAt(positions, camera, size, [204, 150], 10)).toBe(0);
    expect(pointAt(positions, camera, size, [206, 150], 10)).toBe(1);
    expect(pointAt(positions, camera, size, [250, 150], 10)).toBe(-1);
  });

  test("a lasso takes what is in it, and not what is in its bay", () => {
    const horseshoe = [0, 0, 6, 0, 6, 6, 4, 6, 4, 2, 2, 2, 2, 6, 0, 6];
    expect([...pointsWithin([1, 5, 3, 5, 5, 5, 3, 1, 7, 1], horseshoe)]).toEqual([0, 2, 3]);
  });
});

describe("colouring", () => {
  test("classes in the order of their names, numbers as numbers", () => {
    const coloring = coloringOf(["10", "9", "", "9"]);
    expect(coloring).toMatchObject({
      kind: "classes",
      classes: [
        { name: "9", count: 2 },
        { name: "10", count: 1 },
      ],
      rest: { name: "no label", count: 1 },
    });
  });

  test("more classes than colours: the most frequent, and the rest", () => {
    const labels = Array.from({ length: 60 }, (_, i) => `class ${i % 25}`);
    const coloring = coloringOf(labels);
    if (coloring.kind !== "classes") throw new Error("These are classes.");
    expect(coloring.classes).toHaveLength(mostClasses - 1);
    expect(coloring.rest?.name).toBe("6 others");
    expect(coloring.classes.reduce((sum, { count }) => sum + count, coloring.rest?.count ?? 0)).toBe(60);
  });

  test("many numbers make a scale, with its ends where they are", () => {
    const coloring = coloringOf(Array.from({ length: 30 }, (_, i) => String(i * 0.5)));
    expect(coloring).toMatchObject({ kind: "scale", low: 0, high: 14.5 });
    expect([colorOfPoint(coloring, 0, "light"), colorOfPoint(coloring, 29, "light")]).toEqual([
      "#440154",
      "#7ed14e",
    ]);
    expect(colorOfPoint(coloring, 29, "dark")).toBe("#fde725");
  });

  test("what does not stand out fades", () => {
    const plain: Coloring = { kind: "plain" };
    const { colors } = looksOf(plain, 2, "light", (i) => i === 1);
    expect(colors[3]).toBeLessThan(colors[7] / 4);
  });
});

/** Machado, Oliveira, Fernandes: A physiologically-based model for simulation of color vision deficiency (2009), severity 1. */
const visions: Readonly<Record<string, readonly (readonly number[])[]>> = {
  usual: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

const linear = (channel: number): number => {
  const c = channel / 255;
  return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
};

function lab(color: string, vision: readonly (readonly number[])[]): number[] {
  const seen = channelsOf(color).map(linear);
  const [r, g, b] = vision.map((row) => row.reduce((sum, weight, k) => sum + weight * seen[k], 0));
  const f = (t: number): number => (t > 216 / 24389 ? Math.cbrt(t) : (24389 / 27 / 116) * t + 16 / 116);
  const x = f((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.95047);
  const y = f(0.2126 * r + 0.7152 * g + 0.0722 * b);
  const z = f((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.08883);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

describe.each(["light", "dark"] as const)("the colours of classes on a %s ground", (theme) => {
  const colors = Array.from({ length: mostClasses / 2 }, (_, k) => classColor(k, theme));

  test.each(Object.entries(visions))("stay apart: %s", (_, vision) => {
    const places = colors.map((color) => lab(color, vision));
    let least = Number.POSITIVE_INFINITY;
    for (let i = 0; i < places.length; i++)
      for (let j = 0; j < i; j++)
        least = Math.min(least, Math.hypot(...places[i].map((value, k) => value - places[j][k])));
    expect(least).toBeGreaterThan(15); // CIELAB; 2.3 is just noticeable
  });

  test("stand out from the ground", () => {
    const ground = channelsOf(theme === "light" ? "#ffffff" : "#14171c").map(linear);
    const bright = ([r, g, b]: readonly number[]): number => 0.2126 * r + 0.7152 * g + 0.0722 * b;
    for (const color of colors) {
      const [a, b] = [bright(ground), bright(channelsOf(color).map(linear))];
      const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
      expect(contrast, color).toBeGreaterThan(3);
    }
  });
});

test("plots of the command line have the colours of the site", () => {
  const file = resolve(import.meta.dirname, "../../../packages/map-view/src/palette.ts");
  const list = /classColors = \[([^\]]*)\]/.exec(readFileSync(file, "utf8"))?.[1] ?? "";
  const colors = Array.from({ length: mostClasses / 2 }, (_, k) => classColor(k, "light"));
  expect(list.match(/#[0-9a-f]{6}/g)).toEqual(colors);
});

describe("the film", () => {
  const still = (iteration: number, lambda: number, points = 4) => ({
    iteration,
    lambda,
    energy: 0,
    map: new Float32Array(2 * points),
  });

  test("keeps the first and the newest map, and no more than it may", () => {
    const film = new Film();
    for (let k = 1; k <= 5000; k++) film.add(still(k, 1));
    const iterations = film.stills.map(({ iteration }) => iteration);
    expect(iterations[0]).toBe(1);
    expect(iterations.at(-1)).toBe(5000);
    expect(iterations.length).toBeGreaterThan(150);
    expect(iterations.length).toBeLessThanOrEqual(400);
    expect(iterations.every((value, k) => k === 0 || value > iterations[k - 1])).toBe(true);
  });

  test("keeps the last map of every λ while it thins out the others", () => {
    const film = new Film();
    for (let k = 0; k < 2000; k++) film.add(still(k + 1, Math.floor(k / 40)));
    const kept = new Set(film.stills.map(({ iteration }) => iteration));
    for (let step = 1; step <= 50; step++) expect(kept).toContain(40 * step);
  });

  test("more λs than it may keep are thinned out too, and large maps take less room", () => {
    const film = new Film();
    for (let k = 0; k < 3000; k++) film.add(still(k + 1, k));
    expect(film.stills.length).toBeLessThanOrEqual(400);
    const large = new Film();
    for (let k = 0; k < 300; k++) large.add(still(k + 1, k, 200_000));
    expect(large.stills.length).toBeLessThanOrEqual(60);
  });
});
