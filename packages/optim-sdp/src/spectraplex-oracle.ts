/**
 * The linear maximisation oracle of conditional gradients: H = argmax Tr(A H) over the spectraplex {H ⪰ 0, Tr H = s, H b = 0},
 * or over the Fantope, where H ⪯ I too, of a symmetric A that is known by its products.
 *
 * Spectraplex  H = s v vᵀ, v the leading eigenvector of A on the complement of b
 * Fantope      H = Σ v_i v_iᵀ over the ⌊s⌋ leading ones, and s − ⌊s⌋ of the next
 *
 * b is eliminated by a reflection, so that it is no eigenvector to be told from others. v comes from a few Lanczos vectors that
 * start at the last v that was kept.
 *
 * Hazan: Sparse approximate solutions to semidefinite programs. LATIN 2008. Fillmore, Williams: Some convexity theorems for
 * matrices. Glasgow Math. J. 12 (1971) 110-117, for the Fantope.
 */
import { lanczos, RandomGenerator, type SymmetricOperator } from "@curvature/linalg";
import type { SnapshotReader, SnapshotValue } from "@curvature/optim-core";
import { Complement } from "./complement.js";
import { Krylov } from "./krylov.js";
import { addOuter } from "./rank-one.js";
import type { SpectraplexProblem } from "./spectraplex-problem.js";

/** H = Σ weights_i v_i v_iᵀ */
export interface Vertex {
  readonly weights: readonly number[];
  /** v_i in the complement's coordinates. */
  readonly vectors: readonly Float64Array[];
  /** Tr(A H) */
  readonly value: number;
}

export class SpectraplexOracle {
  /** With A so far. */
  products = 0;
  readonly random: RandomGenerator;
  private readonly complement: Complement | undefined;
  private readonly operator: SymmetricOperator;
  private readonly krylov: Krylov;
  /** The last v in the complement's coordinates, or zeros before there is one. */
  private readonly v: Float64Array;

  /**
   * @param m - the size of b's complement
   * @param tolerance - the least relative residual of v that will be asked for
   * @param seed - of the first Lanczos start
   */
  constructor(
    private readonly problem: SpectraplexProblem,
    private readonly set: "spectraplex" | "fantope",
    m: number,
    tolerance: number,
    seed: number,
  ) {
    const { orthogonalTo: b } = problem;
    this.complement = b === undefined ? undefined : new Complement(b);
    const A: SymmetricOperator = (v, out) => {
      this.products++;
      problem.multiply(v, out);
    };
    this.operator = this.complement?.restrictOperator(A) ?? A;
    this.krylov = new Krylov(this.operator, m, { tolerance, vectors: 32, restarts: 100 });
    this.random = new RandomGenerator(seed);
    this.v = new Float64Array(m);
  }

  /** @param tolerance - the relative residual of v */
  ask(tolerance: number): Vertex {
    const { trace: s } = this.problem;
    const m = this.v.length;
    if (this.set === "spectraplex") {
      const start = this.v.some((entry) => entry !== 0) ? this.v : undefined;
      const { value, vector } = this.krylov.largest(start, this.random, tolerance);
      return { weights: [s], vectors: [vector], value: s * value };
    }
    const count = Math.ceil(s);
    const { values, vectors } = lanczos(this.operator, m, {
      count,
      which: "largest",
      tolerance: Math.min(tolerance, 1e-3),
    });
    const weights = Array.from(values, (_, i) => Math.min(1, s - i));
    let value = 0;
    weights.forEach((weight, i) => {
      value += weight * values[i];
    });
    const rows = weights.map((_, i) => vectors.data.subarray(i * m, (i + 1) * m));
    return { weights, vectors: rows, value };
  }

  /** Z ← Z + α H, n × n. */
  add(alpha: number, { weights, vectors }: Vertex, Z: Float64Array): void {
    const { complement } = this;
    const long = new Float64Array(this.problem.size);
    weights.forEach((weight, i) => {
      if (complement === undefined) long.set(vectors[i]);
      else complement.extendVector(vectors[i], long);
      addOuter(alpha * weight, long, Z);
    });
  }

  /** The next v is looked for from this one. */
  keep({ vectors }: Vertex): void {
    this.v.set(vectors[0]);
  }

  save(): { readonly [key: string]: SnapshotValue } {
    return { v: this.v.slice(), random: this.random.save(), products: this.products };
  }

  /** Reads all fields, and gives back what takes them. @throws CurvatureError ERR_SNAPSHOT */
  read(state: SnapshotReader): () => void {
    const v = state.float64("v", this.v.length);
    const random = state.uint32("random", 4);
    const products = state.integer("products");
    return () => {
      this.v.set(v);
      this.random.restore(random);
      this.products = products;
    };
  }
}
