import { crc32, gzipSync } from "node:zlib";
import { readPoints, readTable } from "@curvature/datasets";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { cut, encoded, failure } from "./support.js";

const table = encoded("x,y\n1,2\n3,4\n".padEnd(100_000, "5,6\n"));
const compressed = Uint8Array.from(gzipSync(table));
const joined = (...parts: readonly Uint8Array[]): Uint8Array => Uint8Array.from(Buffer.concat(parts));

const bomb = Uint8Array.from(gzipSync(Buffer.alloc(70 * 2 ** 20, "1,2\n")));

/** A member with all optional fields, each of `size` bytes, before its data. */
function withHeader(size: number): Uint8Array {
  const field = Array.from({ length: size }, (_, k) => 1 + (k % 255));
  const fixed = compressed.slice(0, 10);
  fixed[3] = 2 + 4 + 8 + 16;
  const extra = [size & 255, size >> 8, ...field];
  const head = Uint8Array.from([...fixed, ...extra, ...field, 0, ...field, 0]);
  const crc = crc32(head);
  return joined(head, Uint8Array.of(crc & 255, (crc >> 8) & 255), compressed.subarray(10));
}

// Node's zlib, and the web's decompressor where that is not to be had, as in browsers.
describe.each(["zlib", "DecompressionStream"])("%s", (engine) => {
  beforeEach(() => {
    if (engine !== "zlib") vi.spyOn(process, "getBuiltinModule").mockReturnValue(undefined);
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });

  test("gzip input is expanded, whatever its pieces", async () => {
    const plain = await readPoints(table);
    expect(await readPoints(compressed)).toEqual(plain);
    expect(await readPoints(cut(compressed, [0, 1, 2, 3, 50, compressed.length - 4]))).toEqual(plain);
    expect(await readPoints(new Blob([compressed.slice()]).stream())).toEqual(plain);
  });

  test("whatever stands in the header", async () => {
    const plain = await readPoints(table);
    for (const size of [0, 1, 300]) {
      const long = withHeader(size);
      expect(await readPoints(long)).toEqual(plain);
      expect(
        await readPoints(cut(long, [1, 10, 11, 12, 13, 14, 320, long.length - 9, long.length - 7])),
      ).toEqual(plain);
    }
    expect((await failure(readPoints(withHeader(300).subarray(0, 400)))).message).toContain("cut off");
  });

  test("members one after another are read as one file, as bgzip and cat write them", async () => {
    const plain = await readPoints(joined(table, table.subarray(4), encoded("7,8\n")));
    const rest = Uint8Array.from(gzipSync(table.subarray(4)));
    const whole = joined(compressed, rest, gzipSync("7,8\n"), gzipSync(""));
    expect(await readPoints(whole)).toEqual(plain);
    const ends = [compressed.length, compressed.length + rest.length];
    for (const shift of [-9, -1, 0, 1, 5, 9, 10, 11])
      expect(
        await readPoints(
          cut(
            whole,
            ends.map((end) => end + shift),
          ),
        ),
      ).toEqual(plain);
    expect(
      await readPoints(joined(withHeader(1), rest, withHeader(0).subarray(0, 0), gzipSync("7,8\n"))),
    ).toEqual(plain);
  });

  test("cut off anywhere it is refused", async () => {
    const small = Uint8Array.from(gzipSync("1,2\n3,4\n"));
    for (let length = 2; length < small.length; length++)
      for (const bytes of [small.subarray(0, length), cut(small.subarray(0, length), [length >> 1])])
        expect((await failure(readPoints(bytes))).message).toContain("gzip input is damaged or cut off");
  });

  test.each([
    ["the end is missing", compressed.slice(0, -1)],
    ["half is missing", compressed.slice(0, compressed.length / 2)],
    ["only the first two bytes are there", compressed.slice(0, 2)],
    ["the checksum is wrong", compressed.with(-6, compressed[compressed.length - 6] ^ 1)],
    ["the length is wrong", compressed.with(-1, compressed[compressed.length - 1] ^ 1)],
    ["the data are damaged", compressed.with(30, compressed[30] ^ 255)],
    ["text follows", joined(compressed, encoded("junk"))],
    ["zeros follow", joined(compressed, new Uint8Array(512))],
    ["a member that is cut off follows", joined(compressed, gzipSync("7,8\n").subarray(0, -9))],
    [
      "a damaged member comes first",
      joined(compressed.with(-6, compressed[compressed.length - 6] ^ 1), compressed),
    ],
    [
      "a thousand members hold nothing",
      joined(...Array.from({ length: 1002 }, () => gzipSync("")), compressed),
    ],
    ["the content is gzip again", Uint8Array.from(gzipSync(compressed))],
  ])("%s: refused", async (_, bytes) => {
    const error = await failure(readPoints(bytes));
    expect(error.code).toBe("ERR_PARSE");
    expect(error.message).toMatch(/^The gzip input .* Compress the data again, once, with gzip\.$/);
  });

  test("what the decompressor says is the cause", async () => {
    expect((await failure(readPoints(compressed.slice(0, -1)))).cause).toBeInstanceOf(Error);
  });

  test("more than 200 times the size is refused once 64 MiB are out, and anything over maxBytes", {
    tags: ["full"],
  }, async () => {
    expect((await failure(readPoints(bomb, { delimiter: "," }))).message).toContain(
      "expands to more than 200 times its size",
    );
    expect((await failure(readPoints(compressed, { maxBytes: 99_999 }))).message).toContain(
      "longer than 99999 bytes",
    );
    expect((await readPoints(compressed, { maxBytes: 100_000 })).points.columns).toBe(2);
    expect((await failure(readPoints(table, { maxBytes: 99_999 }))).message).toContain(
      "longer than 99999 bytes",
    );
  });

  test("a name in .gz promises gzip", async () => {
    expect((await failure(readPoints("1,2\n", { name: "points.csv.gz" }))).message).toContain(
      "the content is not gzip",
    );
  });

  async function letsGo(_: string, head: Uint8Array): Promise<void> {
    for (const read of [readPoints, readTable]) {
      let released = false;
      async function* source(): AsyncGenerator<Uint8Array> {
        try {
          yield head;
          for (;;) yield new Uint8Array(1000);
        } finally {
          released = true;
        }
      }
      await failure(read(source(), { delimiter: "," }));
      await new Promise((resolve) => setTimeout(resolve, 0));
      expect(released).toBe(true);
    }
  }

  test.each([
    ["an error in gzip content", Uint8Array.from(gzipSync("1,2\n3,4\n5\n6,7\n"))],
    ["an error in plain content", encoded("1,2\n3,4\n5\n6,7\n".padEnd(300_000, "8,9\n"))],
    ["a format that is not read", Uint8Array.of(0x89, 0x48, 0x44, 0x46, 13, 10)],
  ])("the source is let go after %s", letsGo);

  test.each([["a binary format in the place of text", encoded("\0\0\0")]])(
    "the source is let go after %s",
    { tags: ["full"] },
    letsGo,
  );

  test("a source that gives nothing any more does not hold back an error", async () => {
    async function* source(): AsyncGenerator<Uint8Array> {
      // more than is looked at to decide how it is written
      yield encoded(`${"1,2\n".repeat(100_000)}1\n3,4\n`);
      await new Promise(() => undefined);
    }
    expect((await failure(readPoints(source()))).path).toBe("line 100001");
  });

  test("an error of the source itself comes through as it is", async () => {
    const broken = new Error("disk failure");
    async function* source(head: Uint8Array): AsyncGenerator<Uint8Array> {
      yield head;
      throw broken;
    }
    await expect(readPoints(source(compressed.slice(0, 50)))).rejects.toBe(broken);
    await expect(readPoints(source(encoded("1,2\n")))).rejects.toBe(broken);
  });
});

test("an engine that has Node's modules and a name of its own is left to its DecompressionStream", async () => {
  vi.stubGlobal("navigator", { userAgent: "Cloudflare-Workers" });
  const modules = vi.spyOn(process, "getBuiltinModule");
  expect(await readPoints(compressed)).toEqual(await readPoints(table));
  expect(modules).not.toHaveBeenCalled();
  vi.stubGlobal("DecompressionStream", undefined); // as in test environments that pose as browsers
  expect(await readPoints(compressed)).toEqual(await readPoints(table));
  expect(modules).toHaveBeenCalled();
  vi.unstubAllGlobals();
  modules.mockRestore();
});
