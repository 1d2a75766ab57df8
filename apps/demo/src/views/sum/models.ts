/**
 * The quadratic models that SFO has of functions of two variables, read from its checkpoints:
 *
 *   gᵢ(z) = f + dᵀ(z − t) + ½ (z − t)ᵀ H (z − t),   H = B diag(σ) Bᵀ + λ I   (I on the parameters that fᵢ depends on)
 *
 * With two variables SFO works in the whole space, so its coordinates are x and y.
 */
import { decodeCheckpoint } from "@curvature/optim-core";

/** f + d·(z − t) + ½ (z − t)ᵀ H (z − t) as numbers: f, tx, ty, dx, dy, hxx, hxy, hyy. */
export type Quadratic = readonly [number, number, number, number, number, number, number, number];

/** The model of every subfunction that is active. */
export function modelsIn(checkpoint: Uint8Array): readonly Quadratic[] {
  const { solver } = decodeCheckpoint(checkpoint);
  const models = ["sfo", "state", "method", "models"].reduce(fieldOf, solver.state);
  if (!Array.isArray(models)) throw new TypeError("The checkpoint holds no models of SFO.");
  return models.filter((model) => fieldOf(model, "isActive") === true).map(quadratic);
}

function quadratic(model: unknown): Quadratic {
  const [tx, ty] = numbersOf(model, "t");
  const [dx, dy] = numbersOf(model, "d");
  const columns = numbersOf(model, "columns");
  const [f, lambda] = [Number(fieldOf(model, "f")), Number(fieldOf(model, "lambda"))];
  const domain = numbersOf(model, "domainFlags"); // none for all
  const isOfAll = !domain.includes(1);
  let hxx = isOfAll || domain[0] === 1 ? lambda : 0;
  let hxy = 0;
  let hyy = isOfAll || domain[1] === 1 ? lambda : 0;
  numbersOf(model, "signs").forEach((sign, k) => {
    const [x, y] = columns.slice(2 * k, 2 * k + 2);
    hxx += sign * x * x;
    hxy += sign * x * y;
    hyy += sign * y * y;
  });
  return [Number.isNaN(f) ? 0 : f, tx, ty, dx, dy, hxx, hxy, hyy];
}

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;

function numbersOf(model: unknown, name: string): readonly number[] {
  const value = fieldOf(model, name);
  return value instanceof Float64Array || value instanceof Uint8Array ? [...value] : [];
}

export const valueAt = ([f, tx, ty, dx, dy, a, b, c]: Quadratic, x: number, y: number): number => {
  const [v, w] = [x - tx, y - ty];
  return f + dx * v + dy * w + 0.5 * (a * v * v + 2 * b * v * w + c * w * w);
};

/** The sum of models, again a quadratic; it stands at the origin. */
export const sumOf = (models: readonly Quadratic[]): Quadratic =>
  models.reduce(
    (sum, model): Quadratic => {
      const [, tx, ty, dx, dy, a, b, c] = model;
      return [
        sum[0] + valueAt(model, 0, 0),
        0,
        0,
        sum[3] + dx - a * tx - b * ty,
        sum[4] + dy - b * tx - c * ty,
        sum[5] + a,
        sum[6] + b,
        sum[7] + c,
      ];
    },
    [0, 0, 0, 0, 0, 0, 0, 0],
  );

/** Where a quadratic is least; undefined if it has no minimum. */
export function minimumOf(model: Quadratic): readonly [number, number] | undefined {
  const [, tx, ty, dx, dy, a, b, c] = model;
  const determinant = a * c - b * b;
  if (!(a > 0 && determinant > 1e-12 * a * c)) return undefined;
  return [tx - (c * dx - b * dy) / determinant, ty - (a * dy - b * dx) / determinant];
}

const corners = 72;

/** The line x0, y0, x1, y1, … on which a quadratic is `level`: an ellipse; undefined where there is none. */
export function levelEllipse(model: Quadratic, level: number): Float64Array | undefined {
  const centre = minimumOf(model);
  if (centre === undefined) return undefined;
  const height = level - valueAt(model, ...centre);
  if (!(height > 0)) return undefined;
  const [, , , , , a, b, c] = model;
  // H = L Lᵀ; the unit circle goes to the ellipse by L⁻ᵀ.
  const l11 = Math.sqrt(a);
  const l21 = b / l11;
  const l22 = Math.sqrt(c - l21 * l21);
  const radius = Math.sqrt(2 * height);
  const line = new Float64Array(2 * (corners + 1));
  for (let k = 0; k <= corners; k++) {
    const angle = (2 * Math.PI * k) / corners;
    const w = (radius * Math.sin(angle)) / l22;
    const v = (radius * Math.cos(angle) - l21 * w) / l11;
    line.set([centre[0] + v, centre[1] + w], 2 * k);
  }
  return line;
}
