/** Good files of every format, to be mutated. */
import { crc32, gunzipSync, gzipSync, zstdCompressSync } from "node:zlib";
import { writeNpy } from "@curvature/datasets";
import packed from "../../packages/datasets/test/tables/arrow-files.json" with { type: "json" };

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
  text('{"columns":["a","b"],"index":[0,1],"data":[[1,2],[3,4.5]]}'),
  text('{"a":{"0":1,"1":2},"b":{"0":3,"1":null}}'),
  text('{"data":[{"index":0,"embedding":[1,2]},{"index":1,"embedding":[3,4]}],"model":"m"}'),
  text('[{"id":1234567890123456789,"at":{"x":1,"y":2}},{"id":1234567890123456788,"at":{"x":2,"y":0}}]'),
  text(
    '{"type":"FeatureCollection","features":[{"geometry":{"coordinates":[1,2]},"properties":{"h":3}},{"geometry":null,"properties":{"h":4}}]}',
  ),
];
export const jsonLines = [
  text("[1,2]", "[3,4]"),
  text('{"a":1,"b":2,"label":"x"}', '{"a":3,"b":4,"label":"y"}'),
  text('{"a":1,"b":NaN}', '{"a":-Infinity,"b":4}'),
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
const plain = [...csv, ...json, ...libsvm, ...npy];
export const zipped = plain.map((bytes) => new Uint8Array(gzipSync(bytes)));
/** Whole frames, and two with one to be skipped between. */
export const zstd = [
  ...plain.map((bytes) => new Uint8Array(zstdCompressSync(bytes))),
  Uint8Array.from(
    Buffer.concat([
      zstdCompressSync(csv[0]),
      Uint8Array.of(0x50, 0x2a, 0x4d, 0x18, 2, 0, 0, 0, 1, 2),
      zstdCompressSync(csv[0]),
    ]),
  ),
];

export const arff = [
  text("% c", "@relation r", "@attribute x real", "@attribute 'a b' {p,'q r'}", "@data", "1,p", "?,'q r'"),
  text(
    "@RELATION r",
    "@ATTRIBUTE a NUMERIC",
    "@ATTRIBUTE b STRING",
    "@DATA",
    "{0 1.5, 1 'it\\'s'}",
    "{}",
    "{1 x}",
  ),
];

/** Text of other encodings. */
export const encoded = [...csv, ...json].flatMap((bytes) => {
  const letters = new TextDecoder().decode(bytes).replace("b", "\u00fc");
  const wide = Buffer.from(`\ufeff${letters}`, "utf16le");
  return [
    Uint8Array.from(wide),
    Uint8Array.from(Buffer.from(wide).swap16()),
    Uint8Array.from(Buffer.from(letters, "latin1")),
  ];
});

/** Records, and archives of arrays: X and y, and a sparse matrix. */
export const numpy = [
  npyOf("[('site', '<U2'), ('x', '<f8'), ('ok', '|b1')]", "(2,)", new Uint8Array(34).fill(65)),
  npyOf("'<f2'", "(2, 2)", Uint8Array.of(0, 60, 1, 0, 0, 192, 0, 126)),
];
export const npz = [
  archiveOf({ X: npy[0], y: npyOf("'|i1'", "(2,)", Uint8Array.of(0, 1)) }),
  archiveOf({
    indices: npyOf("'<i4'", "(2,)", new Uint8Array(Int32Array.of(1, 0).buffer)),
    indptr: npyOf("'<i4'", "(3,)", new Uint8Array(Int32Array.of(0, 1, 2).buffer)),
    format: npyOf("'|S3'", "()", new TextEncoder().encode("csr")),
    shape: npyOf("'<i8'", "(2,)", new Uint8Array(BigInt64Array.of(2n, 3n).buffer)),
    data: npyOf("'<f8'", "(2,)", new Uint8Array(Float64Array.of(0.5, -2).buffer)),
  }),
];
export const matrixMarket = [
  text("%%MatrixMarket matrix coordinate real general", "% c", "2 3 2", "1 1 0.5", "2 3 -1"),
  text("%%MatrixMarket matrix array integer symmetric", "2 2", "1", "2", "3"),
  text("%%MatrixMarket matrix coordinate pattern general", "2 2 1", "2 1"),
];
export const vectors = [
  text("3 3", "the 0.5 1 -2", '" 1e-3 0 1', "NA 1 2 3"),
  text("the 0.5 1 -2", "' 1e-3 0 1", "NA 1 2 3"),
];

/** What pyarrow wrote, for the tests of `datasets`: all codecs, kinds of columns, and some that are no table's. */
const written = (format: "arrow" | "parquet"): Uint8Array[] =>
  Object.entries(packed).flatMap(([name, content]) => {
    const bytes = Uint8Array.from(gunzipSync(Buffer.from(content, "base64")));
    // each page of Brotli takes a window of megabytes
    return name.startsWith(format) && bytes.length < 6000 && name !== "parquet brotli" ? [bytes] : [];
  });
export const parquet = written("parquet");
export const arrow = written("arrow");

/** A .npy file of version 1. */
function npyOf(type: string, shape: string, data: Uint8Array): Uint8Array {
  const header = `${`{'descr': ${type}, 'fortran_order': False, 'shape': ${shape}, }`.padEnd(117)}\n`;
  const start = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0, header.length & 255, header.length >> 8];
  return Uint8Array.of(...start, ...new TextEncoder().encode(header), ...data);
}

/** A zip archive whose members are stored. */
function archiveOf(arrays: Readonly<Record<string, Uint8Array>>): Uint8Array {
  const parts: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let at = 0;
  for (const [array, data] of Object.entries(arrays)) {
    const name = new TextEncoder().encode(`${array}.npy`);
    const common = new Uint8Array(26); // version, flags, method, time, CRC-32, sizes, lengths of name and extra field
    const view = new DataView(common.buffer);
    view.setUint32(10, crc32(data), true);
    view.setUint32(14, data.length, true);
    view.setUint32(18, data.length, true);
    view.setUint16(22, name.length, true);
    const place = new Uint8Array(14); // comment, disk, attributes, where it is
    new DataView(place.buffer).setUint32(10, at, true);
    parts.push(Uint8Array.of(0x50, 0x4b, 3, 4, ...common, ...name), data);
    directory.push(Uint8Array.of(0x50, 0x4b, 1, 2, 20, 0, ...common, ...place, ...name));
    at += 30 + name.length + data.length;
  }
  const size = directory.reduce((sum, { length }) => sum + length, 0);
  const end = new Uint8Array(18);
  const view = new DataView(end.buffer);
  view.setUint16(4, directory.length, true);
  view.setUint16(6, directory.length, true);
  view.setUint32(8, size, true);
  view.setUint32(12, at, true);
  return Uint8Array.from(Buffer.concat([...parts, ...directory, Uint8Array.of(0x50, 0x4b, 5, 6, ...end)]));
}

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
