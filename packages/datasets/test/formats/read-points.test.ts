import { gzipSync } from "node:zlib";
import { readPoints, readTable, writeNpy } from "@curvature/datasets";
import { applyPreparation } from "@curvature/linalg/tables";
import { expect, test } from "vitest";
import { encoded, failure } from "./support.js";

const data = [1, 2, 3, 4];
const idx = Uint8Array.of(0, 0, 8, 2, 0, 0, 0, 2, 0, 0, 0, 2, ...data);
const npy = writeNpy({ rows: 2, columns: 2, data: Float64Array.from(data) });

test.each([
  ["points.csv", encoded("1,2\n3,4\n")],
  ["POINTS.CSV", encoded("1,2\n3,4\n")],
  ["points.txt", encoded("1 2\n3 4\n")],
  ["points.tsv", encoded("1\t2\n3\t4\n")],
  ["points.npy", npy],
  ["points.jsonl", encoded("[1,2]\n[3,4]\n")],
  ["points.ndjson", encoded('{"x":1,"y":2}\n{"x":3,"y":4}\n')],
  ["points.json", encoded("[[1,2],[3,4]]")],
  ["train-images-idx3-ubyte", idx],
  ["train-images.idx2-ubyte", idx],
  [undefined, encoded("1;2\n3;4\n")],
  [undefined, npy],
  [undefined, idx],
  [undefined, encoded("\n[1,2]\n[3,4]\n")],
  [undefined, encoded('{"x":1,"y":2}\n{"x":3,"y":4}\n')],
  [undefined, encoded("[\n  [1,2],\n  [3,4]\n]")],
  [undefined, encoded('{"data":[[1,2],[3,4]]}')],
])("%s is recognised, also in gzip", async (name, bytes) => {
  const packed = name === undefined ? name : `${name}.gz`;
  expect(Array.from((await readPoints(bytes, { name })).points.data)).toEqual(data);
  expect(
    Array.from((await readPoints(Uint8Array.from(gzipSync(bytes)), { name: packed })).points.data),
  ).toEqual(data);
});

test("the bytes overrule the name, a stated format overrules both", async () => {
  expect((await readPoints(npy, { name: "points.csv" })).points.rows).toBe(2);
  expect((await readPoints("[1,2]\n[3,4]\n", { name: "points.json", format: "jsonl" })).points.rows).toBe(2);
  expect((await readPoints("1,2\n", { name: "points.npy" })).points.columns).toBe(2);
  expect((await failure(readPoints("1,2\n", { format: "npy" }))).message).toContain("npy");
});

test("options reach the format's reader", async () => {
  const table = await readPoints("1990\tl\n3\ta\n", { name: "t.tsv", header: "yes", labels: "l" });
  expect([table.columns, table.labels]).toEqual([["1990"], ["a"]]);
  expect((await failure(readPoints("1|2\n", { delimiter: ",", header: "no" }))).message).toContain('"1|2"');
  expect((await failure(readPoints("1,2\n", { maxBytes: 3 }))).message).toContain("longer than 3 bytes");
  expect((await failure(readPoints("1,222\n", { maxRecordBytes: 3 }))).message).toContain(
    "longer than 3 bytes",
  );
  const array = await readPoints(npy, { labels: 0 });
  expect([array.labels, [...array.points.data]]).toEqual([
    ["1", "3"],
    [2, 4],
  ]);
  const words = await readPoints("x,kind\n1,a\n,b\n3,a\n", { words: "one-hot", missing: "mean" });
  expect([words.columns, [...words.points.data]]).toEqual([
    ["x", "kind=b"],
    [1, 0, 2, 1, 3, 0],
  ]);
  expect((await failure(readPoints('[{"l":"a","x":1}]', { labels: "k" }))).code).toBe("ERR_OPTION");
});

test("rows that are left out take their labels with them, and what was made is given to later rows", async () => {
  const read = await readPoints("id,x,y\na1,1,u\na2,NA,v\na3,3,\n", {
    columns: ["x"],
    labels: "y",
    missing: "drop",
  });
  expect([[...read.points.data], read.labels, [...(read.kept ?? [])]]).toEqual([
    [1, 3],
    ["u", ""],
    [0, 2],
  ]);
  expect(read.notes).toEqual(['1 of 3 rows are left out: "x" has no value there.']);
  const later = applyPreparation(read.preparation, await readTable("y,x\nw,7\n"));
  expect([...later.points.data]).toEqual([7]);
});

test("rows without a target are refused where the labels are targets", async () => {
  const error = await failure(readPoints("x,y\n1,u\n2,\n3,v\n", { labels: "y", areTargets: true }));
  expect(error.message).toContain('"y" has no label in 1 row (line 3)');
});

test("a misspelt option names the right one; input that is no bytes is refused", async () => {
  const wrong: object = { delimitre: "," };
  expect((await failure(readPoints("1", wrong))).message).toContain('Did you mean "delimiter"?');
  const number: object = { name: 5 };
  expect((await failure(readPoints("1", number))).message).toContain("name must be a string");
  async function* texts(): AsyncGenerator<Uint8Array> {
    yield* JSON.parse('["1,2"]');
  }
  expect((await failure(readPoints(texts()))).message).toContain(
    "Every piece of the input must be a Uint8Array",
  );
  expect((await failure(readPoints(JSON.parse("5")))).message).toContain("The input must be a string");
  expect((await failure(readPoints(JSON.parse("null")))).code).toBe("ERR_ARGUMENT");
});

/** As in browsers whose streams cannot be iterated over. */
function bareStream(text: string, onCancel: () => void): ReadableStream<Uint8Array> {
  const stream = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      controller.enqueue(encoded(text));
      if (text === "1,2\n") controller.close();
    },
    cancel: onCancel,
  });
  const bare: ReadableStream<Uint8Array> = Object.create(null, {
    getReader: { value: () => stream.getReader() },
  });
  return bare;
}

test("a stream without an iterator is read to its end, and cancelled where reading fails", async () => {
  let cancelled = 0;
  const count = (): void => void cancelled++;
  expect((await readPoints(bareStream("1,2\n", count))).points.columns).toBe(2);
  expect(cancelled).toBe(0);
  expect((await failure(readPoints(bareStream(`1,2\n3,4\n5\n${"6,7\n".repeat(1e5)}`, count)))).code).toBe(
    "ERR_PARSE",
  );
  await new Promise((resolve) => setTimeout(resolve, 0));
  expect(cancelled).toBe(1);
});

test("codes with leading zeros, which many rows share, are left out, and not said to name the rows", async () => {
  const rows = Array.from(
    { length: 20 },
    (_, i) => `${(7 * i) % 17},0${200 + (i % 3)},a${1000 + i},${i * i}`,
  );
  const read = await readPoints(`t,lesion,key,y\n${rows.join("\n")}\n`, { ignore: ["key"] });
  expect(read.columns).toEqual(["t", "y"]);
  expect(read.notes).toEqual(['"lesion" holds codes and is no feature: left out.']);
});

test("numbers of people who were measured more than once are no feature, whatever their order", async () => {
  const people = Array.from({ length: 90 }, (_, i) => 1 + ((7 * i) % 30));
  for (const name of ["id", "subject_id", "patientId", "Subject", "participant"]) {
    const rows = people.map((who, i) => `${who},${(i * i) % 89},${(3 * i) % 31}`);
    const read = await readPoints(`${name},a,b\n${rows.join("\n")}\n`);
    expect(read.columns, name).toEqual(["a", "b"]);
    expect(read.notes).toEqual([`"${name}" holds codes and is no feature: left out.`]);
  }
  // Quantities, and few values, which may be levels.
  for (const name of ["patients", "participants", "grid", "subjective"])
    expect(
      (await readPoints(`${name},a\n${people.map((who, i) => `${who},${i % 7}`).join("\n")}\n`)).columns,
      name,
    ).toEqual([name, "a"]);
  expect(
    (await readPoints(`id,a\n${people.map((who, i) => `${who % 3},${i % 7}`).join("\n")}\n`)).columns,
  ).toEqual(["id", "a"]);
});
