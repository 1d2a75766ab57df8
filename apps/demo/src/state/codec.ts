/**
 * A view's state ⇄ the part of the link after `?`. Defaults are left out; what a link says that is not valid is
 * ignored and told.
 */
import type { Field } from "./fields.js";

interface Parsed<S> {
  readonly state: S;
  /** Names in the link that mean nothing here, or have a value that does not fit. */
  readonly ignored: readonly string[];
}

export interface Codec<S> {
  readonly defaults: S;
  parse(query: string): Parsed<S>;
  format(state: S): string;
}

export type Fields<S> = { readonly [K in keyof S]-?: Field<S[K]> };

/** Beyond this a link is no state of ours. */
const longestQuery = 20_000;
const mostNames = 100;

export function codec<S extends object>(defaults: S, fields: Fields<S>): Codec<S> {
  const parse = (query: string): Parsed<S> => {
    const state: S = { ...defaults };
    if (query.length > longestQuery) return { state, ignored: ["everything, as it is too long"] };
    const given = new URLSearchParams(query);
    const ignored: string[] = [];
    for (const name in fields) {
      const text = given.get(name);
      if (text === null) continue;
      const value = fields[name].parse(text);
      if (value === undefined) ignored.push(name);
      else state[name] = value;
    }
    for (const name of given.keys()) {
      if (!Object.hasOwn(fields, name) && ignored.length < mostNames) ignored.push(name.slice(0, 40));
    }
    return { state, ignored };
  };
  const format = (state: S): string => {
    const query = new URLSearchParams();
    for (const name in fields) {
      const text = fields[name].format(state[name]);
      if (text !== fields[name].format(defaults[name])) query.set(name, text);
    }
    return query.toString();
  };
  return { defaults, parse, format };
}
