import { beforeEach, expect, test } from "vitest";
import { Arena, type Scope } from "../../src/simd/arena.js";
import { compiled, forgetRefusals } from "../../src/simd/instance.js";

beforeEach(forgetRefusals);

function arena(): Arena {
  const module = compiled();
  if (module === undefined) throw new Error("this engine has no SIMD");
  return new Arena(module);
}

function entered(from: Arena, ...lengths: number[]): Scope {
  const scope = from.enter(lengths);
  if (scope === undefined) throw new Error(`${lengths} numbers were not to be had`);
  return scope;
}

test("the arrays of a scope are its own, in lines of the cache, and are there again after it", () => {
  const memory = arena();
  const outer = entered(memory, 1, 120);
  const [a, b] = outer.arrays;
  expect(a.byteOffset % 64).toBe(0);
  expect(b.byteOffset - a.byteOffset).toBe(64);
  const inner = entered(memory, 8);
  const [c] = inner.arrays;
  expect(c.byteOffset).toBe(b.byteOffset + 960);
  c.fill(7);
  a.fill(1);
  b.fill(1);
  expect(Array.from(c)).toEqual(new Array(8).fill(7));
  memory.leave(inner);
  memory.leave(outer);
  expect(entered(memory, 1).arrays[0].byteOffset).toBe(a.byteOffset);
});

test("memory is not changed under a scope: a large one within another is refused, and arrays stay whole", () => {
  const memory = arena();
  const outer = entered(memory, 8);
  expect(memory.enter([2 ** 25])).toBeUndefined();
  expect(outer.arrays[0].length).toBe(8);
  memory.leave(outer);
  memory.leave(entered(memory, 2 ** 24));
});

test.each([2 ** 30, Number.POSITIVE_INFINITY, Number.NaN])("%d numbers are refused", (length) => {
  const memory = arena();
  expect(memory.enter([length])).toBeUndefined();
  expect(entered(memory, 8).arrays[0].byteOffset).toBeGreaterThan(0);
});

test("a larger call has another memory, and no buffer of before is detached", () => {
  const memory = arena();
  const small = entered(memory, 8);
  memory.leave(small);
  const { buffer } = small.exports.memory;
  const large = entered(memory, 2 ** 24);
  expect(large.exports).not.toBe(small.exports);
  expect(buffer.byteLength).toBeGreaterThan(0);
  memory.leave(large);
});

test("memory that one call made large is given back", () => {
  const memory = arena();
  const large = entered(memory, 2 ** 24);
  memory.leave(large);
  const next = entered(memory, 8);
  expect(next.exports).not.toBe(large.exports);
  expect(next.exports.memory.buffer.byteLength).toBeLessThan(2 ** 27);
  memory.leave(next);
});
