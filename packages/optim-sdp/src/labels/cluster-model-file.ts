/**
 * Models of clusters ⇄ bytes, exactly, by `encodeModel` of optim-core. The numbers are centres, radii, and the offsets and scales of
 * a scaling by columns.
 */
import { CurvatureError, type Scaling, shown } from "@curvature/linalg";
import { isPreparation, preparedNames } from "@curvature/linalg/tables";
import { damagedModel, decodeModel, encodeModel } from "@curvature/optim-core";
import { ClusterModel, radiusShares } from "./cluster-model.js";
import { isPlaceOrder, type Sphere } from "./sphere.js";

const FORM = { format: "curvature-cluster-model", version: 1 } as const;

const methods = ["max-abs", "rms", "deviation", "standard", "unit-rows", "sphere"] as const;
const isByColumns = (method: (typeof methods)[number] | undefined): boolean =>
  method !== undefined && method !== "unit-rows" && method !== "sphere";

/**
 * The model as a JSON text in UTF-8 with a checksum: all that `assign` needs, bit for bit.
 *
 * @throws CurvatureError ERR_ARGUMENT for what is no model, ERR_MEMORY
 */
export function saveClusterModel(model: ClusterModel): Uint8Array {
  if (!(model instanceof ClusterModel))
    throw new CurvatureError(
      "ERR_ARGUMENT",
      `saveClusterModel takes a model of clusters; received ${shown(model)}.`,
      {
        path: "model",
        received: model,
      },
    );
  const { centers, radii, sizes, cost, costLower, scaling, preparation } = model.parts;
  const byColumns =
    scaling === undefined || scaling.method === "unit-rows" || scaling.method === "sphere"
      ? []
      : [scaling.offsets, scaling.scales];
  const description = {
    clusters: centers.rows,
    features: model.features,
    sizes: Array.from(sizes),
    cost: cost ?? null,
    costLower: costLower ?? null,
    scaling: scaling?.method ?? "none",
    ...(scaling?.method === "sphere" ? { order: scaling.order } : {}),
    preparation: preparation ?? null,
  };
  const numbers = [centers.data, radii.data, ...byColumns].flatMap((part) => Array.from(part));
  return encodeModel(FORM, description, Float64Array.from(numbers));
}

/**
 * The model that `saveClusterModel` wrote.
 *
 * @throws CurvatureError ERR_PARSE for anything else: a foreign, cut or changed file, or one of another version
 */
export function loadClusterModel(file: Uint8Array | string): ClusterModel {
  const { fields, numbers } = decodeModel(FORM, file);
  const k = sizeIn(fields, "clusters");
  const d = sizeIn(fields, "features");
  const name = fields.get("scaling");
  const method = methods.find((each) => each === name);
  if (method === undefined && name !== "none") throw damagedModel("has an unknown scaling", name);
  if (method === "sphere" && d !== 2) throw damagedModel("has places of other than 2 columns", d);
  const dimension = method === "sphere" ? 3 : d; // of the centres
  const count = k * (dimension + radiusShares.length) + (isByColumns(method) ? 2 * d : 0);
  if (numbers.length !== count) throw damagedModel(`needs ${count} numbers and has others`, numbers.length);
  if (!numbers.every(Number.isFinite)) throw damagedModel("has a number that is not finite");
  const s = radiusShares.length;
  const centers = { rows: k, columns: dimension, data: numbers.slice(0, k * dimension) };
  const radii = { rows: k, columns: s, data: numbers.slice(k * dimension, k * (dimension + s)) };
  if (radii.data.some((radius) => radius < 0)) throw damagedModel("has a radius below 0");
  const scaling =
    method === undefined
      ? undefined
      : method === "sphere"
        ? sphereOf(fields.get("order"))
        : scalingOf(method, numbers.slice(k * (d + s)), d);
  const preparation: unknown = fields.get("preparation") ?? undefined;
  if (preparation !== undefined && !(isPreparation(preparation) && preparedNames(preparation).length === d))
    throw damagedModel("has a preparation that does not make its columns");
  const cost = costIn(fields, "cost");
  const costLower = costIn(fields, "costLower");
  return new ClusterModel({
    centers,
    sizes: sizesIn(fields, k),
    radii,
    cost,
    costLower,
    scaling,
    preparation,
  });
}

function sphereOf(order: unknown): Sphere {
  if (isPlaceOrder(order)) return { method: "sphere", order };
  throw damagedModel("has places whose columns are in no known order", order);
}

/** @param numbers - offsets, then scales, where there are some */
function scalingOf(method: Scaling["method"], numbers: Float64Array, features: number): Scaling {
  if (method === "unit-rows")
    return { method, offsets: new Float64Array(features), scales: new Float64Array(features).fill(1) };
  const scales = numbers.slice(features);
  if (!scales.every((scale) => scale > 0)) throw damagedModel("has a scale that is not above 0");
  return { method, offsets: numbers.slice(0, features), scales };
}

function sizeIn(fields: ReadonlyMap<string, unknown>, name: string): number {
  const value = fields.get(name);
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 1) return value;
  throw damagedModel(`has a number of ${name} that it cannot have`, value);
}

function sizesIn(fields: ReadonlyMap<string, unknown>, k: number): Int32Array {
  const sizes = fields.get("sizes");
  const isSize = (size: unknown): size is number =>
    typeof size === "number" && Number.isInteger(size) && size >= 1 && size < 2 ** 31;
  if (Array.isArray(sizes) && sizes.length === k && sizes.every(isSize)) return Int32Array.from(sizes);
  throw damagedModel("has sizes that its clusters cannot have");
}

function costIn(fields: ReadonlyMap<string, unknown>, name: string): number | undefined {
  const cost = fields.get(name) ?? undefined;
  if (cost === undefined || (typeof cost === "number" && cost >= 0)) return cost;
  throw damagedModel(`has a ${name} that is none`, cost);
}
