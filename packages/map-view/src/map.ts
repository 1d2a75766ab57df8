/** What a map shows, as people give it: coordinates, and what is known of the points. All of it is checked here. */
import {
  badOption,
  CurvatureError,
  type DenseMatrix,
  integerFrom,
  type MatrixLike,
  type OptionsOf,
  option,
  optionTable,
  shown,
  text,
  toDense,
} from "@curvature/linalg";

/** What is known of the points under one name. */
export interface NamedColumn {
  readonly name: string;
  /** One per row; "" for a row without a value. */
  readonly values: readonly string[];
}

/** Of each point its nearest others in the data. */
export interface DataNeighbors {
  /** Per point, k. */
  readonly count: number;
  /** Rows: those near to row n, nearest first, at n·k … n·k + k − 1; −1 where there are fewer. N·k. */
  readonly indices: ArrayLike<number>;
}

/** Where the points may be: an ellipse around each, in the units of the map. */
export interface Regions {
  /** Whether they mean anything: of a map that knows nothing they do not, and are drawn in grey. */
  readonly isMeaningless: boolean;
  /**
   * Of each row half of the longer axis, half of the shorter one, and the direction of the longer as a vector of length 1, x and
   * y. N × 4, row by row; NaN or an infinity in the place of an axis: none.
   */
  readonly ellipses: Float64Array;
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((each) => typeof each === "string");

const isColumn = (value: unknown): value is NamedColumn =>
  isObject(value) &&
  "name" in value &&
  typeof value.name === "string" &&
  "values" in value &&
  isTexts(value.values);

const isNumbers = (value: unknown): value is ArrayLike<number> =>
  (Array.isArray(value) && value.every((each) => typeof each === "number")) ||
  value instanceof Int32Array ||
  value instanceof Float64Array;

/** An address that holds its picture: nothing is asked of the network, and nothing ends the attribute it stands in. */
const isPicture = (value: string): boolean =>
  value === "" || /^data:image\/[a-z0-9.+-]+(?:;[a-z0-9=.+-]+)*,[^\s"'<>&]*$/i.test(value);

const texts = option("an array of texts, one for each row", isTexts);

/** Options of `svgMap`, `htmlMap` and `mountMap`. */
export const mapOptions = optionTable({
  /**
   * One per row: classes, in colours and shapes; of more than 20 different numbers a continuous scale. "": a row without one. By
   * default there are none, and one colour.
   */
  labels: texts,
  /** What the labels are called: the legend's heading. */
  labelName: text.default("label"),
  /** What the points are coloured by in the labels' place. Numbers are a scale, however few they are. */
  color: option("{ name, values }, values an array of texts, one for each row", isColumn),
  /** What each point is called; "" for one without. As many as fit stand beside their points. */
  names: texts,
  /** What else is known of the points: shown of the one that is pointed at, in HTML and in a page. */
  details: option(
    "an array of { name, values }, values an array of texts, one for each row",
    (value): value is readonly NamedColumn[] => Array.isArray(value) && value.every(isColumn),
  ),
  /** Each point's nearest others in the data: shown of the one that is clicked, in HTML and in a page. */
  neighbors: option(
    "{ count, indices }, count a whole number of at least 1 and indices an array of numbers, count for each row",
    (value): value is DataNeighbors =>
      isObject(value) &&
      "count" in value &&
      Number.isSafeInteger(value.count) &&
      Number(value.count) >= 1 &&
      "indices" in value &&
      isNumbers(value.indices),
  ),
  /** Where each point may be; of maps with two axes. */
  regions: option(
    "{ isMeaningless, ellipses }, a boolean and a Float64Array of four numbers for each row",
    (value): value is Regions =>
      isObject(value) &&
      "isMeaningless" in value &&
      typeof value.isMeaningless === "boolean" &&
      "ellipses" in value &&
      value.ellipses instanceof Float64Array,
  ),
  /** A picture in each point's place, as a data URL, "data:image/png;base64,…"; "" for a dot. */
  images: option(
    'an array of data URLs of pictures ("data:image/png;base64,…"), or "", one for each row',
    (value): value is readonly string[] => isTexts(value) && value.every(isPicture),
  ),
  /** So many of the first rows stand behind, pale: points that are known already, which need no label. */
  background: integerFrom(0).default(0),
  /** Above the map. */
  title: text.default("Map"),
  /** Below the title; by default how many points there are. */
  subtitle: text,
});
export type MapOptions = OptionsOf<typeof mapOptions>;

/** A map with all that it shows, checked. */
export interface MapPicture {
  /** N × d, finite. */
  readonly map: DenseMatrix;
  readonly labels: readonly string[] | undefined;
  readonly labelName: string;
  readonly color?: NamedColumn | undefined;
  readonly background?: number | undefined;
  readonly names?: readonly string[] | undefined;
  readonly regions?: Regions | undefined;
  readonly images?: readonly string[] | undefined;
  readonly details?: readonly NamedColumn[] | undefined;
  readonly neighbors?: DataNeighbors | undefined;
  readonly title: string;
  readonly subtitle: string;
}

/**
 * @param where - the function that was called
 * @throws CurvatureError ERR_SHAPE, ERR_NON_FINITE, ERR_OPTION
 */
export function checkedMap(where: string, points: MatrixLike, options: MapOptions | undefined): MapPicture {
  const map = toDense(points, `${where}: map`);
  const { rows, columns } = map;
  if (rows === 0 || columns === 0)
    throw new CurvatureError(
      "ERR_SHAPE",
      `the map has ${rows} rows and ${columns} columns; give at least one of both.`,
      { where, path: "map", expected: "at least one row and one column", received: [rows, columns] },
    );
  const settings = mapOptions.resolve(where, options);
  const { labels, color, names, details = [], neighbors, regions, images, background } = settings;
  const checkLength = (name: string, { length }: ArrayLike<unknown>, perRow = 1): void => {
    if (length === rows * perRow) return;
    const expected = `${rows * perRow} entries for the ${rows} rows of the map`;
    throw new CurvatureError("ERR_SHAPE", `${name} must have ${expected}; received ${length}.`, {
      where,
      path: name,
      expected,
      received: length,
    });
  };
  for (const [name, values] of Object.entries({ labels, names, images }))
    if (values !== undefined) checkLength(name, values);
  if (color !== undefined) checkLength("color.values", color.values);
  for (const [k, { values }] of details.entries()) checkLength(`details[${k}].values`, values);
  if (background > rows)
    throw badOption(where, "background", `at most ${rows}, the rows of the map`, background);
  if (neighbors !== undefined) {
    checkLength("neighbors.indices", neighbors.indices, neighbors.count);
    for (let k = 0; k < neighbors.indices.length; k++) {
      const n = neighbors.indices[k];
      if (!Number.isInteger(n) || n < -1 || n >= rows)
        throw badOption(where, `neighbors.indices[${k}]`, `a row, 0 to ${rows - 1}, or −1 for none`, n);
    }
  }
  if (regions !== undefined) {
    if (columns === 3) throw badOption(where, "regions", "left out for a map with three axes", regions);
    checkLength("regions.ellipses", regions.ellipses, 4);
    checkEllipses(where, regions.ellipses);
  }
  const subtitle = settings.subtitle ?? `${rows.toLocaleString("en-US")} ${rows === 1 ? "point" : "points"}`;
  return { ...settings, map, subtitle };
}

function checkEllipses(where: string, ellipses: Float64Array): void {
  for (let n = 0; 4 * n < ellipses.length; n++) {
    const [major, minor, dx, dy] = ellipses.subarray(4 * n, 4 * n + 4);
    if (!Number.isFinite(major) || !Number.isFinite(minor)) continue;
    const length = dx * dx + dy * dy;
    if (major >= 0 && minor >= 0 && Math.abs(length - 1) < 1e-3) continue;
    throw new CurvatureError(
      "ERR_OPTION",
      `regions.ellipses: row ${n} must be two axes of at least 0 and a direction of length 1; received ${shown(major)}, ${shown(minor)}, ${shown(dx)}, ${shown(dy)}.`,
      { where, path: `regions.ellipses, row ${n}` },
    );
  }
}
