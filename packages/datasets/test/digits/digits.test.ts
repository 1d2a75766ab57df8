import { loadDigits } from "@curvature/datasets/digits";
import { expect, test } from "vitest";

test("the digits are the UCI ones: first image, number of each class, sum of all pixels", async () => {
  const { points, labels } = await loadDigits();
  expect([points.rows, points.columns, points.data.length, labels.length]).toEqual([1797, 64, 115008, 1797]);
  expect(Array.from(points.data.subarray(0, 16))).toEqual([
    0, 0, 5, 13, 9, 1, 0, 0, 0, 0, 13, 15, 10, 15, 5, 0,
  ]);
  const classes = new Array<number>(10).fill(0);
  for (const label of labels) classes[label]++;
  expect(classes).toEqual([178, 182, 177, 183, 181, 182, 181, 179, 174, 180]);
  expect(Array.from(labels.subarray(0, 10))).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(points.data.reduce((sum, value) => sum + value, 0)).toBe(561718);
  expect(points.data.every((value) => Number.isInteger(value) && value >= 0 && value <= 16)).toBe(true);
});

test("every load gives new arrays", async () => {
  const [first, second] = [await loadDigits(), await loadDigits()];
  first.points.data.fill(99);
  expect(second.points.data[2]).toBe(5);
});
