/**
 * A problem made from data, as it is sent to workers on other machines: which objective, of which files, with which sizes.
 * Files are named by their path in the data folder and their SHA-256. What comes back from Redis is checked like any
 * other input: it names files inside the folder and an objective of this program, or it is refused.
 */
import { CurvatureError, shown } from "@curvature/linalg";
import { type DataUse, isDataUse } from "../../read/data.js";
import { type Scaling, scalings } from "../scaling.js";
import {
  type ObjectiveName,
  type ObjectiveSettings,
  objectiveNames,
  objectiveOptions,
} from "./objectives.js";

/** Checked where it is opened. */
export interface FileReference {
  readonly path: string;
  readonly sha256: string;
}

export interface FitDescription {
  readonly kind: "fit";
  readonly file: FileReference;
  /** Of labels in a file of their own. */
  readonly labelFile: FileReference | undefined;
  /** How the file is read; its labels, where they are one of its columns. */
  readonly use: DataUse;
  readonly scale: Scaling;
  readonly objective: ObjectiveName;
  readonly options: ObjectiveSettings;
  /** Of the sum: a worker that builds another one takes no part. */
  readonly fingerprint: string;
}

/** @throws CurvatureError ERR_PARSE that names the field */
export function readDescription(value: unknown): FitDescription {
  const fields = new Map(typeof value === "object" && value !== null ? Object.entries(value) : []);
  const wrong = (name: string): CurvatureError =>
    new CurvatureError(
      "ERR_PARSE",
      `what is to be evaluated is described in words that this program does not know (${name}: ${shown(fields.get(name))}); install the same release everywhere.`,
      { path: name },
    );
  const field = <T>(name: string, is: (entry: unknown) => entry is T): T => {
    const entry: unknown = fields.get(name);
    if (is(entry)) return entry;
    throw wrong(name);
  };
  const optional = <T>(name: string, is: (entry: unknown) => entry is T): T | undefined =>
    fields.get(name) === undefined ? undefined : field(name, is);
  return {
    kind: field("kind", isOneOf(["fit"] as const)),
    file: field("file", isReference),
    labelFile: optional("labelFile", isReference),
    use: field("use", isDataUse),
    scale: field("scale", isOneOf(scalings)),
    objective: field("objective", isOneOf(objectiveNames)),
    options: field("options", areOptions),
    fingerprint: field("fingerprint", isText),
  };
}

const isText = (entry: unknown): entry is string => typeof entry === "string";
const areOptions = (entry: unknown): entry is ObjectiveSettings =>
  typeof entry === "object" &&
  entry !== null &&
  Object.entries(objectiveOptions.entries).every(([name, option]) => {
    const value: unknown = Reflect.get(entry, name);
    return option.accepts(value) || (value === undefined && !option.hasDefault);
  });
const isReference = (entry: unknown): entry is FileReference =>
  typeof entry === "object" &&
  entry !== null &&
  "path" in entry &&
  isText(entry.path) &&
  "sha256" in entry &&
  isText(entry.sha256);
const isOneOf =
  <T>(known: readonly T[]) =>
  (entry: unknown): entry is T =>
    known.some((one) => one === entry);
