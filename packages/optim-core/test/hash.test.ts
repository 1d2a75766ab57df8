import { fingerprintOf, hash128 } from "@curvature/optim-core";
import fc from "fast-check";
import { expect, test } from "vitest";

test("MurmurHash3 x86 128 has the verification value of its author's SMHasher", () => {
  const key = new Uint8Array(256);
  const hashes = new Uint8Array(16 * 256);
  for (let length = 0; length < 256; length++) {
    key[length] = length;
    hashes.set(new Uint8Array(hash128(key.subarray(0, length), 256 - length).buffer), 16 * length);
  }
  expect(hash128(hashes)[0]).toBe(0xb3ece62a);
});

test("a fingerprint tells parts, kinds and order apart", () => {
  const prints = [
    fingerprintOf(),
    fingerprintOf(""),
    fingerprintOf("a", "b"),
    fingerprintOf("ab"),
    fingerprintOf("b", "a"),
    fingerprintOf(1, 2),
    fingerprintOf(Float64Array.of(1, 2)),
    fingerprintOf(Float32Array.of(1, 2)),
    fingerprintOf(Float64Array.of(1), Float64Array.of(2)),
    fingerprintOf(Float64Array.of(0)),
    fingerprintOf(Float64Array.of(-0)),
  ];
  expect(new Set(prints).size).toBe(prints.length);
  for (const print of prints) expect(print).toMatch(/^[0-9a-f]{32}$/);
});

test("a fingerprint depends on the numbers and not on where they lie in memory", () => {
  fc.assert(
    fc.property(fc.array(fc.double({ noNaN: true }), { maxLength: 20 }), fc.nat(20), (numbers, flipped) => {
      const shifted = new Float64Array(numbers.length + 3).subarray(3);
      shifted.set(numbers);
      expect(fingerprintOf(shifted)).toBe(fingerprintOf(Float64Array.from(numbers)));
      if (flipped < numbers.length) {
        shifted[flipped] = shifted[flipped] === 1 ? 2 : 1;
        if (shifted[flipped] !== numbers[flipped])
          expect(fingerprintOf(shifted)).not.toBe(fingerprintOf(Float64Array.from(numbers)));
      }
    }),
  );
});

test("anything else has no fingerprint", () => {
  expect(() => Reflect.apply(fingerprintOf, undefined, [{ a: 1 }])).toThrowError(
    "strings, numbers and typed arrays",
  );
});

test("what are no bytes is refused", () => {
  expect(() => hash128(JSON.parse("null"))).toThrow(expect.objectContaining({ code: "ERR_ARGUMENT" }));
});
