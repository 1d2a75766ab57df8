/** Fields of a view's state: each says what it is at first, and how it reads in a link. */
import type { DefaultedOption, Option } from "@curvature/linalg";

export interface Field<T> {
  readonly fallback: T;
  /** Undefined for a text that is none of the field's, and never an exception: links come from anywhere. */
  parse(text: string): T | undefined;
  format(value: T): string;
}

/** By the rule of a package's option, or by one of the page's own. Without a default it may be left out. */
export function ruled<T>(rule: DefaultedOption<T>): Field<T>;
export function ruled<T>(rule: Option<T>): Field<T | undefined>;
export function ruled<T>(rule: DefaultedOption<T> | Option<T>): Field<T | undefined> {
  return {
    fallback: rule.hasDefault ? rule.fallback : undefined,
    parse(text) {
      const value = rule.read(text);
      return rule.accepts(value) ? value : undefined;
    },
    format: (value) => (value === undefined ? "" : String(value)),
  };
}

/** Any text of at most so many characters, at first none; it is shown as text and never as markup. */
export function words(most: number): Field<string> {
  return {
    fallback: "",
    parse: (text) => (text.length <= most ? text : undefined),
    format: (value) => value,
  };
}

/** Several values with a mark between them, which the values' texts may not hold. */
export function list<T>(
  field: Pick<Field<T>, "parse" | "format">,
  fallback: readonly T[],
  { least, most }: { least: number; most: number },
): Field<readonly T[]> {
  return {
    fallback,
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
