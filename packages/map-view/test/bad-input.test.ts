/** What is no map, lists of other lengths, and texts that would be more than text. */
import { CurvatureError } from "@curvature/linalg";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { htmlMap } from "../src/html-map.js";
import type { MapOptions } from "../src/map.js";
import { mountMap } from "../src/mount.js";
import { svgMap } from "../src/svg-map.js";
import { program } from "../src/viewer/program.js";

const triangle = [
  [0, 0],
  [1, 2],
  [3, 1],
];
const column = (...values: string[]) => ({ name: "kind", values });
const ellipses = (...numbers: number[]) => ({ isMeaningless: false, ellipses: Float64Array.from(numbers) });

/** A method by its name, which takes what TypeScript would refuse. */
const call = (method: (...given: never[]) => unknown, ...given: unknown[]): unknown =>
  Reflect.apply(method, undefined, given);

describe.each([
  ["svgMap", svgMap],
  ["htmlMap", htmlMap],
] as const)("%s refuses", (name, draw) => {
  test.each([
    ["no rows", [], "ERR_SHAPE", "map"],
    ["no columns", [[], []], "ERR_SHAPE", "map"],
    [
      "NaN",
      [
        [0, 0],
        [1, Number.NaN],
      ],
      "ERR_NON_FINITE",
      "row 1, column 1",
    ],
    [
      "an infinity",
      [
        [0, 0],
        [Number.NEGATIVE_INFINITY, 1],
      ],
      "ERR_NON_FINITE",
      "row 1, column 0",
    ],
    ["ragged rows", [[0, 0], [1]], "ERR_SHAPE", "row 1"],
    ["no matrix", "map", "ERR_SHAPE", undefined],
    ["nothing", undefined, "ERR_SHAPE", undefined],
  ])("%s as a map", (_, map, code, path) => {
    const expected = path === undefined ? { code } : { code, path };
    expect(() => call(draw, map)).toThrow(expect.objectContaining(expected));
    expect(() => call(draw, map)).toThrow(CurvatureError);
  });

  test.each<[string, object, string, string]>([
    ["two labels for three rows", { labels: ["a", "b"] }, "ERR_SHAPE", "labels"],
    ["four names", { names: ["a", "b", "c", "d"] }, "ERR_SHAPE", "names"],
    ["no pictures", { images: [] }, "ERR_SHAPE", "images"],
    ["a short colour", { color: column("1", "2") }, "ERR_SHAPE", "color.values"],
    ["a short column", { details: [column("1", "2", "3"), column("1")] }, "ERR_SHAPE", "details[1].values"],
    [
      "neighbours of two rows",
      { neighbors: { count: 1, indices: [1, 0] } },
      "ERR_SHAPE",
      "neighbors.indices",
    ],
    [
      "a neighbour that is no row",
      { neighbors: { count: 1, indices: [1, 0, 3] } },
      "ERR_OPTION",
      "neighbors.indices[2]",
    ],
    [
      "half a neighbour",
      { neighbors: { count: 1, indices: [1, 0, 0.5] } },
      "ERR_OPTION",
      "neighbors.indices[2]",
    ],
    ["ellipses of two rows", { regions: ellipses(1, 1, 1, 0, 1, 1, 1, 0) }, "ERR_SHAPE", "regions.ellipses"],
    [
      "an ellipse without a direction",
      { regions: ellipses(1, 1, 1, 0, 1, 1, 0, 0, 1, 1, 1, 0) },
      "ERR_OPTION",
      "regions.ellipses, row 1",
    ],
    [
      "a direction of NaN",
      { regions: ellipses(1, 1, Number.NaN, 0, 1, 1, 1, 0, 1, 1, 1, 0) },
      "ERR_OPTION",
      "regions.ellipses, row 0",
    ],
    ["labels that are numbers", { labels: [1, 2, 3] }, "ERR_OPTION", "labels"],
    [
      "a picture from elsewhere",
      { images: ["https://elsewhere.example/a.png", "", ""] },
      "ERR_OPTION",
      "images",
    ],
    [
      "a picture that ends its attribute",
      { images: ['data:image/png;base64,"onload="alert(1)', "", ""] },
      "ERR_OPTION",
      "images",
    ],
    ["a script as a picture", { images: ["javascript:alert(1)", "", ""] }, "ERR_OPTION", "images"],
    ["more background than rows", { background: 4 }, "ERR_OPTION", "background"],
    ["a title that is none", { title: null }, "ERR_OPTION", "title"],
    ["an unknown option", { label: ["a", "b", "c"] }, "ERR_OPTION", "label"],
  ])("%s", (_, options, code, path) => {
    const where = expect.objectContaining({ code, path });
    expect(() => call(draw, triangle, options)).toThrow(where);
    expect(() => call(draw, triangle, options)).toThrow(new RegExp(`^${name}: `));
  });

  test("ellipses around points in space", () => {
    const space = [[0, 0, 0]];
    expect(() => draw(space, { regions: ellipses(1, 1, 1, 0) })).toThrow(/^\w+: regions must be left out/);
  });
});

const hostile = [
  "</script><script>alert(1)</script>",
  "</text></svg><script>alert(1)</script>",
  `" onload="alert(1)' x='`,
  "]]><!--<script>",
  "&lt;&#60;&amp;",
  "\u202egnp.exe\u202c \u2066rtl\u2069",
  "שלום عالم",
  "\u0000\u0007\u001b[2J\r\n\t",
  "\ud800 alone \udfff",
  "__proto__",
  "x".repeat(10_000),
  "\u0301".repeat(10_000),
  "👩‍👩‍👧‍👦".repeat(100),
];
const many = Array.from(hostile, (_, n) => [n, (n * n) % 7]);
const everywhere: MapOptions = {
  labels: hostile,
  labelName: hostile[0],
  names: hostile,
  details: hostile.map((name) => ({ name, values: hostile })),
  title: hostile.join(" "),
  subtitle: hostile.join(" "),
};

describe("hostile texts", () => {
  test("are text in an SVG, and short", () => {
    const svg = svgMap(many, everywhere);
    expect(svg).not.toMatch(/<script|onload="|\u202e|\u2066/i);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: XML forbids them
    expect(svg).not.toMatch(/[\u0000-\u0008\u000b-\u001f]|\p{Surrogate}/u);
    for (const [, attributes] of svg.matchAll(/<(?:text|use|g|rect|path)\b([^>]*)>/g))
      expect(attributes.replaceAll(/\s[\w:-]+="[^"<>]*"/g, "").trim()).toMatch(/^\/?$/);
    for (const [, words] of svg.matchAll(/<text [^>]*>([^<]*)<\/text>/g))
      expect(words.length).toBeLessThan(3000);
    expect(svg).toContain("שלום");
  });

  test("are data in HTML: two scripts, the page's own", () => {
    const page = htmlMap(many, everywhere);
    expect(page.match(/<script/gi)).toHaveLength(2);
    expect(page.match(/<\/script/gi)).toHaveLength(2);
    const [, json] = /<script type="application\/json" id="data">(.*?)<\/script>/s.exec(page) ?? [];
    const payload: { names: string[]; title: string } = JSON.parse(json);
    expect(payload.names[0]).toBe(hostile[0]); // whole, as text
    expect(payload.names[5]).not.toMatch(/\u202e|\u2066/);
    expect(page).not.toMatch(/https?:\/\/(?!www\.w3\.org\/2000\/svg)/);
  });

  test("whatever they are", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "binary" }), { minLength: 3, maxLength: 3 }), (texts) => {
        const options = { labels: texts, names: texts, title: texts[0], color: column(...texts) };
        expect(htmlMap(triangle, options).match(/<\/?script/gi)).toHaveLength(4);
        expect(svgMap(triangle, options)).not.toMatch(/NaN|Infinity|\p{Surrogate}/u);
      }),
      { numRuns: 50 },
    );
  });
});

test("the ends of float64 are drawn, with labels, ellipses and three axes", () => {
  const far = [
    [-1.7e308, 1.7e308],
    [1.7e308, 5e-324],
  ];
  const round = ellipses(1e308, 1e307, 0.6, 0.8, Number.POSITIVE_INFINITY, 1, 1, 0);
  for (const svg of [
    svgMap(far, { regions: round, names: ["a", "b"] }),
    svgMap([
      [1.7e308, -1.7e308, 0],
      [0, 0, 1],
    ]),
  ])
    expect(svg).not.toMatch(/NaN|Infinity|undefined/);
});

test("the page's program is the one that its policy allows", async () => {
  const page = htmlMap(triangle);
  const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(program));
  const hash = btoa(String.fromCharCode(...new Uint8Array(bytes)));
  expect(page).toContain(`script-src 'sha256-${hash}'`);
  expect(page).toContain(`<script>${program}</script>`);
  expect(program).not.toMatch(/<\/script|<!--/i);
});

test("without a page there is nothing to mount a map in", () => {
  expect(() => call(mountMap, {}, triangle)).toThrow(
    expect.objectContaining({ code: "ERR_ARGUMENT", path: "element" }),
  );
});
