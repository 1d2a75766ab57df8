import { RandomGenerator, SparseCholesky } from "@curvature/linalg";
import { disableSimd, enableSimd } from "@curvature/linalg/simd";
import { afterEach, expect, test, vi } from "vitest";
import { gridEdges, laplacian } from "../sparse/matrices.js";
import { expectSameBits, inBothForms } from "./both-forms.js";

afterEach(() => {
  vi.restoreAllMocks();
  disableSimd();
});

function drawn(count: number): Float64Array {
  const random = new RandomGenerator(count);
  return new Float64Array(count).map(() => random.uniform() - 0.5);
}

/** Squares: their factors have supernodes of many widths up to 48, and heights of every remainder by 4. */
const square = (side: number) => laplacian(side * side, gridEdges(side), 1e-3);

test.each([30, 47, 70])(
  "systems on a square of side %i have solutions of the same bits",
  { tags: ["full"] },
  (side) => {
    const A = square(side);
    const fourfold = { ...A, values: A.values.map((value) => 4 * value) };
    for (const d of [0, 1, 2, 3, 4]) {
      const B = drawn(A.rows * d);
      const { simd, typescript } = inBothForms(() => {
        const cholesky = new SparseCholesky(A);
        const [X, Y] = [new Float64Array(B.length), B.slice()];
        cholesky.solve(B, d, X);
        cholesky.refactor(fourfold);
        cholesky.solve(Y, d, Y);
        return [X, Y];
      });
      for (const [k, X] of simd.entries()) expectSameBits(X, typescript[k]);
      for (let k = 0; k < B.length; k++) expect(simd[1][k]).toBe(simd[0][k] / 4); // powers of two round nothing
    }
  },
);

test("the factor lies in WebAssembly's memory, and where there is none in TypeScript's, with the same bits", () => {
  const A = square(40);
  const B = drawn(2 * A.rows);
  const solved = (): Float64Array => {
    const X = new Float64Array(B.length);
    new SparseCholesky(A).solve(B, 2, X);
    return X;
  };
  const expected = solved();
  enableSimd();
  const memory = vi.spyOn(WebAssembly, "Memory");
  expectSameBits(solved(), expected);
  expect(memory).toHaveBeenCalled();
  memory.mockImplementation(function none() {
    throw new RangeError("no memory");
  });
  expectSameBits(solved(), expected);
});
