// @module-tag full
/** `curvature fit` as a process: how it ends, and that it goes on where it was stopped. */
import { decodeCheckpoint, encodeCheckpoint } from "@curvature/optim-core";
import { describe, expect, test } from "vitest";
import { isOneSentence, workplace } from "./cli.js";
import { reportIn } from "./fit-cases.js";

const place = workplace();

/** Terms a(1 + ((x_j − j)/s)²)^½ of some coordinates: smooth, and long to minimise for plain gradients. */
const longValley = (extra = ""): string => `
${extra}
export default ({ seed }) => ({
  dimension: 12,
  count: 10,
  initial: Array.from({ length: 12 }, (_, j) => ((j * 7 + seed) % 5) - 2),
  evaluate(index, x, gradient) {
    let value = 0;
    gradient?.fill(0);
    for (let j = 0; j < 12; j++) {
      const weight = (1 + ((index + j) % 4)) * 10 ** (-j / 4);
      const root = Math.sqrt(1 + (x[j] - index / 5) ** 2);
      value += weight * root;
      if (gradient) gradient[j] = (weight * (x[j] - index / 5)) / root;
    }
    return value;
  },
});
`;

describe.concurrent("stopping and going on", () => {
  test.each(["sfo", "adam:0.05", "lbfgs"])("%s goes on from its checkpoint bit for bit", async (solver) => {
    const name = solver.replace(":", "-");
    place().write(`${name}.mjs`, longValley());
    const base = ["fit", "--module", `${name}.mjs`, "--solver", solver, "--quiet", "--tolerance", "0"];
    const whole = await place().run([...base, "--max-passes", "16"]);
    const kept = [...base, "--checkpoint", `${name}.bin`];
    const part = await place().run([...kept, "--max-passes", "7"]);
    const rest = await place().run([...kept, "--resume", "--max-passes", "16"]);
    expect(whole.stderr + part.stderr + rest.stderr).toBe("");
    expect(part.stdout).not.toBe(whole.stdout);
    expect(rest.stdout).toBe(whole.stdout);
  });

  test("a checkpoint of another problem, another start or another solver is refused", async () => {
    place().write("valley.mjs", longValley());
    place().write("other.mjs", longValley("// another module"));
    const kept = [
      "fit",
      "--checkpoint",
      "valley.bin",
      "--max-passes",
      "3",
      "--quiet",
      "--out",
      "refused.npy",
    ];
    const first = await place().run([...kept, "--module", "valley.mjs"]);
    expect(first.code).toBe(0);
    const before = place().bytes("valley.bin");
    for (const words of [
      ["--module", "other.mjs"],
      ["--module", "valley.mjs", "--seed", "1"],
      ["--module", "valley.mjs", "--solver", "adam:0.1"],
    ]) {
      const ended = await place().run([...kept, ...words, "--resume"]);
      expect(ended.code).toBe(65);
      expect(ended.stderr).toMatch(/^curvature: valley\.bin: The checkpoint is of another/);
    }
    expect(place().bytes("valley.bin")).toEqual(before);
    const checkpoint = decodeCheckpoint(before);
    const newer = encodeCheckpoint({ ...checkpoint, solver: { ...checkpoint.solver, version: 99 } });
    place().write("newer.bin", newer);
    const old = ["--module", "valley.mjs", "--checkpoint", "newer.bin", "--resume", "--quiet"];
    const ofNewer = await place().run(["fit", ...old]);
    expect(ofNewer.code).toBe(65);
    expect(ofNewer.stderr).toMatch(/^curvature: newer\.bin: .*version/);
    place().write(
      "damaged.bin",
      before.map((byte, k) => (k === before.length >> 1 ? byte ^ 255 : byte)),
    );
    const damaged = await place().run([
      "fit",
      "--module",
      "valley.mjs",
      "--checkpoint",
      "damaged.bin",
      "--resume",
      "--quiet",
    ]);
    expect(damaged.code).toBe(65);
    expect(isOneSentence(damaged.stderr)).toBe(true);
  });

  test("Ctrl-C writes the best measured point", async () => {
    place().write(
      "endless.mjs",
      longValley("const wait = () => new Promise((done) => setTimeout(done, 2));")
        .replace("evaluate(", "async evaluate(")
        .replace("let value = 0;", "await wait(); let value = 0;"),
    );
    let told = false;
    const words = [
      "--module",
      "endless.mjs",
      "--max-passes",
      "100000",
      "--tolerance",
      "0",
      "--solver",
      "adam:0.001",
    ];
    const outputs = ["--out", "endless.json", "--report", "endless-report.json", "--plot", "endless.svg"];
    const ended = await place().run(["fit", ...words, ...outputs], {
      onLog: (child, log) => {
        if (told || !/"event":"iteration".*"passes":[2-9]/.test(log)) return;
        told = true;
        child.kill("SIGINT");
      },
    });
    expect(ended.code).toBe(3);
    const { result, metrics } = reportIn(place(), "endless-report.json");
    expect(result).toMatchObject({ status: "aborted" });
    expect(result.value).toBeLessThan(metrics.initialValue);
    expect(result.value).toBe(Math.min(...metrics.solvers[0].curve.map(({ value }) => value)));
    expect(JSON.parse(place().read("endless.json"))).toHaveLength(12);
    expect(place().has("endless.svg")).toBe(true);
  });

  test("--max-seconds and --tolerance end a run", async () => {
    place().write("limits.mjs", longValley());
    const base = ["fit", "--module", "limits.mjs", "--quiet", "--report"];
    await place().run([...base, "seconds.json", "--max-seconds", "1e-9"]);
    expect(reportIn(place(), "seconds.json").result).toMatchObject({ status: "time-limit" });
    const loose = await place().run([...base, "loose.json", "--tolerance", "0.01"]);
    expect(loose.code).toBe(0);
    const { result } = reportIn(place(), "loose.json");
    await place().run([...base, "tight.json", "--max-passes", "200"]);
    expect(result.passes).toBeLessThan(reportIn(place(), "tight.json").result.passes);
  });
});

test("the passes are a fit's length, and a limit where a tolerance is asked for", async () => {
  place().write("valley.mjs", longValley());
  const run = (...words: string[]) =>
    place().run(["fit", "--module", "valley.mjs", "--out", "length.npy", "--max-passes", "1", ...words]);
  const whole = await run();
  expect(whole.code).toBe(0);
  expect(whole.stderr).toMatch(
    /F still fell by [\d.]+ % in the last pass: a larger --max-passes takes it lower\./,
  );
  expect((await run("--tolerance", "1e-12", "--quiet")).code).toBe(2);
  expect((await run("--max-seconds", "1e-9", "--quiet")).code).toBe(2);
});
