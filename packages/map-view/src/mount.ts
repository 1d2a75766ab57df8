/** A map in an element of a page. */
import { badArgument, checkArgument, type MatrixLike, numberThat } from "@curvature/linalg";
import { checkedMap, type MapOptions } from "./map.js";
import { payloadOf } from "./payload.js";
import { showMap } from "./viewer/viewer.js";

export type { MapOptions } from "./map.js";

/** A map that stands in a page. */
export interface MountedMap {
  /** As a click on the row's point does, and brings it to the middle; undefined lets go of what is chosen. */
  choose(row: number | undefined): void;
  /**
   * Shows another map in its place. Zoom, shift and turn stay, and so do the words that are searched for, the chosen row, and which
   * classes are hidden, by their names. Of a map that was taken out nothing happens.
   *
   * @throws CurvatureError as `mountMap`; the map that is there stays
   */
  update(map: MatrixLike, options?: MapOptions): void;
  /** Takes the map out of the page, with all that listens. */
  remove(): void;
}

/**
 * Puts a map into an element of a page, beside what is in it: zoom, pan, turn, hover, search, neighbours of a point, a lasso that
 * saves CSV, classes on and off. It stands in a shadow tree: styles of the page do not reach it, nor the other way round; a content
 * policy needs `img-src data:` for `images`, and nothing else. Names and labels only ever become text.
 *
 * @param element - of a page, which gives it its size: as high as that, and at least 320 pixels
 * @param map - N × d, finite: an array of rows, `{ rows, columns, data }` or an ml-matrix matrix. One axis is spread over bands,
 *   three are turned with the pointer, of more the first two are shown
 * @returns the map that stands there, to choose a row of it, show another one in its place, or take it away
 * @throws CurvatureError ERR_ARGUMENT for what is no element; ERR_SHAPE or ERR_NON_FINITE for what is no map, and for lists that
 *   are not as long as it; ERR_OPTION
 *
 * @example
 * if (typeof document !== "undefined") {
 *   const shown = mountMap(document.body, [[0, 0], [1, 2], [3, 1]], { names: ["Ada", "Ben", "Cy"] });
 *   shown.choose(1);
 *   shown.update([[0, 0], [1, 1], [2, 0]], { names: ["Ada", "Ben", "Cy"] });
 *   shown.remove();
 * }
 */
export function mountMap(element: Element, map: MatrixLike, options?: MapOptions): MountedMap {
  if (typeof Element === "undefined" || !(element instanceof Element))
    throw badArgument("mountMap", "element", "an element of a page", element);
  let data = checkedMap("mountMap", map, options);
  let shown = showMap(element, payloadOf(data));
  let isRemoved = false;
  return {
    choose(given) {
      const { rows } = data.map;
      const row = numberThat(
        `a row, 0 to ${rows - 1}, or undefined`,
        (n) => Number.isInteger(n) && n >= 0 && n < rows,
      );
      if (given !== undefined) checkArgument("choose", "row", row, given);
      shown.choose(given);
    },
    update(nextMap, nextOptions) {
      if (isRemoved) return;
      data = checkedMap("update", nextMap, nextOptions);
      shown = shown.replaced(payloadOf(data));
    },
    remove() {
      isRemoved = true;
      shown.remove();
    },
  };
}
