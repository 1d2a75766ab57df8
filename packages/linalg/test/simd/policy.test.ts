/** Where WebAssembly may not be compiled, or is not there: the reason that the caller gets, and a module compiled by the caller. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { compiled } from "../../src/simd/instance.js";

/** As it is before anyone has asked for SIMD. */
async function fresh(): Promise<typeof import("../../src/simd/index.js")> {
  vi.resetModules();
  return import("../../src/simd/index.js");
}

const real = compiled();
let simd: typeof import("../../src/simd/index.js");
beforeEach(async () => {
  simd = await fresh();
});
afterEach(() => {
  vi.unstubAllGlobals();
});

class Refused {
  constructor() {
    throw new Error("refused by the Content Security Policy");
  }
}

test.each([
  ["no WebAssembly", undefined, "this engine has no WebAssembly with SIMD"],
  ["no SIMD", { Module: Refused, validate: () => false }, "this engine has no WebAssembly with SIMD"],
  [
    "a policy",
    { Module: Refused, validate: () => true },
    "WebAssembly may not be compiled here (Error: refused by the Content Security Policy); a page's policy needs script-src 'wasm-unsafe-eval'",
  ],
])("%s is the cause that is told, until SIMD is on", (_, WebAssembly, cause) => {
  expect(simd.simdRefusal()).toBeUndefined();
  vi.stubGlobal("WebAssembly", WebAssembly);
  expect(simd.enableSimd()).toBe(false);
  expect(simd.simdRefusal()).toBe(cause);
  vi.unstubAllGlobals();
  expect(simd.enableSimd()).toBe(true);
  expect(simd.simdRefusal()).toBeUndefined();
});

test("a module that the caller has compiled takes the embedded one's place", () => {
  if (real === undefined) throw new Error("this engine has no SIMD");
  class Module {
    static [Symbol.hasInstance](value: unknown): boolean {
      return value === real;
    }

    constructor() {
      throw new Error("nothing is compiled here");
    }
  }
  const { Instance, Memory } = WebAssembly;
  vi.stubGlobal("WebAssembly", { Instance, Memory, Module, validate: () => true });
  expect(simd.enableSimd()).toBe(false);
  expect(simd.enableSimd({ module: real })).toBe(true);
  expect(simd.enableSimd()).toBe(true);
  expect(() => Reflect.apply(simd.enableSimd, undefined, [{ module: "kernels.wasm" }])).toThrow(
    expect.objectContaining({ code: "ERR_OPTION", path: "module" }),
  );
});
