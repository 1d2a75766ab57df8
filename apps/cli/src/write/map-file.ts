/**
 * A map as a file: one row per point, in the input's order, in the form that the file's name asks for.
 */
import { writeCells, writeJson, writeNpy } from "@curvature/datasets";
import type { DenseMatrix } from "@curvature/linalg";
import type { KeptCells } from "../read/data.js";
import type { PointColumns } from "../tasks/map-trust.js";
import type { Content } from "./atomic-file.js";
import { formatNamed } from "./file-format.js";

export interface MapData {
  readonly map: DenseMatrix;
  readonly labels: readonly string[] | undefined;
  readonly labelName: string;
  /** Columns of the data that go beside. */
  readonly kept: KeptCells;
  /** Numbers of every point, beside its place. */
  readonly columns?: PointColumns | undefined;
}

const formats = {
  ".csv": (data: MapData) => delimited(data, ","),
  ".tsv": (data: MapData) => delimited(data, "\t"),
  ".npy": ({ map }: MapData) => writeNpy(map),
  ".json": (data: MapData) => {
    const { names, table } = withColumns(data);
    return writeJson(table, { columns: names, labels: data.labels });
  },
} as const;

type MapFormat = keyof typeof formats;

/** @throws CurvatureError ERR_OPTION if the name does not end in a known way */
export const mapFormat = (path: string, option = "--out"): MapFormat => formatNamed(path, option, formats);

export function mapContent(format: MapFormat, data: MapData): Content {
  return formats[format](data);
}

function delimited(data: MapData, delimiter: string): Content {
  const { labels, labelName, kept } = data;
  const { names, table } = withColumns(data);
  return writeCells(rowsBeside(table, names, labels, labelName, kept, "map"), { delimiter });
}

function withColumns({ map, columns }: MapData): { readonly names: string[]; readonly table: DenseMatrix } {
  const axes = axisNames(map.columns);
  if (columns === undefined) return { names: axes, table: map };
  const { names, values } = columns;
  const width = map.columns + values.columns;
  const table = { rows: map.rows, columns: width, data: new Float64Array(map.rows * width) };
  for (let i = 0; i < map.rows; i++) {
    table.data.set(map.data.subarray(i * map.columns, (i + 1) * map.columns), i * width);
    const own = values.data.subarray(i * values.columns, (i + 1) * values.columns);
    table.data.set(own, i * width + map.columns);
  }
  return { names: [...axes, ...names], table };
}

/** The names of results beside columns of the data: each one that is taken there begins with the prefix, as `map_x`. */
export function namesBeside(names: readonly string[], taken: readonly string[], prefix: string): string[] {
  const all = new Set(taken);
  return names.map((name) => {
    let free = name;
    while (all.has(free)) free = `${prefix}_${free}`;
    all.add(free);
    return free;
  });
}

/**
 * A header and rows of numbers, each with its label and the cells that were kept.
 *
 * @param prefix - of names that a column of the data has, too
 */
export function* rowsBeside(
  { rows, columns, data }: DenseMatrix,
  names: readonly string[],
  labels: readonly string[] | undefined,
  labelName: string,
  kept: KeptCells,
  prefix: string,
): Generator<(string | number)[]> {
  const isBeside = labels === undefined || kept.names.includes(labelName); // kept, it stands there
  const labelOf = (i: number): string[] => (isBeside ? [] : [labels[i]]);
  const others = [...(isBeside ? [] : [labelName]), ...kept.names];
  yield [...namesBeside(names, others, prefix), ...others];
  for (let i = 0; i < rows; i++)
    yield [...data.subarray(i * columns, (i + 1) * columns), ...labelOf(i), ...(kept.rows[i] ?? [])];
}

/** x, y, z while they last. */
export function axisNames(dimensions: number): string[] {
  return dimensions <= 3
    ? ["x", "y", "z"].slice(0, dimensions)
    : Array.from({ length: dimensions }, (_, i) => `x${i + 1}`);
}
