/** Parts of the rows: to train on, to test on, a fold. */
import { CurvatureError, selectRows } from "@curvature/linalg";
import { placesWhere, selectedLabels, testShare } from "../row-selection.js";
import type { LabeledData } from "./linear-model.js";

/** The rows to train on and those to test on. */
export function parted(
  data: LabeledData,
  test: (LabeledData & { readonly path: string }) | number | undefined,
  grouped: boolean,
  seed: number,
): { readonly data: LabeledData; readonly test: LabeledData | undefined } {
  if (typeof test !== "number") return { data, test };
  const marks = testShare(data.labels, test, grouped, seed);
  const parts = [0, 1].map((mark) => part(data, (i) => marks[i] === mark));
  const [kept, tested] = parts;
  if (kept.rows.rows === 0 || tested.rows.rows === 0) {
    throw new CurvatureError(
      "ERR_SHAPE",
      `--test ${test} of ${data.rows.rows} rows leaves ${kept.rows.rows} to train and ${tested.rows.rows} to test on. Give more rows, or another share.`,
      { path: "test", received: test },
    );
  }
  return { data: kept, test: tested };
}

/** The rows that are kept, with their places. */
export function part({ rows, labels }: LabeledData, keeps: (row: number) => boolean): LabeledData {
  const places = placesWhere(rows.rows, keeps);
  return { rows: selectRows(rows, places), labels: selectedLabels(labels, places), places };
}
