/** What expands the pages and buffers of Parquet and Arrow: hyparquet-compressors, held to what a page says, and LZ4 of our own. */
import type { Compressors } from "hyparquet";
import { lz4Block } from "../formats/lz4.js";
import { zstdRoom } from "../formats/zstd.js";

/** Smaller pages are expanded whatever they say. */
const FLOOR = 2 ** 26;

/** @throws what the import throws, where it is not installed */
export async function expanders(): Promise<Compressors> {
  const { compressors } = await import("hyparquet-compressors");
  const { ZSTD: zstd } = compressors;
  return {
    ...compressors,
    // the one that comes with them takes no block without literals
    LZ4_RAW: lz4Block,
    // the one that comes with them makes room for whatever a frame says
    ZSTD: (input, length) => {
      if (zstd === undefined || zstdRoom(input) > Math.max(length, FLOOR))
        throw new Error("damaged ZSTD data");
      return zstd(input, length);
    },
  };
}
