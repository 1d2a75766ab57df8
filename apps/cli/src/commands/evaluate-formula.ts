/** `curvature evaluate` with the model of a formula: how far it is off on rows with what stands left of ~. */
import { CurvatureError, optionName } from "@curvature/linalg";
import { regressionReport } from "@curvature/optim-sgdqn";
import { formulaModelIn } from "../formula/model.js";
import { Tape } from "../formula/tape.js";
import { shownName } from "../read/file.js";
import type { ModelFile } from "../read/model-file.js";
import { usageError } from "../run/failure.js";
import type { Session } from "../run/session.js";
import { count } from "../run/terminal.js";
import { Band } from "../tasks/formula/band.js";
import { formulaRows } from "../tasks/formula/residuals.js";
import type { Figures } from "../tasks/linear-model.js";
import { programVersion } from "../version.js";
import { concluded } from "../write/outputs.js";
import { plainText } from "../write/report.js";
import type { DataFlags } from "./data-flags.js";
import { evaluationLines } from "./evaluation-results.js";
import { percentOf } from "./formula-results.js";
import { formulaRowsIn, leftSide } from "./formula-rows.js";

const ofOthers = ["labels", "positive", "threshold", "costs", "chooseThreshold", "plot"] as const;

interface Flags extends DataFlags {
  readonly weights?: string;
  readonly report?: string;
}

export async function evaluateFormula(
  model: ModelFile,
  file: string,
  flags: Flags,
  session: Session,
): Promise<number> {
  const other = ofOthers.find((name) => Reflect.get(flags, name) !== undefined);
  if (other !== undefined)
    throw usageError(
      other === "labels"
        ? `${optionName(other)} does not go with the model of a formula, which says itself what stands left of ~.`
        : `${optionName(other)} is for models of classes; that of a formula predicts numbers.`,
      other,
    );
  const { formula, variables, parameters, fit } = formulaModelIn(model.path, model.bytes);
  const columns = [...leftSide(formula).columns, ...variables];
  const names = { columns, variables, parameters: parameters.map(({ name }) => name) };
  const { points, weights } = await formulaRowsIn(file, columns, flags, session, flags.weights);
  const { response } = formulaRows(formula, names, points, weights);
  const tape = new Tape(formula.model, columns, names.parameters);
  const band = new Band(
    tape,
    Float64Array.from(parameters, ({ value }) => value),
    fit ?? { covariance: undefined, active: [], quantile: undefined, residualStandardDeviation: undefined },
  );
  const rows = Array.from({ length: points.rows }, (_, i) => band.at(points.data, i * points.columns));
  const bad = rows.findIndex(({ value }) => !Number.isFinite(value));
  if (bad >= 0)
    throw new CurvatureError(
      "ERR_NON_FINITE",
      `${shownName(file)}: the formula is ${rows[bad].value} in row ${bad + 1} of those used. Correct the row, or leave it out.`,
      { path: file },
    );
  const predicted = rows.map(({ value }) => value);
  const figures: Figures = {
    kind: "regression",
    rows: points.rows,
    ...regressionReport(response, predicted, weights),
  };
  const isKnown = rows.every(({ newWithin }) => newWithin !== undefined);
  const inside = rows.filter(
    ({ value, newWithin = 0 }, i) => Math.abs(response[i] - value) <= newWithin,
  ).length;
  const within = isKnown && fit !== undefined ? { level: fit.level, rows: inside } : undefined;
  const record = {
    command: "evaluate",
    version: programVersion(),
    input: { model: model.path, file, rows: points.rows },
    metrics: { ...figures, withinIntervals: within },
    warnings: [],
  };
  const lines = [
    formula.text,
    "",
    ...evaluationLines(figures, undefined, undefined),
    ...(within === undefined
      ? []
      : [
          `${`within ${percentOf(within.level)} intervals`.padEnd(24)}${count(inside)} of ${count(points.rows)} rows`,
        ]),
  ];
  const { report } = flags;
  return concluded(session.log, {
    outputs: [
      { path: report, content: () => plainText(record) },
      { path: report === "-" ? undefined : "-", content: () => `${lines.join("\n")}\n` },
    ],
    lines: [`Measured on ${count(points.rows)} rows of ${shownName(file)}.`],
    record: { metrics: figures },
  });
}
