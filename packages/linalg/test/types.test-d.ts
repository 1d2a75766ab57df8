import {
  type DenseMatrix,
  type MatrixLike,
  type OptionsOf,
  optionTable,
  positive,
  RandomGenerator,
  type SparseMatrixLike,
  shuffle,
  toDense,
  toSparse,
} from "@curvature/linalg";
import { toMl } from "@curvature/linalg/ml";
import type { AbstractMatrix, Matrix } from "ml-matrix";
import type { SparseMatrix as MlSparseMatrix } from "ml-sparse-matrix";
import { expectTypeOf, test } from "vitest";

test("matrices of all kinds are accepted", () => {
  expectTypeOf<number[][]>().toExtend<MatrixLike>();
  expectTypeOf<readonly (readonly number[])[]>().toExtend<MatrixLike>();
  expectTypeOf<Float32Array[]>().toExtend<MatrixLike>();
  expectTypeOf<DenseMatrix>().toExtend<MatrixLike>();
  expectTypeOf<DenseMatrix<Float32Array>>().toExtend<MatrixLike>();
  expectTypeOf<Matrix>().toExtend<MatrixLike>();
  expectTypeOf<MlSparseMatrix>().toExtend<SparseMatrixLike>();
  expectTypeOf<string[][]>().not.toExtend<MatrixLike>();
  expectTypeOf<number[]>().not.toExtend<MatrixLike>();
  expectTypeOf(toDense).returns.toEqualTypeOf<DenseMatrix>();
  expectTypeOf(toSparse).parameter(0).toEqualTypeOf<SparseMatrixLike>();
});

test("a view is one of ml-matrix's matrices", () => {
  expectTypeOf(toMl).returns.toExtend<AbstractMatrix>();
});

test("options and settings have the types of their rules", () => {
  const table = optionTable({ step: positive.default(2), limit: positive });
  expectTypeOf<OptionsOf<typeof table>>().toEqualTypeOf<{
    readonly step?: number | undefined;
    readonly limit?: number | undefined;
  }>();
  expectTypeOf(table.resolve("f", { step: 1 })).toEqualTypeOf<{
    readonly step: number;
    readonly limit: number | undefined;
  }>();
  // @ts-expect-error: no default of another type
  positive.default("1");
});

test("arrays and typed arrays can be shuffled", () => {
  const random = new RandomGenerator(0);
  shuffle(random, ["a", "b"]);
  shuffle(random, new Int32Array(2));
  // @ts-expect-error: a set has no order to change
  shuffle(random, new Set([1]));
});
