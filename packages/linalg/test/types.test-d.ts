import {
  checkOptions,
  type DenseMatrix,
  type MatrixLike,
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

test("matrices of all kinds come in through the doors", () => {
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

test("options keep their types, and rules must cover them", () => {
  const settings = checkOptions("f", { step: 1 }, { step: 2 }, { step: positive });
  expectTypeOf(settings).toEqualTypeOf<{ step: number }>();
  // @ts-expect-error: an option without a rule
  checkOptions<{ step: number; other: number }>("f", {}, { step: 1, other: 2 }, { step: positive });
});

test("arrays and typed arrays can be shuffled", () => {
  const random = new RandomGenerator(0);
  shuffle(random, ["a", "b"]);
  shuffle(random, new Int32Array(2));
  // @ts-expect-error: a set has no order to change
  shuffle(random, new Set([1]));
});
