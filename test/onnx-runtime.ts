/** ONNX models run by somebody else's program: ONNX Runtime, as WebAssembly. */
import * as ort from "onnxruntime-web";

ort.env.wasm.numThreads = 1;
ort.env.logLevel = "error";

export interface OnnxOutput {
  /** "float32", "float64", "int64", "string", "bool" */
  readonly type: string;
  readonly shape: readonly number[];
  readonly data: readonly (number | string | boolean)[];
}

/** @param rows - n x columns; as they are for "float64", and rounded for "float32" */
export async function runOnnx(
  model: Uint8Array,
  type: "float32" | "float64",
  rows: readonly ArrayLike<number>[],
): Promise<Readonly<Record<string, OnnxOutput>>> {
  // It makes a global Worker of Node's, which other tests in this thread would take for a page's.
  const hadWorker = "Worker" in globalThis;
  const session = await ort.InferenceSession.create(model).finally(() => {
    if (!hadWorker) Reflect.deleteProperty(globalThis, "Worker");
  });
  const columns = rows[0]?.length ?? 0;
  const data = rows.flatMap((row) => Array.from(row));
  const shape = [rows.length, columns];
  const X =
    type === "float32"
      ? new ort.Tensor(type, Float32Array.from(data), shape)
      : new ort.Tensor(type, Float64Array.from(data), shape);
  const results = await session.run({ X });
  const outputs = Object.entries(results).map(([name, tensor]) => [name, outputOf(tensor)] as const);
  await session.release();
  return Object.fromEntries(outputs);
}

function outputOf({ type, dims, data }: ort.Tensor): OnnxOutput {
  const entries = Array.from<unknown>(data);
  const plain = entries.map((entry) =>
    type === "bool" ? entry === 1 : typeof entry === "string" ? entry : Number(entry),
  );
  return { type, shape: dims, data: plain };
}

/** Protocol Buffers' fields by number: numbers, and the bytes of what has a length. */
export function fieldsOf(message: Uint8Array): ReadonlyMap<number, readonly (number | Uint8Array)[]> {
  const fields = new Map<number, (number | Uint8Array)[]>();
  let at = 0;
  const varint = (): number => {
    for (let value = 0, unit = 1; ; unit *= 128) {
      const byte = message[at++] ?? 0;
      value += (byte & 127) * unit;
      if (byte < 128) return value;
    }
  };
  while (at < message.length) {
    const key = varint();
    const number = Math.floor(key / 8);
    const held = fields.get(number) ?? [];
    fields.set(number, held);
    if (key % 8 === 0) held.push(varint());
    else {
      const length = varint();
      held.push(message.subarray(at, at + length));
      at += length;
    }
  }
  return fields;
}

const text = (bytes: number | Uint8Array | undefined): string =>
  bytes instanceof Uint8Array ? new TextDecoder("utf-8", { fatal: true }).decode(bytes) : "";

/** `metadata_props` of a model. */
export function metadataOf(model: Uint8Array): Readonly<Record<string, string>> {
  const pairs = (fieldsOf(model).get(14) ?? []).map((entry) => {
    const fields = fieldsOf(entry instanceof Uint8Array ? entry : new Uint8Array());
    return [text(fields.get(1)?.[0]), text(fields.get(2)?.[0])] as const;
  });
  return Object.fromEntries(pairs);
}
