/**
 * The words of `--grid name=a,b,c` as settings. Values are parted by commas, or by semicolons where there is one, for
 * values that have commas themselves.
 */
import { nearestName } from "@curvature/linalg";
import type { Option } from "commander";
import { usageError } from "../run/failure.js";
import { longName } from "./sweepable.js";

export interface Axis {
  /** The option's name without hyphens. */
  readonly name: string;
  readonly values: readonly string[];
}

/** @throws CurvatureError ERR_OPTION */
export function axesOf(words: readonly string[], options: readonly Option[]): readonly Axis[] {
  const axes = words.map((word) => axisOf(word, options));
  const twice = axes.find(({ name }, k) => axes.findIndex((axis) => axis.name === name) < k);
  if (twice !== undefined)
    throw usageError(`--grid names ${twice.name} twice; give all its values at once.`, "grid");
  return axes;
}

function axisOf(word: string, options: readonly Option[]): Axis {
  const [, name, list] = /^(?:--)?([^=]*)=(.*)$/s.exec(word) ?? [];
  if (name === undefined || name === "") throw usageError(`--grid ${word}: it must be name=a,b,c.`, "grid");
  const known = options.map(longName).filter((option) => !option.startsWith("no-"));
  if (!known.includes(name)) {
    const nearest = nearestName(name, known);
    const hint = nearest === undefined ? `The options are: ${known.join(", ")}.` : `Did you mean ${nearest}?`;
    throw usageError(`--grid ${name}: a run has no option of this name to vary. ${hint}`, "grid");
  }
  const values = list.split(list.includes(";") ? ";" : ",").map((value) => value.trim());
  const numbers = values.map((value) => (Number.isFinite(Number(value)) ? String(Number(value)) : value));
  const twice = values.find((_, k) => numbers.indexOf(numbers[k]) < k);
  if (values.includes("")) throw usageError(`--grid ${name}: one of its values is empty.`, "grid");
  if (twice !== undefined) throw usageError(`--grid ${name}: it has ${twice} twice.`, "grid");
  return { name, values };
}

/**
 * A value of the grid as a run's setting: an option without a value is there (true) or not (undefined).
 *
 * @throws CurvatureError ERR_OPTION
 */
export function settingOf(
  { name }: Axis,
  value: string,
  options: readonly Option[],
): string | true | undefined {
  const option = options.find((candidate) => longName(candidate) === name);
  if (option === undefined || option.required || option.optional) return value;
  if (value === "true") return true;
  if (value === "false") return undefined;
  throw usageError(`--grid ${name}: it is there or not, so its values are true and false.`, "grid");
}
