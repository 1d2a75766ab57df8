/**
 * A finished map that places new points: all that a place depends on, as plain data, which `saveMap` writes and `loadMap` reads.
 */
import type { SparseMatrixLike } from "@curvature/linalg";
import { checkPlaces, columnsOf, type MapParts, type PlacedPoints } from "./map-parts.js";
import { type TransformOptions, transformOptions } from "./transform-options.js";

/** What every copy of the class has in common: those of ES modules, of CommonJS, of the worker's sub-path. */
const BRAND = Symbol.for("@curvature/optim-spectral/MapModel");

/** Made by `embed` (its result's `model`), or from a file by `loadMap`. `instanceof` knows those of all copies of this class. */
export class MapModel {
  constructor(readonly parts: MapParts) {}

  get [BRAND](): true {
    return true;
  }

  static [Symbol.hasInstance](value: unknown): boolean {
    return typeof value === "object" && value !== null && BRAND in value;
  }

  /** Columns of the rows that it takes. */
  get columns(): number {
    return columnsOf(this.parts);
  }

  /**
   * Places new points into the map, which stays as it is: each by itself, where the objective of the map is least for it.
   *
   * The event loop gets its turn every few milliseconds. Where the search for neighbours is exact (up to 4·10⁹ multiplications,
   * M N D), the place of a point does not depend on its company.
   *
   * @param newPoints - M × D, with the columns of the data that the map was made of; none have no places
   * @returns a promise
   * @throws CurvatureError (the promise rejects) ERR_OPTION; ERR_SHAPE for other columns than the data's, ERR_NON_FINITE also for
   *   entries so large that squared distances would overflow, ERR_ARGUMENT for sparse points where there was no `pca`, ERR_MEMORY
   *   for too many at a time; the signal's reason if it is aborted
   */
  async transform(newPoints: SparseMatrixLike, options?: TransformOptions): Promise<PlacedPoints> {
    const settings = transformOptions.resolve("transform", options);
    checkPlaces(this.parts);
    const { placedPoints } = await import("./transform.js");
    return placedPoints(this.parts, newPoints, settings);
  }
}
