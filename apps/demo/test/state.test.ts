/** Links: what is written reads back, and what is not ours does no harm. */
import { between, flag, integerFrom, oneOf, optionTable } from "@curvature/linalg";
import fc from "fast-check";
import { expect, test } from "vitest";
import { changed, codec, type StateOf } from "../src/state/codec.js";
import { list, ruled, words } from "../src/state/fields.js";
import { formatPlace, parsePlace } from "../src/state/location.js";
import { type EmbedState, embedCodec } from "../src/views/embed/options.js";

const fields = {
  word: ruled(oneOf("a", "b").default("a")),
  count: ruled(integerFrom(0, 100).default(3)),
  rate: ruled(between(0, 1)),
  on: ruled(flag.default(true)),
  name: words(30),
  several: list(ruled(integerFrom(0, 9).default(0)), [1], { least: 1, most: 4 }),
};
type Example = StateOf<typeof fields>;
const example = codec<Example>(fields);

const state: fc.Arbitrary<Example> = fc.record({
  word: fc.constantFrom("a", "b"),
  count: fc.integer({ min: 0, max: 100 }),
  rate: fc.option(fc.double({ min: 0, max: 1, noNaN: true }).map(Math.abs), { nil: undefined }),
  on: fc.boolean(),
  name: fc.string({ maxLength: 30 }),
  several: fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 4 }),
});

test("every state reads back as it was written", () => {
  fc.assert(
    fc.property(state, (given) => {
      expect(example.parse(example.format(given))).toEqual({ state: given, ignored: [] });
    }),
  );
});

test("defaults are left out", () => {
  expect(example.format(example.defaults)).toBe("");
  expect(example.format({ ...example.defaults, rate: 0.5 })).toBe("rate=0.5");
});

test("a run is given what differs from the package's defaults, of the fields that are options", () => {
  const table = optionTable({
    count: integerFrom(0).default(3),
    on: flag.default(false),
    rate: between(0, 1),
  });
  const { count, on, rate } = fields;
  const options = changed(table, { count, on, rate }, { ...example.defaults, name: "x" });
  expect(options).toEqual({ on: true });
});

test("any text reads as a valid state, and writing that is stable", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.webQueryParameters()), (text) => {
      const { state: read } = embedCodec.parse(text);
      expect(embedCodec.parse(embedCodec.format(read))).toEqual({ state: read, ignored: [] });
    }),
  );
});

test.each([
  ["count=1e1000", ["count"]],
  ["count=2.5", ["count"]],
  ["count=0x10", ["count"]],
  ["count= 4", ["count"]],
  ["rate=NaN&on=yes", ["rate", "on"]],
  ["several=", ["several"]],
  ["several=1~2~3~4~5", ["several"]],
  ["several=1~x", ["several"]],
  ["constructor=1&__proto__=2", ["constructor", "__proto__"]],
  [`name=${"x".repeat(31)}`, ["name"]],
  [`name=${"x".repeat(30_000)}`, ["everything, as it is too long"]],
])("%.40s is ignored and told", (query, ignored) => {
  expect(example.parse(query)).toEqual({ state: example.defaults, ignored });
});

test("of names that are given twice the first counts", () => {
  expect(example.parse("count=4&count=5").state.count).toBe(4);
});

test.each<[string, Partial<EmbedState> | undefined]>([
  ["panes=tsne.sd.homotopy", { panes: [{ method: "tsne", solver: "sd", homotopy: true }] }],
  ["panes=tsne.auto.homotopy", undefined],
  ["panes=laplacian.sd.homotopy", undefined],
  ["panes=tsne.auto.x", undefined],
  ["panes=tsne", undefined],
  ["panes=tsne.auto~ee.sd~ee.gd~ee.fp~ee.cg", undefined],
])("maps in a link: %s", (query, change) => {
  const { state: read, ignored } = embedCodec.parse(query);
  expect(read).toEqual({ ...embedCodec.defaults, ...change });
  expect(ignored).toEqual(change === undefined ? ["panes"] : []);
});

test("places: any hash is one, and a place reads back", () => {
  expect(parsePlace("#/embed?a=1")).toEqual({ view: "embed", query: "a=1" });
  expect(parsePlace("#embed")).toEqual({ view: "embed", query: "" });
  for (const hash of ["", "#", "#/", "#main?", "#/<script>", `#/${"x".repeat(1000)}`, "#/embed/more?x"])
    expect(parsePlace(hash).query).toBe("");
  fc.assert(
    fc.property(fc.webQueryParameters(), (query) => {
      expect(parsePlace(formatPlace({ view: "embed", query }))).toEqual({ view: "embed", query });
    }),
  );
});
