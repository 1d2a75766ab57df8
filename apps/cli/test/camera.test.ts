import { describe, expect, test } from "vitest";
import { Camera } from "../src/map-view/viewer/camera.js";
import type { Payload } from "../src/map-view/viewer/payload.js";

function cameraOn(axes: 2 | 3, points: readonly number[]): Camera {
  const rows = points.length / axes;
  const payload: Payload = {
    title: "",
    subtitle: "",
    labelName: "",
    axes,
    points,
    labels: null,
    names: null,
    namesShown: false,
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

  test("turning changes no distance in space, and depth orders the points", () => {
    const cube = [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1];
    const camera = cameraOn(3, cube);
    const unit = (): number => {
      const { screen, depth } = camera;
      const scale = (600 - 48) / 1.2;
      let sum = 0;
      for (const n of [1, 2, 3]) {
        const dx = (screen[2 * n] - screen[0]) / scale;
        const dy = (screen[2 * n + 1] - screen[1]) / scale;
        sum += dx ** 2 + dy ** 2 + (depth[n] - depth[0]) ** 2;
      }
      return sum;
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
