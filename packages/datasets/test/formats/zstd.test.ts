import { zstdCompressSync } from "node:zlib";
import { readPoints } from "@curvature/datasets";
import { afterEach, describe, expect, test, vi } from "vitest";
import { cut, encoded, failure } from "./support.js";

const joined = (...parts: readonly Uint8Array[]): Uint8Array => Uint8Array.from(Buffer.concat(parts));
const zstd = (content: string | Uint8Array): Uint8Array => Uint8Array.from(zstdCompressSync(content));
// several blocks: more than 128 KiB of what does not repeat
const rows = Array.from({ length: 60_000 }, (_, k) => `${Math.sin(k)},${k}\n`).join("");
const plain = encoded(`x,y\n${rows}`);
const compressed = zstd(plain);
/** To be skipped: RFC 8878, section 3.1.2. */
const skipped = Uint8Array.of(0x53, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3);

// zstd is in Node from version 22.15 on, where this suite runs
test("zstd input is expanded, whatever its pieces and frames", async () => {
  const expected = await readPoints(plain);
  expect(await readPoints(compressed)).toEqual(expected);
  expect(await readPoints(cut(compressed, [1, 2, 3, 4, 5, 6, 9, 1000, compressed.length - 2]))).toEqual(
    expected,
  );
  const more = await readPoints(joined(plain, encoded("7,8\n9,10\n")));
  const frames = joined(compressed, zstd("7,8\n"), skipped, zstd("9,10\n"), skipped);
  expect(await readPoints(frames)).toEqual(more);
  const end = compressed.length;
  expect(await readPoints(cut(frames, [end - 1, end, end + 1, end + 5, end + 9, end + 20]))).toEqual(more);
});

test("what the command zstd writes, with its checksum", async () => {
  // printf '1,2\n3,4\n' | zstd | xxd -p, version 1.5
  const bytes = Uint8Array.from(Buffer.from("28b52ffd0458410000312c320a332c340a0e73ba36", "hex"));
  expect((await readPoints(bytes)).points.data).toEqual(Float64Array.of(1, 2, 3, 4));
  const error = await failure(readPoints(bytes.with(-1, 0)));
  expect(error.message).toContain("The zstd input is damaged");
});

const bomb = zstd(Buffer.alloc(70 * 2 ** 20, "1,2\n"));

test.each<[string, Uint8Array, string]>([
  ["cut off", compressed.subarray(0, -1), "is damaged or cut off"],
  ["only a header", compressed.subarray(0, 6), "is damaged or cut off"],
  ["text follows", joined(zstd("1,2\n"), encoded("3,4\n5,6\n")), "goes on after its end"],
  ["one byte follows", joined(zstd("1,2\n"), Uint8Array.of(0x28)), "goes on after its end"],
  ["a frame that is cut off follows", joined(zstd("1,2\n"), zstd("3,4\n").subarray(0, -3)), "cut off"],
  ["damaged", zstd("1,2\n").fill(255, 4, 9), "is damaged"],
  ["gzip inside", zstd(Uint8Array.of(0x1f, 0x8b, 8, 0)), "holds another gzip file"],
  ["a bomb", bomb, "expands to more than 200 times its size"],
])("%s: refused", async (_, bytes, sentence) => {
  const error = await failure(readPoints(bytes, { delimiter: "," }));
  expect(error.code).toBe("ERR_PARSE");
  expect(error.message).toContain(sentence);
  expect(error.message).toMatch(
    bytes === bomb
      ? /^The zstd input .* If you trust it, expand it first, and give what was in it\.$/
      : /^The zstd input .* Compress the data again, once, with zstd\.$/,
  );
});

describe("a runtime without zstd", () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  test("is told the command that expands", async () => {
    vi.spyOn(process, "getBuiltinModule").mockReturnValue(undefined);
    expect((await failure(readPoints(compressed))).message).toContain("Expand it first: zstd -d file.zst");
  });
});
