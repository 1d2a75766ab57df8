/** The curves of an evaluation: how well scores separate the classes, and whether probabilities mean what they say. */

import { CurvatureError } from "@curvature/linalg";
import { shortened } from "@curvature/map-view/pictures";
import type { CurvePoint } from "@curvature/optim-sgdqn";
import type { ChartData } from "../plot/index.js";
import { count } from "../run/terminal.js";
import type { ClassCurves } from "../tasks/evaluation.js";
import type { Figures } from "../tasks/linear-model.js";
import { headline } from "./evaluation-results.js";

/** Pixels beside a panel's title. */
const LEGEND = 500;

/** @throws CurvatureError ERR_PARSE for rows that make no curve */
export function evaluationChart(
  model: string,
  file: string,
  figures: Figures,
  curves: readonly ClassCurves[],
): ChartData {
  const isOne = curves.length === 1;
  const panel = (
    title: string,
    xTitle: string,
    pointsOf: (curve: ClassCurves) => readonly CurvePoint[],
    reference: readonly CurvePoint[],
  ): ChartData["panels"] => {
    const lines = curves
      .map((curve) => ({
        name: shortened(String(curve.label), LEGEND / curves.length - 34, 13),
        points: pointsOf(curve),
      }))
      .filter(({ points }) => points.length > 0);
    if (lines.length === 0) return [];
    const compared = reference.length === 0 ? [] : [{ name: "", points: reference, isReference: true }];
    return [{ title, xTitle, lines: [...lines, ...compared] }];
  };
  const diagonal = [
    { x: 0, y: 0 },
    { x: 1, y: 1 },
  ];
  const [first] = curves;
  const base = isOne
    ? [
        { x: 0, y: first.share },
        { x: 1, y: first.share },
      ]
    : [];
  const panels = [
    ...panel("ROC: true positive rate", "false positive rate", ({ roc }) => roc, diagonal),
    ...panel("precision", "recall", ({ precisionRecall }) => precisionRecall, base),
    ...panel(
      "reliability: share of the class",
      "mean probability, in bins of as many rows each",
      ({ calibration }) => calibration,
      diagonal,
    ),
  ];
  if (panels.length === 0)
    throw new CurvatureError("ERR_PARSE", "The rows make no curve: none is of a class of the model.", {
      path: "labels",
    });
  const all = figures.kind === "classification" ? figures.classes.length : 0;
  const some = curves.length < all ? `the ${curves.length} most frequent of ${all} classes, ` : "";
  const of = isOne ? `${String(first.label)} is positive` : `${some}each class against the rest`;
  return {
    title: `${model} on ${file}`,
    subtitle: `${of} · ${headline(figures)}${isOne ? ` · ${count(Math.round(first.share * figures.rows))} positive` : ""}`,
    xTitle: "",
    panels,
  };
}
