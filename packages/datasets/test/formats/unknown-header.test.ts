/** First lines of comparisons that may be headers of unknown words, or answers. */
import { type ComparisonsOptions, readComparisons } from "@curvature/datasets";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { failure } from "./support.js";

const answers = "Rome,Milan,Paris\nMilan,Rome,Lyons\nParis,Lyons,Rome\n";

describe("is refused", () => {
  test.each<[string, string, string, Partial<ComparisonsOptions>?]>([
    ["words above names", `city,closer,farther\n${answers}`, "i, j, k"],
    ["words above names in four columns", "p,q,r,s\na,b,c,d\na,c,b,d\n", "i, j, l, k"],
    ["words above numbers", "a,b,c\n0,1,2\n", "i, j, k"],
    ["words above numbers that are names", "a,b,c\n1998,2001,2007\n", "i, j, k", { objects: "names" }],
    ["words above names of which some are numbers", "a,b,c\nx,1,2\n1,x,2\n", "i, j, k"],
    ["words below blank lines", `\n \na,b,c\n${answers}`, "i, j, k"],
  ])("%s", async (_, source, header, options) => {
    const { code, message } = await failure(readComparisons(source, options));
    expect(code).toBe("ERR_PARSE");
    expect(message).toMatch(/^Line [13] \("\w+", .*\) seems to name the columns, but not as i, j, k \(or /);
    expect(message).toMatch(
      new RegExp(`: its words never come again\\. Rename them\\. .* put a header above it: ${header}\\.$`),
    );
  });

  test("and no longer with such a header above it, or with one whose names are known", async () => {
    const above = await readComparisons(`i,j,k\ncity,closer,farther\n${answers}`);
    expect(above.lines).toEqual(Int32Array.of(2, 3, 4, 5));
    const renamed = await readComparisons(`anchor,near,far\n${answers}`);
    expect(renamed.lines).toEqual(Int32Array.of(2, 3, 4));
  });
});

describe("is an answer", () => {
  test.each<[string, string, Partial<ComparisonsOptions>?]>([
    ["of words that all come again", "a,b,c\nb,a,c\n"],
    ["of words of which one comes again", `a,b,Rome\n${answers}`],
    ["of words of which one comes again among numbers", "a,b,c\n0,1,a\n"],
    ["that is the only line", "a,b,c\n"],
    ["beside another whose words never come again", `a,b,c\n${answers}d,e,f\n`],
    ["that has a word twice", "a,b,a,c\np,q,r,s\np,r,q,s\n"],
    ["that has a number", `a,b,7\n${answers}`],
    ["if header is false", `a,b,c\n${answers}`, { header: false }],
    ["of known objects", `a,b,c\n${answers}`, { known: ["a", "b", "c", "Rome", "Milan", "Paris", "Lyons"] }],
  ])("%s", async (_, source, options) => {
    const { lines, names } = await readComparisons(source, options);
    expect(lines).toHaveLength(source.trim().split("\n").length);
    expect(names).toEqual(expect.arrayContaining(["a", "b"]));
  });

  test("or a header if header is true", async () => {
    const { lines } = await readComparisons(`a,b,c\n${answers}`, { header: true });
    expect(lines).toEqual(Int32Array.of(2, 3, 4));
  });
});

test("no line is left out: as many answers as lines, or an error where the first line's words are its own", async () => {
  const triplet = fc.uniqueArray(fc.constantFrom(..."abcdefghijklm"), { minLength: 3, maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(fc.array(triplet, { minLength: 1, maxLength: 8 }), async (triplets) => {
      const source = `${triplets.map((words) => words.map((word) => `x${word}`).join(",")).join("\n")}\n`;
      const isAlone = (q: number): boolean =>
        triplets.every((words, other) => other === q || !words.some((word) => triplets[q].includes(word)));
      const isHeader = triplets.length > 1 && isAlone(0) && triplets.every((_, q) => q === 0 || !isAlone(q));
      const read = readComparisons(source);
      if (isHeader) expect((await failure(read)).message).toContain("seems to name the columns");
      else expect((await read).lines).toHaveLength(triplets.length);
    }),
    { numRuns: 500 },
  );
});
