import { dot, multiply, transpose, zeros } from "@curvature/linalg";
import fc from "fast-check";
import { expect, test } from "vitest";
import { Complement, restrictedZeros } from "../src/complement.js";
import { randomPoints } from "./helpers/small.js";

test("extension and restriction are inverse, and the extension's rows are orthogonal to b", () => {
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 12 }), fc.integer({ min: 0, max: 1000 }), (n, seed) => {
      const b = randomPoints(n, 1, seed).data;
      const complement = new Complement(b);
      const R = randomPoints(n - 1, n - 1, seed + 1);
      const P = multiply(R, transpose(R));
      const extended = zeros(n, n);
      complement.extend(P, extended);
      for (let i = 0; i < n; i++)
        expect(Math.abs(dot(extended.data.subarray(i * n, (i + 1) * n), b))).toBeLessThan(1e-11);
      const back = restrictedZeros(n);
      complement.restrict(extended, back);
      for (let k = 0; k < P.data.length; k++) expect(Math.abs(back.data[k] - P.data[k])).toBeLessThan(1e-11);

      const v = randomPoints(n - 1, 1, seed + 2).data;
      const long = new Float64Array(n);
      const short = new Float64Array(n - 1);
      complement.extendVector(v, long);
      complement.restrictVector(long, short);
      expect(Math.abs(dot(long, b))).toBeLessThan(1e-12);
      for (let k = 0; k < v.length; k++) expect(short[k]).toBeCloseTo(v[k], 12);
    }),
  );
});
