export type { ByteSource } from "./formats/bytes.js";
export { type CsvOptions, csvDefaults, readCsv } from "./formats/csv.js";
export { type CsvWriteOptions, csvWriteDefaults, writeCsv } from "./formats/csv-writer.js";
export type { ColumnChoice, Table } from "./formats/table.js";
