/** How alike two maps are, up to moving, turning, reflecting and scaling. */
import { CurvatureError, type DenseMatrix, type MatrixLike } from "@curvature/linalg";

export interface ProcrustesOptions {
  /** Whether the map may be scaled. Default true. */
  readonly scaling: boolean;
  /** Whether the map may be reflected. Default true. */
  readonly reflection: boolean;
}

export const procrustesDefaults: ProcrustesOptions = Object.freeze({ scaling: true, reflection: true });

/** `aligned` = scale · map · rotation + translation. */
export interface Procrustes {
  /** ‖target − aligned‖² / ‖target − its mean‖², from 0 (alike) to 1. */
  readonly disparity: number;
  /** n × p */
  readonly aligned: DenseMatrix;
  readonly scale: number;
  /** p × p, orthogonal. */
  readonly rotation: DenseMatrix;
  /** Length p. */
  readonly translation: Float64Array;
}

/**
 * Moves `map` onto `target`.
 *
 * @param target - n × p
 * @param map - n × p, of the same objects in the same order
 * @throws CurvatureError ERR_SHAPE, ERR_NON_FINITE, ERR_OPTION; ERR_ARGUMENT where all points of one are the same
 */
export function procrustes(
  target: MatrixLike,
  map: MatrixLike,
  options: Partial<ProcrustesOptions> = {},
): Procrustes {
  throw new CurvatureError("ERR_ARGUMENT", "This part is not finished.", {
    received: [target, map, options],
  });
}
