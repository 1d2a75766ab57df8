/** The visitor's file as a table, what is suggested to do with it, and the data that come of it. */
import { gzipSync } from "node:zlib";
import { withOptionNames } from "@curvature/linalg";
import { expect, test } from "vitest";
import { fileMark } from "../src/data/dataset.js";
import { readFile } from "../src/data/read-file.js";
import { controlWords, type TableState, untouched } from "../src/data/table-fields.js";
import { planOf } from "../src/data/table-plan.js";
import { fileRequest } from "../src/data/use-dataset.js";
import { baseName } from "../src/export/save.js";

type Content = string | Uint8Array<ArrayBuffer>;

/** What a visitor sees who has chosen that, and the data once it is taken. */
async function read(
  name: string,
  content: Content,
  chosen: Partial<TableState> = {},
  { areTargets = false, mostRows = 100 } = {},
) {
  const file = new File([content], name);
  const { reading, dataset } = await load(file, chosen, areTargets, mostRows);
  const look = reading?.look;
  const plan = look === undefined ? undefined : planOf(look, { ...untouched, ...chosen }, areTargets);
  const nameOf = (index: number): string => look?.account.columns[index].name ?? "";
  return {
    reading,
    /** Before anybody has taken it. */
    dataset,
    taken: await load(file, { ...chosen, taken: fileMark(file) }, areTargets, mostRows),
    plan,
    labels: look?.labels === undefined ? undefined : nameOf(look.labels),
    used: plan?.used.flatMap((is, index) => (is ? [nameOf(index)] : [])),
  };
}

function load(file: File, chosen: Partial<TableState>, areTargets: boolean, mostRows: number) {
  const [, request] = fileRequest(file, { ...untouched, ...chosen }, mostRows, areTargets, 1e6);
  if (request?.kind !== "file") throw new Error("A file was asked for.");
  return readFile(request);
}

const penguins = [
  "species,island,bill_length_mm,body_mass_g,sex",
  ...Array.from({ length: 30 }, (_, i) => {
    const mass = i === 3 ? "NA" : String(3000 + 37 * i);
    return `${["Adelie", "Gentoo", "Chinstrap"][i % 3]},${["Biscoe", "Dream"][i % 2]},${35 + ((i * 7) % 13)}.5,${mass},${i === 5 ? "" : i % 4 < 2 ? "MALE" : "FEMALE"}`;
  }),
].join("\n");

test("a mixed table with gaps waits for who looks at it; then words are columns, gaps filled, sizes made equal", async () => {
  const { dataset, plan, labels, used, taken } = await read("penguins.csv", penguins);
  expect(dataset).toBeUndefined();
  expect([labels, used, plan?.preparation.words, plan?.missing, plan?.scale]).toEqual([
    "species",
    ["island", "bill_length_mm", "body_mass_g", "sex"],
    "one-hot",
    "mean",
    "standard",
  ]);
  expect(taken.dataset?.columns).toEqual(["island=Dream", "bill_length_mm", "body_mass_g", "sex=MALE"]);
  expect(taken.dataset?.labels?.slice(0, 3)).toEqual(["Adelie", "Gentoo", "Chinstrap"]);
  const { rows = 0, columns = 0, data = [] } = taken.dataset?.points ?? {};
  for (let j = 0; j < columns; j++) {
    const column = Array.from({ length: rows }, (_, i) => data[i * columns + j]);
    expect(column.reduce((sum, value) => sum + value * value, 0) / rows).toBeCloseTo(1, 9);
  }
});

test("rows with gaps are left out, columns unticked and sizes kept where that is chosen", async () => {
  const { taken } = await read("penguins.csv", penguins, {
    missing: "drop",
    toggled: [1],
    words: "drop",
    scale: "none",
  });
  expect(taken.dataset?.columns).toEqual(["bill_length_mm", "body_mass_g"]);
  expect(taken.dataset?.points.rows).toBe(29);
  expect(taken.dataset?.labels?.slice(2, 4)).toEqual(["Chinstrap", "Gentoo"]);
  expect(Array.from(taken.dataset?.points.data.slice(0, 4) ?? [])).toEqual([35.5, 3000, 42.5, 3037]);
});

test("numbers of like sizes without gaps need no decision", async () => {
  const { dataset } = await read("table.csv", "a,b\n1,2\n3,4\n2,5\n");
  expect(dataset?.columns).toEqual(["a", "b"]);
  expect(Array.from(dataset?.points.data ?? [])).toEqual([1, 2, 3, 4, 2, 5]);
  const { dataset: wide, plan } = await read("table.csv", "a,b,c\n1,2,1000\n3,4,9000\n2,5,3\n");
  expect(wide).toBeUndefined();
  expect(plan?.scale).toBe("standard");
});

test("a European spreadsheet is read as it is meant, and says so", async () => {
  const rows = Array.from(
    { length: 20 },
    (_, i) => `Stra\u00dfe ${i};${40 + i},5;${1900 + i};${i % 2 === 0 ? "S\u00fcd" : "Nord"}`,
  );
  const text = `Adresse;Gr\u00f6\u00dfe;Baujahr;Lage\r\n${rows.join("\r\n")}\r\n`;
  const { reading, used, taken } = await read("haus.csv", Uint8Array.from(Buffer.from(text, "latin1")), {
    scale: "none",
  });
  expect(reading?.look?.notes.join(" ")).toMatch(/windows-1252.*comma/);
  expect(used).not.toContain("Adresse");
  expect(used).toContain("Gr\u00f6\u00dfe");
  expect(taken.dataset?.points.data[0]).toBe(40.5);
});

test("an index column of pandas is no feature, and can be made one", async () => {
  const rows = Array.from(
    { length: 20 },
    (_, i) => `${i},${(i * 7) % 11},${(i * 5) % 13},${i < 10 ? "a" : "b"}`,
  );
  const text = `,x,y,label\n${rows.join("\n")}\n`;
  const { used, labels, taken } = await read("pandas.csv", text);
  expect([used, labels]).toEqual([["x", "y"], "label"]);
  expect(taken.dataset?.columns).toEqual(["x", "y"]);
  const ticked = await read("pandas.csv", text, { toggled: [0] });
  expect(ticked.taken.dataset?.columns).toHaveLength(3);
});

test("where the first line may be names or data the reader asks, and takes the answer", async () => {
  const rows = Array.from({ length: 9 }, (_, i) =>
    [0, 5, 20, 45, 80].map((k) => `${(7 * i + k) % 11}.5`).join(","),
  );
  const text = `400,411,417,425,431\n${rows.join("\n")}\n`;
  const { reading, dataset } = await read("spectra.csv", text);
  expect([dataset, reading?.look]).toEqual([undefined, undefined]);
  expect(withOptionNames(reading?.problem ?? "", controlWords)).toMatch(
    /Say “Names of the columns” \(yes\) or/,
  );
  const answered = await read("spectra.csv", text, { header: "yes" });
  expect(answered.dataset?.columns).toEqual(["400", "411", "417", "425", "431"]);
});

test("rows without a label are kept in a map and left out where the labels are learned", async () => {
  const rows = Array.from(
    { length: 20 },
    (_, i) => `${(i * 7) % 11},${(i * 5) % 13},${i === 4 ? "" : i % 2 === 0 ? "a" : "b"}`,
  );
  const text = `x,y,class\n${rows.join("\n")}\n`;
  const map = await read("table.csv", text);
  expect(map.taken.dataset?.labels?.slice(3, 6)).toEqual(["b", "", "b"]);
  const learned = await read("table.csv", text, {}, { areTargets: true });
  expect(learned.taken.dataset?.points.rows).toBe(19);
  expect(learned.taken.dataset?.labels).not.toContain("");
});

test("labels that are chosen count, also none, and also of a compressed file, of which a sample is taken with its labels", async () => {
  const rows = Array.from({ length: 50 }, (_, i) => `${i}.5,${i % 3},c${i % 5}`).join("\n");
  const file = Uint8Array.from(gzipSync(`a,class,b\n${rows}\n`));
  const { taken, labels } = await read("table.csv.gz", file, { labels: 2, scale: "none" }, { mostRows: 20 });
  expect([labels, taken.dataset?.takenFrom, taken.dataset?.points.rows]).toEqual(["b", 50, 20]);
  taken.dataset?.labels?.forEach((label, i) => {
    expect(label).toBe(`c${Math.floor(taken.dataset?.points.data[2 * i] ?? 0) % 5}`);
  });
  const none = await read("table.csv.gz", file, { labels: -1 });
  expect([none.labels, none.used]).toEqual([undefined, ["a", "class", "b"]]);
});

test("an infinite number is filled as a missing one, with a note", async () => {
  const rows = Array.from({ length: 20 }, (_, i) => `${i % 7},${i === 3 ? "1e400" : i % 5}`);
  const { taken } = await read("table.csv", `a,b\n${rows.join("\n")}\n`, { labels: -1, scale: "none" });
  expect(taken.reading?.problem).toBeUndefined();
  expect(taken.dataset?.points.data.every(Number.isFinite)).toBe(true);
  expect(taken.dataset?.notes.join()).toContain('Infinite numbers of "b" count as missing.');
});

test("why no matrix can be made of a table stands beside its account", async () => {
  const rows = Array.from({ length: 20 }, (_, i) => `${i % 7},${i % 5}`);
  const { taken } = await read("table.csv", `a,b\n${rows.join("\n")}\n`, { labels: -1, toggled: [0, 1] });
  expect(taken.reading?.look?.account.rows).toBe(20);
  expect(taken.reading?.problem).toContain("has no column of numbers");
  expect(taken.dataset).toBeUndefined();
});

test("a download keeps the name that the code gives it", () => {
  expect(baseName("my data (1).csv.gz")).toBe("my data _1_");
  expect(baseName("../../<b>.csv")).toBe(".._.._b_");
  expect(baseName(`${"n".repeat(300)}.csv`)).toBe("n".repeat(80));
});
