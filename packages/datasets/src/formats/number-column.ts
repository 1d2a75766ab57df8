/**
 * Numbers of one column of words, whose decimals may be written with a comma: 3,5. Whether they are is found for the whole
 * column, since 1,234 alone may be a little above one or above a thousand.
 */
import { CurvatureError } from "@curvature/linalg";
import { isNumeric } from "./comparison-objects.js";
import { NumberStore } from "./table.js";

/** Digits, a comma, digits. */
export const commaDecimal = /^\s*[+-]?\d*,\d+(e[+-]?\d+)?\s*$/i;
/** What may be thousands. */
const grouped = /^\s*[+-]?[1-9]\d{0,2},\d{3}\s*$/;

/** The number in a word, its comma taken for a decimal one; NaN for what is none. */
export const numberIn = (word: string): number =>
  isNumeric(word) ? Number(word) : commaDecimal.test(word) ? Number(word.replace(",", ".")) : Number.NaN;

export class NumberColumn {
  private readonly values = new NumberStore();
  private hasPoint = false;
  private hasComma = false;
  /** The first that may be thousands, and its place, for people. */
  private doubtful: { readonly word: string; readonly place: string } | undefined;
  private comma: { readonly word: string; readonly place: string } | undefined;

  /** @param place - for people, as "line 3, column 2" */
  append(word: string, place: string): void {
    if (word.includes(",")) {
      this.comma ??= { word, place };
      if (grouped.test(word)) this.doubtful ??= { word, place };
      else this.hasComma = true;
    } else if (word.includes(".")) this.hasPoint = true;
    this.values.append(numberIn(word));
  }

  /** A number without a comma. */
  push(value: number): void {
    if (!Number.isInteger(value) && !Number.isNaN(value)) this.hasPoint = true;
    this.values.append(value);
  }

  /** @throws CurvatureError ERR_PARSE for commas beside points, and for those that may be either */
  finish(): Float64Array {
    if (this.comma !== undefined && (this.hasPoint || !this.hasComma)) {
      const { word, place } = this.hasPoint ? this.comma : (this.doubtful ?? this.comma);
      throw new CurvatureError(
        "ERR_PARSE",
        `The cell at ${place} is "${word}", ${this.hasPoint ? "and other numbers of its column have a point" : "which may be a decimal or thousands"}. Write decimals with a point, and thousands without a mark.`,
        { path: place, expected: "a number", received: word },
      );
    }
    return this.values.finish();
  }
}
