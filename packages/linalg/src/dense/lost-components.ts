/** Principal components that rounding has left nothing of. */
import { badArgument } from "../options.js";

/**
 * What to tell who asked for k components: one sentence if rounding has left nothing of some, none otherwise. Where it has
 * left nothing of any, all points are the same, and there is nothing to be lost.
 *
 * @param variances - k, in squared units of the data, of `principalComponents`: 0 for what is beyond the rank
 * @param remedy - against columns of different sizes, as what to do: "scale the columns"
 * @throws CurvatureError ERR_ARGUMENT
 */
export function lostComponents(variances: Float64Array, remedy: string): readonly string[] {
  if (!(variances instanceof Float64Array))
    throw badArgument("lostComponents", "variances", "a Float64Array", variances);
  if (typeof remedy !== "string") throw badArgument("lostComponents", "remedy", "a string", remedy);
  const lost = variances.filter((variance) => variance === 0).length;
  if (lost === 0 || lost === variances.length) return [];
  return [
    `${lost} of the ${variances.length} principal components vary not at all, or by so little beside the first that they are lost to rounding. If a column or a few points are far larger than the others, ${remedy}, or leave these points out.`,
  ];
}
