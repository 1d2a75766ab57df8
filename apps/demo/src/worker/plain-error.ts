import { CurvatureError, shown } from "@curvature/linalg";
import type { PlainError } from "./protocol.js";

/** An error without its class, which does not survive the way between threads. */
export function plainError(error: unknown): PlainError {
  const known = error instanceof CurvatureError ? error : undefined;
  return {
    code: known?.code,
    message: error instanceof Error ? error.message : String(error),
    path: known?.path,
    expected: known?.expected,
    received: known?.received === undefined ? undefined : shown(known.received),
  };
}
