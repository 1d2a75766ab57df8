/**
 * Parameters as people have them, a number, an array, named blocks or a tree of these, and as solvers have them: one vector.
 */
import { badArgument, CurvatureError } from "@curvature/linalg";

type TypedNumbers = Float64Array | Float32Array;

/** Numbers in any arrangement: `[1, 2]`, `{ weights: [[0, 0], [0, 0]], bias: 0 }`. */
export type Parameters =
  | number
  | TypedNumbers
  | readonly Parameters[]
  | { readonly [name: string]: Parameters };

/** What f is given: numbers in the arrangement of the first point. */
export type Given<P> = P extends number ? number : P;

/**
 * Numbers in the same arrangement, in arrays of any kind. What is nested, or one number, may also be one row of its numbers in
 * their order, as tensors give them: [1, 2, 3, 4] for [[1, 2], [3, 4]].
 */
export type Like<P> =
  | ArrayLike<number>
  | (P extends number
      ? number
      : P extends TypedNumbers
        ? ArrayLike<number>
        : P extends readonly (infer Part)[]
          ? readonly Like<Part>[]
          : { readonly [K in keyof P]: Like<P[K]> });

/** The same where a number may stand for all of an array or a block, and blocks may be left out. */
export type Spread<P> =
  | number
  | (P extends number
      ? number
      : P extends TypedNumbers | readonly number[]
        ? ArrayLike<number>
        : P extends readonly (infer Part)[]
          ? readonly Spread<Part>[]
          : { readonly [K in keyof P]?: Spread<P[K]> });

/** The arrangement of a first point. */
export class Arrangement<P extends Parameters> {
  /** The numbers of the first point. */
  readonly start: Float64Array;

  /** @throws CurvatureError ERR_ARGUMENT or ERR_NON_FINITE */
  constructor(
    private readonly where: string,
    private readonly example: P,
  ) {
    const numbers: number[] = [];
    collect(where, "start", example, numbers);
    if (numbers.length === 0) throw badArgument(where, "start", "at least one number", example);
    this.start = Float64Array.from(numbers);
  }

  /** x in this arrangement, with arrays of its own. */
  arranged(x: Float64Array): Given<P> {
    let at = 0;
    return arranged(this.example, () => x[at++]);
  }

  /** Numbers in this arrangement as a vector. @throws CurvatureError ERR_SHAPE */
  flat(name: string, given: unknown, out: Float64Array): void {
    this.fill(name, this.example, given, out, 0, undefined);
  }

  /** The same where a number stands for all that is below it, and `missing` for what is left out. */
  spread(name: string, given: unknown, missing: number): Float64Array {
    const out = new Float64Array(this.start.length).fill(missing);
    this.fill(name, this.example, given, out, 0, missing);
    return out;
  }

  /** @returns the place after the last number */
  private fill(
    path: string,
    example: Parameters,
    given: unknown,
    out: Float64Array,
    from: number,
    missing: number | undefined,
  ): number {
    const isOne = typeof example === "number";
    if (typeof given === "number" && (isOne || missing !== undefined)) {
      const to = from + countOf(example);
      out.fill(given, from, to);
      return to;
    }
    if (given === undefined && missing !== undefined) return from + countOf(example);
    if (missing === undefined && isArray(given) && given.length === countOf(example) && isRow(given)) {
      out.set(given, from);
      return from + given.length;
    }
    if (isOne) throw this.misshapen(path, "a number", given);
    let at = from;
    if (isArray(example)) {
      if (!isArray(given) || given.length !== example.length)
        throw this.misshapen(path, `an array of length ${example.length}`, given);
      for (let i = 0; i < example.length; i++)
        at = this.fill(`${path}[${i}]`, example[i], given[i], out, at, missing);
      return at;
    }
    const names = Object.keys(example);
    const surplus = isBlock(given) ? Object.keys(given).find((name) => !names.includes(name)) : "";
    if (!isBlock(given) || surplus !== undefined)
      throw this.misshapen(path, `an object { ${names.join(", ")} }`, isBlock(given) ? surplus : given);
    for (const name of names) at = this.fill(`${path}.${name}`, example[name], given[name], out, at, missing);
    return at;
  }

  private misshapen(path: string, expected: string, received: unknown): CurvatureError {
    const { message } = badArgument(this.where, path, `${expected}, as in the first point`, received);
    const sentence = message.replace(`${this.where}: `, "");
    return new CurvatureError("ERR_SHAPE", sentence, { where: this.where, path, expected, received });
  }
}

function collect(where: string, path: string, part: unknown, numbers: number[]): void {
  if (typeof part === "number") {
    if (!Number.isFinite(part))
      throw new CurvatureError("ERR_NON_FINITE", `${path} is ${part}, and must be a finite number.`, {
        ...{ where, path, expected: "a finite number", received: part },
      });
    numbers.push(part);
  } else if (isArray(part)) {
    for (let i = 0; i < part.length; i++) collect(where, `${path}[${i}]`, part[i], numbers);
  } else if (isBlock(part)) {
    for (const [name, inner] of Object.entries(part)) collect(where, `${path}.${name}`, inner, numbers);
  } else {
    throw badArgument(where, path, "a number, an array or an object of numbers", part);
  }
}

function arranged<P extends Parameters>(example: P, next: () => number): Given<P>;
function arranged(example: Parameters, next: () => number): Parameters {
  if (typeof example === "number") return next();
  if (example instanceof Float64Array || example instanceof Float32Array) return example.map(next);
  if (isArray(example)) return Array.from(example, (part) => arranged(part, next));
  return Object.fromEntries(Object.entries(example).map(([name, part]) => [name, arranged(part, next)]));
}

/** Where number i of the vector is: `w1[0][2]`. */
export function placeOf(example: Parameters, i: number, path = ""): string {
  if (typeof example === "number") return path;
  let left = i;
  for (const [name, part] of Object.entries<Parameters>(example)) {
    const count = countOf(part);
    if (left < count)
      return placeOf(part, left, isArray(example) ? `${path}[${name}]` : `${path}${path && "."}${name}`);
    left -= count;
  }
  return path;
}

function countOf(example: Parameters): number {
  if (typeof example === "number") return 1;
  if (example instanceof Float64Array || example instanceof Float32Array) return example.length;
  const parts: readonly Parameters[] = isArray(example) ? Array.from(example) : Object.values(example);
  return parts.reduce((sum: number, part) => sum + countOf(part), 0);
}

function isArray(value: Parameters): value is TypedNumbers | readonly Parameters[];
function isArray(value: unknown): value is ArrayLike<unknown>;
function isArray(value: unknown): boolean {
  return Array.isArray(value) || (ArrayBuffer.isView(value) && "length" in value);
}

const isRow = (part: ArrayLike<unknown>): part is ArrayLike<number> =>
  Array.prototype.every.call(part, (entry) => typeof entry === "number");

const isBlock = (value: unknown): value is { readonly [name: string]: unknown } =>
  typeof value === "object" && value !== null && !isArray(value);
