/**
 * Images of an object on a turntable: a closed manifold of one dimension among 576 pixels. The object is three soft lamps,
 * in place of the teapot of Tepper, Sengupta, Chklovskii (J. Mach. Learn. Res. 19, 2018, figure 6a), whose images are not
 * ours to give.
 *
 * grey(x, y) = Σ_k h_k exp(−‖(x, y) − p_k‖² / (2 σ_k²)),   p_k = centre + ρ_k (cos(α + β_k), sin(α + β_k)),
 * α = 2π i / count,   x, y = 0 … 23,   centre (11.5, 11.5)
 *
 * | k | ρ_k | β_k  | σ_k | h_k |
 * |---|-----|------|-----|-----|
 * | 0 | 3   | 0°   | 2   | 1   |
 * | 1 | 5   | 70°  | 1.5 | 0.8 |
 * | 2 | 8   | 200° | 2.5 | 0.6 |
 */
import { cos, type DenseMatrix, exp, sin, zeros } from "@curvature/linalg";

const SIDE = 24;
const CENTRE = (SIDE - 1) / 2;
const lamps = [
  { radius: 3, turn: 0, width: 2, height: 1 },
  { radius: 5, turn: (70 * Math.PI) / 180, width: 1.5, height: 0.8 },
  { radius: 8, turn: (200 * Math.PI) / 180, width: 2.5, height: 0.6 },
];

/**
 * @param count - images of one full turn
 * @returns count × 576: 24 rows of 24 grey values for each image, from 0 to about 1
 */
export function turntable(count: number): DenseMatrix {
  const points = zeros(count, SIDE * SIDE);
  for (let i = 0; i < count; i++)
    light((2 * Math.PI * i) / count, points.data.subarray(i * SIDE * SIDE, (i + 1) * SIDE * SIDE));
  return points;
}

function light(alpha: number, image: Float64Array): void {
  for (const { radius, turn, width, height } of lamps) {
    const px = CENTRE + radius * cos(alpha + turn);
    const py = CENTRE + radius * sin(alpha + turn);
    for (let y = 0; y < SIDE; y++) {
      for (let x = 0; x < SIDE; x++) {
        const square = (x - px) * (x - px) + (y - py) * (y - py);
        image[y * SIDE + x] += height * exp(-square / (2 * width * width));
      }
    }
  }
}
