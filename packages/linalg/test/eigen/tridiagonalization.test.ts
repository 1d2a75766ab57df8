import { expect, test } from "vitest";
import {
  fillNormal,
  multiply,
  outerGram,
  RandomGenerator,
  symmetricEigen,
  Tridiagonalization,
  zeros,
} from "../../src/index.js";

function symmetric(n: number, rank: number, seed: number) {
  const A = zeros(n, rank);
  fillNormal(new RandomGenerator(seed), A.data);
  return outerGram(A);
}

test("the eigenvalues are those of the full decomposition, multiple and zero ones too", () => {
  for (const [n, rank] of [
    [1, 1],
    [2, 2],
    [5, 5],
    [31, 40],
    [32, 32],
    [33, 3],
    [67, 1],
    [100, 120],
  ]) {
    const A = symmetric(n, rank, n);
    const right = symmetricEigen(A).values;
    const found = new Tridiagonalization({ ...A, data: A.data.slice() }).eigenvalues();
    const size = right[n - 1];
    for (let i = 0; i < n; i++) expect(Math.abs(found[i] - right[i])).toBeLessThan(1e-14 * n * size);
  }
  const diagonal = zeros(40, 40);
  for (let i = 0; i < 40; i++) diagonal.data[i * 41] = 39 - i;
  new Tridiagonalization(diagonal).eigenvalues().forEach((value, i) => {
    expect(Math.abs(value - i)).toBeLessThan(1e-14 * 40);
  });
  expect(Array.from(new Tridiagonalization(zeros(7, 7)).eigenvalues())).toEqual(Array(7).fill(0));
});

test("huge and tiny entries overflow nothing", () => {
  for (const factor of [1e300, 1e-300]) {
    const A = symmetric(20, 20, 3);
    const right = symmetricEigen(A).values;
    for (let k = 0; k < 400; k++) A.data[k] *= factor / 1e3;
    const found = new Tridiagonalization(A).eigenvalues();
    for (let i = 0; i < 20; i++)
      expect(Math.abs(((found[i] * 1e3) / factor - right[i]) / right[19])).toBeLessThan(1e-13);
  }
});

test("interrupted at any panel, it goes on bit for bit, and only as far as it is told", () => {
  const A = symmetric(150, 160, 4);
  const whole = new Tridiagonalization({ ...A, data: A.data.slice() });
  const right = whole.eigenvalues();
  let parts = 1;
  let part = new Tridiagonalization({ ...A, data: A.data.slice() });
  while (!part.advance(1)) {
    parts++;
    part = Tridiagonalization.from(structuredClone(part.save()));
  }
  expect(parts).toBe(5);
  expect(part.eigenvalues()).toEqual(right);
  expect(part.eigenvalues()).toEqual(right); // asked again
});

test("what is not square, not finite, or no state is refused", () => {
  expect(() => new Tridiagonalization(zeros(2, 3))).toThrowError(
    expect.objectContaining({ code: "ERR_SHAPE" }),
  );
  const A = multiply(zeros(3, 2), zeros(2, 3));
  A.data[3] = Number.NaN;
  expect(() => new Tridiagonalization(A)).toThrowError(expect.objectContaining({ code: "ERR_NON_FINITE" }));
  const state = new Tridiagonalization(symmetric(4, 4, 1)).save();
  for (const bad of [
    { ...state, A: new Float64Array(15) },
    { ...state, e: new Float64Array(3) },
    { ...state, remaining: 5 },
    { ...state, size: Number.NaN },
  ])
    expect(() => Tridiagonalization.from(bad)).toThrowError(expect.objectContaining({ code: "ERR_SHAPE" }));
});
