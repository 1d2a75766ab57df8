/**
 * Places on the earth as points, and back: latitude φ and longitude λ in degrees become
 *
 *   R (cos φ cos λ, cos φ sin λ, sin φ),  R = 6371.0088 km, the mean radius of the earth
 *
 * Squared distances of these points are those of chords, 4 R² hav θ for the angle θ between two places: k-means has an exact cost and a
 * bound of it there, and no seam at the antimeridian or the poles. A chord is shorter than the way along the sphere, by 0.1 % at
 * 1,000 km, 2.5 % at 5,000 km and 10 % at 10,000 km, and grows with it: nearest is nearest by both. Squares of the ways themselves have
 * no means and no Gram matrix without negative eigenvalues, so that nothing would be certain about them.
 */
import {
  badArgument,
  CurvatureError,
  cos,
  type DenseMatrix,
  type MatrixLike,
  sin,
  toDense,
  zeros,
} from "@curvature/linalg";

const placeOrders = ["latitude-longitude", "longitude-latitude"] as const;
/** Which of the two columns comes first. */
export type PlaceOrder = (typeof placeOrders)[number];

/** What places go through before they are clustered: `spherePoints`. */
export interface Sphere {
  readonly method: "sphere";
  readonly order: PlaceOrder;
}

export const isPlaceOrder = (value: unknown): value is PlaceOrder =>
  placeOrders.some((each) => each === value);

/** Kilometres: the mean radius R1 of the International Union of Geodesy and Geophysics. */
const RADIUS = 6371.0088;
const DEGREE = Math.PI / 180;
const ranges = { latitude: 90, longitude: 360 } as const;

/**
 * Places on the earth as points in space, in kilometres from its middle: what `clusterPoints` takes for distances on the globe.
 *
 * @example
 * const places = [[35.68, 139.69], [37.57, 126.98], [48.86, 2.35], [51.51, -0.13]];
 * const found = await clusterPoints(spherePoints(places), { clusters: 2 });
 * const model = clusterModel(places, found, { method: "sphere", order: "latitude-longitude" });
 * console.log(model.means, model.assign([[52.52, 13.4]])); // centres in degrees; Berlin goes to 1, is 888 km away, and outside
 *
 * @param places - n × 2, degrees: latitudes from −90 to 90, longitudes from −360 to 360
 * @param order - of the columns; as in GeoJSON, "longitude-latitude"
 * @returns n × 3, kilometres
 * @throws CurvatureError ERR_SHAPE for other than two columns, ERR_NON_FINITE; ERR_ARGUMENT for degrees out of range, with the row
 */
export function spherePoints(places: MatrixLike, order: PlaceOrder = "latitude-longitude"): DenseMatrix {
  return onSphere("spherePoints", toDense(places, "places"), order);
}

export function onSphere(where: string, places: DenseMatrix, order: PlaceOrder): DenseMatrix {
  if (!isPlaceOrder(order)) throw badArgument(where, "order", placeOrders.join(" or "), order);
  const { rows, columns, data } = places;
  if (columns !== 2 && rows > 0)
    throw new CurvatureError(
      "ERR_SHAPE",
      `places must have 2 columns, latitude and longitude; received ${columns}.`,
      { where, path: "places", expected: "2 columns", received: columns },
    );
  const latitudeAt = order === "latitude-longitude" ? 0 : 1;
  const points = zeros(rows, 3);
  for (let i = 0; i < rows; i++) {
    const latitude = data[2 * i + latitudeAt];
    const longitude = data[2 * i + 1 - latitudeAt];
    checkDegrees(where, i, "latitude", latitude);
    checkDegrees(where, i, "longitude", longitude);
    const [across, up] = circle(latitude);
    const [x, y] = circle(longitude);
    // + 0: no zero has a sign, so that equal places are equal points
    points.data.set([RADIUS * across * x + 0, RADIUS * across * y + 0, RADIUS * up + 0], 3 * i);
  }
  return points;
}

function checkDegrees(where: string, row: number, name: keyof typeof ranges, value: number): void {
  const most = ranges[name];
  if (Math.abs(value) <= most) return;
  throw new CurvatureError(
    "ERR_ARGUMENT",
    `the ${name} of row ${row} (counted from 0) must be from -${most} to ${most} degrees; received ${value}.`,
    { where, path: "places", expected: `degrees from -${most} to ${most}`, received: value },
  );
}

/**
 * Means nearer to the earth's middle than this share of its radius have no direction: some 6 km, where rows on opposite sides of the globe
 * leave nothing but rounding, or what the second decimal of a degree says.
 */
const NO_DIRECTION = 1e-3;

/** Of points in space the places that they are above or below, in degrees, longitudes in (−180, 180]; NaN near the earth's middle. */
export function placesOf({ rows, data }: DenseMatrix, order: PlaceOrder): DenseMatrix {
  const places = zeros(rows, 2);
  const latitudeAt = order === "latitude-longitude" ? 0 : 1;
  for (let i = 0; i < rows; i++) {
    const [x, y, z] = data.subarray(3 * i, 3 * i + 3);
    if (Math.sqrt(x * x + y * y + z * z) < NO_DIRECTION * RADIUS) {
      places.data.fill(Number.NaN, 2 * i, 2 * i + 2);
      continue;
    }
    places.data[2 * i + latitudeAt] = angleOf(Math.sqrt(x * x + y * y), z) / DEGREE;
    places.data[2 * i + 1 - latitudeAt] = angleOf(x, y) / DEGREE;
  }
  return places;
}

/** Kilometres along the sphere between the directions of two points: 2 R atan(‖u − v‖ / ‖u + v‖), near and at the antipode alike. */
export function greatCircle(a: ArrayLike<number>, b: ArrayLike<number>): number {
  const [u, v] = [directionOf(a), directionOf(b)];
  let [minus, plus] = [0, 0];
  for (let j = 0; j < 3; j++) {
    minus += (u[j] - v[j]) ** 2;
    plus += (u[j] + v[j]) ** 2;
  }
  return 2 * RADIUS * angleOf(Math.sqrt(plus), Math.sqrt(minus));
}

function directionOf(point: ArrayLike<number>): readonly number[] {
  const [x, y, z] = [point[0] / RADIUS, point[1] / RADIUS, point[2] / RADIUS];
  const length = Math.sqrt(x * x + y * y + z * z);
  return length === 0 ? [0, 0, 0] : [x / length, y / length, z / length];
}

/** Cosine and sine of an angle in degrees; exact at multiples of 90. */
function circle(degrees: number): readonly [number, number] {
  const quarters = Math.round(degrees / 90);
  const rest = (degrees - 90 * quarters) * DEGREE;
  const [c, s] = [cos(rest), sin(rest)];
  switch (((quarters % 4) + 4) % 4) {
    case 0:
      return [c, s];
    case 1:
      return [-s, c];
    case 2:
      return [-c, -s];
    default:
      return [s, -c];
  }
}

/**
 * The angle of (x, y), in (−π, π]; 0 for (0, 0). By arithmetic, `sin` and `cos` of linalg: the same bits on every engine.
 *
 * Within the first half quadrant a rough angle a is wrong by less than 0.005, and sin(angle − a) = y cos a − x sin a for x² + y² = 1;
 * four terms of the arc sine of that small number are exact to rounding.
 */
function angleOf(x: number, y: number): number {
  const length = Math.sqrt(x * x + y * y);
  if (length === 0) return 0;
  const [high, low] = [Math.max(Math.abs(x), Math.abs(y)), Math.min(Math.abs(x), Math.abs(y))];
  const ratio = low / high;
  const rough = ratio * (Math.PI / 4 + 0.273 * (1 - ratio));
  const d = (low / length) * cos(rough) - (high / length) * sin(rough);
  const d2 = d * d;
  const half = rough + d * (1 + d2 * (1 / 6 + d2 * (3 / 40 + (d2 * 5) / 112)));
  const quarter = Math.abs(y) > Math.abs(x) ? Math.PI / 2 - half : half;
  const upper = x < 0 ? Math.PI - quarter : quarter;
  return y < 0 ? -upper : upper;
}
