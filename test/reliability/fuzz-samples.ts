/** Good files of every format, to be mutated. */
import { gzipSync } from "node:zlib";
import { writeNpy } from "@curvature/datasets";

const text = (...lines: readonly string[]): Uint8Array => new TextEncoder().encode(`${lines.join("\n")}\n`);
export const csv = [
  text("a,b,label", "1,2,x", "3,4.5,y", "-1e-3,0,x"),
  text("1;2;3", "4;5;6"),
  text('name\tw\t"q ""t"""', "p\t1\t2", '"r\n s"\t3\t4'),
  text("1 2 3", "4 5 6"),
];
export const idx = (() => {
  const labels = Uint8Array.from([0, 0, 8, 1, 0, 0, 0, 4, 1, 2, 3, 4]);
  const images = Uint8Array.from([0, 0, 8, 3, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 2, 1, 2, 3, 4, 5, 6, 7, 8]);
  const floats = Uint8Array.from([0, 0, 13, 2, 0, 0, 0, 1, 0, 0, 0, 2, 63, 128, 0, 0, 64, 0, 0, 0]);
  return [labels, images, floats];
})();
export const npy = [writeNpy({ rows: 2, columns: 3, data: Float64Array.of(1, 2, 3, 4, 5, 6) }), npyFloat32()];
export const libsvm = [
  text("+1 1:0.5 3:2", "-1 2:1 # remark", "+1 1:1 2:2 3:3"),
  text("cat 0:1 5:2", "dog 1:1"),
  text("3 qid:1 1:1 2:0.5", "2 qid:1 2:1"),
];
export const json = [
  text("[[1,2],[3,4]]"),
  text('[{"a":1,"b":2,"label":"x"},{"a":3,"b":4.5,"label":"y"}]'),
  text('{"a":[1,2],"b":[3,4]}'),
];
export const jsonLines = [
  text("[1,2]", "[3,4]"),
  text('{"a":1,"b":2,"label":"x"}', '{"a":3,"b":4,"label":"y"}'),
];
export const triplets = [
  text("i,j,k", "0,1,2", "2,1,0", "1,0,2"),
  text("i,j,l,k,weight", "0,1,2,3,1", "3,2,1,0,2.5"),
  text("anchor;near;far", "a;b;c", "c;b;a"),
  text("0 1 2", "1 2 0"),
];
export const distances = [
  text("0,1,2", "1,0,3", "2,3,0"),
  text(",a,b,c", "a,0,1,2", "b,1,0,3", "c,2,3,0"),
  text("0", "1,0", "2,3,0"),
];
export const zipped = [...csv, ...json, ...libsvm, ...npy].map((bytes) => new Uint8Array(gzipSync(bytes)));

/** A .npy file of float32 in Fortran order. */
function npyFloat32(): Uint8Array {
  const head = "{'descr': '<f4', 'fortran_order': True, 'shape': (2, 2), }";
  const padded = `${head.padEnd(117)}\n`;
  const bytes = new Uint8Array(10 + padded.length + 16);
  bytes.set([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0, padded.length & 255, padded.length >> 8]);
  bytes.set(new TextEncoder().encode(padded), 10);
  bytes.set(new Uint8Array(Float32Array.of(1, 2, 3, 4).buffer), 10 + padded.length);
  return bytes;
}

export const everything = [...csv, ...npy, ...idx, ...json, ...jsonLines, ...libsvm, ...zipped];
