import { badOption } from "../options.js";
import {
  type Column,
  type ColumnsForm,
  ColumnsInTypeScript,
  type Precision,
  type TallColumns,
  transformInTypeScript,
} from "./columns.js";
import { installed } from "./table.js";

const LONGEST = 2 ** 31;

/**
 * A matrix of no columns yet, in the form that is in use now.
 *
 * @param length - of its columns, at least 1
 * @param most - how many columns it will have at the most, at least 1; memory is taken as it grows
 * @param precision - that columns are kept in; sums are in double precision with either
 * @throws CurvatureError ERR_OPTION
 */
export function tallColumns(length: number, most: number, precision: Precision): TallColumns {
  checkSize("tallColumns", "length", length, 1, LONGEST);
  checkSize("tallColumns", "most", most, 1, LONGEST);
  if (precision !== "float64" && precision !== "float32")
    throw badOption("tallColumns", "precision", '"float64" or "float32"', precision);
  const inTypeScript = (): ColumnsForm => new ColumnsInTypeScript(length, precision);
  return new GrowingColumns(
    most,
    installed.columns?.(length, most, precision) ?? inTypeScript(),
    inTypeScript,
  );
}

function checkSize(where: string, name: string, size: number, least: number, most: number): void {
  if (Number.isInteger(size) && size >= least && size <= most) return;
  throw badOption(where, name, `a whole number from ${least} to ${most}`, size);
}

/** Columns in one form for as long as its memory lasts, and then in TypeScript; the memory before goes. */
class GrowingColumns implements TallColumns {
  hasOutgrown = false;

  constructor(
    private readonly most: number,
    private form: ColumnsForm,
    private readonly inTypeScript: () => ColumnsForm,
  ) {}

  get count(): number {
    return this.form.count;
  }

  get bytes(): number {
    return this.form.bytes;
  }

  column(k: number): Column {
    return this.form.column(k);
  }

  widen(count: number): void {
    const { form } = this;
    checkSize("tallColumns.widen", "count", count, 0, this.most);
    if (count <= form.count || form.widen(count)) return;
    const next = this.inTypeScript();
    next.widen(count);
    for (let k = 0; k < form.count; k++) next.column(k).set(form.column(k));
    this.form = next;
    this.hasOutgrown = true;
  }

  project(K: number, v: Float64Array, out: Float64Array): void {
    this.form.project(K, v, out);
  }

  combine(K: number, c: Float64Array, sign: 1 | -1, x: Float64Array): void {
    this.form.combine(K, c, sign, x);
  }

  transform(K: number, Q: Float64Array, k: number): void {
    const { form } = this;
    if (form.transform(K, Q, k)) return;
    const columns = Array.from({ length: form.count }, (_, l) => form.column(l));
    transformInTypeScript(columns, K, Q, k);
  }
}
