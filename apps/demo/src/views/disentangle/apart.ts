/** The embedding of each component by its own block of Q, side by side. */
import { type Components, type DenseMatrix, zeros } from "@curvature/linalg";
import { embeddingOf } from "@curvature/optim-sdp";

const mostComponents = 9;
/** Points that a component needs to have a form. */
const leastPoints = 3;
/** Between two middles; each component has radius 1. */
const spacing = 2.5;

/** x0, y0, x1, y1, …; undefined where there is one component, or too many, or a splinter. */
export function apart(Q: DenseMatrix, { count, labels }: Components): Float64Array<ArrayBuffer> | undefined {
  if (count < 2 || count > mostComponents) return undefined;
  const members = Array.from({ length: count }, (_, c) =>
    Int32Array.from([...labels.keys()].filter((i) => labels[i] === c)),
  );
  if (members.some(({ length }) => length < leastPoints)) return undefined;
  const places = new Float64Array(2 * Q.rows);
  const columns = Math.ceil(Math.sqrt(count));
  members.forEach((rows, c) => {
    const { data } = embeddingOf(blockOf(Q, rows)).coordinates;
    const radius = radiusOf(data);
    const [left, top] = [spacing * (c % columns), -spacing * Math.floor(c / columns)];
    rows.forEach((i, k) => {
      places[2 * i] = left + data[2 * k] / radius;
      places[2 * i + 1] = top + data[2 * k + 1] / radius;
    });
  });
  return places;
}

function blockOf(Q: DenseMatrix, rows: Int32Array): DenseMatrix {
  const m = rows.length;
  const block = zeros(m, m);
  for (let a = 0; a < m; a++)
    for (let b = 0; b < m; b++) block.data[a * m + b] = Q.data[rows[a] * Q.rows + rows[b]];
  return block;
}

/** The points' largest distance from 0; a component that is one place has the radius of the embedding's unit. */
function radiusOf(places: Float64Array): number {
  let largest = 0;
  for (let k = 0; k < places.length; k += 2)
    largest = Math.max(largest, Math.sqrt(places[k] * places[k] + places[k + 1] * places[k + 1]));
  return largest < dot ? 1 : largest;
}

/** What a constant block leaves of its radius, by rounding and its tolerance. */
const dot = 1e-2;
