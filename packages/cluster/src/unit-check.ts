/** A unit that comes over the wire is anybody's word: its form is looked at before anything is done with it. */
import { CurvatureError } from "@curvature/linalg";
import { checkReference } from "./data.js";
import type { UnitOfWork } from "./executor.js";

/** @throws CurvatureError ERR_ARGUMENT for what is no unit, ERR_OPTION for data that lead out of a data folder */
export function checkUnit(value: unknown): UnitOfWork {
  if (isRecord(value)) {
    const { id, command, settings, seed, data } = value;
    if (
      typeof id === "string" &&
      id !== "" &&
      typeof command === "string" &&
      /^[\w.:-]{1,100}$/.test(command) &&
      isRecord(settings) &&
      typeof seed === "number" &&
      Number.isSafeInteger(seed) &&
      seed >= 0 &&
      Array.isArray(data)
    ) {
      return { id, command, settings, seed, data: data.map(checkReference) };
    }
  }
  throw new CurvatureError("ERR_ARGUMENT", "What came as a unit of work is none.", { path: "unit" });
}

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
