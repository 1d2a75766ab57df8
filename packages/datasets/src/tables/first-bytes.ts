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
export const isMatrixMarket = (head: Uint8Array): boolean =>
  textAt(head, 0, 14).toLowerCase() === "%%matrixmarket";
