/**
 * That the pages of a Parquet file keep within their bounds, which hyparquet does not ask: runs as long as the page, sizes as long as
 * the file, levels as deep as a table has. Pages are expanded for it once more, one at a time.
 *
 *   column chunk     pages: header (Thrift), [repetition levels] [definition levels] values; those of the second version have levels
 *                    before what is compressed, and their lengths in the header
 *   levels, indices  runs: varint, odd: so many eights of packed values; even: half of it times the value that follows
 *   deltas           varints: values in a block, parts of a block, values, first value; blocks: least delta, width of each part, parts
 *
 * https://github.com/apache/parquet-format: Encodings.md, parquet.thrift, Thrift's compact protocol
 */
import { shown } from "@curvature/linalg";
import type { ColumnMetaData, Compressors, FileMetaData, SchemaTree } from "hyparquet";
import { checkCount } from "./typed-columns.js";

type Field = number | string | readonly Field[] | Struct | undefined;
type Struct = ReadonlyMap<number, Field>;

const damaged = (what: string): Error => new Error(what);

/** Bytes and what stands in them, never beyond their end. */
class Reader {
  constructor(
    readonly bytes: Uint8Array,
    public at: number,
    readonly end: number,
  ) {
    if (!(at >= 0 && at <= end && end <= bytes.length)) throw damaged("a part lies beyond its end");
  }

  byte(): number {
    if (this.at >= this.end) throw damaged("a part ends too soon");
    return this.bytes[this.at++];
  }

  skip(count: number): number {
    const { at } = this;
    if (!(count >= 0 && count <= this.end - at)) throw damaged("a part ends too soon");
    this.at += count;
    return at;
  }

  /** Little-endian. */
  fixed(size: number): number {
    let value = 0;
    for (let k = 0, factor = 1; k < size; k++, factor *= 256) value += factor * this.byte();
    return value;
  }

  varint(): number {
    for (let value = 0, factor = 1, k = 0; k < 10; k++, factor *= 128) {
      const byte = this.byte();
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
    throw damaged("a number has no end");
  }

  zigzag(): number {
    const value = this.varint();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  struct(depth = 0): Struct {
    if (depth > MAX_DEPTH) throw damaged("a header is nested too deep");
    const fields = new Map<number, Field>();
    for (let id = 0; ; ) {
      const head = this.byte();
      if ((head & 15) === 0) return fields;
      id = head > 15 ? id + (head >> 4) : this.zigzag();
      fields.set(id, this.field(head & 15, depth));
    }
  }

  private field(type: number, depth: number): Field {
    switch (type) {
      case 1:
      case 2:
        return 2 - type;
      case 3:
        return this.byte();
      case 4:
      case 5:
      case 6:
        return this.zigzag();
      case 7:
        this.skip(8);
        return undefined;
      case 8:
        this.skip(this.varint());
        return undefined;
      case 9: {
        const head = this.byte();
        const count = head < 0xf0 ? head >> 4 : this.varint();
        if (count > this.end - this.at) throw damaged("a list in a header is too long");
        const inner = head & 15;
        return Array.from({ length: count }, () => this.field(Math.max(inner, 3), depth + 1));
      }
      case 12:
        return this.struct(depth + 1);
      default:
        throw damaged("a header holds what Parquet has not");
    }
  }

  /** Values of so many bits, the low ones first; gives each to `take`. */
  packed(width: number, count: number, take: (value: number) => void): void {
    let left = 0; // bits of the last byte that are not taken yet
    let byte = 0;
    for (let i = 0; i < count; i++) {
      let value = 0;
      for (let got = 0; got < width; ) {
        if (left === 0) {
          byte = this.byte();
          left = 8;
        }
        const bits = Math.min(left, width - got);
        value += (byte & ((1 << bits) - 1)) * 2 ** got;
        byte >>= bits;
        left -= bits;
        got += bits;
      }
      take(value);
    }
  }

  /** Runs of `count` values in all. @returns how many are `wanted` */
  runs(width: number, count: number, wanted?: number): number {
    let found = 0;
    if (width > 32) throw damaged("values are too wide");
    for (let seen = 0; seen < count; ) {
      const head = this.varint();
      const isPacked = head % 2 === 1;
      const size = isPacked ? 8 * ((head - 1) / 2) : head / 2;
      if (size > (isPacked && width > 0 ? 8 * (this.end - this.at + 1) : count + 8))
        throw damaged("a run of values is longer than its page");
      if (!isPacked) {
        const value = this.fixed((width + 7) >> 3);
        if (value === wanted) found += Math.min(size, count - seen);
      } else if (wanted !== undefined)
        this.packed(width, Math.min(size, count - seen), (value) => {
          if (value === wanted) found++;
        });
      else this.at = Math.min(this.end, this.at + (size / 8) * width); // the last may be cut
      seen += size;
    }
    return found;
  }

  /** Delta-encoded whole numbers. @returns their sum, where it is asked for, of 32 bits each */
  deltas(count: number, isSummed: boolean): number {
    const [block, parts] = [this.varint(), this.varint()];
    const size = block / parts;
    if (!(parts >= 1 && parts <= this.end && size % 8 === 0 && size > 0)) throw damaged("deltas are broken");
    this.varint();
    let value = this.zigzag();
    let sum = value;
    for (let seen = 1; seen < count; ) {
      const least = this.zigzag();
      const widths = this.skip(parts);
      for (let k = 0; k < parts && seen < count; k++, seen += size) {
        const width = this.bytes[widths + k];
        if (!isSummed) this.at = Math.min(this.end, this.at + (size / 8) * width);
        else
          this.packed(width, Math.min(size, count - seen), (delta) => {
            value += least + delta;
            sum += Math.abs(value);
          });
      }
    }
    return sum;
  }
}

/** Deeper than any header and any table. */
const MAX_DEPTH = 32;
/** Of a decimal, a half, a UUID: bytes of one value. */
const MAX_FIXED = 1024;
/** As gzip: so much, and beyond that 200 times the file. */
const FLOOR = 2 ** 26;
const LARGEST_RATIO = 200;

const fieldOf = (fields: Field, ...path: readonly number[]): Field =>
  path.reduce<Field>((field, id) => (field instanceof Map ? field.get(id) : undefined), fields);

function sizeAt(fields: Field, ...path: readonly number[]): number {
  const size = fieldOf(fields, ...path);
  if (typeof size === "number" && size >= 0 && size < 2 ** 31) return size;
  throw damaged("a size is missing or too large");
}

/** @returns the footer alone @throws Error for one that is damaged: hyparquet would take lists of any length */
export function checkedFooter(bytes: Uint8Array<ArrayBuffer>): ArrayBuffer {
  const end = bytes.length - 8;
  if (end < 4 || !"PAR1".split("").every((letter, k) => bytes[end + 4 + k] === letter.charCodeAt(0)))
    throw damaged("its end is missing");
  const length = new Reader(bytes, end, bytes.length).fixed(4);
  const footer = new Reader(bytes, end - length, end).struct();
  sizeAt(footer, 3);
  const [elements, groups] = [fieldOf(footer, 2), fieldOf(footer, 4)];
  if (!Array.isArray(elements) || !Array.isArray(groups)) throw damaged("its list of columns is missing");
  for (const group of groups)
    if (!Array.isArray(fieldOf(group, 1))) throw damaged("its list of columns is missing");
  const open: number[] = [];
  for (const element of elements) {
    const children = fieldOf(element, 5) ?? 0;
    if (typeof children !== "number" || children < 0) throw damaged("its columns are broken");
    while (open.at(-1) === 0) open.pop();
    if (open.length > MAX_DEPTH) throw damaged("its columns are nested too deep");
    if (open.length > 0) open[open.length - 1]--;
    open.push(children);
  }
  return bytes.slice(end - length).buffer;
}

/** @throws Error for pages that do not keep within their bounds, CurvatureError for more values than there can be */
export function checkPages(
  bytes: Uint8Array,
  { row_groups: groups }: FileMetaData,
  schema: SchemaTree,
  compressors: Compressors,
): void {
  const totals = { values: 0, packed: 0, expanded: 0 };
  const top = byName(schema);
  for (const { columns } of groups)
    for (const { meta_data: meta } of columns) {
      if (meta === undefined) throw damaged("a column has no description");
      try {
        checkColumn(bytes, meta, top, compressors, totals);
      } catch (cause) {
        if (!(cause instanceof Error) || cause.constructor !== Error) throw cause;
        throw damaged(`column ${shown(meta.path_in_schema[0])}: ${cause.message}`);
      }
    }
}

interface Totals {
  values: number;
  packed: number;
  expanded: number;
}

function checkColumn(
  bytes: Uint8Array,
  meta: ColumnMetaData,
  top: Names,
  compressors: Compressors,
  totals: Totals,
): void {
  const { dictionary_page_offset: dictionary, data_page_offset: data, codec } = meta;
  const start = Number(dictionary || data);
  const length = Number(meta.total_compressed_size);
  totals.packed += length;
  if (totals.packed > bytes.length) throw damaged("with those before it is larger than the file");
  const leaf = leafAt(top, meta.path_in_schema);
  const expand = compressors[codec];
  if (expand === undefined && codec !== "UNCOMPRESSED")
    throw damaged(`the compression ${codec ?? "that it states"} is not known`);
  const reader = new Reader(bytes, start, start + length);
  // columns of lists are read to their end, whatever their number of values
  for (
    let values = 0;
    values < Number(meta.num_values) || (leaf.repeated > 0 && reader.at + 1 < reader.end);
  )
    values += checkPage(reader, leaf, expand, totals, bytes.length);
}

/** A column of values, and how many of the parts that it is in may be missing, or repeat. */
interface Leaf {
  readonly optional: number;
  readonly repeated: number;
  readonly fixed: number;
}

function leafAt(top: Names, path: readonly string[]): Leaf {
  let [optional, repeated, fixed] = [0, 0, 1];
  let names = top;
  for (const name of path) {
    const node = names.get(name);
    if (node === undefined) throw damaged("it is not among the columns");
    const { repetition_type: kind, type, type_length: length = 0 } = node.element;
    if (kind !== "REQUIRED") optional++;
    if (kind === "REPEATED") repeated++;
    fixed = type === "FIXED_LEN_BYTE_ARRAY" ? length : 1;
    names = byName(node);
  }
  if (!(fixed >= 0 && fixed <= MAX_FIXED)) throw damaged(`each value has ${fixed} bytes`);
  return { optional, repeated, fixed };
}

type Names = ReadonlyMap<string, SchemaTree>;
const byName = ({ children }: SchemaTree): Names =>
  new Map(children.map((child) => [child.element.name, child]));

const widthOf = (largest: number): number => 32 - Math.clz32(largest);

/** @returns how many values of the column it has */
function checkPage(
  reader: Reader,
  { optional, repeated, fixed }: Leaf,
  expand: ((input: Uint8Array, length: number) => Uint8Array) | undefined,
  totals: Totals,
  fileLength: number,
): number {
  const header = reader.struct();
  const kind = fieldOf(header, 1);
  const [expanded, packed] = [sizeAt(header, 2), sizeAt(header, 3)];
  totals.expanded += expanded;
  if (totals.expanded > Math.max(FLOOR, LARGEST_RATIO * fileLength))
    throw damaged(`it expands to more than ${LARGEST_RATIO} times its size`);
  const start = reader.skip(packed);
  /** Behind the levels, where they stand apart. */
  const pageOf = (levels: number, isPacked: boolean): Reader => {
    const input = reader.bytes.subarray(start + levels, start + packed);
    const page = !isPacked || expand === undefined ? input : expand(input, expanded - levels);
    if (page.length !== expanded - levels) throw damaged("a page is not as long as it says");
    return new Reader(page, 0, page.length);
  };
  if (kind === 2) {
    totals.values += sizeAt(header, 7, 1);
    checkCount(totals.values, fileLength);
    return 0;
  }
  const isSecond = kind === 3;
  if (!isSecond && kind !== 0) throw damaged("a page is of an unknown kind");
  const count = sizeAt(header, isSecond ? 8 : 5, 1);
  totals.values += count;
  checkCount(totals.values, fileLength);
  let there = count;
  let page: Reader;
  if (isSecond) {
    const [definitions, repetitions] = [sizeAt(header, 8, 5), sizeAt(header, 8, 6)];
    const levels = new Reader(reader.bytes, start, start + packed);
    const values = levels.skip(repetitions) + repetitions + definitions;
    if (repeated > 0) new Reader(reader.bytes, start, start + repetitions).runs(widthOf(repeated), count);
    levels.skip(definitions);
    if (optional > 0) new Reader(reader.bytes, start + repetitions, values).runs(widthOf(optional), count);
    there -= sizeAt(header, 8, 2);
    page = pageOf(values - start, fieldOf(header, 8, 7) !== 0 && expanded > values - start);
  } else {
    page = pageOf(0, true);
    /** Levels with their length in front. */
    const levels = (largest: number): number => {
      const length = page.fixed(4);
      const from = page.skip(length);
      return new Reader(page.bytes, from, page.end).runs(widthOf(largest), count, largest);
    };
    if (repeated > 0) levels(repeated);
    if (optional > 0) there = levels(optional);
  }
  if (there > 0) checkValues(page, sizeAt(header, isSecond ? 8 : 5, isSecond ? 4 : 2), there, fixed);
  return count;
}

/** @param encoding - as parquet.thrift counts them */
function checkValues(page: Reader, encoding: number, count: number, fixed: number): void {
  switch (encoding) {
    case 0:
      return; // as long as they are
    case 2:
    case 8:
      page.runs(page.byte(), count);
      return;
    case 3:
      page.skip(4);
      page.runs(1, count);
      return;
    case 5:
      page.deltas(count, false);
      return;
    case 6:
      page.deltas(count, false);
      return;
    case 7:
      if (page.deltas(count, true) > FLOOR) throw damaged("its texts are too long");
      page.deltas(count, false);
      return;
    case 9:
      if (count * fixed > page.end) throw damaged("a page is shorter than it says");
      return;
    default:
      throw damaged(`the encoding ${encoding} is not known`);
  }
}
