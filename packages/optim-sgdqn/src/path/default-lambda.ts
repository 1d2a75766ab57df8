/**
 * λ from the size of the data, for the losses of margins: R²/n with R² the mean of ‖x‖², which makes the regularisation as strong as one typical
 * row, whatever the scale of the features.
 *
 * Test errors with it and with a λ chosen on rows held out, squared hinge: spam 6.2 and 5.7 %, a9a 14.96 and 14.96,
 * ijcnn1 2.97 and 2.97, 20 newsgroups 5.56 and 5.60; raw, badly scaled columns need a smaller one, or better a scaling. For the
 * logistic loss it is 10 to 100 times too large: see `chooseLambda`.
 */
import { CurvatureError } from "@curvature/linalg";
import { checkRows, type Rows, rowAccess } from "@curvature/objectives/linear";

/**
 * R²/n; 1/n where all rows are empty.
 *
 * @throws CurvatureError ERR_SHAPE for no rows, ERR_NON_FINITE if the squares overflow; as `checkRows`
 */
export function defaultLambda(rows: Rows): number {
  const meanSquare = meanSquaredNorm(rows, "defaultLambda");
  return (meanSquare > 0 ? meanSquare : 1) / rows.rows;
}

/** R², the mean of ‖x‖² over all rows. @throws CurvatureError as `defaultLambda` */
export function meanSquaredNorm(rows: Rows, where: string): number {
  checkRows(rows, where);
  const access = rowAccess(rows);
  let sum = 0;
  for (let i = 0; i < rows.rows; i++) sum += access.squaredNorm(i);
  const mean = sum / rows.rows;
  if (rows.rows === 0)
    throw new CurvatureError("ERR_SHAPE", `there must be at least one row.`, { where, path: "rows" });
  if (!Number.isFinite(mean))
    throw new CurvatureError(
      "ERR_NON_FINITE",
      `the squares of the entries overflow. Scale the columns first.`,
      { where, path: "rows", received: mean },
    );
  return mean;
}
