/** The form of an output file, by the ending of its name. */
import { extname } from "node:path";
import { usageError } from "../run/failure.js";

/**
 * The one of `formats` that the name ends in. Standard output, and devices, whose names end in none, get CSV.
 *
 * @throws CurvatureError ERR_OPTION if the name does not end in a known way
 */
export function formatNamed<T extends { readonly ".csv": unknown }>(
  path: string,
  option: string,
  formats: T,
): keyof T & string {
  const isFormat = (ending: string): ending is keyof T & string => Object.hasOwn(formats, ending);
  const ending = extname(path).toLowerCase();
  if (isFormat(ending)) return ending;
  if (path === "-" || (ending === "" && path.startsWith("/dev/"))) return ".csv";
  throw usageError(
    `${option} ${path}: the name must end in ${Object.keys(formats).join(", ")}.`,
    option.replace(/^--/, ""),
  );
}
