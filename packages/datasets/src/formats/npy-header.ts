/**
 * The header of an npy file: a Python dictionary literal, of which exactly what NumPy writes is taken: three keys in
 * any order, a type or a list of named types, True or False, a tuple of whole numbers.
 */
import { CurvatureError, shown } from "@curvature/linalg";

/** One item of the array, or one field of its records. */
export interface NpyField {
  readonly name: string;
  /** As NumPy abbreviates it: f i u b, U and S of text. */
  readonly kind: string;
  /** In bytes. */
  readonly size: number;
  readonly littleEndian: boolean;
  /** Within the item. */
  readonly offset: number;
}

export interface NpyHeader {
  /** Of records; else one without a name. */
  readonly fields: readonly NpyField[];
  readonly isRecord: boolean;
  readonly itemSize: number;
  readonly fortranOrder: boolean;
  readonly shape: readonly number[];
  readonly dataStart: number;
}

export function npyError(what: string, remedy: string): CurvatureError {
  return new CurvatureError("ERR_PARSE", `${what} ${remedy}`, { path: "npy" });
}

/** Text, a whole number, a truth, a tuple or a list. */
type Value = string | number | boolean | readonly Value[];

const numericTypes = ["f2", "f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "b1"];
const again = "Save the array again with numpy.save.";

/** For types that are no numbers here: the line of NumPy that makes some of them. */
const conversions: Readonly<Record<string, string>> = {
  c: "a = np.load('file.npy'); np.save('points.npy', np.column_stack([a.real, a.imag]))",
  O: "np.save('points.npy', np.load('file.npy', allow_pickle=True).astype(float))",
  M: "np.save('points.npy', np.load('file.npy').astype('datetime64[s]').astype(float))",
  m: "np.save('points.npy', np.load('file.npy').astype('timedelta64[s]').astype(float))",
};
const advice: Readonly<Record<string, string>> = {
  c: "Save real and imaginary parts as columns",
  O: "If you trust the file, save it as numbers",
  M: "Save the times as seconds",
  m: "Save the durations as seconds",
};

/**
 * @param text - the dictionary
 * @param dataStart - the offset of the data in the file
 * @throws CurvatureError ERR_PARSE
 */
export function parseNpyHeader(text: string, dataStart: number): NpyHeader {
  const entries = new Dictionary(text).entries();
  const descr = entries.get("descr");
  const fortranOrder = entries.get("fortran_order");
  const shape = entries.get("shape");
  if (entries.size !== 3 || descr === undefined || typeof fortranOrder !== "boolean" || !areCounts(shape))
    throw npyError("The npy header must have descr, fortran_order and shape, and nothing else.", again);
  const isRecord = Array.isArray(descr);
  const all = isRecord ? recordFields(descr) : fieldsOf("", descr, 0, 1);
  const fields = all.filter(({ kind }) => kind !== "V"); // bytes that only fill up a record
  if (fields.length === 0) throw npyError("The records of the npy array have no fields.", again);
  const { offset, size } = all[all.length - 1];
  return { fields, isRecord, itemSize: offset + size, fortranOrder, shape, dataStart };
}

const areCounts = (value: Value | undefined): value is readonly number[] =>
  Array.isArray(value) && value.every((each) => typeof each === "number");

function recordFields(descr: readonly Value[]): NpyField[] {
  const fields: NpyField[] = [];
  for (const entry of descr) {
    const [name, type, shape = [1]] = Array.isArray(entry) ? entry : [];
    if (typeof name !== "string" || type === undefined || !areCounts(shape) || shape.length !== 1)
      throw npyError(
        `The records of the npy array have the field ${shown(name ?? entry)} of several parts.`,
        "Save its parts as fields of their own.",
      );
    const last = fields.at(-1);
    if (fields.length + shape[0] > mostFields)
      throw npyError(`The records of the npy array have more than ${mostFields} fields.`, "Save a matrix.");
    for (const field of fieldsOf(name, type, last === undefined ? 0 : last.offset + last.size, shape[0]))
      fields.push(field);
  }
  return fields;
}

const mostFields = 65_536;

/** A field, or one for each of the numbers that it holds side by side. */
function fieldsOf(name: string, descr: Value, start: number, count: number): NpyField[] {
  const [, order = "", kind = "", digits = ""] = /^([<>|=])([A-Za-z])(\d+)?/.exec(String(descr)) ?? [];
  const isText = (kind === "U" || kind === "S") && /^[<>|][US]\d+$/.test(String(descr));
  const size = Number(digits) * (kind === "U" ? 4 : 1);
  const isPadding = kind === "V" && name === "";
  const isKnown = numericTypes.includes(kind + digits) && !(order === "|" && size > 1);
  if (!(isKnown || isText || isPadding) || order === "=" || size === 0 || !Number.isSafeInteger(size)) {
    const where = name === "" ? "" : ` in the field ${shown(name)}`;
    const remedy =
      conversions[kind] === undefined
        ? "Save it as float64."
        : `${advice[kind]}: python -c "import numpy as np; ${conversions[kind]}"`;
    throw npyError(
      `The npy array has the type ${shown(descr)}${where}; known are ${numericTypes.join(", ")}, U and S.`,
      remedy,
    );
  }
  return Array.from({ length: count }, (_, k) => ({
    name: count === 1 ? name : `${name}.${k}`,
    kind,
    size,
    littleEndian: order !== ">",
    offset: start + k * size,
  }));
}

/** A parser of `{'key': value, …}` that looks at each character once. */
class Dictionary {
  private i = 0;

  constructor(private readonly text: string) {}

  entries(): Map<string, Value> {
    const entries = new Map<string, Value>();
    this.expect("{");
    while (!this.take("}")) {
      const key = this.string();
      if (entries.has(key)) throw this.unexpected();
      this.expect(":");
      entries.set(key, this.value());
      if (!this.take(",")) {
        this.expect("}");
        break;
      }
    }
    this.blanks();
    if (this.i < this.text.length) throw this.unexpected();
    return entries;
  }

  private value(depth = 0): Value {
    if (depth > 4) throw this.unexpected(); // a list of tuples with a shape has three
    if (this.take("True")) return true;
    if (this.take("False")) return false;
    if (this.take("(")) return this.values(")", depth);
    if (this.take("[")) return this.values("]", depth);
    const next = this.text[this.i];
    return next === "'" || next === '"' ? this.string() : this.wholeNumber();
  }

  private values(end: string, depth: number): readonly Value[] {
    const values: Value[] = [];
    while (!this.take(end)) {
      values.push(this.value(depth + 1));
      if (!this.take(",")) {
        this.expect(end);
        break;
      }
    }
    return values;
  }

  private wholeNumber(): number {
    this.blanks();
    const start = this.i;
    while (this.i < this.text.length && this.text[this.i] >= "0" && this.text[this.i] <= "9") this.i++;
    const value = Number(this.text.slice(start, this.i));
    if (this.i === start || !Number.isSafeInteger(value)) throw this.unexpected();
    return value;
  }

  private string(): string {
    this.blanks();
    const quote = this.text[this.i];
    const end = quote === "'" || quote === '"' ? this.text.indexOf(quote, this.i + 1) : -1;
    if (end < 0) throw this.unexpected();
    const content = this.text.slice(this.i + 1, end);
    if (content.includes("\\")) throw this.unexpected(); // no letter of NumPy's types, and no plain name
    this.i = end + 1;
    return content;
  }

  private take(word: string): boolean {
    this.blanks();
    if (!this.text.startsWith(word, this.i)) return false;
    this.i += word.length;
    return true;
  }

  private expect(word: string): void {
    if (!this.take(word)) throw this.unexpected();
  }

  private blanks(): void {
    while (this.text[this.i] === " " || this.text[this.i] === "\n") this.i++;
  }

  private unexpected(): CurvatureError {
    const at = shown(this.text.slice(this.i, this.i + 20));
    return npyError(`The npy header is not what NumPy writes, at character ${this.i}: ${at}.`, again);
  }
}
