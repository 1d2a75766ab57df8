import { readCsv } from "@curvature/datasets";
import fc from "fast-check";
import { expect, test } from "vitest";

/** How the reader understands one number, with its cell's end right after it and with a blank between. */
async function parsed(texts: readonly string[]): Promise<Float64Array> {
  const lines = texts.map((text) => `${text},${text} \n`).join("");
  const { data } = (await readCsv(lines, { delimiter: ",", header: false })).points;
  const numbers = data.filter((_, k) => k % 2 === 0);
  expect(data.filter((_, k) => k % 2 === 1)).toEqual(numbers);
  return numbers;
}

async function expectSame(texts: readonly string[]): Promise<void> {
  const values = await parsed(texts);
  expect(texts.filter((text, i) => !Object.is(values[i], Number(text)))).toEqual([]);
}

const digits = (most: number): fc.Arbitrary<string> =>
  fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: most }).map((ds) => ds.join(""));

test("decimals are rounded as Number rounds them", async () => {
  const decimal = fc
    .tuple(
      fc.constantFrom("", "-", "+"),
      digits(20),
      fc.constantFrom("", "."),
      digits(20),
      fc.integer({ min: -330, max: 280 }),
    )
    .map(
      ([sign, whole, point, fraction, e]) =>
        `${sign}${whole}${point}${point === "" ? "" : fraction}${e % 3 === 0 ? `e${e}` : ""}`,
    );
  await fc.assert(fc.asyncProperty(fc.array(decimal, { minLength: 1, maxLength: 40 }), expectSame), {
    numRuns: 300,
  });
});

test("what String makes of a double is read as that double", async () => {
  const double = fc.double({ noNaN: true, noDefaultInfinity: true });
  await fc.assert(
    fc.asyncProperty(fc.array(double, { minLength: 1, maxLength: 40 }), (values) =>
      expectSame(values.map(String)),
    ),
    { numRuns: 300 },
  );
});

test("the exact middles between neighbouring doubles, and the decimals next to them, are rounded right", async () => {
  const middle = fc
    .tuple(
      fc.bigInt({ min: 2n ** 52n, max: 2n ** 53n - 1n }),
      fc.integer({ min: 1, max: 40 }),
      fc.constantFrom(-1n, 0n, 1n),
    )
    .map(([m, power, nudge]) => {
      // (2m + 1) / 2^power is halfway between two doubles, and has `power` decimals
      const scaled = (2n * m + 1n) * 5n ** BigInt(power) + nudge;
      const text = scaled.toString().padStart(power + 1, "0");
      return `${text.slice(0, -power)}.${text.slice(-power)}`;
    });
  await fc.assert(
    fc.asyncProperty(fc.array(middle, { minLength: 1, maxLength: 20 }), async (texts) => {
      await expectSame(texts);
      await expectSame(texts.map((text) => text.slice(0, 30)));
    }),
    { numRuns: 200 },
  );
});

test.each([
  "1",
  "-1",
  "+1",
  "1.",
  ".5",
  "1e3",
  "1E+3",
  "1e-3",
  "00012",
  "0e999",
  "-0",
  "1e-400",
  " 7 ",
  " 7",
])("%s is a number", async (text) => {
  await expectSame([text]);
});

test.each([
  ".",
  "-",
  "+",
  "-.",
  ".e5",
  "e5",
  "1e",
  "1ex",
  "1e+",
  "1 2",
  "--1",
  "1.2.3",
  "0x1F",
  "1_000",
  "1n",
  "٣",
  "1,5",
  "Infinity",
  "1e309",
])("%s is not", async (text) => {
  await expect(parsed([`"${text}"`])).rejects.toThrowError(/line 1, column 1/);
});
