import fc from "fast-check";
import { expect, test } from "vitest";
import { isoText } from "../../src/tables/typed-columns.js";

test("moments are those of the language's own calendar", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: -8.64e12, max: 8.64e12 }),
      fc.integer({ min: 0, max: 999 }),
      (seconds, part) => {
        const own = new Date(seconds * 1000).toISOString().slice(0, -5);
        const digits =
          part === 0
            ? ""
            : `.${String(1000 + part)
                .slice(1)
                .replace(/0+$/, "")}`;
        expect(isoText(BigInt(seconds) * 1000n + BigInt(part), 1000n)).toBe(own + digits);
      },
    ),
  );
  for (const [day, text] of [
    [-719_468, "0000-03-01"],
    [-719_469, "0000-02-29"],
    [11_016, "2000-02-29"],
    [-25_508, "1900-03-01"],
  ] as const)
    expect(isoText(BigInt(day) * 86_400n, 1n)).toBe(`${text}T00:00:00`);
});
