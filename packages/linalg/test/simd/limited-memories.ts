import { vi } from "vitest";

/** Memories of WebAssembly are made with so many pages at the most, until mocks are restored. */
export function limitMemories(pages: number): void {
  const { Memory } = WebAssembly;
  vi.spyOn(WebAssembly, "Memory").mockImplementation(function limited({ initial }) {
    return new Memory({ initial: Math.min(initial, pages) });
  });
}
