import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { turntable } from "../src/data/turntable.ts";

test("a turn of the table by a quarter turns the image by a quarter", () => {
  const { data } = turntable(20);
  const grey = (i: number, x: number, y: number): number => data[576 * i + 24 * y + x];
  for (let x = 0; x < 24; x++)
    for (let y = 0; y < 24; y++) expect(Math.abs(grey(5, 23 - y, x) - grey(0, x, y))).toBeLessThan(1e-13);
  expect(Math.min(...data)).toBeGreaterThanOrEqual(0);
  expect(Math.max(...data)).toBeLessThan(1.1);
});

test("it has the same bits on every engine", () => {
  const { rows, columns, data } = turntable(100);
  expect([rows, columns]).toEqual([100, 576]);
  const hash = createHash("sha256").update(new Uint8Array(data.buffer)).digest("hex");
  expect(hash.slice(0, 16)).toBe("eef8d81df2cd3219");
});
