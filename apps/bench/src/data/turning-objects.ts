/**
 * Images of turning objects, in place of COIL-20 and of pictures of a teapot, which are not ours to give: closed loops
 * among pixels, one for each object. The objects are drawn here, not photographed, and resemble the originals in nothing
 * but that.
 *
 * Surface  p(u) = r(u) (s u_x, h u_y, s u_z), |u| = 1,   r(u) = 0.6 + Σ_k a_k exp(8 (u·b_k − 1))
 * Colour   ρ(u) = 0.45 + Σ_k c_k exp(6 (u·e_k − 1)), within 0.1 … 1
 * Image    p, turned by α about the vertical axis, seen from z = ∞; of each pixel the nearest point, its grey
 *          ρ (0.3 + 0.7 max(0, n·ℓ)), n the surface's normal, ℓ the lamp's direction
 *
 * Width s, height h, bumps (a_k, b_k) and spots (c_k, e_k) are drawn for each object. Either the object turns, or it stands
 * still and the lamp goes round. Noise-free; the same bits on every engine.
 */
import { cos, type DenseMatrix, exp, normal, RandomGenerator, sin, zeros } from "@curvature/linalg";

export interface TurningObjects {
  /** (objects · poses) × side²: grey values from 0 (background) to 1, the images of an object one after the other. */
  readonly points: DenseMatrix;
  /** Of each image its object. */
  readonly labels: Uint32Array;
  /** Of each image α, in radians from 0 to 2π. */
  readonly angle: Float64Array;
}

export interface TurningObjectsOptions {
  readonly objects: number;
  /** Images of one full turn. */
  readonly poses: number;
  /** Pixels on a side. Default 24. */
  readonly side?: number;
  /** What turns. Default "object". */
  readonly turning?: "object" | "lamp";
  /** Default 0. */
  readonly seed?: number;
}

type Vector = readonly [x: number, y: number, z: number];

/** Points of a surface, a position, a normal and a colour each. */
interface Surface {
  readonly positions: Float64Array;
  readonly normals: Float64Array;
  readonly colours: Float64Array;
}

const BUMPS = 5;
const SPOTS = 4;
/** Circles of latitude; twice as many of longitude. */
const CIRCLES = 96;
/** A pixel's samples on a side. */
const FINENESS = 2;
const LAMP: Vector = [0.48, 0.6, 0.64];

export function turningObjects(options: TurningObjectsOptions): TurningObjects {
  const { objects, poses, side = 24, turning = "object", seed = 0 } = options;
  const random = new RandomGenerator(seed);
  const points = zeros(objects * poses, side * side);
  const labels = new Uint32Array(points.rows);
  const angle = new Float64Array(points.rows);
  for (let g = 0; g < objects; g++) {
    const surface = drawnSurface(random);
    for (let k = 0; k < poses; k++) {
      const i = g * poses + k;
      labels[i] = g;
      angle[i] = (2 * Math.PI * k) / poses;
      const lamp: Vector = turning === "lamp" ? [0.8 * sin(angle[i]), 0.6, 0.8 * cos(angle[i])] : LAMP;
      const image = points.data.subarray(i * side * side, (i + 1) * side * side);
      render(surface, turning === "object" ? angle[i] : 0, lamp, side, image);
    }
  }
  return { points, labels, angle };
}

function unitVector(random: RandomGenerator): Vector {
  const [x, y, z] = [normal(random), normal(random), normal(random)];
  const length = Math.sqrt(x * x + y * y + z * z);
  return [x / length, y / length, z / length];
}

function drawnSurface(random: RandomGenerator): Surface {
  const width = 0.7 + 0.3 * random.uniform();
  const height = 0.7 + 0.5 * random.uniform();
  const bumps = Array.from({ length: BUMPS }, () => ({
    at: unitVector(random),
    size: 0.2 + 0.35 * random.uniform(),
  }));
  const spots = Array.from({ length: SPOTS }, () => ({
    at: unitVector(random),
    size: 1.1 * random.uniform() - 0.45,
  }));
  const [rows, columns] = [CIRCLES, 2 * CIRCLES];
  const positions = new Float64Array(3 * rows * columns);
  const colours = new Float64Array(rows * columns);
  for (let a = 0; a < rows; a++)
    for (let b = 0; b < columns; b++) {
      const [polar, turn] = [(Math.PI * (a + 0.5)) / rows, (2 * Math.PI * b) / columns];
      const u: Vector = [sin(polar) * cos(turn), cos(polar), sin(polar) * sin(turn)];
      const along = ({ at }: { readonly at: Vector }): number =>
        u[0] * at[0] + u[1] * at[1] + u[2] * at[2] - 1;
      const r = bumps.reduce((sum, bump) => sum + bump.size * exp(8 * along(bump)), 0.6);
      const colour = spots.reduce((sum, spot) => sum + spot.size * exp(6 * along(spot)), 0.45);
      positions.set([r * width * u[0], r * height * u[1], r * width * u[2]], 3 * (a * columns + b));
      colours[a * columns + b] = Math.min(1, Math.max(0.1, colour));
    }
  return { positions, normals: normalsOf(positions, rows, columns), colours };
}

/** The unit normals of a grid of points around a sphere, from the differences of a point's neighbours; outwards. */
function normalsOf(positions: Float64Array, rows: number, columns: number): Float64Array {
  const normals = new Float64Array(positions.length);
  const difference = (to: number, from: number): Vector => [
    positions[3 * to] - positions[3 * from],
    positions[3 * to + 1] - positions[3 * from + 1],
    positions[3 * to + 2] - positions[3 * from + 2],
  ];
  for (let a = 0; a < rows; a++)
    for (let b = 0; b < columns; b++) {
      const row = (at: number): number => Math.min(rows - 1, Math.max(0, at)) * columns;
      const down = difference(row(a + 1) + b, row(a - 1) + b);
      const round = difference(
        a * columns + ((b + 1) % columns),
        a * columns + ((b + columns - 1) % columns),
      );
      const n: Vector = [
        round[1] * down[2] - round[2] * down[1],
        round[2] * down[0] - round[0] * down[2],
        round[0] * down[1] - round[1] * down[0],
      ];
      const k = 3 * (a * columns + b);
      const outwards = n[0] * positions[k] + n[1] * positions[k + 1] + n[2] * positions[k + 2];
      const length = Math.sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]) * (outwards < 0 ? -1 : 1);
      if (length !== 0) normals.set([n[0] / length, n[1] / length, n[2] / length], k);
    }
  return normals;
}

function render(surface: Surface, alpha: number, lamp: Vector, side: number, image: Float64Array): void {
  const { positions, normals, colours } = surface;
  const fine = FINENESS * side;
  const depth = new Float64Array(fine * fine).fill(Number.NEGATIVE_INFINITY);
  const grey = new Float64Array(fine * fine);
  const [c, s] = [cos(alpha), sin(alpha)];
  const scale = 0.36 * fine;
  for (let k = 0; k < colours.length; k++) {
    const [x, y, z] = [positions[3 * k], positions[3 * k + 1], positions[3 * k + 2]];
    const column = Math.floor(0.5 * fine + scale * (c * x + s * z));
    const row = Math.floor(0.5 * fine - scale * y);
    if (column < 0 || column >= fine || row < 0 || row >= fine) continue;
    const at = row * fine + column;
    const near = c * z - s * x;
    if (near <= depth[at]) continue;
    depth[at] = near;
    const [nx, ny, nz] = [normals[3 * k], normals[3 * k + 1], normals[3 * k + 2]];
    const light = (c * nx + s * nz) * lamp[0] + ny * lamp[1] + (c * nz - s * nx) * lamp[2];
    grey[at] = colours[k] * (0.3 + 0.7 * Math.max(0, light));
  }
  for (let at = 0; at < grey.length; at++) {
    const row = Math.floor(at / fine / FINENESS);
    const column = Math.floor((at % fine) / FINENESS);
    image[row * side + column] += grey[at] / (FINENESS * FINENESS);
  }
}
