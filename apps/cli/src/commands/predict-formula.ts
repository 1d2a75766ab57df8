/** `curvature predict` with the model of a formula. */
import { writeCells } from "@curvature/datasets";
import { optionName } from "@curvature/linalg";
import { columnIndex } from "@curvature/linalg/tables";
import { formulaModelIn } from "../formula/model.js";
import { checkNumbers } from "../formula/names.js";
import { Tape } from "../formula/tape.js";
import { readData } from "../read/data.js";
import { shownName } from "../read/file.js";
import { usageError } from "../run/failure.js";
import type { Session } from "../run/session.js";
import { count } from "../run/terminal.js";
import type { ModelFile } from "../tasks/predict.js";
import { concluded } from "../write/outputs.js";
import { type DataFlags, dataUse } from "./data-flags.js";

/** What only linear models know. */
const ofOthers = ["scores", "probabilities", "positive", "threshold", "costs", "labels"] as const;

export async function predictByFormula(
  model: ModelFile,
  file: string,
  flags: DataFlags,
  output: string,
  session: Session,
): Promise<number> {
  const other = ofOthers.find((name) => Reflect.get(flags, name) !== undefined);
  if (other !== undefined)
    throw usageError(
      `${optionName(other)} does not go with the model of a formula, which predicts numbers.`,
      other,
    );
  const { formula, variables, parameters } = formulaModelIn(model.path, model.bytes);
  const { points, kept, notes } = await readData(file, dataUse(flags), session, {
    choose: (table) => {
      const indices = variables.map((name) => columnIndex(table, name, "formula"));
      checkNumbers(table, variables, flags.missing === "drop");
      return indices;
    },
  });
  for (const note of notes) session.log.note(note);
  const tape = new Tape(
    formula.model,
    variables,
    parameters.map(({ name }) => name),
  );
  const x = parameters.map(({ value }) => value);
  const cells = function* (): Generator<readonly (string | number)[]> {
    yield [...kept.names, "prediction"];
    for (let i = 0; i < points.rows; i++)
      yield [...(kept.rows[i] ?? []), tape.value(points.data, i * points.columns, x)];
  };
  return concluded(session.log, {
    outputs: [{ path: output, content: () => writeCells(cells()) }],
    lines: [`Predicted ${count(points.rows)} rows of ${shownName(file)}.`],
    record: { rows: points.rows },
  });
}
