/** A map of more dimensions than could be held is refused before it is begun. */
import { elasticEmbedding, symmetricSne, tsne } from "@curvature/objectives/embedding";
import { expect, test } from "vitest";

const P = { rows: 3, columns: 3, data: Float64Array.of(0, 1, 1, 1, 0, 1, 1, 1, 0).map((p) => p / 6) };

test.each([2 ** 31, 2 ** 53, 2 ** 20 + 1])("%s dimensions are refused", (dimensions) => {
  const refusal = expect.objectContaining({ code: "ERR_OPTION", path: "dimensions" });
  expect(() => tsne(P, { dimensions })).toThrowError(refusal);
  expect(() => symmetricSne(P, { dimensions })).toThrowError(refusal);
  expect(() => elasticEmbedding({ attraction: P, repulsion: "constant" }, { dimensions })).toThrowError(
    refusal,
  );
});
