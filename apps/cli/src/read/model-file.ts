/** A model's file, of which the worker makes the model. */
import { readFileSync } from "node:fs";
import { fileError } from "../run/failure.js";
import type { ModelFile } from "../tasks/predict.js";

/** @throws CurvatureError ERR_IO */
export function readModelFile(path: string): ModelFile {
  try {
    return { path, bytes: new Uint8Array(readFileSync(path === "-" ? 0 : path)) };
  } catch (error) {
    throw fileError("read", path === "-" ? "standard input" : path, error);
  }
}
