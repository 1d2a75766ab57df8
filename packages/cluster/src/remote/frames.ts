/**
 * What goes between the coordinator of a sum and its workers: binary frames, little endian, numbers as they lie in
 * memory, so that a gradient of 10⁶ entries costs a copy and no text.
 *
 *   offset  0  u32  "CVsf"              8  u32  epoch: which coordinator of this name
 *           4  u16  protocol           12  u32  id: of the point or of the question
 *           6  u16  kind               16  u32  n      20  u32  flag      24  payload
 *
 * | kind     | id       | n                   | flag             | payload                                     |
 * |----------|----------|---------------------|------------------|---------------------------------------------|
 * | point    | point    | dimension           | 0                | x: n × f64                                  |
 * | task     | point    | questions           | 1 with gradients | each: u32 question, u32 count, count × i32  |
 * | value    | question | 0, or the dimension | 1 with gradient  | f64 value, n × f64 gradient                 |
 * | failure  | question | bytes               | 0                | JSON { worker, reason }                     |
 * | refusal  | 0        | bytes               | 0                | the same: the worker takes no part          |
 *
 * A frame says how long it is: one that was cut or made by something else is an error, never numbers.
 */
import { CurvatureError } from "@curvature/linalg";

const MAGIC = 0x66735643;
const protocolVersion = 1;
const HEADER = 24;
const KINDS = ["point", "task", "value", "failure", "refusal"] as const;
/** A reason is for people; more of it is cut off. */
const MAX_TEXT = 4000;

/** A question: the sum of the subfunctions `indices` at the frame's point; mostly it is one. */
export interface Part {
  readonly ask: number;
  readonly indices: Int32Array;
}

export type Frame =
  | { readonly kind: "point"; readonly epoch: number; readonly point: number; readonly x: Float64Array }
  | {
      readonly kind: "task";
      readonly epoch: number;
      readonly point: number;
      readonly wantsGradient: boolean;
      readonly parts: readonly Part[];
    }
  | {
      readonly kind: "value";
      readonly epoch: number;
      readonly ask: number;
      readonly value: number;
      readonly gradient: Float64Array | undefined;
    }
  | {
      readonly kind: "failure";
      readonly epoch: number;
      readonly ask: number;
      readonly worker: string;
      readonly reason: string;
    }
  | { readonly kind: "refusal"; readonly epoch: number; readonly worker: string; readonly reason: string };

export function encodeFrame(frame: Frame): Uint8Array<ArrayBuffer> {
  switch (frame.kind) {
    case "point": {
      const { x } = frame;
      const bytes = framed(frame.kind, frame.epoch, frame.point, x.length, 0, 8 * x.length);
      writeFloats(bytes, HEADER, x);
      return bytes;
    }
    case "task":
      return encodeTask(frame);
    case "value": {
      const { ask, value, gradient } = frame;
      const n = gradient?.length ?? 0;
      const bytes = framed(frame.kind, frame.epoch, ask, n, Number(gradient !== undefined), 8 + 8 * n);
      new DataView(bytes.buffer).setFloat64(HEADER, value, true);
      if (gradient !== undefined) writeFloats(bytes, HEADER + 8, gradient);
      return bytes;
    }
    case "failure":
      return encodeText(frame.kind, frame.epoch, frame.ask, frame);
    case "refusal":
      return encodeText(frame.kind, frame.epoch, 0, frame);
  }
}

function framed(
  kind: Frame["kind"],
  epoch: number,
  id: number,
  n: number,
  flag: number,
  payload: number,
): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(HEADER + payload);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, MAGIC, true);
  view.setUint16(4, protocolVersion, true);
  view.setUint16(6, KINDS.indexOf(kind), true);
  view.setUint32(8, epoch, true);
  view.setUint32(12, id, true);
  view.setUint32(16, n, true);
  view.setUint32(20, flag, true);
  return bytes;
}

function encodeTask(frame: Extract<Frame, { kind: "task" }>): Uint8Array<ArrayBuffer> {
  const { parts, epoch, point, wantsGradient } = frame;
  const words = parts.reduce((sum, { indices }) => sum + 2 + indices.length, 0);
  const bytes = framed("task", epoch, point, parts.length, Number(wantsGradient), 4 * words);
  const view = new DataView(bytes.buffer);
  let at = HEADER;
  for (const { ask, indices } of parts) {
    view.setUint32(at, ask, true);
    view.setUint32(at + 4, indices.length, true);
    at += 8;
    for (const index of indices) {
      view.setInt32(at, index, true);
      at += 4;
    }
  }
  return bytes;
}

function encodeText(
  kind: "failure" | "refusal",
  epoch: number,
  id: number,
  { worker, reason }: { readonly worker: string; readonly reason: string },
): Uint8Array<ArrayBuffer> {
  const short = { worker: worker.slice(0, MAX_TEXT), reason: reason.slice(0, MAX_TEXT) };
  const text = new TextEncoder().encode(JSON.stringify(short));
  const bytes = framed(kind, epoch, id, text.length, 0, text.length);
  bytes.set(text, HEADER);
  return bytes;
}

/** @throws CurvatureError ERR_PARSE for bytes that are no frame of this protocol */
export function decodeFrame(bytes: Uint8Array): Frame {
  if (!(bytes instanceof Uint8Array) || bytes.byteLength < HEADER) throw torn("it is shorter than a header");
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.getUint32(0, true) !== MAGIC) throw torn("it does not begin as one");
  const protocol = view.getUint16(4, true);
  if (protocol !== protocolVersion)
    throw torn(
      `it is of protocol ${protocol}, and this is ${protocolVersion}; install the same release everywhere`,
    );
  const kind = KINDS[view.getUint16(6, true)];
  const epoch = view.getUint32(8, true);
  const id = view.getUint32(12, true);
  const n = view.getUint32(16, true);
  const flag = view.getUint32(20, true);
  if (flag > 1) throw torn("its flag is neither 0 nor 1");
  switch (kind) {
    case "point":
      checkLength(bytes, HEADER + 8 * n);
      return { kind, epoch, point: id, x: readFloats(bytes, HEADER, n) };
    case "task":
      return { kind, epoch, point: id, wantsGradient: flag === 1, parts: partsIn(view, n) };
    case "value":
      if (flag === 0 && n > 0) throw torn("it has a gradient and says that it has none");
      checkLength(bytes, HEADER + 8 + 8 * n);
      return {
        kind,
        epoch,
        ask: id,
        value: view.getFloat64(HEADER, true),
        gradient: flag === 1 ? readFloats(bytes, HEADER + 8, n) : undefined,
      };
    case "failure":
      checkLength(bytes, HEADER + n);
      return { kind, epoch, ask: id, ...wordsIn(bytes) };
    case "refusal":
      checkLength(bytes, HEADER + n);
      return { kind, epoch, ...wordsIn(bytes) };
    default:
      throw torn("its kind is unknown");
  }
}

function checkLength(bytes: Uint8Array, expected: number): void {
  if (bytes.byteLength !== expected)
    throw torn(`it has ${bytes.byteLength} bytes, and says that it has ${expected}`);
}

function partsIn(view: DataView, count: number): Part[] {
  const parts: Part[] = [];
  let at = HEADER;
  for (let k = 0; k < count; k++) {
    if (at + 8 > view.byteLength) throw torn("it ends within its questions");
    const ask = view.getUint32(at, true);
    const length = view.getUint32(at + 4, true);
    at += 8;
    if (at + 4 * length > view.byteLength) throw torn("it ends within its questions");
    const indices = new Int32Array(length);
    for (let i = 0; i < length; i++, at += 4) indices[i] = view.getInt32(at, true);
    parts.push({ ask, indices });
  }
  if (at !== view.byteLength) throw torn("it goes on behind its last question");
  return parts;
}

function wordsIn(bytes: Uint8Array): { readonly worker: string; readonly reason: string } {
  let said: unknown;
  try {
    said = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes.subarray(HEADER)));
  } catch {
    throw torn("its text is no JSON");
  }
  const fields = typeof said === "object" && said !== null ? said : {};
  const worker: unknown = Reflect.get(fields, "worker");
  const reason: unknown = Reflect.get(fields, "reason");
  if (typeof worker !== "string" || typeof reason !== "string")
    throw torn("its text has no worker or no reason");
  return { worker, reason };
}

const isLittleEndian = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

function writeFloats(bytes: Uint8Array<ArrayBuffer>, offset: number, x: Float64Array): void {
  if (isLittleEndian) {
    bytes.set(new Uint8Array(x.buffer, x.byteOffset, x.byteLength), offset);
    return;
  }
  const view = new DataView(bytes.buffer);
  for (let j = 0; j < x.length; j++) view.setFloat64(offset + 8 * j, x[j], true);
}

/** A copy: what arrives may lie anywhere in a buffer that is used again. */
function readFloats(bytes: Uint8Array, offset: number, n: number): Float64Array {
  const x = new Float64Array(n);
  if (isLittleEndian) {
    new Uint8Array(x.buffer).set(bytes.subarray(offset, offset + 8 * n));
    return x;
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let j = 0; j < n; j++) x[j] = view.getFloat64(offset + 8 * j, true);
  return x;
}

const torn = (what: string): CurvatureError =>
  new CurvatureError("ERR_PARSE", `A message between coordinator and worker is no frame: ${what}.`, {
    path: "frame",
  });
