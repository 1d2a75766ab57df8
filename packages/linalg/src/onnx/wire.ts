/**
 * Protocol Buffers as far as writing needs them. A message is its fields one after the other; a field is a key, 8 x number + 0 for
 * an integer or + 2 for what has a length, and its content. Integers go in groups of seven bits, the lowest first, each but the last
 * with its high bit set.
 *
 * https://protobuf.dev/programming-guides/encoding
 */
import { CurvatureError } from "../errors.js";

/** What any reader of Protocol Buffers takes. */
const MOST_BYTES = 2 ** 31 - 1;

const utf8 = new TextEncoder();

export class Message {
  private readonly parts: Uint8Array[] = [];
  private length = 0;

  /** @param value - from 0 to 2^53 − 1 */
  integer(field: number, value: number): this {
    return this.append(varint(8 * field)).append(varint(value));
  }

  bytes(field: number, content: Uint8Array): this {
    return this.append(varint(8 * field + 2))
      .append(varint(content.length))
      .append(content);
  }

  text(field: number, content: string): this {
    return this.bytes(field, utf8.encode(content));
  }

  message(field: number, { parts, length }: Message): this {
    this.append(varint(8 * field + 2)).append(varint(length));
    for (const part of parts) this.append(part);
    return this;
  }

  /** @throws CurvatureError ERR_MEMORY for more than 2 GiB, or more than there is memory for */
  written(): Uint8Array {
    const out = allocated(this.length);
    let at = 0;
    for (const part of this.parts) {
      out.set(part, at);
      at += part.length;
    }
    return out;
  }

  private append(part: Uint8Array): this {
    this.parts.push(part);
    this.length += part.length;
    return this;
  }
}

function varint(value: number): Uint8Array {
  const groups: number[] = [];
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) groups.push((rest % 128) + 128);
  return Uint8Array.of(...groups, rest);
}

function allocated(length: number): Uint8Array {
  const refused = (cause?: unknown): CurvatureError =>
    new CurvatureError(
      "ERR_MEMORY",
      `An ONNX file of ${length} bytes is more than ${length > MOST_BYTES ? "the 2 GiB that its format has room for" : "there is memory for"}.`,
      { path: "graph", received: length, cause },
    );
  if (length > MOST_BYTES) throw refused();
  try {
    return new Uint8Array(length);
  } catch (cause) {
    throw refused(cause);
  }
}
