/** A description and numbers as one text: what comes back is what went in, or nothing does. */
import { CurvatureError } from "@curvature/linalg";
import { decodeModel, encodeModel } from "@curvature/optim-core";
import { expect, test } from "vitest";

const form = { format: "toy-model", version: 2 } as const;

test.each([0, 1, 6143, 6144, 6145, 20_000])("%s numbers come back bit for bit", (length) => {
  const numbers = Float64Array.from({ length }, (_, k) => (k % 7 === 0 ? -0 : (k - 3) * 0.1));
  const { fields, numbers: again } = decodeModel(form, encodeModel(form, { words: ["ä", "b"] }, numbers));
  expect(again).toEqual(numbers);
  expect(fields.get("words")).toEqual(["ä", "b"]);
});

test("any JSON reader takes the file", () => {
  const text = new TextDecoder().decode(encodeModel(form, { a: null }, Float64Array.of(1)));
  expect(JSON.parse(text)).toMatchObject({ ...form, a: null, numbers: 1, data: ["AAAAAAAA8D8="] });
});

test("other kinds, other versions, and any changed byte are refused", () => {
  const bytes = encodeModel(form, { words: ["a"] }, Float64Array.of(1, 2, 3));
  const refusal = (read: () => unknown): string => {
    try {
      read();
    } catch (error) {
      if (error instanceof CurvatureError) return error.message;
      throw error;
    }
    return "";
  };
  expect(refusal(() => decodeModel({ ...form, format: "other" }, bytes))).toMatch(/is not of this kind/);
  expect(refusal(() => decodeModel({ ...form, version: 3 }, bytes))).toMatch(/version 2; .* version 3/);
  for (let k = 0; k < bytes.length; k++) {
    const changed = bytes.slice();
    changed[k] ^= 1;
    expect(refusal(() => decodeModel(form, changed))).not.toBe("");
    expect(refusal(() => decodeModel(form, bytes.subarray(0, k)))).not.toBe("");
  }
});
