import {
  CurvatureError,
  decode,
  decodeCheckpoint,
  encode,
  encodeCheckpoint,
  hash128,
} from "@curvature/optim-core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fromLittleEndian, littleEndianBytes } from "../src/hash.js";

const typedArrays = fc.oneof(
  fc.float64Array({ maxLength: 9 }),
  fc.float32Array({ maxLength: 9 }),
  fc.int32Array({ maxLength: 9 }),
  fc.uint32Array({ maxLength: 9 }),
  fc.uint8Array({ maxLength: 9 }),
);
const leaf = fc.oneof(
  fc.double(),
  fc.constantFrom(-0, Number.NaN, 5e-324, Number.MAX_VALUE, 2 ** 53 + 2, Number.NEGATIVE_INFINITY),
  fc.string({ unit: "binary" }),
  fc.constantFrom("\ud800", "u", "\u0000"),
  fc.boolean(),
  fc.constantFrom(null, undefined),
  typedArrays,
);
const keys = fc.string().filter((key) => key !== "__proto__");
const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4 },
    leaf,
    fc.array(tie("tree"), { maxLength: 4 }),
    fc.array(fc.double(), { maxLength: 6 }),
    fc.dictionary(keys, tie("tree"), { maxKeys: 4, noNullPrototype: true }),
  ),
}));

describe("the binary form", () => {
  test("gives back any plain data, every bit of it", () => {
    fc.assert(
      fc.property(tree, (value) => {
        expect(decode("TEST", encode("TEST", value))).toStrictEqual(value);
      }),
      { numRuns: 500 },
    );
  });

  test("an array given back is nobody else's memory", () => {
    const array = Float64Array.of(1, 2);
    const bytes = encode("TEST", array);
    array[0] = 9;
    const back = decode("TEST", bytes);
    bytes.fill(0);
    expect(back).toEqual(Float64Array.of(1, 2));
  });

  test("reads from a view that begins anywhere", () => {
    const bytes = encode("TEST", { a: Float64Array.of(1, 2), b: [1.5, -0] });
    for (let offset = 0; offset < 8; offset++) {
      const shifted = new Uint8Array(bytes.length + offset).subarray(offset);
      shifted.set(bytes);
      expect(decode("TEST", shifted)).toStrictEqual({ a: Float64Array.of(1, 2), b: [1.5, -0] });
    }
  });

  test("the bytes are the same on every engine", () => {
    const bytes = encode("TEST", { x: Float64Array.of(1, -2), n: 3, s: "é" });
    const header = Buffer.from('["o","x",["f64",0,2],"n",3,"s","é"]').toString("hex");
    expect(Buffer.from(bytes).toString("hex")).toBe(
      `54455354202020200100000024000000${header}00000000000000000000f03f00000000000000c0` +
        "e0983894ae0b506aaafd8647edefbe5f",
    );
  });

  test("what is not plain data is named by its path", () => {
    const plain = "A checkpoint holds plain data";
    expect(() => encode("TEST", { a: [1, { b: () => 1 }] })).toThrowError(/found a function at a\[1\]\.b/);
    expect(() => encode("TEST", new Map())).toThrowError(plain);
    expect(() => encode("TEST", { big: 1n })).toThrowError("at big");
    expect(() => encode("TEST", JSON.parse('{"__proto__": 1}'))).toThrowError('a key "__proto__"');
    const circle: unknown[] = [];
    circle.push(circle);
    expect(() => encode("TEST", circle)).toThrowError("nested deeper than 64");
  });
});

describe("hostile bytes", () => {
  const good = encode("TEST", { x: Float64Array.of(1, 2, 3), list: [1, "two", null], deep: { a: true } });
  /** The result, or the code of the error; any other error fails the test. */
  const outcome = (bytes: Uint8Array): unknown => {
    try {
      return decode("TEST", bytes);
    } catch (error) {
      if (error instanceof CurvatureError && error.code === "ERR_CHECKPOINT") return error.code;
      throw error;
    }
  };

  test("any bytes give a result or a CurvatureError", () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => outcome(bytes) === "ERR_CHECKPOINT"));
  });

  test("any change of one byte, and any cut, is noticed", () => {
    for (let at = 0; at < good.length; at++) {
      const changed = good.slice();
      changed[at] ^= 1 << (at % 8);
      expect(outcome(changed)).toBe("ERR_CHECKPOINT");
      expect(outcome(good.subarray(0, at))).toBe("ERR_CHECKPOINT");
    }
  });

  /** A file whose checksum is right and whose header is the attacker's. */
  const forged = (header: string): Uint8Array => {
    const bytes = encode("TEST", "x".repeat(header.length - 2)); // a header in quotes, as long as the one to forge
    const end = bytes.length - 16;
    bytes.set(new TextEncoder().encode(header), 16);
    bytes.set(littleEndianBytes(hash128(bytes.subarray(0, end))), end);
    return bytes;
  };

  test.each([
    ['["f64",0,1000000000]', "an array far larger than the file"],
    ['["f64",-8,1]', "a negative offset"],
    ['["f64",0.5,0]', "a part of a byte"],
    ['["u8",0,9007199254740993]', "a length that is no safe integer"],
    ['["f64",0]', "no length"],
    ['["o","__proto__",["o","polluted",true]]', "a key that reaches the prototype"],
    ['["o",1,2]', "a key that is no string"],
    ['["o","a"]', "a key without its value"],
    ['["n","1e999"]', "an unknown number"],
    ['["zzz"]', "an unknown tag"],
    ['{"a": 1}  ', "an object"],
    ["not JSON at all", "no JSON"],
    ["[".repeat(5000) + "]".repeat(5000), "endless nesting"],
    [`${'["a",'.repeat(100)}1${"]".repeat(100)}`, "nesting deeper than allowed"],
  ])("a forged header: %s", (header) => {
    expect(outcome(forged(header))).toBe("ERR_CHECKPOINT");
    expect("polluted" in {}).toBe(false);
  });

  test("a forged header that is well formed is just data", () => {
    expect(outcome(forged('["o","constructor",1,"toString",["a"]]'))).toStrictEqual(
      Object.fromEntries([
        ["constructor", 1],
        ["toString", []],
      ]),
    );
  });

  test("another kind of file, another version and no bytes are told apart", () => {
    expect(() => decode("OTHER", good)).toThrowError("does not begin with its mark");
    const later = good.slice();
    later[8] = 2;
    expect(() => decode("TEST", later)).toThrowError("is of version 2 of the form; this library reads 1");
    expect(() => Reflect.apply(decode, undefined, ["TEST", "text"])).toThrowError("is not a Uint8Array");
  });

  test("data that is not a checkpoint is refused, whichever part is missing", () => {
    const checkpoint = {
      solver: { solver: "a", version: 1, state: null },
      dimension: 1,
      fingerprint: "f",
      run: {
        elapsedSeconds: 1,
        gradientNorm: undefined,
        latest: undefined,
        history: [],
        tests: {},
        ending: undefined,
      },
    };
    expect(decodeCheckpoint(encodeCheckpoint(checkpoint))).toStrictEqual(checkpoint);
    const worse = (path: readonly string[], value: unknown): unknown => {
      const copy: Record<string, unknown> = structuredClone(checkpoint);
      const parent = path.slice(0, -1).reduce<Record<string, unknown>>((at, key) => Object(at[key]), copy);
      parent[path[path.length - 1]] = value;
      return copy;
    };
    for (const [path, value] of [
      [["solver"], null],
      [["solver", "solver"], 1],
      [["solver", "version"], "1"],
      [["solver", "state"], undefined],
      [["dimension"], "1"],
      [["fingerprint"], 1],
      [["run"], []],
      [["run", "elapsedSeconds"], -1],
      [["run", "elapsedSeconds"], Number.NaN],
      [["run", "gradientNorm"], null],
      [["run", "latest"], { index: 1 }],
      [["run", "history"], [1]],
      [["run", "tests"], [1]],
      [["run", "ending"], { status: "won", message: "", by: "rule", rule: "" }],
    ] as const)
      expect(() => decodeCheckpoint(encode("CURVRUN", worse(path, value)))).toThrowError("not complete");
  });
});

test("bytes are little-endian on machines of either kind", () => {
  const array = Float64Array.of(1, -2.5);
  const big = littleEndianBytes(array, false);
  expect(littleEndianBytes(array, true)).toEqual(new Uint8Array(array.buffer));
  expect([...big.subarray(0, 8)]).toEqual([...new Uint8Array(array.buffer, 0, 8)].reverse());
  expect(fromLittleEndian(Float64Array, big, 8, false)).toEqual(array);
});

describe("a header that lies", () => {
  /** A file with a right checksum, whatever its header says. */
  const forged = (header: string, arrays: Uint8Array): Uint8Array => {
    const text = new TextEncoder().encode(header.padEnd(8 * Math.ceil(header.length / 8)));
    const bytes = new Uint8Array(16 + text.length + arrays.length + 16);
    const end = bytes.length - 16;
    const view = new DataView(bytes.buffer);
    bytes.set(new TextEncoder().encode("TEST    "));
    view.setUint32(8, 1, true);
    view.setUint32(12, text.length, true);
    bytes.set(text, 16);
    bytes.set(arrays, 16 + text.length);
    hash128(bytes.subarray(0, end)).forEach((word, k) => {
      view.setUint32(end + 4 * k, word, true);
    });
    return bytes;
  };

  test("cannot name an array twice, in part, out of order, or leave one out", () => {
    const arrays = new Uint8Array(16);
    expect(decode("TEST", forged('["a",["f64",0,1],["u8",8,3]]', arrays))).toEqual([
      Float64Array.of(0),
      new Uint8Array(3),
    ]);
    for (const header of [
      '["a",["f64",0,2],["f64",0,2]]',
      '["a",["f64",8,1],["f64",0,1]]',
      '["f64",1,1]',
      '["f64",0,3]',
      '["f64",0,-1]',
      '["f64",0,1]',
      "1",
    ])
      expect(() => decode("TEST", forged(header, arrays))).toThrowError(CurvatureError);
  });
});

test("a hole in a list is undefined, not null", () => {
  const holed: unknown[] = [1];
  holed[2] = "x";
  expect(decode("TEST", encode("TEST", holed))).toStrictEqual([1, undefined, "x"]);
});

test("a Node Buffer is read like any bytes, and what was read does not change with it", () => {
  const value = { x: Float64Array.of(1, 2, 3), words: Uint8Array.of(4, 5) };
  const buffer = Buffer.concat([Buffer.alloc(3), encode("TEST", value)]).subarray(3);
  const read = decode("TEST", buffer);
  buffer.fill(0);
  expect(read).toEqual(value);
});

test.each([null, undefined, 5, {}, Symbol("mark")])("a mark that is no string, %o, is refused", (mark) => {
  const code = expect.objectContaining({ code: "ERR_ARGUMENT" });
  // @ts-expect-error no string
  expect(() => encode(mark, 1)).toThrow(code);
  // @ts-expect-error no string
  expect(() => decode(mark, encode("marked", 1))).toThrow(code);
});

test.each([Symbol("value"), 10n, () => 1, new Date(0), new Map(), [[1n]]])("%o is no plain data", (value) => {
  expect(() => encode("marked", value)).toThrow(expect.objectContaining({ code: "ERR_CHECKPOINT" }));
});
