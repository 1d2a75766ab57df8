/** What happens to a run that is stopped: by Ctrl-C, by the system, by force; and how it goes on from its checkpoint. */
import { existsSync, mkdirSync, readFileSync, renameSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { decodeCheckpoint } from "@curvature/optim-core";
import { describe, expect, test } from "vitest";
import { eventsOf, groupsCsv, isOneSentence, lastOfEach, workplace } from "./cli.js";

const place = workplace();

/** A run that goes on until it is stopped. */
const endless = ["--labels", "group", "--solver", "gd", "--max-iterations", "100000000", "--tolerance", "0"];

/** Sends the signal once the log matches. */
function onceSaid(sign: RegExp, act: (kill: (signal: NodeJS.Signals) => void) => void) {
  let done = false;
  return (child: { kill(signal: NodeJS.Signals): unknown }, log: string): void => {
    if (done || !sign.test(log)) return;
    done = true;
    act((signal) => child.kill(signal));
  };
}

/** The first while affinities are computed, the second when the first has been heard: of two at a time a process hears one. */
function twice(first: NodeJS.Signals, second: NodeJS.Signals) {
  const begin = onceSaid(/affinities/, (kill) => kill(first));
  const end = onceSaid(/once more to stop at once/, (kill) => kill(second));
  return (child: { kill(signal: NodeJS.Signals): unknown }, log: string): void => {
    begin(child, log);
    end(child, log);
  };
}

describe.concurrent("signals", () => {
  test.each(["SIGINT", "SIGTERM"] as const)(
    "one %s finishes the step, writes what there is, and exits 3",
    async (signal) => {
      const file = place().write(`${signal}.csv`, groupsCsv(60));
      const outputs = ["--out", `${signal}-map.csv`, "--plot", `${signal}.svg`, "--report", `${signal}.json`];
      const ended = await place().run(["embed", file, ...endless, ...outputs], {
        onLog: onceSaid(/"event":"iteration"/, (kill) => kill(signal)),
      });
      expect(ended).toMatchObject({ code: 3, signal: null, stdout: "" });
      expect(place().read(`${signal}-map.csv`).trimEnd().split("\n")).toHaveLength(61);
      expect(place().read(`${signal}.svg`).match(/<use /g)).toHaveLength(60);
      expect(JSON.parse(place().read(`${signal}.json`)).result).toMatchObject({
        status: "aborted",
        message: "The signal was aborted: by Ctrl-C or SIGTERM.",
      });
      expect(eventsOf(ended.stderr).at(-1)).toMatchObject({
        event: "result",
        status: "aborted",
        exitCode: 3,
      });
    },
  );

  test("one that comes after the last step exits 3 too, with the whole result", {
    tags: ["full"],
  }, async () => {
    const file = place().write("late.csv", groupsCsv(1500));
    const words = ["embed", file, "--labels", "group", "--max-evaluations", "1"];
    const whole = await place().run(words);
    const late = await place().run(words, { onLog: onceSaid(/measuring/, (kill) => kill("SIGINT")) });
    expect(whole.code).toBe(0);
    expect(late).toMatchObject({ code: 3, stdout: whole.stdout });
  });

  test("a second one ends the process at once, whatever it is at, and leaves no litter", {
    tags: ["full"],
  }, async () => {
    const file = place().write("large.csv", groupsCsv(4000, 60));
    const ended = await place().run(["embed", file, "--labels", "group", "--out", "large-map.csv"], {
      onLog: twice("SIGINT", "SIGINT"),
    });
    expect(ended.code).toBe(130);
    expect(ended.stderr).toMatch(/once more to stop at once/);
    // other tests write into this folder at the same time
    expect(
      place()
        .files()
        .filter((name) => /^\.?large-map/.test(name)),
    ).toEqual([]);
  });

  test("two different ones count as two", { tags: ["full"] }, async () => {
    const file = place().write("two.csv", groupsCsv(4000, 60));
    const ended = await place().run(["embed", file, "--labels", "group"], {
      onLog: twice("SIGINT", "SIGTERM"),
    });
    expect(ended.code).toBe(143);
  });

  test("before there is a map, one is enough, and a sentence says that nothing was written", async () => {
    const child = place().start(["embed", "-", "--out", "never.csv", "--json"]);
    let log = "";
    child.stderr?.setEncoding("utf8").on("data", (piece: string) => {
      log += piece;
      if (/reading/.test(piece)) child.kill("SIGINT");
    });
    const code = await new Promise((done) => child.on("close", done));
    expect(code).toBe(3);
    expect(eventsOf(log).at(-1)).toMatchObject({
      code: "ERR_ABORTED",
      message: "Stopped before there was anything to write.",
    });
    expect(place().has("never.csv")).toBe(false);
  });
});

describe.concurrent("checkpoints", () => {
  async function goesOn(solver: string): Promise<void> {
    const file = place().write(`resume-${solver}.csv`, groupsCsv(600));
    const checkpoint = `${solver}.bin`;
    const limit = solver === "auto" ? [] : ["--max-iterations", "70", "--tolerance", "0"];
    const words = ["embed", file, "--labels", "group", "--solver", solver, ...limit];
    const whole = await place().run([...words, "--quiet"]);
    const stopped = await place().run([...words, "--checkpoint", checkpoint], {
      onLog: onceSaid(/"event":"iteration"/, (kill) => kill("SIGINT")),
    });
    expect(stopped.code).toBe(3);
    expect(stopped.stdout).not.toBe(whole.stdout);
    const resumed = await place().run([...words, "--checkpoint", checkpoint, "--resume", "--quiet"]);
    expect(resumed.stderr).toBe("");
    expect(resumed.code).toBe(whole.code);
    expect(resumed.stdout).toBe(whole.stdout);
  }

  test.each(["auto"])("a run of %s that was stopped goes on bit for bit", goesOn);
  test.each(["sd", "gd", "lbfgs"])(
    "a run of %s that was stopped goes on bit for bit",
    { tags: ["full"] },
    goesOn,
  );

  test("kill -9 while checkpoints are written leaves a whole one, from which the run goes on", {
    tags: ["full"],
  }, async () => {
    const file = place().write("killed.csv", groupsCsv(40));
    const path = place().path("killed.bin");
    const words = [
      "embed",
      file,
      ...endless,
      "--quiet",
      "--out",
      "killed-map.csv",
      "--checkpoint",
      "killed.bin",
      "--checkpoint-every",
      "0",
    ];
    let last = 0;
    for (let round = 0; round < 8; round++) {
      const child = place().start(round === 0 ? words : [...words, "--resume"]);
      const closed = new Promise((done) => child.on("close", done));
      const before = existsSync(path) ? readFileSync(path) : undefined;
      for (let tries = 0; tries < 6000; tries++) {
        if (existsSync(path) && before?.equals(readFileSync(path)) !== true) break;
        await wait(5);
      }
      await wait((round * 37) % 60);
      child.kill("SIGKILL");
      await closed;
      const { run } = decodeCheckpoint(new Uint8Array(readFileSync(path)));
      expect(run.latest?.index).toBeGreaterThan(last);
      last = run.latest?.index ?? 0;
    }
    const ended = await place().run(lastOfEach([...words, "--resume", "--max-iterations", String(last + 5)]));
    expect(ended).toMatchObject({ code: 2, stderr: "" });
    expect(
      place()
        .files()
        .filter((name) => name.includes("killed") && name.startsWith(".")),
    ).toEqual([]);
  });

  test("a checkpoint that is missing, damaged or of another run is refused and left as it is", {
    tags: ["full"],
  }, async () => {
    const file = place().write("first.csv", groupsCsv(40));
    const other = place().write("other.csv", groupsCsv(41));
    const words = ["--labels", "group", "--solver", "sd", "--max-iterations", "5"];
    await place().run(["embed", file, ...words, "--checkpoint", "good.bin", "--out", "first-map.csv"]);
    const good = place().bytes("good.bin");
    const flipped = good.slice();
    flipped[good.length >> 1] ^= 1;
    place().write("flipped.bin", flipped);
    place().write("short.bin", good.subarray(0, good.length - 40));
    place().write("empty.bin", "");
    place().write("foreign.bin", "this is no checkpoint at all");
    const cases: [string, readonly string[], number, RegExp][] = [
      [file, ["--checkpoint", "none.bin"], 74, /Cannot read none\.bin: there is no such file/],
      [file, ["--checkpoint", "flipped.bin"], 65, /flipped\.bin: .*checksum/],
      [file, ["--checkpoint", "short.bin"], 65, /short\.bin: .*(checksum|cut short)/],
      [file, ["--checkpoint", "empty.bin"], 65, /empty\.bin: /],
      [file, ["--checkpoint", "foreign.bin"], 65, /foreign\.bin: /],
      [other, ["--checkpoint", "good.bin"], 65, /good\.bin: The checkpoint is of another/],
      [
        file,
        ["--checkpoint", "good.bin", "--solver", "gd"],
        65,
        /good\.bin: The checkpoint is of another solver/,
      ],
      [
        file,
        ["--checkpoint", "good.bin", "--perplexity", "7"],
        65,
        /good\.bin: The checkpoint is of another/,
      ],
    ];
    const bytesOf = (name: string): Uint8Array | undefined =>
      place().has(name) ? place().bytes(name) : undefined;
    for (const [input, more, code, sentence] of cases) {
      const before = bytesOf(more[1]);
      const ended = await place().run(
        lastOfEach(["embed", input, ...words, ...more, "--resume", "--out", "refused.csv"]),
      );
      expect(ended.stderr).toMatch(sentence);
      expect(isOneSentence(ended.stderr), ended.stderr).toBe(true);
      expect(ended.code).toBe(code);
      expect(bytesOf(more[1])).toEqual(before);
      expect(place().has("refused.csv")).toBe(false);
    }
  });

  test("one that cannot be written is told at once; the run goes on, and exits 74", {
    tags: ["full"],
  }, async () => {
    const file = place().write("unkept.csv", groupsCsv(40));
    mkdirSync(place().path("gone"));
    const remove = onceSaid(/"event":"iteration"/, () =>
      // in one step: a folder that is emptied file by file may get a new checkpoint in between
      renameSync(place().path("gone"), place().path("elsewhere")),
    );
    const stop = onceSaid(/"event":"warning"/, (kill) => kill("SIGINT"));
    const checkpoint = ["--checkpoint", "gone/unkept.bin", "--checkpoint-every", "0"];
    const ended = await place().run(["embed", file, ...endless, ...checkpoint, "--out", "unkept-map.csv"], {
      onLog: (child, log) => {
        remove(child, log);
        stop(child, log);
      },
    });
    expect(ended.stderr).toMatch(
      /"event":"warning","message":"Cannot write gone\/unkept\.bin: its folder does not/,
    );
    expect(ended.stderr).toMatch(
      /"event":"error".*"message":"The last checkpoint is missing\. Cannot write gone/,
    );
    expect(ended.code).toBe(74);
    expect(place().read("unkept-map.csv").trimEnd().split("\n")).toHaveLength(41);
  });
});
