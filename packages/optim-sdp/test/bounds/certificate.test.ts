import { zeros } from "@curvature/linalg";
import { expect, test } from "vitest";
import { Certificate } from "../../src/bounds/certificate.js";

test("the best bounds of either side are kept, with the point of the lower one", () => {
  const certificate = new Certificate(zeros(2, 2), 1);
  expect(certificate.gap).toBe(Number.POSITIVE_INFINITY);
  for (const [lower, upper] of [
    [3, 9],
    [2, 5],
    [2.5, 8],
  ]) {
    const Q = zeros(2, 2);
    Q.data.fill(lower);
    certificate.offerPoint(Q, lower);
    certificate.offerUpper(upper);
  }
  expect([certificate.lower, certificate.upper, certificate.gap]).toEqual([3, 5, 0.4]);
  expect(Array.from(certificate.point.data)).toEqual([3, 3, 3, 3]);
});

test("what is not a number changes nothing; crossed bounds have the gap 0", () => {
  const certificate = new Certificate(zeros(1, 1), 1);
  certificate.offerUpper(Number.NaN);
  certificate.offerPoint(zeros(1, 1), Number.NaN);
  expect([certificate.lower, certificate.upper]).toEqual([1, Number.POSITIVE_INFINITY]);
  certificate.offerUpper(1 - 1e-16);
  expect(certificate.gap).toBe(0);
});
