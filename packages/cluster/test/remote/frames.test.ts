import { CurvatureError } from "@curvature/linalg";
import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeFrame, encodeFrame, type Frame } from "../../src/remote/frames.js";

const u32 = fc.nat({ max: 2 ** 32 - 1 });
const floats = fc.float64Array({ maxLength: 40 });
const words = { worker: fc.string(), reason: fc.string({ unit: "grapheme" }) };
const indices = fc.int32Array({ maxLength: 9 });

const frames: fc.Arbitrary<Frame> = fc.oneof(
  fc.record({ kind: fc.constant("point" as const), epoch: u32, point: u32, x: floats }),
  fc.record({
    kind: fc.constant("task" as const),
    epoch: u32,
    point: u32,
    wantsGradient: fc.boolean(),
    parts: fc.array(fc.record({ ask: u32, indices }), { maxLength: 5 }),
  }),
  fc.record({
    kind: fc.constant("value" as const),
    epoch: u32,
    ask: u32,
    value: fc.double(),
    gradient: fc.oneof(fc.constant(undefined), floats),
  }),
  fc.record({ kind: fc.constant("failure" as const), epoch: u32, ask: u32, ...words }),
  fc.record({ kind: fc.constant("refusal" as const), epoch: u32, ...words }),
);

const isCurvatureError = (error: unknown): boolean =>
  error instanceof CurvatureError && error.code === "ERR_PARSE";

test("what is encoded is decoded, bit for bit, wherever it lies in a buffer", () => {
  fc.assert(
    fc.property(frames, fc.nat({ max: 9 }), (frame, shift) => {
      const bytes = encodeFrame(frame);
      const shifted = new Uint8Array(bytes.length + shift + 3);
      shifted.set(bytes, shift);
      expect(decodeFrame(shifted.subarray(shift, shift + bytes.length))).toEqual(frame);
    }),
  );
});

test("a frame that is cut, or longer, is an error and never a frame", () => {
  fc.assert(
    fc.property(frames, fc.nat({ max: 400 }), (frame, cut) => {
      const bytes = encodeFrame(frame);
      const end = cut % bytes.length;
      expect(() => decodeFrame(bytes.subarray(0, end))).toThrowError(expect.toSatisfy(isCurvatureError));
      const longer = new Uint8Array(bytes.length + 1 + (cut % 7));
      longer.set(bytes);
      expect(() => decodeFrame(longer)).toThrowError(expect.toSatisfy(isCurvatureError));
    }),
  );
});

test("any bytes are a frame or an error", () => {
  fc.assert(
    fc.property(frames, fc.uint8Array({ maxLength: 80 }), fc.nat({ max: 60 }), (frame, noise, at) => {
      const bytes = encodeFrame(frame);
      for (let k = 0; k < noise.length && at + k < bytes.length; k++) bytes[at + k] = noise[k];
      for (const hostile of [noise, bytes]) {
        try {
          decodeFrame(hostile);
        } catch (error) {
          expect(isCurvatureError(error), String(error)).toBe(true);
        }
      }
    }),
    { numRuns: 500 },
  );
});

test("another protocol is named", () => {
  const bytes = encodeFrame({ kind: "point", epoch: 1, point: 2, x: Float64Array.of(1) });
  bytes[4] = 9;
  expect(() => decodeFrame(bytes)).toThrowError(
    "it is of protocol 9, and this is 1; install the same release everywhere",
  );
});
