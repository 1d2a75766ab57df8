/** What is given, in forms that a message can have, and the memory that goes with a message. */
import { isSparse, type SparseMatrixLike, toDense, toSparse } from "@curvature/linalg";
import { type EmbedInput, isGiven } from "../source.js";

export function sendableInput(input: EmbedInput): EmbedInput {
  if (!isGiven(input)) return sendable(input, "points");
  const named = Object.entries(input).map(([name, matrix]) => [name, sendable<unknown>(matrix, name)]);
  return Object.fromEntries(named) as EmbedInput;
}

/**
 * Matrices of classes (those of ml-matrix) would lose their methods on the way: they become plain ones. The rest is as it was, also what
 * is none, which the worker refuses.
 */
export function sendable<T>(matrix: T, name: string): T {
  if (typeof matrix !== "object" || matrix === null || !("rows" in matrix)) return matrix;
  const prototype: unknown = Object.getPrototypeOf(matrix);
  if (prototype === Object.prototype || prototype === null) return matrix;
  const like = matrix as SparseMatrixLike;
  return (isSparse(like) ? toSparse(like, name) : toDense(like, name)) as T;
}

/** The memory behind what a value holds, each once; none that is shared, or of which a value holds but a part. */
export function buffersOf(value: unknown, found = new Set<ArrayBuffer>()): Transferable[] {
  if (ArrayBuffer.isView(value)) {
    const { buffer, byteLength } = value;
    // Memory that was handed over before has no length any more.
    if (buffer instanceof ArrayBuffer && byteLength === buffer.byteLength && byteLength > 0)
      found.add(buffer);
  } else if (Array.isArray(value)) {
    if (typeof value[0] === "object") for (const each of value) buffersOf(each, found);
  } else if (typeof value === "object" && value !== null)
    for (const each of Object.values(value)) buffersOf(each, found);
  return [...found];
}
