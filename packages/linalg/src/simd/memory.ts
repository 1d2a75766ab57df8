/** Memory of WebAssembly, which grows by pages and does not shrink. */
const PAGE = 65_536;
/** Addresses have 32 bits. */
const LARGEST = 2 ** 32 - PAGE;

/** Whether memory reaches, or could be made to reach, as far as `end`. */
export function hasRoom(memory: WebAssembly.Memory, end: number): boolean {
  const missing = end - memory.buffer.byteLength;
  if (missing <= 0) return true;
  if (!(end <= LARGEST)) return false;
  try {
    memory.grow(Math.ceil(missing / PAGE));
    return true;
  } catch {
    return false;
  }
}
