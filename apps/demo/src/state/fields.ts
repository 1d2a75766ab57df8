/**
 * Fields of a view's state as text in a link. A text that is not a field's is `undefined`, never an exception: links
 * come from anywhere.
 */
export interface Field<T> {
  parse(text: string): T | undefined;
  format(value: T): string;
}

/** One of the given words. */
export function choice<T extends string>(words: readonly T[]): Field<T> {
  return { parse: (text) => words.find((word) => word === text), format: (value) => value };
}

const decimal = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?$/i;

/** A number from `low` to `high`. */
export function number(low: number, high: number): Field<number> {
  return {
    parse(text) {
      if (text.length > 32 || !decimal.test(text)) return undefined;
      const value = Number(text);
      return value >= low && value <= high ? value : undefined;
    },
    format: String,
  };
}

/** A whole number from `low` to `high`. */
export function whole(low: number, high: number): Field<number> {
  const any = number(low, high);
  return {
    parse(text) {
      const value = any.parse(text);
      return Number.isSafeInteger(value) ? value : undefined;
    },
    format: any.format,
  };
}

export const flag: Field<boolean> = {
  parse: (text) => (text === "1" ? true : text === "0" ? false : undefined),
  format: (value) => (value ? "1" : "0"),
};

/** Any text of at most so many characters; it is shown as text and never as markup. */
export function words(most: number): Field<string> {
  return { parse: (text) => (text.length <= most ? text : undefined), format: (value) => value };
}

/** A field that may be left out; its default should be `undefined`. */
export function maybe<T>(field: Field<T>): Field<T | undefined> {
  return { parse: field.parse, format: (value) => (value === undefined ? "" : field.format(value)) };
}

/** Several values with a mark between them, which the values' texts may not hold. */
export function list<T>(
  field: Field<T>,
  { least, most }: { least: number; most: number },
): Field<readonly T[]> {
  return {
    parse(text) {
      const parts = text === "" ? [] : text.split("~");
      if (parts.length < least || parts.length > most) return undefined;
      const values: T[] = [];
      for (const part of parts) {
        const value = field.parse(part);
        if (value === undefined) return undefined;
        values.push(value);
      }
      return values;
    },
    format: (values) => values.map(field.format).join("~"),
  };
}
