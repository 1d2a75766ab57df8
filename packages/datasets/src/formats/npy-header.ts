/**
 * The header of an npy file: a Python dictionary literal, of which exactly what NumPy writes is taken: three keys in
 * any order, a type string, True or False, a tuple of whole numbers.
 */
import { CurvatureError, shown } from "@curvature/linalg";

export interface NpyHeader {
  readonly kind: string;
  readonly itemSize: number;
  readonly littleEndian: boolean;
  readonly fortranOrder: boolean;
  readonly rows: number;
  readonly columns: number;
  readonly dataStart: number;
}

export function npyError(what: string, remedy: string): CurvatureError {
  return new CurvatureError("ERR_PARSE", `${what} ${remedy}`, { path: "npy" });
}

type Value = string | boolean | readonly number[];

const numericTypes = new Set(["f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "b1"]);
const again = "Save the array again with numpy.save.";

/**
 * @param dataStart - the offset of the data in the file
 * @throws CurvatureError ERR_PARSE
 */
export function parseNpyHeader(bytes: Uint8Array, dataStart: number): NpyHeader {
  const entries = new Dictionary(new TextDecoder("latin1").decode(bytes)).entries();
  const descr = entries.get("descr");
  const fortranOrder = entries.get("fortran_order");
  const shape = entries.get("shape");
  if (
    entries.size !== 3 ||
    typeof descr !== "string" ||
    typeof fortranOrder !== "boolean" ||
    !isTuple(shape)
  ) {
    throw npyError("The npy header must have descr, fortran_order and shape, and nothing else.", again);
  }
  const order = descr.slice(0, 1);
  const type = descr.slice(1);
  const itemSize = Number(type.slice(1));
  if (!numericTypes.has(type) || !"<>|".includes(order) || (order === "|" && itemSize > 1)) {
    throw npyError(
      `The npy array has the type ${shown(descr)}; known are ${[...numericTypes].join(", ")}.`,
      "Save it as float64.",
    );
  }
  if (shape.length < 1 || shape.length > 2) {
    throw npyError(
      `The npy array has ${shape.length} dimensions.`,
      "Reshape it to two: points and coordinates.",
    );
  }
  const [rows, columns = 1] = shape;
  return { kind: type[0], itemSize, littleEndian: order !== ">", fortranOrder, rows, columns, dataStart };
}

const isTuple = (value: Value | undefined): value is readonly number[] => typeof value === "object";

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

  private value(): Value {
    if (this.take("True")) return true;
    if (this.take("False")) return false;
    if (this.take("(")) return this.tuple();
    return this.string();
  }

  private tuple(): readonly number[] {
    const numbers: number[] = [];
    while (!this.take(")")) {
      numbers.push(this.wholeNumber());
      if (!this.take(",")) {
        this.expect(")");
        break;
      }
    }
    return numbers;
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
