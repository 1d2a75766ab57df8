/** `curvature predict` with the model of a formula: its value at each row, with intervals where they are asked for. */
import { writeCells } from "@curvature/datasets";
import { optionName } from "@curvature/linalg";
import { type FormulaModel, formulaModelIn } from "../formula/model.js";
import { Tape } from "../formula/tape.js";
import { shownName } from "../read/file.js";
import type { ModelFile } from "../read/model-file.js";
import { usageError } from "../run/failure.js";
import type { Session } from "../run/session.js";
import { count } from "../run/terminal.js";
import { Band } from "../tasks/formula/band.js";
import { namesBeside } from "../write/map-file.js";
import { concluded } from "../write/outputs.js";
import type { DataFlags } from "./data-flags.js";
import { percentOf } from "./formula-results.js";
import { formulaRowsIn, leftSide } from "./formula-rows.js";

/** What only models of rows know. */
const ofOthers = ["scores", "probabilities", "positive", "threshold", "costs", "labels"] as const;

export interface FormulaPredictFlags extends DataFlags {
  readonly intervals?: true;
}

export async function predictByFormula(
  file: ModelFile,
  path: string,
  flags: FormulaPredictFlags,
  output: string,
  session: Session,
): Promise<number> {
  const other = ofOthers.find((name) => Reflect.get(flags, name) !== undefined);
  if (other !== undefined)
    throw usageError(
      `${optionName(other)} does not go with the model of a formula, which predicts numbers.`,
      other,
    );
  const model = formulaModelIn(file.path, file.bytes);
  const { formula, variables, parameters, fit } = model;
  const band = flags.intervals === true ? bandOf(file.path, model) : undefined;
  const { points, kept } = await formulaRowsIn(path, variables, flags, session);
  const tape = new Tape(
    formula.model,
    variables,
    parameters.map(({ name }) => name),
  );
  const x = parameters.map(({ value }) => value);
  const left = leftSide(formula);
  if (left.isExpression) session.log.note(`The predictions are of ${left.text}, as the formula has it.`);
  if (fit !== undefined && band !== undefined)
    session.log.note(
      `mean_low to mean_high is the ${percentOf(fit.level)} interval of the curve, new_low to new_high that of a new row.`,
    );
  const intervals = band === undefined ? [] : ["mean_low", "mean_high", "new_low", "new_high"];
  const cells = function* (): Generator<readonly (string | number)[]> {
    yield [...kept.names, ...namesBeside(["prediction", ...intervals], kept.names, "predicted")];
    for (let i = 0; i < points.rows; i++) {
      const at = i * points.columns;
      const own = kept.rows[i] ?? [];
      if (band === undefined) yield [...own, tape.value(points.data, at, x)];
      else {
        const { value, within, newWithin } = band.at(points.data, at);
        const ends = [within, newWithin].flatMap((half): (string | number)[] =>
          half === undefined ? ["", ""] : [value - half, value + half],
        );
        yield [...own, value, ...ends];
      }
    }
  };
  return concluded(session.log, {
    outputs: [{ path: output, content: () => writeCells(cells()) }],
    lines: [`Predicted ${count(points.rows)} rows of ${shownName(path)}.`],
    record: { rows: points.rows },
  });
}

/** @throws CurvatureError ERR_OPTION for a model that knows nothing of its errors */
function bandOf(path: string, { formula, variables, parameters, fit }: FormulaModel): Band {
  if (fit?.covariance === undefined || fit.quantile === undefined)
    throw usageError(
      `${optionName("intervals")}: ${path} knows no errors of its parameters, as where the data do not determine all of them. Leave it out.`,
      "intervals",
    );
  const tape = new Tape(
    formula.model,
    variables,
    parameters.map(({ name }) => name),
  );
  return new Band(
    tape,
    Float64Array.from(parameters, ({ value }) => value),
    fit,
  );
}
