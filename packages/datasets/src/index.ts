export type { ByteSource } from "./formats/bytes.js";
export { type CsvOptions, csvDefaults, readCsv } from "./formats/csv.js";
export { type CsvWriteOptions, csvWriteDefaults, writeCsv } from "./formats/csv-writer.js";
export { type Format, type ReadOptions, readDefaults, readPoints } from "./formats/detect.js";
export { type IdxOptions, idxDefaults, readIdx, readIdxLabels } from "./formats/idx.js";
export {
  type JsonOptions,
  type JsonWriteOptions,
  jsonDefaults,
  jsonWriteDefaults,
  readJson,
  writeJson,
} from "./formats/json.js";
export { type JsonLinesOptions, jsonLinesDefaults, readJsonLines } from "./formats/json-lines.js";
export { type NpyOptions, npyDefaults, readNpy, writeNpy } from "./formats/npy.js";
export type { ColumnChoice, Table } from "./formats/table.js";
