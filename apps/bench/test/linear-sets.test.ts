import { expect, test, vi } from "vitest";
import { generators } from "../src/experiments/sgdqn/generated.ts";
import { seedsText, setNames, smallSets } from "../src/experiments/sgdqn/sets.ts";

test("names of drawn sets may have their rows behind them, and need no folder", () => {
  expect(setNames("sets", smallSets, undefined)).toEqual(["alpha-like:2000", "rcv1-like:2000"]);
  expect(setNames("sets", Object.keys(generators).join(","), "/no/such/folder")).toEqual(
    Object.keys(generators),
  );
});

test.each(["nope", "a9a", "constructor", "alpha-like:", "alpha-like:0", "alpha-like:many", "a9a:100"])(
  "%s ends the program with the code for commands that make no sense",
  (name) => {
    const said: string[] = [];
    const exit = vi.spyOn(process, "exit").mockImplementation((code) => {
      throw new Error(`ended with ${code}`);
    });
    const write = vi.spyOn(process.stderr, "write").mockImplementation((text) => said.push(String(text)) > 0);
    try {
      expect(() => setNames("sets", name, undefined)).toThrow("ended with 64");
      expect(said.join("")).toMatch(/^--sets/);
    } finally {
      exit.mockRestore();
      write.mockRestore();
    }
  },
);

test("seeds are told of each kind once, and of nothing that is not drawn", () => {
  expect(seedsText(["alpha-like:100", "alpha-like:200", "a9a"])).toBe(
    " Sets are drawn with a seed each: alpha-like 1.",
  );
  expect(seedsText(["a9a", "constructor"])).toBe("");
});
