/**
 * The kinds of typed array that a snapshot may hold, and their bytes in little-endian order on any machine.
 */
export type NumberArray = Float64Array | Float32Array | Int32Array | Uint32Array | Uint8Array;

/** Found once: in a checkpoint of many small arrays, asking took longer than their bytes. */
const isLittleEndian = /* @__PURE__ */ firstByteOf(1) === 1;

function firstByteOf(word: number): number {
  return new Uint8Array(Uint32Array.of(word).buffer)[0];
}

/** The array's bytes, least significant first: a view of it where the machine stores them so, else a copy. */
export function littleEndianBytes(array: NumberArray, machineIsLittle = isLittleEndian): Uint8Array {
  const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
  return machineIsLittle ? bytes : swapped(bytes, array.BYTES_PER_ELEMENT);
}

/** The array with these bytes, in memory of its own. */
export function fromLittleEndian<A extends NumberArray>(
  make: new (buffer: ArrayBuffer) => A,
  bytes: Uint8Array,
  elementBytes: number,
  machineIsLittle = isLittleEndian,
): A {
  const own = machineIsLittle ? bytes.slice() : swapped(bytes, elementBytes);
  return new make(own.buffer);
}

function swapped(bytes: Uint8Array, elementBytes: number): Uint8Array<ArrayBuffer> {
  const result = new Uint8Array(bytes.length);
  for (let start = 0; start < bytes.length; start += elementBytes)
    for (let k = 0; k < elementBytes; k++) result[start + k] = bytes[start + elementBytes - 1 - k];
  return result;
}
