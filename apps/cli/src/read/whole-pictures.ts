/** Whether a picture's file is whole: what is cut off has no end, and a browser shows nothing in its place, without a word. */
import { crc32 } from "../plot/raster.js";

const isWhole = {
  "image/png": isWholePng,
  "image/jpeg": isWholeJpeg,
  "image/gif": isWholeGif,
  "image/webp": isWholeWebp,
  "image/svg+xml": isWholeSvg,
} as const satisfies Record<string, (bytes: Buffer) => boolean>;

type MediaType = keyof typeof isWhole;

const latin = (bytes: Buffer, from: number, to: number): string => bytes.toString("latin1", from, to);

/** What a file is by its first bytes, whatever its name says. */
export function mediaType(bytes: Buffer): MediaType | undefined {
  if (latin(bytes, 0, 6) === "\u0089PNG\r\n") return "image/png";
  if (latin(bytes, 0, 3) === "\u00ff\u00d8\u00ff") return "image/jpeg";
  if (latin(bytes, 0, 4) === "GIF8") return "image/gif";
  if (latin(bytes, 0, 4) === "RIFF" && latin(bytes, 8, 12) === "WEBP") return "image/webp";
  return /^\ufeff?\s*<(\?xml|!--|!doctype svg|svg)[\s\S]*?<?svg[\s>]/i.test(
    new TextDecoder().decode(bytes.subarray(0, 4096)),
  )
    ? "image/svg+xml"
    : undefined;
}

/** By its structure: the pixels themselves are not decoded. */
export const isWholePicture = (type: MediaType, bytes: Buffer): boolean => isWhole[type](bytes);

/** Chunks — length, name, content, CRC — from IHDR over IDAT to IEND (PNG, third edition, section 5). */
function isWholePng(bytes: Buffer): boolean {
  let hasPixels = false;
  for (let at = 8; at + 12 <= bytes.length; ) {
    const end = at + 8 + bytes.readUInt32BE(at);
    if (end + 4 > bytes.length) return false;
    const name = latin(bytes, at + 4, at + 8);
    if ((at === 8) !== (name === "IHDR")) return false;
    if (crc32(bytes.subarray(at + 4, end)) !== bytes.readUInt32BE(end)) return false;
    hasPixels ||= name === "IDAT";
    if (name === "IEND") return hasPixels;
    at = end + 4;
  }
  return false;
}

/** Segments up to the first scan, and the end of image behind it: a preview among the segments has an end of its own. */
function isWholeJpeg(bytes: Buffer): boolean {
  for (let at = 2; at + 4 <= bytes.length; ) {
    if (bytes[at] !== 0xff) return false;
    const marker = bytes[at + 1];
    if (marker === 0xda) return bytes.lastIndexOf(Buffer.of(0xff, 0xd9)) > at;
    if (marker === 0xff) at++;
    else at += marker === 0x01 ? 2 : 2 + bytes.readUInt16BE(at + 2);
  }
  return false;
}

/** Blocks up to the trailer, an image among them (GIF89a, section 12 ff.). */
function isWholeGif(bytes: Buffer): boolean {
  const tableSize = (flags: number): number => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);
  const afterBlocks = (from: number): number => {
    let at = from;
    while (bytes[at] > 0) at += bytes[at] + 1;
    return at + 1;
  };
  let hasImage = false;
  for (let at = 13 + tableSize(bytes[10]); at < bytes.length; ) {
    if (bytes[at] === 0x3b) return hasImage;
    if (bytes[at] === 0x21) at = afterBlocks(at + 2);
    else if (bytes[at] === 0x2c) {
      at = afterBlocks(at + 11 + tableSize(bytes[at + 9]));
      hasImage = true;
    } else return false;
  }
  return false;
}

/** As long as its header says, and longer than the header. */
function isWholeWebp(bytes: Buffer): boolean {
  return bytes.length > 20 && bytes.length >= 8 + bytes.readUInt32LE(4) && bytes.readUInt32LE(4) > 12;
}

/** Its last element is the end of the outermost one. */
function isWholeSvg(bytes: Buffer): boolean {
  const words = new TextDecoder()
    .decode(bytes)
    .replaceAll(/<!--[\s\S]*?-->/g, "")
    .trimEnd();
  return /<\/([\w.-]+:)?svg\s*>$/.test(words.slice(-100)) || /<([\w.-]+:)?svg(\s[^<]*)?\/>$/.test(words);
}
