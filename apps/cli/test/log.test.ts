import { printable } from "@curvature/linalg";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { jsonLine, logTo, Pace, type Step } from "../src/run/log.js";
import { duration, shortNumber, shortNumberBelow, styleFor } from "../src/run/terminal.js";
import { eventsOf } from "./cli.js";

const step = (iteration: number, elapsedSeconds: number): Step => ({
  iteration,
  value: 2.5 / iteration,
  gradientNorm: 0.1,
  stepLength: 1,
  evaluations: iteration + 1,
  passes: 0,
  elapsedSeconds,
  phase: "iteration",
  details: { lambda: 0.5 },
});

function listener(
  isTTY: boolean,
  columns = 120,
): { stream: Pick<NodeJS.WriteStream, "write" | "isTTY" | "columns">; heard: () => string } {
  let heard = "";
  const write = (text: string | Uint8Array): boolean => {
    heard += text;
    return true;
  };
  return { stream: { isTTY, columns, write }, heard: () => heard };
}

const options = { json: false, quiet: false, title: "t-SNE", limits: { evaluations: 100 } };

/** A clock that advances by a second whenever it is looked at. */
function clock(): () => number {
  let now = 0;
  return () => (now += 1000);
}

describe("Pace", () => {
  test("time left and rate come from the steps since the first that was seen", () => {
    const pace = new Pace({ evaluations: 101 });
    expect(pace.of(step(50, 100))).toEqual({ share: 51 / 101 });
    expect(pace.of(step(60, 102))).toEqual({ share: 61 / 101, iterationsPerSecond: 5, secondsLeft: 8 });
  });

  test("the limit that comes first counts", () => {
    const pace = new Pace({ iterations: 1000, seconds: 10 });
    pace.of(step(1, 1));
    expect(pace.of(step(2, 4))).toMatchObject({ share: 0.4, secondsLeft: 6 });
  });

  test("without a limit there is no time left to tell", () => {
    expect(new Pace({}).of(step(1, 1))).toEqual({});
  });
});

describe("log", () => {
  beforeEach(() => {
    vi.stubEnv("TERM", "xterm");
    return () => vi.unstubAllEnvs();
  });

  test("on a terminal it is one line: value, step, rate, time left", () => {
    const { stream, heard } = listener(true);
    const log = logTo(stream, options, clock());
    log.step(step(9, 1));
    log.step(step(19, 2));
    const line = heard().split("\r\u001b[2K").at(-1) ?? "";
    expect(printable(line)).toMatch(
      /t-SNE.*━+─+ 20 % {2}value 0\.1316 {2}step 1\.000 {2}10\.0 it\/s {2}8\.0 s left {2}λ 0\.5000$/,
    );
    expect(heard()).not.toContain("\n");
  });

  test("the line never wraps", () => {
    for (const columns of [10, 20, 40, 60, 80]) {
      const { stream, heard } = listener(true, columns);
      const log = logTo(stream, options, clock());
      log.step(step(9, 1));
      log.step(step(19, 2));
      if (columns >= 80) expect(heard()).toContain("s left");
      for (const picture of heard().split("\r\u001b[2K")) {
        // biome-ignore lint/suspicious/noControlCharactersInRegex: colours take no room
        expect(picture.replace(/\u001b\[\d+m/g, "").length).toBeLessThan(columns);
      }
    }
  });

  test("with --json it is JSON lines with nothing missing", () => {
    const { stream, heard } = listener(false);
    const log = logTo(stream, { ...options, json: true }, clock());
    log.phase("reading");
    log.step({ ...step(9, 1), value: undefined, gradientNorm: Number.NaN });
    log.warning("Two points are the same.");
    log.summary(["for people"], { status: "converged" });
    const [phase, iteration, warning, result] = eventsOf(heard());
    expect(phase).toEqual({ event: "phase", phase: "reading" });
    expect(iteration).toMatchObject({
      event: "iteration",
      iteration: 9,
      value: null,
      gradientNorm: null,
      share: 0.1,
    });
    expect(iteration).toHaveProperty("secondsLeft", null);
    expect(warning).toEqual({ event: "warning", message: "Two points are the same." });
    expect(result).toEqual({ event: "result", status: "converged" });
  });

  test("in a file it is plain lines: progress every five seconds, and in a long run more rarely", () => {
    const { stream, heard } = listener(false);
    let now = 0;
    const log = logTo(stream, options, () => now);
    log.phase("reading a.csv");
    log.note("a.csv: The first line is a header.");
    log.warning("Two points are\u001b[2J the same.");
    for (let second = 1; second <= 11; second++) {
      now = 1000 * second;
      log.step(step(9 * second, second));
    }
    log.summary(["t-SNE of 2 points.", "  value  0.1"], {});
    expect(heard()).toBe(
      [
        "a.csv: The first line is a header.",
        "warning: Two points are [2J the same.",
        "t-SNE  iteration 45  46 %  value 0.05556  step 1.000  λ 0.5000",
        "t-SNE  iteration 90  91 %  value 0.02778  step 1.000  9.00 it/s  1.0 s left  λ 0.5000",
        "t-SNE of 2 points.",
        "  value  0.1",
        "",
      ].join("\n"),
    );
    const long = listener(false);
    now = 0;
    const hours = logTo(long.stream, options, () => now);
    for (now = 0; now < 36e6; now += 1000) hours.phase("neighbours", now / 36e6);
    expect(long.heard().match(/^t-SNE {2}neighbours {2}\d+ %$/gm)?.length).toBeLessThan(160);
  });

  test("a dumb terminal gets plain lines as well", () => {
    vi.stubEnv("TERM", "dumb");
    const { stream, heard } = listener(true);
    const log = logTo(stream, options, clock());
    log.phase("reading");
    log.warning("w");
    vi.unstubAllEnvs();
    expect(heard()).toBe("warning: w\n");
  });

  test("a phase tells its share: a bar for people, now and then a record for programs", () => {
    const people = listener(true);
    const line = logTo(people.stream, options, clock());
    line.phase("neighbours", 0.125);
    expect(people.heard()).toContain("neighbours");
    expect(people.heard()).toContain("12 %");
    const programs = listener(false);
    const log = logTo(programs.stream, { ...options, json: true }, () => 1000);
    log.phase("neighbours");
    log.phase("neighbours", 0.25);
    log.phase("neighbours", 0.26); // at the same moment: nobody reads so much
    expect(eventsOf(programs.heard())).toEqual([
      { event: "phase", phase: "neighbours" },
      { event: "phase", phase: "neighbours", share: 0.25 },
    ]);
  });

  test("quiet says nothing but errors, as a sentence or, with json, as a record", () => {
    const failure = { code: "ERR_PARSE", message: "No.", exitCode: 65, stack: "secret" };
    for (const isTTY of [true, false]) {
      for (const json of [true, false]) {
        const { stream, heard } = listener(isTTY);
        const log = logTo(stream, { ...options, quiet: true, json }, clock());
        log.phase("reading");
        log.step(step(1, 1));
        log.warning("w");
        log.note("n");
        log.summary(["s"], {});
        expect(heard()).toBe("");
        log.failure(failure);
        expect(heard()).not.toContain("secret");
        if (json)
          expect(eventsOf(heard())).toEqual([
            { event: "error", code: "ERR_PARSE", message: "No.", exitCode: 65 },
          ]);
        else expect(printable(heard())).toContain("No.");
      }
    }
  });
});

describe("words for a terminal", () => {
  test("NO_COLOR, dumb terminals and pipes get no colours", () => {
    const isTTY = true;
    expect(styleFor({ isTTY }, {}).bold("x")).toBe("\u001b[1mx\u001b[22m");
    expect(styleFor({ isTTY }, { NO_COLOR: "1" }).bold("x")).toBe("x");
    expect(styleFor({ isTTY }, { TERM: "dumb" }).red("x")).toBe("x");
    expect(styleFor({ isTTY: false }, {}).red("x")).toBe("x");
  });

  test("numbers and times are short", () => {
    expect([0, 1.23456, 123456, 0.00012345, -2.5, Number.NaN].map(shortNumber)).toEqual([
      "0",
      "1.235",
      "1.23e+5",
      "1.23e-4",
      "-2.500",
      "NaN",
    ]);
    expect([0, 1.23499, 2 - 1e-15, 1e-3 * (1 - 1e-9), 123999].map(shortNumberBelow)).toEqual([
      "0",
      "1.234",
      "1.999",
      "9.99e-4",
      "1.23e+5",
    ]);
    expect([0.44, 12.3, 59.7, 200, 3600, 7530].map(duration)).toEqual([
      "0.4 s",
      "12 s",
      "1 min 0 s",
      "3 min 20 s",
      "1 h 0 min",
      "2 h 6 min",
    ]);
  });

  test("a JSON line has null for what is not there and is no number", () => {
    expect(jsonLine({ a: undefined, b: Number.POSITIVE_INFINITY, c: [Number.NaN] })).toBe(
      '{"a":null,"b":null,"c":[null]}',
    );
  });
});
