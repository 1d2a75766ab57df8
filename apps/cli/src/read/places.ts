/** Places on the earth in a table: which column is which, and that they are degrees. */
import { CurvatureError, type DenseMatrix } from "@curvature/linalg";
import type { PlaceOrder } from "@curvature/optim-sdp";
import { usageError } from "../run/failure.js";

/** Names of columns, whatever the case. */
const latitudes = ["lat", "latitude"];
const longitudes = ["lon", "lng", "long", "longitude"];

const among =
  (names: readonly string[]) =>
  (column: string): boolean =>
    names.includes(column.trim().toLowerCase());

export interface Places {
  readonly order: PlaceOrder;
  /** What was taken for what, where names do not say it. */
  readonly note: string | undefined;
}

/**
 * @param columns - their names, where there are some
 * @param name - of the file, for messages
 * @throws CurvatureError ERR_OPTION for a table that has not two such columns and no others; ERR_PARSE for degrees out of range
 */
export function placesIn(points: DenseMatrix, columns: readonly string[] | undefined, name: string): Places {
  const latitude = columns?.findIndex(among(latitudes)) ?? -1;
  const longitude = columns?.findIndex(among(longitudes)) ?? -1;
  const isKnown = latitude >= 0 && longitude >= 0;
  if (points.columns !== 2) {
    const others = (columns ?? []).filter((_, j) => j !== latitude && j !== longitude);
    const remedy =
      isKnown && others.length > 0
        ? `keep the two with --columns ${JSON.stringify([columns?.[latitude], columns?.[longitude]].join(","))}`
        : "name the two with --columns";
    throw usageError(
      `--metric haversine takes two columns, latitude and longitude, and ${name} has ${points.columns}; ${remedy}.`,
      "metric",
    );
  }
  // One name alone says which the other one is.
  const order = latitude === 1 || longitude === 0 ? "longitude-latitude" : "latitude-longitude";
  checkPlaces(points, order, name);
  const isSaid = latitude >= 0 || longitude >= 0;
  return {
    order,
    note: isSaid
      ? undefined
      : "--metric haversine: the first column is taken for the latitude, the second one for the longitude; names as lat and lon would say it.",
  };
}

/** @throws CurvatureError ERR_PARSE, with the row counted from 1 */
export function checkPlaces({ rows, columns, data }: DenseMatrix, order: PlaceOrder, name: string): void {
  const latitudeAt = order === "latitude-longitude" ? 0 : 1;
  for (let i = 0; i < rows; i++) {
    const latitude = data[columns * i + latitudeAt];
    const longitude = data[columns * i + 1 - latitudeAt];
    const isBad = Math.abs(latitude) > 90;
    if (!isBad && Math.abs(longitude) <= 360) continue;
    const [what, most, value] = isBad ? ["latitude", 90, latitude] : ["longitude", 360, longitude];
    const isSwapped = isBad && Math.abs(longitude) <= 90 && Math.abs(latitude) <= 360;
    throw new CurvatureError(
      "ERR_PARSE",
      `${name}: The ${what} of row ${i + 1} of the data (counted from 1) must be from -${most} to ${most} degrees; it is ${value}.${isSwapped ? " Is it the longitude? Then name the columns lat and lon, or give the latitude first." : ""}`,
      { path: name, received: i + 1 },
    );
  }
}
