import { fillNormal, normal, RandomGenerator } from "@curvature/linalg";
import { expect, test } from "vitest";

/** Mean, variance, skewness and kurtosis of normal numbers are 0, 1, 0, 3; their errors fall with √n. */
function expectNormalMoments(draws: Float64Array): void {
  const n = draws.length;
  const moment = (k: number): number => draws.reduce((sum, x) => sum + x ** k, 0) / n;
  expect(Math.abs(moment(1))).toBeLessThan(4 * Math.sqrt(1 / n));
  expect(Math.abs(moment(2) - 1)).toBeLessThan(4 * Math.sqrt(2 / n));
  expect(Math.abs(moment(3))).toBeLessThan(4 * Math.sqrt(15 / n));
  expect(Math.abs(moment(4) - 3)).toBeLessThan(4 * Math.sqrt(96 / n));
}

test("single draws have the moments of the normal distribution", () => {
  const random = new RandomGenerator(1);
  expectNormalMoments(Float64Array.from({ length: 40_000 }, () => normal(random)));
});

test("a filled array, of odd length too, has the moments of the normal distribution", () => {
  const draws = new Float64Array(40_001);
  fillNormal(new RandomGenerator(2), draws);
  expectNormalMoments(draws);
});

test("the two numbers of a pair are uncorrelated", () => {
  const draws = new Float64Array(40_000);
  fillNormal(new RandomGenerator(3), draws);
  let products = 0;
  for (let k = 0; k < draws.length; k += 2) products += draws[k] * draws[k + 1];
  expect(Math.abs(products / 20_000)).toBeLessThan(4 / Math.sqrt(20_000));
});

test("the generator's four words are the whole state: a restored one goes on alike after an odd number of draws", () => {
  const random = new RandomGenerator(4);
  normal(random);
  fillNormal(random, new Float64Array(3));
  const state = random.save();
  const next = [normal(random), normal(random)];
  random.restore(state);
  expect([normal(random), normal(random)]).toEqual(next);
});

test("one draw in twenty lies beyond 1.96 deviations", () => {
  const random = new RandomGenerator(5);
  let beyond = 0;
  for (let n = 0; n < 40_000; n++) if (Math.abs(normal(random)) > 1.959964) beyond += 1;
  expect(Math.abs(beyond - 2000)).toBeLessThan(4 * Math.sqrt(40_000 * 0.05 * 0.95));
});
