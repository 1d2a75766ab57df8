import type { DenseMatrix } from "@curvature/linalg";
import type { Iteration, RunResult, Status } from "@curvature/optim-core";
import { type EmbeddingDetails, type EmbedOptions, type EmbedResult, embed } from "@curvature/optim-spectral";
import { expectTypeOf, test } from "vitest";

test("embed takes rows, shaped typed arrays and ml-matrix's matrices, and nothing else", () => {
  expectTypeOf(embed).toBeCallableWith([[1, 2]]);
  expectTypeOf(embed).toBeCallableWith([new Float32Array(2)], { method: "ee" });
  expectTypeOf(embed).toBeCallableWith({ rows: 1, columns: 2, data: new Float32Array(2) });
  // @ts-expect-error text is no matrix
  void embed("points.csv");
  // @ts-expect-error an unknown method
  void embed([[1]], { method: "umap" });
  // @ts-expect-error a misspelt option
  void embed([[1]], { perplexty: 30 });
});

test("its result is a run's result with a map", () => {
  expectTypeOf(embed).returns.resolves.toEqualTypeOf<EmbedResult>();
  expectTypeOf<EmbedResult>().toExtend<RunResult<EmbeddingDetails>>();
  expectTypeOf<EmbedResult["embedding"]>().toEqualTypeOf<DenseMatrix>();
  expectTypeOf<EmbedResult["klDivergence"]>().toEqualTypeOf<number | undefined>();
  expectTypeOf<"time-limit">().toExtend<Status>();
});

test("listeners see the solver's details, typed", () => {
  expectTypeOf<NonNullable<EmbedOptions["onIteration"]>>()
    .parameter(0)
    .toEqualTypeOf<Iteration<EmbeddingDetails>>();
});
