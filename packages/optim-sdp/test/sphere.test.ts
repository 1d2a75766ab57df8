/** Places on the globe: distances beside scikit-learn's, no seam at the antimeridian or the poles, a model through its file. */
import { readFileSync } from "node:fs";
import { RandomGenerator } from "@curvature/linalg";
import {
  clusterModel,
  clusterPoints,
  loadClusterModel,
  type Sphere,
  saveClusterModel,
  spherePoints,
} from "@curvature/optim-sdp";
import { describe, expect, test } from "vitest";

const { places, kilometres } = JSON.parse(
  readFileSync(new URL("./fixtures/haversine.json", import.meta.url), "utf8"),
) as { places: number[][]; kilometres: number[][] };

const R = 6371.0088;
const sphere: Sphere = { method: "sphere", order: "latitude-longitude" };
const turned = (rows: readonly number[][]): number[][] => rows.map(([a, b]) => [b, a]);

describe("places as points", () => {
  test("lie as far apart as scikit-learn has it", () => {
    for (const [i, place] of places.entries()) {
      const model = clusterModel([place], { labels: [0] }, sphere);
      for (const [j, distance] of model.assign(places).distances.entries())
        expect(Math.abs(distance - kilometres[i][j]), `${i}, ${j}`).toBeLessThan(2e-4);
    }
  });

  test("are exact where the right answer is, and the same point by any of their names", () => {
    const named = [
      [90, 0],
      [90, 123.4],
      [0, 180],
      [0, -180],
      [0, 90],
      [0, -270],
      [-90, 5],
      [0, 0],
      [-0, 360],
    ];
    expect([...spherePoints(named).data]).toEqual(
      [
        [0, 0, R],
        [0, 0, R],
        [-R, 0, 0],
        [-R, 0, 0],
        [0, R, 0],
        [0, R, 0],
        [0, 0, -R],
        [R, 0, 0],
        [R, 0, 0],
      ].flat(),
    );
    expect(spherePoints(turned(named), "longitude-latitude")).toEqual(spherePoints(named));
  });

  test("have no centre where they lie all around the globe", () => {
    const opposite = [
      [35.68, 139.69],
      [-35.68, -40.31],
    ];
    const around = [0, 90, 180, -90].map((longitude) => [0.01, longitude]);
    for (const rows of [opposite, around]) {
      const model = clusterModel(rows, { labels: rows.map(() => 0) }, sphere);
      expect([...model.means.data]).toEqual([Number.NaN, Number.NaN]);
      for (const distance of model.assign(rows).distances)
        expect(Math.abs(distance - (Math.PI / 2) * R)).toBeLessThan(2);
    }
    const nearly = clusterModel(
      [
        [0, 0],
        [0, 179],
      ],
      { labels: [0, 0] },
      sphere,
    ); // 0.5 degrees are a direction
    expect(nearly.means.data[1]).toBeCloseTo(89.5, 9);
  });

  test.each([
    [
      [
        [10, 20],
        [90.5, 0],
      ],
      /latitude of row 1 \(counted from 0\) must be from -90 to 90 degrees; received 90\.5/,
    ],
    [[[0, -361]], /longitude of row 0 .* from -360 to 360 degrees; received -361/],
    [[[1, 2, 3]], /must have 2 columns, latitude and longitude; received 3/],
    [[[Number.NaN, 2]], /NaN/],
  ])("are refused otherwise (%j)", (rows, message) => {
    expect(() => spherePoints(rows)).toThrow(message);
  });

  test("are in one of two orders", () => {
    // @ts-expect-error: of another word
    expect(() => spherePoints([[1, 2]], "xy")).toThrow(
      /order must be latitude-longitude or longitude-latitude/,
    );
  });
});

/** Rings of ten places at `radius` degrees about a middle, by spherical trigonometry. */
function around(latitude: number, longitude: number, radius: number): number[][] {
  const radians = Math.PI / 180;
  return Array.from({ length: 10 }, (_, k) => {
    const bearing = 36 * k * radians;
    const [phi, r] = [latitude * radians, radius * radians];
    const up = Math.asin(Math.sin(phi) * Math.cos(r) + Math.cos(phi) * Math.sin(r) * Math.cos(bearing));
    const turn = Math.atan2(
      Math.sin(bearing) * Math.sin(r) * Math.cos(phi),
      Math.cos(r) - Math.sin(phi) * Math.sin(up),
    );
    const along = longitude + turn / radians;
    return [up / radians, along > 180 ? along - 360 : along];
  });
}

describe("clusters of places", () => {
  const middles = [
    [90, 0],
    [-15, 180],
    [-62, -75],
  ];
  const rows = middles.flatMap(([latitude, longitude]) =>
    latitude === 90
      ? Array.from({ length: 10 }, (_, k) => [87, 36 * k - 180])
      : around(latitude, longitude, 3),
  );

  test("lie across the antimeridian and around a pole; centre, cost and distances are those of the rings", async () => {
    const found = await clusterPoints(spherePoints(rows), { clusters: 3 });
    for (let g = 0; g < 3; g++) expect(new Set(found.labels.subarray(10 * g, 10 * g + 10)).size).toBe(1);
    expect(new Set(found.labels).size).toBe(3);
    // 30 points, each R sin 3° from the middle of its circle
    const exact = 30 * (R * Math.sin((3 * Math.PI) / 180)) ** 2;
    expect(Math.abs(found.cost / exact - 1)).toBeLessThan(1e-10);
    expect(found.costLower).toBeLessThanOrEqual(exact);
    expect(found.costGap).toBeLessThan(1e-3);
    const model = clusterModel(rows, found, sphere);
    expect(model.features).toBe(2);
    for (const [g, [latitude, longitude]] of middles.entries()) {
      const c = found.labels[10 * g];
      expect(model.means.data[2 * c]).toBeCloseTo(latitude, 6);
      if (latitude < 90) expect(Math.abs(model.means.data[2 * c + 1])).toBeCloseTo(Math.abs(longitude), 6);
    }
    const way = (R * 3 * Math.PI) / 180;
    for (const distance of model.assign(rows).distances) expect(distance).toBeCloseTo(way, 6);
    const later = model.assign([
      [-15, -179],
      [88, 140],
      [-40, 175],
    ]);
    expect([...later.labels]).toEqual([found.labels[10], found.labels[0], found.labels[10]]);
    expect([...later.outside]).toEqual([0, 0, 1]);
    expect(() => model.assign([[95, 0]])).toThrow(/latitude of row 0/);
    expect(() => model.assign([[1, 2, 3]])).toThrow(/must have 2 columns/);
  });

  test("are a file and back, in either order, and refused where it is damaged", () => {
    const labels = rows.map((_, i) => Math.floor(i / 10));
    for (const order of ["latitude-longitude", "longitude-latitude"] as const) {
      const given = order === "latitude-longitude" ? rows : turned(rows);
      const model = clusterModel(given, { labels, cost: 1, costLower: 1 }, { method: "sphere", order });
      const loaded = loadClusterModel(saveClusterModel(model));
      expect(loaded).toEqual(model);
      expect(loaded.assign(given)).toEqual(model.assign(given));
      expect(loaded.means).toEqual(model.means);
    }
    const text = new TextDecoder().decode(saveClusterModel(clusterModel(rows, { labels }, sphere)));
    expect(() => loadClusterModel(text.replace("latitude-longitude", "latitude-latitudes"))).toThrow();
  });

  test("cost no more than any labels drawn, and no labels cost less than the bound", async () => {
    const random = new RandomGenerator(11);
    const few = Array.from({ length: 8 }, () => [180 * random.uniform() - 90, 720 * random.uniform() - 360]);
    const X = spherePoints(few);
    const found = await clusterPoints(X, { clusters: 3, tolerance: 1e-6, maxSeconds: 20 });
    let least = Number.POSITIVE_INFINITY;
    for (let code = 0; code < 3 ** 8; code++) {
      const labels = Array.from({ length: 8 }, (_, i) => Math.floor(code / 3 ** i) % 3);
      let cost = 0;
      for (let c = 0; c < 3; c++) {
        const members = labels.flatMap((label, i) => (label === c ? [i] : []));
        for (let j = 0; j < 3; j++) {
          const mean = members.reduce((sum, i) => sum + X.data[3 * i + j], 0) / Math.max(1, members.length);
          for (const i of members) cost += (X.data[3 * i + j] - mean) ** 2;
        }
      }
      least = Math.min(least, cost);
    }
    expect(found.costLower).toBeLessThanOrEqual(least * (1 + 1e-12));
    expect(Math.abs(found.cost / least - 1)).toBeLessThan(1e-12);
  });
});
