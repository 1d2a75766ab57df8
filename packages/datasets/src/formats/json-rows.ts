/**
 * Rows of parsed JSON, all arrays of numbers or all flat objects with the same keys (but for those that are ignored), into a
 * table.
 */
import { CurvatureError, nearestName, shown } from "@curvature/linalg";
import { IGNORED, LABEL, NUMBERS, rolesOf } from "./column-roles.js";
import type { ColumnChoice, OtherColumns } from "./shared-options.js";
import { finishedTable, NumberStore, noData, numbered, type Table } from "./table.js";

export class JsonRows {
  private rows = 0;
  private names: readonly string[] = [];
  private roles = new Uint8Array(0);
  /** Undefined if the rows are arrays. */
  private indexOf: Map<string, number> | undefined;
  private readonly values = new NumberStore();
  private readonly labels: string[] = [];
  /** Keys to be ignored that no row has had yet: any row may lack them. */
  private readonly awaited = new Set<string>();
  private readonly ignored: ReadonlySet<ColumnChoice>;

  /** @param columns - the names of the columns, where they do not stand in the rows */
  constructor(
    private readonly others: OtherColumns,
    private readonly columns?: readonly string[],
  ) {
    this.ignored = new Set(others.ignore);
  }

  /** @param where - the row's place, in words that can begin a sentence (`Line 3`) */
  add(row: unknown, where: string): void {
    if (Array.isArray(row)) this.addArray(row, where);
    else if (typeof row === "object" && row !== null) this.addObject(new Map(Object.entries(row)), where);
    else
      throw rowError(where, `is ${shown(row)}`, "Write an array of numbers or an object of named numbers.");
    this.rows++;
  }

  finish(): Table {
    if (this.rows === 0) throw noData("The input has no rows.");
    rolesOf({ labels: undefined, ignore: [...this.awaited] }, this.names, this.names.length);
    return finishedTable(this.names, this.roles, this.values, this.labels, this.rows);
  }

  private start(names: readonly string[] | undefined, count: number): void {
    this.names = names ?? numbered(count);
    const { labels, ignore } = this.others;
    const here = ignore.filter((choice) => typeof choice === "number" || !this.awaited.has(choice));
    this.roles = rolesOf({ labels, ignore: here }, names, this.names.length);
  }

  private addArray(cells: readonly unknown[], where: string): void {
    if (this.indexOf !== undefined) throw mixed(where, "an array", "objects");
    if (this.rows === 0) this.start(this.columns, cells.length);
    if (cells.length !== this.names.length) {
      const what = `has ${cells.length} entries where ${this.names.length} are expected`;
      throw rowError(where, what, "Give every row the same number.");
    }
    for (let j = 0; j < cells.length; j++) this.addCell(cells[j], j, where);
  }

  private addObject(cells: ReadonlyMap<string, unknown>, where: string): void {
    if (this.rows === 0) {
      if (this.columns !== undefined)
        throw rowError(where, "names its columns itself", "Leave columns out, or write arrays.");
      for (const choice of this.others.ignore)
        if (typeof choice === "string" && !cells.has(choice)) this.awaited.add(choice);
      this.start([...cells.keys()], cells.size);
      this.indexOf = new Map(this.names.map((name, j) => [name, j]));
    }
    const known = this.indexOf;
    if (known === undefined) throw mixed(where, "an object", "arrays");
    for (const key of cells.keys()) {
      if (known.has(key)) continue;
      if (!this.ignored.has(key)) throw this.unknownKey(key, where);
      this.awaited.delete(key);
    }
    for (const [j, name] of this.names.entries()) {
      if (!cells.has(name) && this.roles[j] !== IGNORED)
        throw rowError(where, `lacks the key ${shown(name)}`, "Give every row the same keys.");
      this.addCell(cells.get(name), j, where);
    }
  }

  private unknownKey(key: string, where: string): CurvatureError {
    const nearest = nearestName(key, this.names.slice(0, 1000));
    const hint =
      nearest === undefined
        ? "Give every row the same keys, or leave this one out."
        : `Did you mean ${shown(nearest)}?`;
    return rowError(where, `has the key ${shown(key)}, which the first row has not`, hint);
  }

  private addCell(cell: unknown, column: number, where: string): void {
    const role = this.roles[column];
    if (role === LABEL) this.labels.push(labelText(cell, this.place(where, column)));
    else if (role !== NUMBERS) return;
    else if (typeof cell === "number" && Number.isFinite(cell)) this.values.append(cell);
    else throw badValue(cell, this.place(where, column));
  }

  private place(where: string, column: number): string {
    return `${where}, ${this.indexOf === undefined ? `column ${column + 1}` : shown(this.names[column])},`;
  }
}

/** @throws CurvatureError ERR_PARSE unless the value is a string, a number or a boolean */
export function labelText(value: unknown, place: string): string {
  if (typeof value === "string" || typeof value === "boolean" || typeof value === "number")
    return String(value);
  throw rowError(place, `is ${shown(value)}`, "Labels are strings, numbers or booleans.");
}

function badValue(value: unknown, place: string): CurvatureError {
  const missing = value === null || typeof value === "number";
  const what =
    typeof value === "number"
      ? "is a number beyond the range of float64"
      : `is ${shown(value)}, which is not a number`;
  const remedy = missing
    ? "Fill or remove such cells."
    : "Write a number, leave the column out, or choose it as labels.";
  return new CurvatureError(missing ? "ERR_NON_FINITE" : "ERR_PARSE", `${place} ${what}. ${remedy}`, {
    path: place,
    expected: "a number",
    received: value,
  });
}

const mixed = (where: string, form: string, others: string): CurvatureError =>
  rowError(where, `is ${form}, the rows before it are ${others}`, "Write all rows in one form.");

function rowError(where: string, what: string, remedy: string): CurvatureError {
  return new CurvatureError("ERR_PARSE", `${where} ${what}. ${remedy}`, { path: where });
}
