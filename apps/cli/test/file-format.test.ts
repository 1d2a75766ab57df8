import { expect, test } from "vitest";
import { assignmentsFormat } from "../src/write/assignments-file.js";
import { mapFormat } from "../src/write/map-file.js";
import { objectMapFormat } from "../src/write/object-map.js";
import { vectorFormat } from "../src/write/vector-file.js";

test.each([
  ["map.NPY", ".npy"],
  ["/dev/shm/map.npy", ".npy"], // memory that is a folder of files like any other
  ["/dev/shm/map.json", ".json"],
  ["-", ".csv"],
  ["/dev/stdout", ".csv"],
  ["/dev/fd/63", ".csv"],
])("%s is written as %s", (path, format) => {
  expect(mapFormat(path)).toBe(format);
  expect(vectorFormat(path)).toBe(format);
});

test("other outputs go by their names, too", () => {
  expect(objectMapFormat("/dev/shm/map.tsv")).toBe(".tsv");
  expect(assignmentsFormat("/dev/shm/clusters.tsv")).toBe(".tsv");
  expect(() => assignmentsFormat("/dev/shm/clusters.npy")).toThrow(
    "--assignments /dev/shm/clusters.npy: the name must end in .csv, .tsv.",
  );
  expect(() => mapFormat("map.toString")).toThrow("--out map.toString: the name must end in .csv, .tsv,");
});
