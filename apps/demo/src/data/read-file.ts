/** The visitor's file: its table, what is in it, and the matrix that is made of it once somebody has looked. */
import { type ReadTable, readTable } from "@curvature/datasets";
import {
  applyScaling,
  CurvatureError,
  fitScaling,
  RandomGenerator,
  sampleWithoutReplacement,
  selectRows,
} from "@curvature/linalg";
import {
  columnChoices,
  columnIndex,
  type DataTable,
  describeTable,
  prepare,
  suggestedPreparation,
  textAt,
} from "@curvature/linalg/tables";
import { baseName } from "../export/save.js";
import { type DataRequest, type Dataset, fileMark, plainDataset } from "./dataset.js";
import { planOf, type TableLook, type TablePlan } from "./table-plan.js";

type FileRequest = Extract<DataRequest, { kind: "file" }>;

export interface FileReading {
  /** The file's mark. */
  readonly of: string;
  /** Undefined where the file could not be read. */
  readonly look: TableLook | undefined;
  /** Why the file gave no table, or the table no matrix; with options marked: see `withOptionNames`. */
  readonly problem: string | undefined;
}

/** What there is to compute with, and what was read of a file. */
export interface Loaded {
  /** Of a file: undefined until its table was looked at and taken, unless there is nothing to decide about it. */
  readonly dataset: Dataset | undefined;
  readonly reading: FileReading | undefined;
}

export async function readFile(request: FileRequest): Promise<Loaded> {
  const { file, reading, choices, areTargets, isTaken, mostBytes } = request;
  const of = fileMark(file);
  let look: TableLook | undefined;
  try {
    const table = await readTable(file.stream(), { ...reading, name: file.name, maxBytes: mostBytes });
    look = lookAt(table, request);
    const plan = planOf(look, choices, areTargets);
    const dataset = isTaken || plan.isPlain ? datasetOf(table, plan, request) : undefined;
    return { dataset, reading: { of, look, problem: undefined } };
  } catch (error) {
    if (!(error instanceof CurvatureError)) throw error;
    return { dataset: undefined, reading: { of, look, problem: error.sentence } };
  }
}

function lookAt(table: ReadTable, { choices, areTargets }: FileRequest): TableLook {
  const { columns, kind, notes, form } = table;
  const chosen = columns[choices.labels ?? -1] === undefined ? undefined : choices.labels;
  const account = describeTable(table, { labels: chosen });
  const labels = choices.labels === -1 ? undefined : account.labels;
  const { ignore = [] } = suggestedPreparation(table, { labels, areTargets });
  const names = columnChoices(table);
  const ignored = new Set(ignore);
  return {
    account,
    kind,
    form: formWords(form),
    notes,
    labels,
    names,
    suggested: columns.map(
      ({ type }, index) => type !== "id" && type !== "index" && !ignored.has(names[index]),
    ),
  };
}

const formWords = ({ format, delimiter }: ReadTable["form"]): string =>
  delimiter === undefined ? format.toUpperCase() : `text, ${delimiter} between columns`;

function datasetOf(table: ReadTable, plan: TablePlan, request: FileRequest): Dataset {
  const { file, mostRows, reading } = request;
  const { preparation, scale } = plan;
  const { points: all, columns, kept, notes } = prepare(table, preparation);
  const rows = all.rows > mostRows ? sampled(all.rows, mostRows) : undefined;
  const taken = rows === undefined ? all : selectRows(all, rows);
  const points = scale === "standard" ? applyScaling(fitScaling(taken, "standard"), taken) : taken;
  const label = labelColumn(table, preparation.labels);
  const rowOf = (i: number): number => {
    const row = rows?.[i] ?? i;
    return kept?.[row] ?? row;
  };
  return {
    ...plainDataset(baseName(file.name) || "data", points, columns),
    labels:
      label === undefined
        ? undefined
        : Array.from({ length: points.rows }, (_, i) => textAt(label, rowOf(i))),
    labelName: label?.name,
    notes,
    ofFile: { name: file.name, mark: fileMark(file), reading, preparation, scale },
    takenFrom: rows === undefined ? undefined : all.rows,
  };
}

const labelColumn = (table: DataTable, labels: TablePlan["preparation"]["labels"]) =>
  labels === undefined ? undefined : table.columns[columnIndex(table, labels, "labels")];

/** So many rows at random, in the file's order. */
const sampled = (rows: number, most: number): Int32Array =>
  sampleWithoutReplacement(new RandomGenerator(0), most, rows).sort();
