/** Memory of WebAssembly, which grows by pages and does not shrink. */
const PAGE = 65_536;
/** Addresses have 32 bits. */
const LARGEST = 2 ** 32 - PAGE;
/** The least end that the system has refused: to ask again would cost some 30 ms each time. */
let refused = Number.POSITIVE_INFINITY;

/** Whether memory reaches, or could be made to reach, as far as `end`. What was refused once is not asked for again. */
export function hasRoom(memory: WebAssembly.Memory, end: number): boolean {
  const missing = end - memory.buffer.byteLength;
  if (missing <= 0) return true;
  if (!(end <= LARGEST && end < refused)) return false;
  try {
    memory.grow(Math.ceil(missing / PAGE));
    return true;
  } catch {
    refused = end;
    return false;
  }
}
