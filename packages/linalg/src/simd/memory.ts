/**
 * Memories of WebAssembly, as large as they are needed from the beginning. None ever grows: growth detaches a buffer, and
 * from the first detached one on V8 looks at every access to any typed array of the thread whether its buffer is still
 * there, which makes loops over vectors two to three times slower. Pages that nobody touches take no room.
 */
const PAGE = 65_536;
/** Addresses have 32 bits. */
const MAX_PAGES = 65_535;

/** The address from which on memory is the caller's; the module has the page below. */
export const START = PAGE;

/** Bytes from `START` on that addresses reach. */
export const MAX_BYTES = (MAX_PAGES - 1) * PAGE;

/** Cache lines: what arrays begin with. */
export const aligned = (bytes: number): number => Math.ceil(bytes / 64) * 64;

/** Addresses of arrays, one after the other from `START` on. */
export class Addresses {
  /** Bytes taken so far. */
  size = 0;

  /** @returns the address of so many bytes */
  take(bytes: number): number {
    const address = START + this.size;
    this.size += aligned(bytes);
    return address;
  }
}

/** The pages of so many bytes from `START` on; undefined where addresses end before. */
export function pagesFor(bytes: number): number | undefined {
  const pages = 1 + Math.ceil(bytes / PAGE);
  return pages <= MAX_PAGES ? pages : undefined;
}
