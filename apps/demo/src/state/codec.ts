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

/** The state that fields are of. */
export type StateOf<F extends { readonly [name: string]: Field<unknown> }> = {
  readonly [K in keyof F]: F[K]["fallback"];
};

/** Options as they are given to a run. */
export type Given<S> = { readonly [K in keyof S]?: S[K] | undefined };

/** Beyond this a link is no state of ours. */
const longestQuery = 20_000;
const mostNames = 100;

export function codec<S extends object>(fields: { readonly [K in keyof S]: Field<S[K]> }): Codec<S> {
  const isWhole = (state: Partial<S>): state is S => Object.keys(fields).every((name) => name in state);
  const read = (given: URLSearchParams, ignored: string[]): S => {
    const state: Partial<S> = {};
    for (const name in fields) {
      const { fallback, parse } = fields[name];
      const text = given.get(name);
      const value = text === null ? undefined : parse(text);
      if (text !== null && value === undefined) ignored.push(name);
      state[name] = value ?? fallback;
    }
    if (isWhole(state)) return state;
    throw new Error("A state has a value for every field.");
  };
  const defaults = read(new URLSearchParams(), []);
  return {
    defaults,
    parse(query) {
      if (query.length > longestQuery) return { state: defaults, ignored: ["everything, as it is too long"] };
      const given = new URLSearchParams(query);
      const ignored: string[] = [];
      const state = read(given, ignored);
      for (const name of given.keys()) {
        if (!Object.hasOwn(fields, name) && ignored.length < mostNames) ignored.push(name.slice(0, 40));
      }
      return { state, ignored };
    },
    format(state) {
      const query = new URLSearchParams();
      for (const name in fields) {
        const { fallback, format } = fields[name];
        const text = format(state[name]);
        if (text !== format(fallback)) query.set(name, text);
      }
      return query.toString();
    },
  };
}

/**
 * The options that a run is given, and that its code says: those that are not the package's default.
 *
 * @param fields - named like the package's options
 */
export function changed<S extends object, K extends keyof S & string>(
  { defaults }: { readonly defaults: object },
  fields: { readonly [N in K]: Field<S[N]> },
  state: S,
): Given<Pick<S, K>> {
  const options = Object.entries(state).filter(
    ([name, value]) => Object.hasOwn(fields, name) && value !== Reflect.get(defaults, name),
  );
  const given: object = Object.fromEntries(options);
  const isPart = (part: object): part is Given<Pick<S, K>> =>
    Object.keys(part).every((name) => name in fields);
  return isPart(given) ? given : {};
}
