/**
 * What a view is to the shell: a name, a codec of its state, and a component that is loaded when somebody looks.
 */
import { type ComponentChildren, type ComponentType, h } from "preact";
import type { Codec } from "../state/codec.js";

export interface ViewProps<S> {
  readonly state: S;
  /** Changes part of the state, and the link with it. */
  readonly update: (change: Partial<S>) => void;
}

export interface ViewDefinition<S extends object> {
  /** In the address: lower case, without blanks. */
  readonly id: string;
  /** In the navigation: a word or two. */
  readonly title: string;
  /** Under the heading: a sentence. */
  readonly summary: string;
  readonly codec: Codec<S>;
  readonly component: () => Promise<ComponentType<ViewProps<S>>>;
}

/** A view whose state only it understands: the shell sees queries. */
export interface View extends Pick<ViewDefinition<never>, "id" | "title" | "summary"> {
  /** The query as the view writes it, and the names in the given one that it does not take. */
  read(query: string): { readonly query: string; readonly ignored: readonly string[] };
  load(): Promise<Screen>;
}

/** Draws a view for a query; `onQuery` hears of every change. */
export type Screen = (query: string, onQuery: (query: string) => void) => ComponentChildren;

export function defineView<S extends object>(definition: ViewDefinition<S>): View {
  const { id, title, summary, codec, component } = definition;
  return {
    id,
    title,
    summary,
    read: (query) => {
      const { state, ignored } = codec.parse(query);
      return { query: codec.format(state), ignored };
    },
    load: async () => {
      const Component = await component();
      // The same query gives the same object, so that effects of its parts do not run again.
      let latest = { query: "", state: codec.defaults };
      return (query, onQuery) => {
        if (query !== latest.query) latest = { query, state: codec.parse(query).state };
        const update = (change: Partial<S>): void => {
          const state = { ...latest.state, ...change };
          latest = { query: codec.format(state), state };
          onQuery(latest.query);
        };
        return h(Component, { state: latest.state, update });
      };
    },
  };
}
