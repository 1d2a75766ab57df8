/** Where memory is short: what the system has refused once it is not asked for again. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";

const page = 65_536;

beforeEach(() => vi.resetModules());
afterEach(() => vi.restoreAllMocks());

function refusal(): never {
  throw new RangeError("there is no memory, for the sake of the test");
}

test("a size that was refused is not tried again, nor a larger one; a smaller one is", async () => {
  const { hasRoom } = await import("../../src/simd/memory.js");
  const memory = new WebAssembly.Memory({ initial: 1 });
  const grow = vi.spyOn(WebAssembly.Memory.prototype, "grow").mockImplementation(refusal);
  for (const pages of [100, 100, 200]) expect(hasRoom(memory, pages * page)).toBe(false);
  expect(grow).toHaveBeenCalledTimes(1);
  expect(hasRoom(memory, 50 * page)).toBe(false);
  expect(grow).toHaveBeenCalledTimes(2);
  grow.mockRestore();
  expect(hasRoom(memory, 50 * page)).toBe(false);
  expect(hasRoom(memory, 49 * page)).toBe(true);
  expect(memory.buffer.byteLength).toBe(49 * page);
});

test("after an instance was refused, products are made in TypeScript, with the same bits, and none is tried again", async () => {
  const { multiply, zeros } = await import("../../src/index.js");
  const { enableSimd } = await import("../../src/simd/index.js");
  const A = zeros(64, 64);
  for (let k = 0; k < 4096; k++) A.data[k] = ((k * 7919) % 101) / 7;
  const inTypeScript = multiply(A, A);
  const instance = vi.spyOn(WebAssembly, "Instance").mockImplementation(refusal);
  expect(enableSimd()).toBe(true);
  for (let times = 0; times < 3; times++) expect(multiply(A, A)).toEqual(inTypeScript);
  expect(instance).toHaveBeenCalledTimes(1);
});
