import { describe, expect, test } from "vitest";
import { Camera } from "../src/viewer/camera.js";
import type { Payload } from "../src/viewer/payload.js";

function cameraOn(axes: 2 | 3, points: readonly number[]): Camera {
  const rows = points.length / axes;
  const payload: Payload = {
    title: "",
    subtitle: "",
    legendName: "",
    axes,
    points,
    names: null,
    columns: [],
    neighbors: null,
    hasLegend: false,
    classes: [],
    classOf: Array(rows).fill(0),
    order: Array.from({ length: rows }, (_, n) => n),
    scale: null,
    radius: 3,
    opacity: 1,
  };
  const camera = new Camera(payload);
  camera.resize(800, 600);
  camera.project();
  return camera;
}

describe("Camera", () => {
  test("at first all points are in sight, with one scale for both axes and y upwards", () => {
    const { screen } = cameraOn(2, [0, 0, 40, 0, 40, 10, 7, 3]);
    const [x0, y0, x1, y1, , y2] = screen;
    expect((x1 - x0) / (y1 - y2)).toBeCloseTo(4, 4);
    expect(y0).toBeCloseTo(y1, 4);
    for (let k = 0; k < screen.length; k += 2) {
      expect(screen[k]).toBeGreaterThan(0);
      expect(screen[k]).toBeLessThan(800);
      expect(screen[k + 1]).toBeGreaterThan(0);
      expect(screen[k + 1]).toBeLessThan(600);
    }
  });

  test("zooming keeps what is under the pointer there", () => {
    const camera = cameraOn(2, [0, 0, 40, 0, 40, 10, 7, 3]);
    const [x, y] = [camera.screen[6], camera.screen[7]];
    const distance = camera.screen[2] - camera.screen[0];
    camera.zoomAt(3, x, y);
    camera.pan(20, -5);
    camera.project();
    expect(camera.screen[6]).toBeCloseTo(x + 20, 2);
    expect(camera.screen[7]).toBeCloseTo(y - 5, 2);
    expect(camera.screen[2] - camera.screen[0]).toBeCloseTo(3 * distance, 2);
    camera.reset();
    camera.project();
    expect(camera.screen[6]).toBeCloseTo(x, 3);
  });

  test("turning changes no distance in space, depth orders the points, and what is far is small", () => {
    const cube = [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1];
    const camera = cameraOn(3, cube);
    const unit = (): number => {
      const { screen, depth, size } = camera;
      const scale = (600 - 48) / 1.2;
      // What perspective made smaller, as large as it is.
      const placeOf = (n: number): [number, number, number] => [
        (screen[2 * n] - 400) / scale / size[n],
        (screen[2 * n + 1] - 300) / scale / size[n],
        depth[n],
      ];
      const middle = placeOf(0);
      const order = [0, 1, 2, 3].sort((a, b) => depth[a] - depth[b]);
      expect(order).toEqual([0, 1, 2, 3].sort((a, b) => size[b] - size[a]));
      return [1, 2, 3].reduce(
        (sum, n) => sum + placeOf(n).reduce((part, place, axis) => part + (place - middle[axis]) ** 2, 0),
        0,
      );
    };
    expect(unit()).toBeCloseTo(3, 4);
    camera.turn(123, -45);
    camera.project();
    expect(unit()).toBeCloseTo(3, 4);
  });

  test.each([
    ["one point", 2, [5, 5]],
    ["equal points", 3, [1, 1, 1, 1, 1, 1]],
    ["a line", 2, [0, 3, 9, 3]],
  ] as const)("%s is in sight", (_, axes, points) => {
    for (const coordinate of cameraOn(axes, points).screen) expect(Number.isFinite(coordinate)).toBe(true);
  });
});
