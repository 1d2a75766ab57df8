/** Trials as experiments record them: which comparisons they are, and what is refused. */
import { type ComparisonsOptions, readComparisons } from "@curvature/datasets";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

/** Each comparison in words: "a: b < c" of a triplet, "a-b < c-d" of others. */
async function said(source: string, options?: ComparisonsOptions): Promise<string[]> {
  const { comparisons, names } = await readComparisons(source, options);
  const name = (object: number | undefined): string => names?.[object ?? -1] ?? String(object);
  return Array.from({ length: comparisons.quadruplets.length / 4 }, (_, q) => {
    const [i, j, l, k] = comparisons.quadruplets.subarray(4 * q, 4 * q + 4);
    return i === l ? `${name(i)}: ${name(j)} < ${name(k)}` : `${name(i)}-${name(j)} < ${name(l)}-${name(k)}`;
  });
}

async function failure(source: string, options?: ComparisonsOptions): Promise<string> {
  return readComparisons(source, options).then(
    () => "nothing is wrong",
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
}

const roles = { anchor: "q", near: "x", far: "y", answer: "r" };
const truth = ["fig: pear < nail", "fig: pear < bolt", "nail: bolt < fig"];

describe("a column that says which of two is nearer", () => {
  // of the second line the second is nearer
  const lines = (answers: readonly string[], header = "q,x,y,r"): string =>
    `${header}\nfig,pear,nail,${answers[0]}\nfig,bolt,pear,${answers[1]}\nnail,bolt,fig,${answers[2]}\n`;
  test.each([
    ["1 and -1", ["1", "-1", "1"]],
    ["1 and -1, as a program writes floats", ["1.0", "-1.0", "+1"]],
    ["1 and 2", ["1", "2", "1"]],
    ["left and right", ["left", "Right", "LEFT"]],
    ["the object", ["pear", "pear", "bolt"]],
    ["the column", ["x", "y", "x"]],
    ["a and b", ["a", "b", "a"]],
  ])("%s", async (_, answers) => {
    expect(await said(lines(answers), { roles })).toEqual(truth);
  });

  test("keys, once one is said to stand for the first", async () => {
    expect(await failure(lines(["f", "j", "f"]), { roles })).toMatch(/first: "f" or first: "j"/);
    expect(await said(lines(["f", "j", "f"]), { roles, first: "f" })).toEqual(truth);
  });

  test("0 and 1 of columns by side may be a place: it must be said", async () => {
    const text = lines(["0", "1", "0"], "q,left,right,r");
    const sided = { anchor: "q", left: "left", right: "right", answer: "r" };
    expect(await failure(text, { roles: sided })).toMatch(/first: "0" or first: "1"/);
    expect(await said(text, { roles: sided, first: "0" })).toEqual(truth);
  });

  test("what NEXT and salmon write is read by its header", async () => {
    expect(await said(lines(["pear", "pear", "bolt"], "Center,Left,Right,Answer"))).toEqual(truth);
    expect(await said("head,left,right,winner,loser,response_time\n0,1,2,2,1,3.5\n")).toEqual(["0: 2 < 1"]);
  });

  test("columns by their indices, without names", async () => {
    const text = lines(["pear", "pear", "bolt"]).split("\n").slice(1).join("\n");
    expect(await failure(text)).toMatch(/fourth column repeats .*anchor=0,near=1,far=2,answer=3/);
    expect(await said(text, { roles: { anchor: "0", near: "1", far: "2", answer: "3" } })).toEqual(truth);
    expect((await readComparisons(text, { kind: "quadruplets", degenerate: "drop" })).kind).toBe(
      "quadruplets",
    );
  });

  test("an unused one is refused, with what to write; it may be ignored, or used", async () => {
    const text = "anchor,near,far,response\nfig,pear,nail,1\nfig,bolt,pear,-1\nnail,bolt,fig,1\n";
    expect(await failure(text)).toMatch(
      /"response", which is not used .* roles: "anchor=anchor,near=near,far=far,answer=response"; if not, ignore: "response"/,
    );
    expect(await said(text, { ignore: ["response"] })).toHaveLength(3);
    expect(
      await said(text, { roles: { anchor: "anchor", near: "near", far: "far", answer: "response" } }),
    ).toEqual(truth);
    for (const name of ["choice", "Answer", "winner", "correct", "selected"])
      expect(await failure(`i,j,k,${name}\n0,1,2,1\n`)).toMatch(/looks like the answer/);
  });

  test("objects that are called as sides are: it must be said which is meant", async () => {
    const text = "q,x,y,r\n0,2,1,1\n";
    expect(await failure(text, { roles })).toMatch(/response: "object" or response: "side"/);
    expect(await said(text, { roles, response: "object" })).toEqual(["0: 1 < 2"]);
    expect(await said(text, { roles, response: "side", first: "1" })).toEqual(["0: 2 < 1"]);
  });

  test("columns by side without an answer are refused", async () => {
    expect(await failure("center,left,right\na,b,c\nb,c,a\n")).toMatch(
      /none that says which of the two is nearer/,
    );
  });

  test("a third value is refused, with its line; it may be a tie", async () => {
    const text = lines(["1", "0", "-1"]);
    expect(await failure(text, { roles })).toMatch(/^Line 3: "r" is "0" beside "1" and "-1"\. .* tie: "0"/);
    const { comparisons, ties, trial } = await readComparisons(text, { roles, tie: "0" });
    expect([ties, comparisons.weights, trial]).toEqual([
      1,
      Float64Array.of(1, 0.5, 0.5, 1),
      Int32Array.of(0, 1, 1, 2),
    ]);
    expect(await said(text, { roles, tie: "0", ties: "drop" })).toHaveLength(2);
  });

  test("ties alone have no word for the first of two", async () => {
    const table = await readComparisons("q,x,y,r\na,b,c,same\nb,c,d,same\n", { roles, tie: "same" });
    expect([table.ties, table.comparisons.quadruplets.length / 4]).toEqual([2, 4]);
    expect(table.notes.join()).toContain('"r" holds ties only');
    expect(table.notes.join()).not.toContain('""');
  });

  test("of quadruplets it says which pair; a tie is half an answer each way", async () => {
    const text = "i,j,l,k,answer\n0,1,2,3,-1\n0,1,2,3,tie\n";
    const quadruplets = { i: "i", j: "j", l: "l", k: "k", answer: "answer" };
    expect(await said(text, { roles: quadruplets })).toEqual(["2-3 < 0-1", "0-1 < 2-3", "2-3 < 0-1"]);
    expect(await failure(text, { roles: quadruplets, ties: "error" })).toMatch(
      /^Line 3 answers "tie", a tie/,
    );
  });

  test("swapping the candidates and the answer says the same", async () => {
    const answer = fc.record({ i: fc.nat(4), j: fc.nat(4), k: fc.nat(4), isFirst: fc.boolean() });
    const sided = { roles, response: "side" as const };
    const some = fc.array(answer, { minLength: 1, maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(
        some,
        fc.constantFrom(["first", "second"], ["left", "right"], ["top", "bottom"]),
        async (all, words) => {
          const trials = all.filter(({ i, j, k }) => i !== j && i !== k && j !== k);
          fc.pre(trials.length > 0);
          const text = (isTurned: boolean): string =>
            `q,x,y,r\n${trials.map(({ i, j, k, isFirst }) => [i, ...(isTurned ? [k, j] : [j, k]), words[Number(isFirst === isTurned)]].join(",")).join("\n")}\n`;
          expect(await said(text(true), sided)).toEqual(await said(text(false), sided));
        },
      ),
    );
  });
});

describe("trials of several objects", () => {
  test("the odd one out of three and of four; each trial keeps its comparisons", async () => {
    expect(await said("7 13 8\n3 13 10\n", { kind: "odd-one-out" })).toEqual([
      ...["7-13 < 7-8", "13-7 < 13-8", "3-13 < 3-10", "13-3 < 13-10"].map((each) => {
        const [a = "", b = "", , c = ""] = each.split(/[-<]/).map((part) => part.trim());
        return `${a}: ${b} < ${c}`;
      }),
    ]);
    const four = await readComparisons("a,b,c,d\n", { kind: "odd-one-out" });
    expect([four.lines.length, four.trial]).toEqual([6, new Int32Array(6)]);
  });

  test("the odd one by its name, its column and its place", async () => {
    const expected = ["b: c < a", "c: b < a"];
    const options = { roles: { object: ["o1", "o2", "o3"], odd: "odd" } };
    for (const odd of ["a", "o1"])
      expect(await said(`o1,o2,o3,odd\na,b,c,${odd}\n`, options)).toEqual(expected);
    expect((await said("o1,o2,o3,odd\na,b,c,1\na,b,c,3\n", options)).slice(0, 2)).toEqual(expected);
    expect(await failure("o1,o2,o3,odd\na,b,c,x\n", options)).toMatch(/^Line 2 has "x" as the odd one/);
    expect(await said("i,j,odd\nb,c,a\n", { roles: { object: ["i", "j"], odd: "odd" } })).toEqual(expected);
  });

  test("choices of 2 of 4, of ranks, and of a ranking's first", async () => {
    expect(await said("q,a,b,c,d\n", { kind: "choices", choose: 2 })).toEqual([
      ...["q: a < c", "q: a < d", "q: b < c", "q: b < d"],
    ]);
    expect(await said("q,a,b,c\n", { kind: "rank" })).toEqual(["q: a < b", "q: a < c", "q: b < c"]);
    expect(await said("q,a,b,c\n", { kind: "rank", choose: 1 })).toEqual(["q: a < b", "q: a < c"]);
    expect(await said("query,ref1,ref2,ref3\n0,1,2,3\n4,1,2,-1\n", { kind: "rank" })).toEqual([
      ...["0: 1 < 2", "0: 1 < 3", "0: 2 < 3", "4: 1 < 2"],
    ]);
  });

  test("the chosen ones in columns, in one cell, and how many by a column", async () => {
    const expected = ["q: b < a", "q: b < d", "q: c < a", "q: c < d"];
    const options = { roles: { anchor: "query", option: "ref*", chosen: ["c1", "c2"] } };
    expect(await said("query,ref1,ref2,ref3,ref4,c1,c2\nq,a,b,c,d,b,c\n", options)).toEqual(expected);
    const listed = { roles: { anchor: "query", option: "ref*", chosen: "picked" } };
    for (const cell of ["b;c", '"b, c"', "b|c", '"[""b"",""c""]"'])
      expect(await said(`query,ref1,ref2,ref3,ref4,picked\nq,a,b,c,d,${cell}\n`, listed)).toEqual(expected);
    const counted = { kind: "choices" as const, roles: { anchor: "query", option: "ref*", choose: "n" } };
    expect(await said("query,ref1,ref2,ref3,n\nq,a,b,c,1\nq,a,b,c,2\n", counted)).toHaveLength(4);
  });

  test("2 of 8 with 3 chosen, an object twice, choices without a number", async () => {
    const eight = "query,r1,r2,r3,r4,r5,r6,r7,r8,picked\nq,a,b,c,d,e,f,g,h,a;b\nq,a,b,c,d,e,f,g,h,a;b;c\n";
    const options = { choose: 2, roles: { anchor: "query", option: "r*", chosen: "picked" } };
    expect(
      await failure(eight, {
        ...options,
        roles: { ...options.roles, option: ["r1", "r2", "r3", "r4", "r5", "r6", "r7", "r8"] },
      }),
    ).toMatch(/^Line 3 has 3 chosen of 8, and 2 were to be chosen/);
    expect(await failure("q,a,b,a\n", { kind: "choices", choose: 1 })).toMatch(/^Line 1 names "a" twice/);
    const dropped = await readComparisons("q,a,b,a\nq,a,b,c\n", { kind: "rank", degenerate: "drop" });
    expect([dropped.dropped, dropped.lines]).toEqual([1, Int32Array.of(2, 2, 2)]);
    expect(await failure("q,a,b,c\n", { kind: "choices" })).toMatch(/chosen=.*choose: "2"/);
  });

  test("ratings: of each person the pairs with a common object; equal ones say nothing", async () => {
    const text = "who,a,b,rating\np,x,y,5\np,x,z,1\np,y,z,1\nr,x,y,2\nr,x,z,4\n";
    const similar = { roles: { first: "a", second: "b", similarity: "rating" }, participant: "who" };
    expect(await said(text, similar)).toEqual(["x: y < z", "y: x < z", "x: z < y"]);
    expect((await readComparisons(text, similar)).ties).toBe(1);
    const far = { roles: { first: "a", second: "b", distance: "rating" }, participant: "who" };
    expect(await said(text, far)).toEqual(["x: z < y", "y: z < x", "x: y < z"]);
    expect(await failure(text, { kind: "ratings" })).toMatch(/similarity=rating/);
  });

  test("ratings by a header that says which way", async () => {
    const rows = "a,b,3\na,c,5\nb,c,1\n";
    expect(await said(`item1,item2,similarity\n${rows}`)).toEqual(["a: c < b", "b: a < c", "c: a < b"]);
    expect(await said(`x,y,distance\n${rows}`)).toEqual(["a: b < c", "b: c < a", "c: b < a"]);
    expect(await failure(`item1,item2,rating\n${rows}`)).toMatch(/similarity=rating/);
  });

  test("matrices: similarities, one half, gaps, two entries for a pair", async () => {
    const similar = "a,b,c\n1,0.9,0.1\n0.9,1,0.2\n0.1,0.2,1\n";
    expect(await said(similar, { kind: "similarities" })).toEqual(["a: b < c", "b: a < c", "c: b < a"]);
    const half = ",a,b,c\na,0,,\nb,1,0,\nc,3,2,0\n";
    expect(await failure(half, { kind: "distances" })).toMatch(/triangle: "mirror"/);
    expect(await said(half, { kind: "distances", triangle: "mirror" })).toEqual([
      "a: b < c",
      "b: a < c",
      "c: b < a",
    ]);
    const gaps = ",a,b,c\na,0,1,NA\nb,1,0,2\nc,NA,2,0\n";
    expect(await failure(gaps, { kind: "distances" })).toMatch(/missing: "drop"/);
    expect(await said(gaps, { kind: "distances", missing: "drop" })).toEqual(["b: a < c"]);
    const two = ",a,b,c\na,0,1,4\nb,2,0,3\nc,4,3,0\n";
    expect(await failure(two, { kind: "distances" })).toMatch(/asymmetry: "mean"/);
    expect(await said(two, { kind: "distances", asymmetry: "mean" })).toHaveLength(3);
  });
});

describe("lines and people", () => {
  const table = `who,t,phase,rt,i,j,k
p,1,main,400,a,b,c
p,1,main,300,a,b,d
p,2,main,900,a,c,d
r,1,main,100,a,b,c
r,1,practice,800,a,c,b
`;
  test("trials and people are numbered in their order; a trial is one of its person", async () => {
    const { trial, participant, participants } = await readComparisons(table, {
      trial: "t",
      participant: "who",
    });
    expect([trial, participant, participants]).toEqual([
      Int32Array.of(0, 0, 1, 2, 2),
      Int32Array.of(0, 0, 0, 1, 1),
      ["p", "r"],
    ]);
    expect((await readComparisons(table)).trial).toBeUndefined();
  });

  test("only some lines; none is an error that says what there is", async () => {
    expect((await readComparisons(table, { where: ["phase=main", "who!=r"] })).lines).toEqual(
      Int32Array.of(2, 3, 4),
    );
    expect(await failure(table, { where: ["phase=maim"] })).toMatch(/"phase" holds "main", "practice"/);
    expect(await failure(table, { where: ["stage=main"] })).toMatch(/"stage", which is not there/);
  });

  test("a column that marks the test", async () => {
    expect((await readComparisons(table, { split: "phase=practice" })).held).toEqual(
      Uint8Array.of(0, 0, 0, 0, 1),
    );
    expect(await failure(table, { split: "phase" })).toMatch(/split: "phase=practice"/);
    expect(await failure(table, { where: ["phase=main"], split: "phase" })).toMatch(/"main" on every line/);
    const marked = "set,i,j,k\ntrain,0,1,2\ntest,0,2,1\n";
    expect((await readComparisons(marked, { split: "set" })).held).toEqual(Uint8Array.of(0, 1));
    const three = "i,j,k,set\na,b,c,train\nb,c,a,val\nc,a,b,test\n";
    expect(await failure(three, { split: "set" })).toMatch(
      /both "val" and "test" may mark the test.*set=val/,
    );
    expect((await readComparisons(three, { split: "set=test" })).held).toEqual(Uint8Array.of(0, 0, 1));
  });

  test("empty cells", async () => {
    const text = "who,i,j,k\np,a,b,c\np,a,,c\nr,b,a,NA\n";
    expect(await failure(text)).toMatch(/^The cell at line 3, column 3 is empty\. .* missing: "drop"/);
    const { lines, excluded } = await readComparisons(text, { missing: "drop", participant: "who" });
    expect([lines, excluded]).toEqual([
      Int32Array.of(2),
      [
        { participant: "p", why: "missing", lines: 1 },
        { participant: "r", why: "missing", lines: 1 },
      ],
    ]);
  });

  test("degenerate lines are counted for each person", async () => {
    const text = "who,i,j,k\np,a,b,c\np,a,a,c\nr,b,a,a\nr,b,b,a\n";
    const { excluded, notes } = await readComparisons(text, { degenerate: "drop", participant: "who" });
    expect(excluded).toEqual([
      { participant: "p", why: "degenerate", lines: 1 },
      { participant: "r", why: "degenerate", lines: 2 },
    ]);
    expect(notes.join(" ")).toContain(
      '3 lines that compare what is the same have been dropped ("r" 2, "p" 1).',
    );
  });

  test("catch trials are no answers, and judge people where they hold what is right", async () => {
    const text = `who,q,x,y,r,catch
p,a,b,c,b,
p,a,b,c,c,c
r,a,b,c,b,
r,a,b,c,b,c
`;
    const options = { roles, participant: "who", catch: "catch" };
    const { lines, excluded } = await readComparisons(text, options);
    expect([lines, excluded]).toEqual([
      Int32Array.of(2),
      [
        { participant: undefined, why: "catch", lines: 2 },
        { participant: "r", why: "catch-failed", lines: 1 },
      ],
    ]);
    const flagged = await readComparisons(text.replaceAll(/c\n/g, "1\n"), { ...options, tie: "t" }).catch(
      () => undefined,
    );
    expect(flagged?.excluded.map(({ why }) => why) ?? ["catch"]).toEqual(["catch"]);
  });

  test("the fastest, people with few answers, people who contradict themselves", async () => {
    const fast = await readComparisons(table, { time: "rt", fastest: 0.2, participant: "who" });
    expect([fast.lines, fast.excluded]).toEqual([
      Int32Array.of(2, 3, 4, 6),
      [{ participant: "r", why: "fastest", lines: 1 }],
    ]);
    const few = await readComparisons(table, { participant: "who", leastAnswers: 3 });
    expect(few.lines).toEqual(Int32Array.of(2, 3, 4));
    const steady = await readComparisons(table, { participant: "who", mostInconsistent: 0.5 });
    expect(steady.excluded).toEqual([{ participant: "r", why: "inconsistent", lines: 2 }]);
    expect(await failure(table, { leastAnswers: 3 })).toMatch(/participant/);
    expect(await failure(table, { fastest: 0.2 })).toMatch(/time/);
  });

  test("names that differ by case or blanks only", async () => {
    expect(await failure("i,j,k\nRome,rome,Oslo\n")).toMatch(
      /"Rome" \(line 2\) and "rome" \(line 2\) differ by case or blanks only/,
    );
    expect(await failure('i,j,k\nNew York," new  york",Oslo\n')).toMatch(/objects: "names"/);
    expect(await failure("i,j,k\nicecream,ice cream,Oslo\n")).toMatch(/differ by case or blanks only/);
    expect((await readComparisons("i,j,k\nA,a,B\n", { objects: "names" })).names).toEqual(["A", "a", "B"]);
  });
});

describe("votes", () => {
  const near = (vote: string) =>
    failure(`anchor,near,far,${vote}_near,${vote}_far\na,b,c,7,3\nb,c,a,1,9\nc,a,b,5,5\n`);

  test("counts of people for each of the two are asked about: the header alone would give one to every line", async () => {
    expect(await near("votes")).toMatch(/"votes_near" and "votes_far".*a line for each.*weight.*ignore/);
    expect(await near("n")).toMatch(/"n_near" and "n_far"/);
    const text = "anchor,left,right,answer,left votes,right votes\na,b,c,left,7,3\n";
    expect(await failure(text)).toMatch(/"left votes" and "right votes"/);
  });

  test("they may be ignored, or be no counts of votes", async () => {
    const text = "anchor,near,far,n_near,n_far\na,b,c,7,3\n";
    expect((await readComparisons(text, { ignore: ["n_near", "n_far"] })).lines).toHaveLength(1);
    for (const names of [
      ["x_near", "x_far"],
      ["trial_num", "block_num"],
    ])
      expect((await readComparisons(`anchor,near,far,${names}\na,b,c,7,3\n`)).ignored).toEqual(names);
  });
});

describe("other files", () => {
  const rows = [
    { trial_type: "instructions", trial_index: 0, rt: 5000, response: null },
    {
      trial_type: "triplet",
      trial_index: 1,
      rt: 700,
      anchor: "fig",
      left: "pear",
      right: "nail",
      response: 0,
    },
    {
      trial_type: "triplet",
      trial_index: 2,
      rt: 800,
      anchor: "fig",
      left: "bolt",
      right: "pear",
      response: 1,
    },
    {
      trial_type: "triplet",
      trial_index: 3,
      rt: 600,
      anchor: "nail",
      left: "bolt",
      right: "fig",
      response: 0,
    },
  ];
  const options: ComparisonsOptions = {
    roles: { anchor: "anchor", left: "left", right: "right", answer: "response" },
    where: ["trial_type=triplet"],
  };
  test("jsPsych's rows: answers are the indices of buttons", async () => {
    expect(await said(JSON.stringify(rows), options)).toEqual(truth);
    expect(await said(rows.map((row) => JSON.stringify(row)).join("\n"), options)).toEqual(truth);
    expect(await said(JSON.stringify(rows), { ...options, where: [], missing: "drop" })).toEqual(truth);
    expect(await failure(JSON.stringify(rows), { ...options, where: [] })).toMatch(/missing: "drop"/);
  });

  test("text in another encoding", async () => {
    const bytes = Uint8Array.from("i,j,k\nK\xf6ln,Bonn,Rom\n", (letter) => letter.charCodeAt(0));
    expect(await readComparisons(bytes).catch(String)).toMatch(/encoding: "windows-1252"/);
    expect((await readComparisons(bytes, { encoding: "windows-1252" })).names).toEqual([
      "Köln",
      "Bonn",
      "Rom",
    ]);
  });
});

describe("what would be read wrongly without a word", () => {
  const lines = (count: number, cells: (q: number) => string): string =>
    Array.from({ length: count }, (_, q) => cells(q)).join("\n");
  test("a fourth column of two values, without a header", async () => {
    const text = lines(30, (q) => `${q % 7},${(q + 1) % 7},${(q + 3) % 7},${1 + (q % 2)}`);
    expect(await failure(text)).toMatch(/fourth column has two values.*answer=3/);
  });
  test.each([
    ["participant", "worker,a,b,c,odd", "odd-one-out"],
    ["trial", "trial,anchor,r1,r2", "rank"],
    ["time", "anchor,x1,x2,rt", "rank"],
  ] as const)("a column of each %s beside objects", async (option, header, kind) => {
    const text = `${header}\n${lines(12, (q) =>
      header
        .split(",")
        .map((_, k) => (q + 2 * k) % 9)
        .join(","),
    )}\n`;
    expect(await failure(text, { kind, header: true })).toMatch(
      new RegExp(`would be one of the objects.*${option}`),
    );
  });
  test.each([
    [
      "participant",
      "who,a,b,c,odd",
      { kind: "odd-one-out" },
      "object=who,object=a,object=b,object=c,odd=odd",
    ],
    ["participant", "who,q,a,b", { kind: "choices", choose: 1 }, "anchor=who,option=q,option=a,option=b"],
    ["participant", "Worker ID,q,a,b,c", { kind: "rank" }, "anchor=0,option=q"],
    ["participant", "subject_nr,a,b,d", {}, "i=subject_nr,j=a,l=b,k=d"],
    [
      "participant",
      "who,x1,x2,x3,odd",
      { kind: "odd-one-out", roles: { odd: "odd" } },
      "object=who,object=x1",
    ],
    ["time", "a,b,d,rt_ms", { kind: "odd-one-out" }, "object=rt_ms"],
  ] as const)("a column named like a %s, %s", async (option, header, options, roles) => {
    const columns = header.split(",");
    const own = columns.findIndex((name) => /who|work|sub|rt/i.test(name));
    const rows = lines(40, (q) => {
      const objects = [q % 12, (5 * q + 1) % 12, (7 * q + 3) % 12].map((object) => `Obj ${object}`);
      const cells = columns.map((_, k) => objects[(k + q) % 3]);
      if (columns.at(-1) === "odd") cells.splice(1, 4, ...objects, objects[q % 3] ?? "");
      cells[own] = option === "time" ? String(q + 400) : `p${q % 6}`;
      return cells.join(",");
    });
    const sentence = await failure(`${header}\n${rows}\n`, options);
    expect(sentence).toMatch(new RegExp(`would be one of the objects.*${option}`));
    expect(sentence).toContain(roles);
  });
  test("a column whose words no other has is doubted", async () => {
    const trials = (first: (q: number) => string): string =>
      lines(40, (q) =>
        [first(q), q % 9, (q + 2 + (q % 3)) % 9, (q + 5 + (q % 3)) % 9].map(String).join(",o"),
      );
    const warned = await readComparisons(
      trials((q) => `p${q % 5}`),
      { kind: "odd-one-out" },
    );
    expect(warned.warnings.join()).toMatch(
      /^Column 1 is taken for objects.* the option participant; .* the option ignore\.$/,
    );
    const plain = await readComparisons(
      trials((q) => `o${(q + 8) % 9}`),
      { kind: "odd-one-out" },
    );
    expect(plain.warnings).toEqual([]);
    const named = await readComparisons(
      trials((q) => `p${q % 5}`),
      { kind: "odd-one-out", participant: "0" },
    );
    expect([named.warnings, named.names?.length]).toEqual([[], 9]);
  });
  test("a value that where leaves out and nobody has", async () => {
    const text = `w,anchor,near,far\n${lines(12, (q) => `v${q % 3},${q % 5},${(q + 1) % 5},${(q + 3) % 5}`)}\n`;
    expect(await failure(text, { where: ["w!=v9"] })).toMatch(/No line has w=v9/);
    expect(
      (await readComparisons(text, { where: ["w!=v0"], ignore: ["w"] })).comparisons.quadruplets,
    ).toHaveLength(4 * 8);
  });
});

test("a part of an object cannot be chosen", async () => {
  const table = (choose: string): string => `anchor,a,b,c,choose\nx,p,q,r,${choose}\n`;
  const options = {
    kind: "choices",
    roles: { anchor: "anchor", option: ["a", "b", "c"], choose: "choose" },
  } as const;
  for (const choose of ["1.5", "0", "-1"])
    expect(await failure(table(choose), options)).toMatch(/line 2, column 5.* whole number of at least 1/);
  expect((await readComparisons(table("1"), options)).lines.length).toBe(2);
});

test("a matrix has no lines that are answers: what says something of them is refused", async () => {
  const matrix = "0,1,2\n1,0,3\n2,3,0\n";
  for (const options of [{ trial: "t" }, { participant: "p" }, { where: ["a=1"] }, { leastAnswers: 3 }])
    expect(await failure(matrix, { kind: "distances", ...options })).toMatch(
      /a matrix of distances has none/,
    );
  expect((await readComparisons(matrix, { kind: "distances" })).lines.length).toBeGreaterThan(0);
});

describe("exports of strangers", () => {
  const farTruth = ["fig: nail < pear", "fig: bolt < pear", "nail: fig < bolt"];
  test.each([
    ["the object", ["pear", "pear", "bolt"], {}],
    ["sides", ["left", "right", "left"], {}],
    ["0 and 1, once it is said", ["1", "0", "1"], { first: "1" }],
  ])("an answer that names the farther one: %s", async (_, [p, q, r], options) => {
    const text = `q,x,y,r\nfig,pear,nail,${p}\nfig,bolt,pear,${q}\nnail,bolt,fig,${r}\n`;
    const far = { anchor: "q", near: "x", far: "y", farther: "r" };
    expect(await said(text, { roles: far, ...options })).toEqual(farTruth);
    if (p !== "pear") return;
    const farthest = { anchor: "q", option: ["x", "y"], farther: "r" };
    expect(await said(text, { roles: farthest })).toEqual(farTruth);
  });

  test("a header whose answer is odd or least similar is asked about, and doubted where it is said to be the nearer", async () => {
    for (const name of ["odd", "Least similar", "odd_one_out", "farthest"]) {
      const text = `anchor,left,right,${name}\nfig,pear,nail,nail\n`;
      expect(await failure(text)).toMatch(/which is farther\. If so, write roles: ".*farther=/);
      const answer = { anchor: "anchor", left: "left", right: "right", answer: name };
      expect((await readComparisons(text, { roles: answer })).warnings.join()).toMatch(/role farther/);
      const { answer: farther, ...others } = answer;
      const read = await readComparisons(text, { roles: { ...others, farther } });
      expect([read.warnings, [...read.comparisons.quadruplets]]).toEqual([[], [0, 1, 0, 2]]);
    }
    const both = { anchor: "a", near: "b", far: "c", answer: "d", farther: "e" };
    expect(await failure("a,b,c,d,e\nfig,pear,nail,b,c\n", { roles: both })).toMatch(
      /answer and for farther/,
    );
  });

  test("choices and odd ones as places, from 1 or from 0, with a point or in a list", async () => {
    const choices = (words: readonly string[]): string =>
      `q,o1,o2,o3,r\nfig,pear,nail,bolt,${words[0]}\nnail,bolt,fig,pear,${words[1]}\n`;
    const options = { roles: { anchor: "q", option: "o*", chosen: "r" } };
    const expected = ["fig: nail < pear", "fig: nail < bolt", "nail: pear < bolt", "nail: pear < fig"];
    expect(await said(choices(["2", "3"]), options)).toEqual(expected);
    expect(await said(choices(["2.0", "3.0"]), options)).toEqual(expected);
    expect(await said(choices(["o2", "o3"]), options)).toEqual(expected);
    expect(await failure(choices(["1", "2"]), options)).toMatch(/from 0 or from 1.*first: "0"/);
    expect(await said(choices(["1", "2"]), { ...options, first: "0" })).toEqual(expected);
    expect(await said(choices(["0", "1"]), options)).toEqual([
      ...["fig: pear < nail", "fig: pear < bolt"],
      ...["nail: fig < bolt", "nail: fig < pear"],
    ]);
    expect(await said(choices(['"[1, 3]"', "1;2"]), options)).toEqual([
      ...["fig: pear < nail", "fig: bolt < nail"],
      ...["nail: bolt < pear", "nail: fig < pear"],
    ]);
    const odd = "a,b,c,odd\nfig,pear,nail,3.0\nbolt,nail,fig,3.0\n";
    const oddSaid = ["fig: pear < nail", "pear: fig < nail", "bolt: nail < fig", "nail: bolt < fig"];
    expect(await said(odd, { kind: "odd-one-out" })).toEqual(oddSaid);
    const numbers = "a,b,c,odd\n1,2,3,3\n3,1,2,2\n";
    expect(await failure(numbers, { kind: "odd-one-out" })).toMatch(/objects or their places/);
  });

  test("cells that list a trial's objects, as jsPsych and PsychoPy write them", async () => {
    const jsPsych =
      'trial_type,trial_index,stimulus,choices,response\nkey,1,fig,"[""pear"",""nail""]",0\nkey,2,nail,"[""fig"",""bolt""]",1\n';
    const roles = { anchor: "stimulus", option: "choices", chosen: "response" };
    expect(await said(jsPsych, { roles })).toEqual(["fig: pear < nail", "nail: bolt < fig"]);
    for (const list of [
      '"[""fig"",""pear"",""nail""]"',
      "\"['fig', 'pear', 'nail']\"",
      "fig;pear;nail",
      "fig|pear|nail",
    ])
      expect(await said(`items,r\n${list},3\n`, { roles: { object: "items", odd: "r" } }), list).toEqual([
        "fig: pear < nail",
        "pear: fig < nail",
      ]);
    const uneven = "q,o,r\nfig,pear;nail,pear\nfig,pear;nail;bolt,bolt\n";
    expect(await said(uneven, { roles: { anchor: "q", option: "o", chosen: "r" } })).toEqual([
      "fig: pear < nail",
      "fig: bolt < pear",
      "fig: bolt < nail",
    ]);
    const same = { first: "pair", second: "pair", distance: "d" };
    expect(await failure("pair,d\na-b,1\n", { roles: same })).toMatch(/"pair" for first and for second/);
  });

  test("whole numbers with a point name the objects that they are", async () => {
    const text = "q,x,y,r\n24,34,74,34.0\n14,84,4,4.0\n";
    expect(await said(text, { roles, objects: "names" })).toEqual(["24: 34 < 74", "14: 4 < 84"]);
  });

  test("decimal commas of ratings, times and weights; thousands are asked about", async () => {
    const rated = (values: readonly string[]): string =>
      `a;b;similarity\nfig;pear;${values[0]}\nfig;nail;${values[1]}\n`;
    const options = { roles: { first: "a", second: "b", similarity: "similarity" } };
    expect(await said(rated(["3,5", "2,75"]), options)).toEqual(["fig: pear < nail"]);
    expect(await said(rated(["0,125", "10"]), options)).toEqual(["fig: nail < pear"]);
    expect(await failure(rated(["1,250", "2"]), options)).toMatch(/line 2, column 3.*decimal or thousands/);
    expect(await failure(rated(["1,25", "2.5"]), options)).toMatch(/others? .*have a point/);
  });

  test("columns that are not used: of two values, and of people", async () => {
    const rows = (cells: (q: number) => string): string =>
      Array.from({ length: 12 }, (_, q) => `o${q % 5},o${(q + 1) % 5},o${(q + 2) % 5},${cells(q)}`).join(
        "\n",
      );
    const sorted = { roles: { anchor: "A", near: "B", far: "C" } };
    const warnings = async (header: string, cells: (q: number) => string): Promise<string> =>
      (await readComparisons(`${header}\n${rows(cells)}\n`, sorted)).warnings.join();
    expect(await warnings("A,B,C,eval", (q) => String(q % 2))).toMatch(/"eval" is not used.*answer=eval/);
    expect(await warnings("A,B,C,x", (q) => `o${(q + 1 + (q % 2)) % 5}`)).toMatch(/name of one of the two/);
    expect(await warnings("A,B,C,worker_id", (q) => `w${q % 3}`)).toMatch(/"worker_id" is named like people/);
    for (const cells of [(q: number) => `w${q % 3}`, () => "1", (q: number) => (q % 2 ? "m" : "f")])
      expect(await warnings("A,B,C,kind", cells)).toBe("");
    const people = await readComparisons(`A,B,C,who\n${rows((q) => `w${q % 3}`)}\n`, {
      ...sorted,
      ignore: ["who"],
    });
    expect(people.warnings).toEqual([]);
  });

  test("a column's typing error has the nearest name; a few stray answers are counted", async () => {
    const text = `anchor,near,far,who\nfig,pear,nail,ann\n`;
    expect(await failure(text, { participant: "hwo" })).toMatch(/Did you mean "who"\?/);
    expect(await failure(text, { roles: { anchor: "ancor", near: "near", far: "far" } })).toMatch(
      /Did you mean "anchor"\?/,
    );
    const rows = Array.from({ length: 9 }, () => "fig,pear,nail,pear").join("\n");
    expect(await failure(`q,x,y,r\n${rows}\nfig,pear,nail,bolt\n`, { roles })).toMatch(
      /Line 11: "r" is "bolt", which is neither of the two, as on 1 of 10 lines/,
    );
  });

  test("of a wide header, and of a matrix, the error says what to write", async () => {
    expect(await failure("subj,trial,stim1,stim2,resp,rt\ns1,1,a,b,4,700\n")).toMatch(
      /names? the columns.*left=/,
    );
    expect(await failure("0,1,2,3,4\n1,0,2,3,4\n2,2,0,1,1\n3,3,1,0,1\n4,4,1,1,0\n")).toMatch(
      /square matrix kind: "distances"/,
    );
  });

  test("the header of our study page, with other columns and in another order", async () => {
    const plainText =
      "participant,trial,anchor,left,right,answer,catch,time\nann,1,fig,pear,nail,left,,700\n";
    const other =
      "Age,Time,Catch,Answer,Right,Left,Anchor,Trial,Participant\n33,700,,left,nail,pear,fig,1,ann\n";
    const [a, b] = [await readComparisons(plainText), await readComparisons(other)];
    expect(b.comparisons.quadruplets).toEqual(a.comparisons.quadruplets);
    expect([b.participants, b.trial, b.ignored]).toEqual([["ann"], a.trial, ["Age"]]);
  });
});

describe("answers that were read the wrong way round", () => {
  const bySide = (answers: string, header = "anchor,left,right,answer"): string =>
    `${header}\n${answers
      .split(" ")
      .map((answer, q) => `${["fig,pear,nail", "fig,bolt,pear", "nail,bolt,fig"][q] ?? ""},${answer}`)
      .join("\n")}\n`;
  const asks = /first: "(0|false|no)" or first: "(1|true|yes)"/i;

  test("accuracy is no answer, and of two answers none is taken", async () => {
    const two = "anchor,left,right,correct,response\nfig,pear,nail,1,right\nfig,pear,nail,0,left\n";
    expect(await failure(two)).toMatch(/"response", "correct".*answer=response.*answer=correct/);
    expect(await failure(two.replace("correct", "choice"))).toMatch(/"choice", "response".*answer=choice/);
    const options = { roles: { anchor: "anchor", left: "left", right: "right", answer: "response" } };
    expect(await said(two, options)).toEqual(["fig: nail < pear", "fig: pear < nail"]);
    for (const name of ["correct", "Accuracy", "acc", "is_correct", "hit"])
      for (const answers of ["TRUE FALSE TRUE", "0 1 0", "pear pear fig"])
        expect(await failure(bySide(answers, `anchor,left,right,${name}`))).toMatch(
          /seems to say whether people were right.*answer=/,
        );
    expect(await failure("a,b,c,odd,acc\nx,y,z,x,1\n", { kind: "odd-one-out" })).toMatch(/ignore: "acc"/);
    expect(await failure("a,b,c,odd,response\nx,y,z,x,y\n", { kind: "odd-one-out" })).toMatch(
      /2 columns that may be the answer/,
    );
  });

  test("0 and 1, true and false, yes and no say of which of two only where a header says near and far", async () => {
    for (const answers of ["1 0 1", "TRUE FALSE TRUE", "yes no yes", "0 0 0"])
      for (const header of ["anchor,left,right,chose_right", "q,stim1,stim2,r", "q,top,bottom,r"]) {
        const [anchor = "", near = "", far = "", answer = ""] = header.split(",");
        const given = { roles: { anchor, near, far, answer } };
        expect(await failure(bySide(answers, header), given), header).toMatch(/first: "/);
        expect(
          await failure(bySide(answers, header), { roles: { anchor, left: near, right: far, answer } }),
        ).toMatch(/first: "/);
      }
    for (const answers of ["1 0 1", "TRUE FALSE TRUE"]) {
      const given = { roles: { anchor: "anchor", near: "near", far: "far", answer: "chose_near" } };
      expect(await said(bySide(answers, "anchor,near,far,chose_near"), given)).toEqual(truth);
      expect(
        await failure(bySide(answers, "anchor,far,near,x"), {
          roles: { anchor: "anchor", near: "far", far: "near", answer: "x" },
        }),
      ).toMatch(asks);
    }
    const pairs = { i: "i", j: "j", l: "l", k: "k", answer: "r" };
    for (const word of ["0", "1", "true"])
      expect(await failure(`i,j,l,k,r\n0,1,2,3,${word}\n`, { roles: pairs })).toMatch(/first: /);
    expect(await said("i,j,l,k,r\n0,1,2,3,1\n", { roles: pairs, first: "0" })).toEqual(["2-3 < 0-1"]);
  });

  test.each([
    ["right_img", "left_img", "right left right"],
    ["imgRight", "imgLeft", "R L R"],
    ["option_b", "option_a", "B A B"],
    ["stim2", "stim1", "2 1 2"],
    ["second item", "first item", "2 1 2"],
    ["bottom", "top", "ArrowDown ArrowUp ArrowDown"],
    ["left_2", "right_1", "left right left"],
  ])("sides follow the names of the columns %s, %s", async (near, far, answers) => {
    const given = { roles: { anchor: "q", near, far, answer: "r" } };
    expect(await said(bySide(answers, `q,${near},${far},r`), given)).toEqual(truth);
  });

  test("sides that contradict the names of the columns are asked about", async () => {
    for (const [near, far, answers] of [
      ["right_img", "left_img", "1 -1 1"],
      ["right_img", "left_img", "1 2 1"],
      ["right_img", "other", "left right left"],
    ] as const) {
      const given = { roles: { anchor: "q", near, far, answer: "r" } };
      expect(await failure(bySide(answers, `q,${near},${far},r`), given)).toMatch(
        /do not agree with the names/,
      );
    }
  });

  test("lists of Python, PostgreSQL and R, and separators in quotes", async () => {
    const given = { roles: { anchor: "q", option: "o", chosen: "r" } };
    const read = async (cell: string, chosen: string): Promise<string[]> =>
      said(`q\to\tr\nfig\t${cell}\t${chosen}\n`, { ...given, delimiter: "\t" });
    for (const cell of ["('a', 'b')", "{a,b}", "{'a', 'b'}", "c('a', 'b')", "['a', 'b',]", "[a; b]", "(a|b)"])
      expect(await read(cell, "b"), cell).toEqual(["fig: b < a"]);
    expect(await read("['New York, NY', 'Boston, MA']", "Boston, MA")).toEqual([
      "fig: Boston, MA < New York, NY",
    ]);
    expect(await read("['a;1','b;2']", "b;2")).toEqual(["fig: b;2 < a;1"]);
    expect(await read(String.raw`['O\'Hare', 'b|c']`, "b|c")).toEqual(["fig: b|c < O'Hare"]);
    for (const cell of [
      "['a' 'b']",
      "[('a', 'b'), ('c', 'd')]",
      "['a', 'b'",
      "['a', b'c', 'd]",
      "[a, None]",
      "{'a': 1, 'b': 2}",
    ])
      await expect(read(cell, "b"), cell).rejects.toThrow(/seems to list objects|fewer than two|none of its/);
  });

  test("numbers that are objects, or places from 0 or from 1", async () => {
    const given = { kind: "odd-one-out", roles: { object: ["a", "b", "c"], odd: "odd" } } as const;
    const text = "a,b,c,odd\n1,2,3,1\n3,1,2,2\n";
    expect(await failure(text, given)).toMatch(/response: "object" or response: "side"/);
    expect(await failure("a,b,c,odd\n1,2,5,1\n2,4,1,2\n", given)).toMatch(/response: "object"/);
    expect(await said(text, { ...given, response: "object" })).toHaveLength(4);
  });

  test("columns that look like answers and are not used are doubted", async () => {
    const rows = (header: string, cells: readonly string[]): string =>
      `${header}\n${Array.from({ length: 12 }, (_, q) => `${q % 5},${(q + 1) % 5},${(q + 2) % 5},${header.startsWith("i,j,l") ? `${(q + 3) % 5},` : ""}${cells[q % cells.length] ?? ""}`).join("\n")}\n`;
    for (const cells of [
      ["ArrowLeft", "ArrowRight"],
      ["TRUE", "FALSE"],
      ["left", "right", "same"],
      ["yes", "no"],
      ["f", "j"],
    ])
      for (const header of ["i,j,k,x", "i,j,l,k,x"])
        expect((await readComparisons(rows(header, cells))).warnings.join(), header).toMatch(
          /"x" is not used/,
        );
    expect((await readComparisons(rows("i,j,k,x", ["a", "b", "c"]))).warnings).toEqual([]);
  });

  test.each([
    ["0", "1"],
    ["1", "2"],
    ["1", "-1"],
    ["left", "right"],
  ])("a fourth column of %s and %s without a header is asked about", async (...two) => {
    for (const count of [3, 20]) {
      const text = Array.from(
        { length: count },
        (_, q) => `o${q % 2},o${(q + 3) % 7},o${(q + 5) % 7},${two[q % 2] ?? ""}`,
      );
      expect(await failure(text.join("\n"))).toMatch(/fourth column.*answer=3.*kind: "quadruplets"/);
      expect(await failure(text.join("\n").replaceAll("o", ""))).toMatch(
        /fourth column.*answer=3|at least 0|-1/,
      );
    }
  });

  test("columns beside jsPsych's own response are read as anywhere", async () => {
    const text = (header: string, answers: string): string =>
      `trial_type,trial_index,${header}\n${bySide(answers, "")
        .trim()
        .split("\n")
        .map((row, q) => `t,${q},${row}`)
        .join("\n")}\n`;
    const given = (near: string, far: string, answer: string): ComparisonsOptions => ({
      roles: { anchor: "q", near, far, answer },
    });
    expect(await said(text("q,near,far,chose_near", "1 0 1"), given("near", "far", "chose_near"))).toEqual(
      truth,
    );
    expect(await failure(text("q,near,far,response", "1 0 1"), given("near", "far", "response"))).toMatch(
      asks,
    );
    expect(await failure(text("q,x,y,chose", "1 0 1"), given("x", "y", "chose"))).toMatch(asks);
    expect(await said(text("q,x,y,response", "0 1 0"), given("x", "y", "response"))).toEqual(truth);
    const odd = "trial_type,trial_index,a,b,c,r\nt,1,fig,pear,nail,1\nt,2,bolt,nail,fig,2\n";
    const oddRoles = { object: ["a", "b", "c"], odd: "r" };
    expect(await failure(odd, { roles: oddRoles })).toMatch(/from 0 or from 1/);
    const own = await readComparisons(odd.replace("c,r", "c,response"), {
      roles: { ...oddRoles, odd: "response" },
    });
    expect(own.notes.join()).toMatch(/counted from 0/);
  });

  test("two columns for a single role", async () => {
    const odd = { object: ["a", "b", "c"], odd: ["d", "e"] };
    expect(await failure("a,b,c,d,e\nx,y,z,x,y\n", { roles: odd })).toMatch(
      /names 2 columns for odd: "d", "e"/,
    );
    expect(
      await failure("a,b,c,d,e\nx,y,z,y,z\n", {
        roles: { anchor: "a", near: "b", far: "c", answer: ["d", "e"] },
      }),
    ).toMatch(/2 columns for answer/);
    expect(
      await failure("a,b,c,d\nx,y,z,y\n", { roles: { anchor: "a", near: "b", left: "d", far: "c" } }),
    ).toMatch(/beside another role/);
  });
});

test("a header of other words above sides is asked about, and no answer", async () => {
  const rows = Array.from({ length: 40 }, (_, q) => [q, q + 3, q + 7].map((k) => `o${k % 12}`));
  for (const header of ["stimulus,left,right,answer", "item,left,right,side", "X,A,B,choice"]) {
    const [, left, right] = header.split(",");
    const text = `${header}\n${rows.map((row, q) => [...row, q % 3 === 0 ? left : right].join(",")).join("\n")}\n`;
    await expect(readComparisons(text), header).rejects.toThrow(
      new RegExp(`Line 1 .* seems to name the columns.*--?roles|roles.*left.*${left}`),
    );
    const [anchor, , , answer] = header.split(",");
    const { comparisons } = await readComparisons(text, { roles: { anchor, left, right, answer } });
    expect(comparisons.objects).toBe(12);
  }
});
