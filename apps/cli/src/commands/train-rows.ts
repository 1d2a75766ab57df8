/** The labelled rows of the commands of linear models. */
import { CurvatureError } from "@curvature/linalg";
import type { Preparation } from "@curvature/linalg/tables";
import { type Data, labelFilesOf, readData } from "../read/data.js";
import { shownName } from "../read/file.js";
import { isNumber } from "../read/label-values.js";
import { checkColumns, type RowLabels, type RowsRead } from "../read/rows.js";
import type { Session } from "../run/session.js";
import type { LabeledData } from "../tasks/linear-model.js";
import { dataUse } from "./data-flags.js";
import { modelKindOf, type TrainFlags } from "./train-flags.js";

/** The rows of a file to test on: its features are counted, or matched by their names, as those of the training rows are. */
export async function testData(
  flags: TrainFlags,
  trained: {
    readonly indexBase: 0 | 1 | undefined;
    readonly preparation: Preparation | undefined;
    readonly features?: number;
  },
  session: Session,
): Promise<{ readonly data: RowsRead & LabeledData; readonly input: Data }> {
  const path = String(flags.test);
  session.log.phase(`reading ${shownName(path)}`);
  const base = trained.indexBase ?? flags.indexBase;
  const weights = labelFilesOf({ weights: flags.weights }).length > 0 ? undefined : flags.weights;
  const isByName = trained.preparation?.isNamed === true || labelFilesOf({ labels: flags.labels }).length > 0;
  const use = dataUse({ ...flags, indexBase: base, labels: isByName ? undefined : flags.labels });
  const input = await readData(path, use, session, {
    sparse: true,
    targets: true,
    weights,
    model: trained.preparation,
  });
  for (const note of input.notes) session.log.note(note);
  if (trained.features !== undefined) checkColumns(input.points, path, trained.features);
  return { data: { ...rowsRead(input, base), ...labeledData(input, flags) }, input };
}

/** The rows with how they were read. */
export const rowsRead = (
  { path, points, columns, fileRows, indexBase }: Data,
  asked: "auto" | 0 | 1,
): RowsRead => ({
  path,
  rows: points,
  columns,
  fileRows,
  indexBase,
  isStated: asked !== "auto",
});

/** Rows with their labels. @throws CurvatureError ERR_PARSE */
export function labeledData(input: Data, flags: TrainFlags): LabeledData {
  const { points: rows, path, weights } = input;
  if (rows.columns === 0) {
    throw new CurvatureError("ERR_PARSE", `${shownName(path)} has labels only. Give rows with features.`, {
      path,
    });
  }
  return {
    rows,
    labels: modelKindOf(flags).kind === "regression" ? targetsOf(input) : labelsOf(input),
    weights,
  };
}

/**
 * The labels, which must be there.
 *
 * @param trained - the column that the model had them from
 * @throws CurvatureError ERR_PARSE
 */
export function labelsOf({ labels, path, unlabeled }: Data, trained?: string): RowLabels {
  if (labels !== undefined) {
    if (unlabeled === undefined) return labels;
    throw new CurvatureError(
      "ERR_PARSE",
      `${shownName(path)}: ${unlabeled}. Give each of them one; of a table, --missing drop leaves such rows out.`,
      { path, expected: "a label" },
    );
  }
  throw new CurvatureError(
    "ERR_PARSE",
    `${shownName(path)} has no ${trained === undefined ? "labels" : `column ${JSON.stringify(trained)}, which the model learned as labels`}. Name their column or their file with --labels.`,
    { path, expected: "labels" },
  );
}

/** The labels as numbers to be predicted. @throws CurvatureError ERR_PARSE */
function targetsOf(input: Data): Float64Array {
  const labels = labelsOf(input);
  if (labels instanceof Float64Array) return labels;
  const row = labels.findIndex((label) => !isNumber(label));
  if (row < 0) return Float64Array.from(labels, Number); // with leading zeros
  throw new CurvatureError(
    "ERR_PARSE",
    `${shownName(input.path)}: row ${row + 1} of the data has the label ${JSON.stringify(labels[row].slice(0, 60))}, but regression needs numbers. Choose a loss for classes, or another label column.`,
    { path: input.path, expected: "a number", received: labels[row] },
  );
}
