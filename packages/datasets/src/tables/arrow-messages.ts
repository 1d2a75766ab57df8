/**
 * That the messages of an Arrow file keep within their bounds, which flechette does not ask.
 *
 *   file     "ARROW1" 0 0, stream, footer, its length (4), "ARROW1"
 *   footer   flatbuffer: 1 schema, 2 dictionaries, 3 rows (of each where its message is (8), lengths (16)), 4 metadata; the stream
 *            need not have the schema, too
 *   stream   messages: ff ff ff ff, length (4), flatbuffer: 1 kind (1 schema, 2 dictionary, 3 rows), 2 header, 3 length of the body (8),
 *            body; 0 as a length ends it
 *   schema   1 fields; each: 0 name, 2 kind, 3 type, 4 dictionary, 5 fields in it, 6 metadata
 *   rows     1 for each part its length and gaps (8 each), 2 buffers: where and how long (8 each), 3 compression,
 *            4 for each column of views how many buffers it has (8 each); a dictionary has them in its field 1
 *
 * A flatbuffer's table begins with how far before it the places of its fields stand: their bytes (2), the table's (2), places (2 each).
 *
 * https://arrow.apache.org/docs/format/Columnar.html, Schema.fbs, Message.fbs
 */
import { isArrow } from "../formats/first-bytes.js";
import { checkCount } from "./typed-columns.js";

const [SCHEMA, DICTIONARY, ROWS] = [1, 2, 3];
const [DECIMAL, TIMESTAMP, UNION] = [7, 10, 14];
/** Deeper than any table. */
const MAX_DEPTH = 32;
/** Decimals of 256 bits have up to 76 digits, doubles none beyond 10^-324; a power of ten of 10^7 digits takes a second. */
const MAX_PLACES = 400;

/** @throws Error for one that is damaged, CurvatureError for more values than there can be */
export function checkMessages(bytes: Uint8Array<ArrayBuffer>): void {
  const isFile = isArrow(bytes);
  if (isFile && !isArrow(bytes.subarray(-6))) throw new Error("its end is missing");
  const stream = isFile ? bytes.subarray(8) : bytes;
  const view = new DataView(stream.buffer, stream.byteOffset, stream.length);
  const starts = new Set<number>();
  let [at, values] = [0, 0];
  let hasSchema = false;
  while (at + 8 <= stream.length && view.getUint32(at, true) === 0xffffffff) {
    const length = view.getUint32(at + 4, true);
    if (length === 0) break;
    starts.add(at);
    const flat = new Flatbuffer(view, at + 8, length);
    const message = flat.behind(at + 8);
    const kind = flat.byteAt(flat.needed(message, 1));
    const header = flat.behind(flat.needed(message, 2));
    const size = flat.field(message, 3);
    const body = size === undefined ? 0 : flat.longAt(size);
    at += 8 + length;
    if (body > stream.length - at) throw new Error("its end is missing");
    if (kind === SCHEMA) flat.checkFields(header, 1, 0);
    else if (kind === DICTIONARY || kind === ROWS)
      values += flat.countOf(kind === ROWS ? header : flat.behind(flat.needed(header, 1)), body);
    else throw new Error("it holds messages of an unknown kind");
    checkCount(values, bytes.length);
    hasSchema ||= kind === SCHEMA;
    at += body;
  }
  if (isFile) checkFooter(view, starts);
  else if (!hasSchema) throw new Error("it has no schema");
}

/** @param starts - of the messages, of which it names each once at most */
function checkFooter(view: DataView<ArrayBuffer>, starts: Set<number>): void {
  const end = view.byteLength - 10;
  const length = end < 0 ? 0 : view.getUint32(end, true);
  if (length < 4 || length > end) throw new Error("its end is damaged");
  const flat = new Flatbuffer(view, end - length, length);
  const footer = flat.behind(end - length);
  flat.checkFields(flat.behind(flat.needed(footer, 1)), 1, 0);
  for (const place of [...flat.placesIn(footer, 2), ...flat.placesIn(footer, 3)])
    if (!starts.delete(place - 8)) throw new Error("its end names messages that are not there");
  flat.checkMetadata(footer, 4);
}

/** The tables of one message. */
class Flatbuffer {
  /** What may still be read of it: texts and tables that several places name would be read again and again. */
  private left: number;

  constructor(
    private readonly view: DataView<ArrayBuffer>,
    private readonly start: number,
    private readonly length: number,
  ) {
    if (start + length > view.byteLength) throw new Error("its end is missing");
    this.left = 16 * length;
  }

  private at(place: number, size: number): number {
    if (place >= this.start && place + size <= this.start + this.length) return place;
    throw new Error("a part of it lies beyond its end");
  }

  byteAt(place: number): number {
    return this.view.getUint8(this.at(place, 1));
  }

  longAt(place: number): number {
    const value = Number(this.view.getBigInt64(this.at(place, 8), true));
    if (value >= 0 && Number.isSafeInteger(value)) return value;
    throw new Error("a size in it is too large");
  }

  behind(place: number): number {
    return this.at(place + this.view.getInt32(this.at(place, 4), true), 4);
  }

  /** Where the field of a table stands. */
  field(table: number, k: number): number | undefined {
    const fields = this.at(table - this.view.getInt32(this.at(table, 4), true), 4);
    if (4 + 2 * k >= this.view.getUint16(fields, true)) return undefined;
    const offset = this.view.getUint16(this.at(fields + 4 + 2 * k, 2), true);
    return offset === 0 ? undefined : this.at(table + offset, 1);
  }

  needed(table: number, k: number): number {
    const place = this.field(table, k);
    if (place === undefined) throw new Error("a field is missing");
    return place;
  }

  /** The items of a list in a field: where each begins. */
  private items(table: number, k: number, size: number): number[] {
    const place = this.field(table, k);
    if (place === undefined) return [];
    const list = this.behind(place);
    const count = this.view.getUint32(list, true);
    this.take(4 + count * size);
    this.at(list, 4 + count * size);
    return Array.from({ length: count }, (_, i) => list + 4 + i * size);
  }

  private take(count: number): void {
    this.left -= count;
    if (this.left < 0) throw new Error("a list in it is too long");
  }

  /** Of columns, and of those in them. */
  checkFields(table: number, k: number, depth: number): void {
    if (depth > MAX_DEPTH) throw new Error("its columns are nested too deep");
    for (const item of this.items(table, k, 4)) {
      const field = this.behind(item);
      this.items(field, 0, 1);
      this.checkFields(field, 5, depth + 1);
      const [kind, type] = [this.field(field, 2), this.field(field, 3)];
      if (type !== undefined && kind !== undefined) this.checkType(this.byteAt(kind), this.behind(type));
      this.checkMetadata(field, 6);
    }
    if (depth === 0) this.checkMetadata(table, 2);
  }

  /** Of field 1: of a union the kinds, of a moment its zone, of decimals the places behind the point. */
  private checkType(kind: number, type: number): void {
    if (kind === UNION) this.items(type, 1, 4);
    if (kind === TIMESTAMP) this.items(type, 1, 1);
    const scale = kind === DECIMAL ? this.field(type, 1) : undefined;
    if (scale !== undefined && this.view.getInt32(this.at(scale, 4), true) > MAX_PLACES)
      throw new Error(`it holds decimals of more than ${MAX_PLACES} places`);
  }

  /** Where the messages are that a list of the footer names. */
  placesIn(footer: number, k: number): number[] {
    return this.items(footer, k, 24).map((item) => this.longAt(item));
  }

  checkMetadata(table: number, k: number): void {
    for (const item of this.items(table, k, 4)) {
      const pair = this.behind(item);
      this.items(pair, 0, 1);
      this.items(pair, 1, 1);
    }
  }

  /** How many values a batch holds. */
  countOf(batch: number, body: number): number {
    const parts = this.items(batch, 1, 16);
    const buffers = this.items(batch, 2, 16);
    for (const buffer of buffers)
      if (this.longAt(buffer) + this.longAt(buffer + 8) > body)
        throw new Error("a column of it lies beyond its end");
    const views = this.items(batch, 4, 8).reduce((sum, item) => sum + this.longAt(item), 0);
    if (views > buffers.length) throw new Error("a column of it has more parts than there are");
    return parts.reduce((sum, part) => sum + this.longAt(part), 0);
  }
}
