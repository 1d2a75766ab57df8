import { vi } from "vitest";

/** Memories of WebAssembly are made with so many pages at the most, until globals are unstubbed. */
export function limitMemories(pages: number): void {
  const { Memory } = WebAssembly;
  class Limited extends Memory {
    static override [Symbol.hasInstance](value: unknown): boolean {
      return value instanceof Memory;
    }
    constructor({ initial }: WebAssembly.MemoryDescriptor) {
      super({ initial: Math.min(initial, pages) });
    }
  }
  vi.stubGlobal("WebAssembly", Object.create(WebAssembly, { Memory: { value: Limited } }));
}
