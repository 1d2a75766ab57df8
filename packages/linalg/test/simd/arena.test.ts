import { beforeEach, expect, test } from "vitest";
import { Arena, type Scope } from "../../src/simd/arena.js";
import { compiled, forgetRefusals } from "../../src/simd/instance.js";

beforeEach(forgetRefusals);

function arena(): Arena {
  const module = compiled();
  if (module === undefined) throw new Error("this engine has no SIMD");
  return new Arena(module);
}

function entered(from: Arena, bytes: number): Scope {
  const scope = from.enter(bytes);
  if (scope === undefined) throw new Error(`${bytes} bytes were not to be had`);
  return scope;
}

test("what a scope takes is its own, in lines of the cache, and is there again after it", () => {
  const memory = arena();
  const outer = entered(memory, 1000);
  const [a, b] = [outer.take(8), outer.take(8)];
  expect(a % 64).toBe(0);
  expect(b - a).toBe(64);
  const inner = entered(memory, 64);
  const c = inner.take(64);
  expect(c).toBeGreaterThanOrEqual(a + 1000);
  inner.float64(c, 8).fill(7);
  outer.float64(a, 125).fill(1);
  expect(Array.from(inner.float64(c, 8))).toEqual(new Array(8).fill(7));
  memory.leave(inner);
  memory.leave(outer);
  expect(entered(memory, 8).take(8)).toBe(a);
});

test("memory is not changed under a scope: a large one within another is refused, and views stay whole", () => {
  const memory = arena();
  const outer = entered(memory, 64);
  const view = outer.float64(outer.take(64), 8);
  expect(memory.enter(2 ** 28)).toBeUndefined();
  expect(view.length).toBe(8);
  memory.leave(outer);
  memory.leave(entered(memory, 2 ** 27));
});

test.each([2 ** 33, Number.POSITIVE_INFINITY, Number.NaN])("%d bytes are refused", (bytes) => {
  const memory = arena();
  expect(memory.enter(bytes)).toBeUndefined();
  expect(entered(memory, 64).take(64)).toBeGreaterThan(0);
});

test("a larger call has another memory, and no buffer of before is detached", () => {
  const memory = arena();
  const small = entered(memory, 64);
  memory.leave(small);
  const { buffer } = small.exports.memory;
  const large = entered(memory, 2 ** 27);
  expect(large.exports).not.toBe(small.exports);
  expect(buffer.byteLength).toBeGreaterThan(0);
  memory.leave(large);
});

test("memory that one call made large is given back", () => {
  const memory = arena();
  const large = entered(memory, 2 ** 27);
  memory.leave(large);
  const next = entered(memory, 64);
  expect(next.exports).not.toBe(large.exports);
  expect(next.exports.memory.buffer.byteLength).toBeLessThan(2 ** 27);
  memory.leave(next);
});
