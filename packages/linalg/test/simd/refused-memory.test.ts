/** Memory that is refused: the engine is not asked for it each time, and asked again before long. */
import { beforeEach, expect, test, vi } from "vitest";
import { compiled, forgetRefusals, instantiated } from "../../src/simd/instance.js";

beforeEach(forgetRefusals);

test("after a refusal most requests are refused unheard, and none for good", () => {
  const module = compiled();
  if (module === undefined) throw new Error("this engine has no SIMD");
  expect(instantiated(module, 8)).toBeDefined();
  let asked = 0;
  vi.stubGlobal("WebAssembly", {
    ...WebAssembly,
    Memory: WebAssembly.Memory,
    Instance: class {
      constructor() {
        asked++;
        throw new RangeError("could not allocate memory");
      }
    },
  });
  try {
    for (let k = 0; k < 2; k++) expect(instantiated(module, 8)).toBeUndefined();
    expect(asked).toBe(1);
    for (let k = 2; k < 2000; k++) expect(instantiated(module, 8)).toBeUndefined();
    expect(asked).toBeLessThan(20);
  } finally {
    vi.unstubAllGlobals();
  }
  // memory is back
  const requests = Array.from({ length: 300 }, () => instantiated(module, 8));
  expect(requests.filter((exports) => exports !== undefined).length).toBeGreaterThan(40);
  expect(requests.at(-1)).toBeDefined();
  expect(instantiated(module, 8)).toBeDefined();
});
