/** Formats that their first bytes tell. */
export const begins = (head: Uint8Array, ...bytes: readonly number[]): boolean =>
  bytes.every((byte, i) => head[i] === byte);
export const textAt = (head: Uint8Array, start: number, length: number): string =>
  String.fromCharCode(...head.subarray(start, start + length));

export const isZip = (head: Uint8Array): boolean => begins(head, 0x50, 0x4b, 3, 4);
/** A zip archive whose first member is an array of NumPy. */
export const isNpz = (head: Uint8Array): boolean =>
  isZip(head) && textAt(head, 30, head[26]).endsWith(".npy");
export const isParquet = (head: Uint8Array): boolean => textAt(head, 0, 4) === "PAR1";
export const isArrow = (head: Uint8Array): boolean => textAt(head, 0, 6) === "ARROW1";
export const npyMagic = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59];
export const isNpy = (head: Uint8Array): boolean => begins(head, ...npyMagic);

/** Bytes of a number, by the type's code in IDX. */
export const idxItemSizes: ReadonlyMap<number, number> = new Map([
  [8, 1],
  [9, 1],
  [11, 2],
  [12, 4],
  [13, 4],
  [14, 8],
]);
export const isIdx = (head: Uint8Array): boolean =>
  head.length >= 4 && begins(head, 0, 0) && idxItemSizes.has(head[2]) && head[3] > 0;

/** Whether it may be of a format that is not read: no text, or text of another kind than tables. */
export const isStrange = (head: Uint8Array): boolean =>
  head[0] > 127 ||
  head.some((byte) => byte < 9 || (byte > 13 && byte < 32)) ||
  /^(\s*<|%PDF|BZh)/.test(textAt(head, 0, 64));
