/** A model's file, of which the worker makes the model. */
import { readFileSync } from "node:fs";
import { fileError } from "../run/failure.js";

/** A model's file. */
export interface ModelFile {
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** Which model a file says that it holds, whoever has formatted its text; undefined for other files. */
export function formatOf(bytes: Uint8Array): string | undefined {
  const text = new TextDecoder().decode(bytes.subarray(0, 200));
  return /^\s*\{\s*"format"\s*:\s*"(curvature-[\w-]+)"/.exec(text)?.[1];
}

/** @throws CurvatureError ERR_IO */
export function readModelFile(path: string): ModelFile {
  try {
    return { path, bytes: new Uint8Array(readFileSync(path === "-" ? 0 : path)) };
  } catch (error) {
    throw fileError("read", path === "-" ? "standard input" : path, error);
  }
}
