/** Calls of tables. */
import * as linalg from "@curvature/linalg";
import * as tables from "@curvature/linalg/tables";
import { data } from "./arguments.ts";
import { call } from "./call.ts";

const table = (): tables.DataTable => ({
  rows: 4,
  isNamed: true,
  columns: [
    {
      name: "x",
      type: "number",
      unit: undefined,
      missing: 1,
      numbers: { data: Float64Array.of(1, 2, 3, Number.NaN), offset: 0, stride: 1 },
      codes: undefined,
      levels: [],
      odd: [],
    },
    {
      name: "kind",
      type: "word",
      unit: undefined,
      missing: 0,
      numbers: undefined,
      codes: Int32Array.of(0, 1, 0, 1),
      levels: ["a", "b"],
      odd: [],
    },
  ],
});
const whole = { words: "one-hot", missing: "mean" } as const;
const prepared = (): tables.Preparation => tables.prepare(table(), whole).preparation;

export const tableCalls = {
  dataWarnings: call(() => [linalg.toDense(data()), { labels: [0, 1, 0] }], tables.dataWarnings),
  prepare: call(() => [table(), whole], tables.prepare, tables.preparationOptions.defaults),
  suggestedPreparation: call(
    () => [table(), {}],
    tables.suggestedPreparation,
    tables.preparationOptions.defaults,
  ),
  applyPreparation: call(() => [prepared(), table()], tables.applyPreparation),
  preparedNames: call(() => [prepared()], tables.preparedNames),
  isPreparation: call(() => [prepared()], tables.isPreparation),
  numericPreparation: call(() => [3], tables.numericPreparation),
  columnChoices: call(() => [table()], tables.columnChoices),
  columnIndex: call(() => [table(), "kind", "labels"], tables.columnIndex),
  numberAt: call(() => [{ data: Float64Array.of(1, 2), offset: 0, stride: 1 }, 1], tables.numberAt),
  textAt: call(() => [table().columns[1], 1], tables.textAt),
};
