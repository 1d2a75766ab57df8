/**
 * What a picture shows of the rows and a map is not made of: their names, and what they are coloured by. Names are no data; words
 * that colour are none either, while numbers that colour stay what they are.
 */

import type { ReadTable } from "@curvature/datasets";
import { CurvatureError, optionName } from "@curvature/linalg";
import { type ColumnChoice, columnChoices, columnIndex, textAt } from "@curvature/linalg/tables";
import type { NamedColumn } from "@curvature/map-view";
import { isFile, type Source, sourceOf } from "./column-or-file.js";
import { bytesOf, shownName } from "./file.js";
import { readLabels } from "./labels.js";

/** As the command line has them: a column, or a file. */
export interface PictureWords {
  readonly names?: string | undefined;
  readonly color?: string | undefined;
}

export interface PictureColumns {
  readonly names?: NamedColumn | undefined;
  readonly color?: NamedColumn | undefined;
}

export interface PictureSources {
  readonly names: Source | undefined;
  readonly color: Source | undefined;
  /** Columns that are no data because of that. */
  readonly ignored: readonly ColumnChoice[];
  readonly notes: readonly string[];
}

/**
 * @param columns - that are used, where they are named
 * @throws CurvatureError ERR_OPTION for a word that is neither a column nor a file
 */
export function pictureSources(
  path: string,
  table: ReadTable,
  { names: namesWord, color: colorWord }: PictureWords,
  columns: "numeric" | "auto" | readonly ColumnChoice[] | string | undefined,
): PictureSources {
  const names = namesWord === undefined ? undefined : sourceOf(path, table, "names", namesWord);
  const color = colorWord === undefined ? undefined : sourceOf(path, table, "color", colorWord);
  const used = Array.isArray(columns)
    ? columns.map((choice: ColumnChoice) => columnIndex(table, choice, "columns"))
    : [];
  const isData = (index: number): boolean =>
    used.includes(index) || table.columns[index].numbers !== undefined;
  const aside = [
    ...(names?.column === undefined ? [] : [names.column]),
    ...(color?.column === undefined || isData(color.column) ? [] : [color.column]),
  ];
  return {
    names,
    color,
    ignored: [...new Set(aside)].map((index) => columnChoices(table)[index]),
    notes: [...(names?.notes ?? []), ...(color?.notes ?? [])],
  };
}

/** @param rowsOf - the table's rows that there are still, made something of */
export async function pictureColumns(
  table: ReadTable,
  { names, color }: PictureSources,
  signal: AbortSignal,
  rowsOf: (make: (row: number) => string) => string[],
): Promise<PictureColumns> {
  const read = async (source: Source | undefined, entry: string): Promise<NamedColumn | undefined> => {
    if (source?.column !== undefined) {
      const column = table.columns[source.column];
      return { name: column.name, values: rowsOf((row) => textAt(column, row)) };
    }
    if (source?.file === undefined) return undefined;
    const bytes = bytesOf(source.file, signal);
    const { labels, name } = await readLabels(source.file, bytes, table.rows, entry);
    return { name, values: rowsOf((row) => labels[row]) };
  };
  return { names: await read(names, "name"), color: await read(color, "value") };
}

/** Of rows that have no columns with names: files alone. @throws CurvatureError ERR_OPTION for a word that is none */
export async function pictureFiles(
  path: string,
  { names, color }: PictureWords,
  rows: number,
  signal: AbortSignal,
): Promise<PictureColumns> {
  const read = async (option: string, word: string | undefined): Promise<NamedColumn | undefined> => {
    if (word === undefined) return undefined;
    if (!isFile(word))
      throw new CurvatureError(
        "ERR_OPTION",
        `${optionName(option)}: there is no file ${JSON.stringify(word)}, and ${shownName(path)} has no columns with names. Name a file with one entry per line.`,
        { path: option },
      );
    const entry = option === "names" ? "name" : "value";
    const { labels, name } = await readLabels(word, bytesOf(word, signal), rows, entry);
    return { name, values: labels };
  };
  return { names: await read("names", names), color: await read("color", color) };
}
