import { expect, test } from "vitest";
import { CsvScanner } from "../../src/formats/csv-scanner.js";
import { LibsvmScanner } from "../../src/formats/libsvm-scanner.js";
import { parseNumber } from "../../src/formats/number.js";
import { encoded } from "./support.js";

interface Counter {
  work: number;
}

/** The bytes, each look at one of them counted; of a part that is taken out, every byte. */
function counted(bytes: Uint8Array, counter: Counter): Uint8Array {
  return new Proxy(bytes, {
    get(target, key) {
      if (key === "subarray") {
        return (start: number, end: number) => {
          const part = target.subarray(start, end);
          counter.work += part.length;
          return part;
        };
      }
      if (typeof key === "string" && /^\d/.test(key)) counter.work++;
      return Reflect.get(target, key, target);
    },
  });
}

/** Looks at bytes by scanner and number parser together, for the text in pieces of the given length. */
function work(text: string, pieceLength: number): number {
  const counter: Counter = { work: 0 };
  const bytes = encoded(text);
  const sink = {
    cell(cell: Uint8Array, start: number, end: number): void {
      parseNumber(counted(cell.slice(start, end), counter), 0, end - start);
    },
    endRecord(): void {
      counter.work++;
    },
  };
  const scanner = new CsvScanner(44, sink, Number.MAX_SAFE_INTEGER);
  scanAll(scanner, bytes, pieceLength, counter);
  return counter.work;
}

interface Scanner {
  push(piece: Uint8Array): void;
  end(): void;
}

function scanAll(scanner: Scanner, bytes: Uint8Array, pieceLength: number, counter: Counter): void {
  try {
    for (let i = 0; i < bytes.length; i += pieceLength) {
      scanner.push(counted(bytes.slice(i, i + pieceLength), counter));
    }
    scanner.end();
  } catch {
    // a refusal ends the work as well as a result does
  }
}

function libsvmWork(text: string, pieceLength: number): number {
  const counter: Counter = { work: 0 };
  const unbounded = { overflow: Infinity, batchRows: Infinity, batchEntries: Infinity };
  scanAll(new LibsvmScanner({ indexBase: 0, ...unbounded }), encoded(text), pieceLength, counter);
  return counter.work;
}

test.each([
  ["quotes", (n: number) => '"'.repeat(n)],
  ["an open quote", (n: number) => `"${"x".repeat(n)}`],
  ["an open quote over many lines", (n: number) => `"${"\r\n".repeat(n / 2)}`],
  ["quoted cells", (n: number) => '"1",'.repeat(n / 4)],
  ["quotes inside a plain cell", (n: number) => `${" ".repeat(n / 2)}x${'"'.repeat(n / 2)}`],
  ["blanks", (n: number) => " ".repeat(n)],
  ["blanks around a number", (n: number) => `${" ".repeat(n / 2)}1${" ".repeat(n / 2)}`],
  ["a long whole number", (n: number) => "9".repeat(n)],
  ["a long fraction", (n: number) => `0.${"0".repeat(n)}`],
  ["a long exponent", (n: number) => `1e${"9".repeat(n)}`],
  ["many long decimals", (n: number) => "0.12345678901234567,".repeat(n / 20)],
  ["delimiters", (n: number) => ",".repeat(n)],
  ["line ends", (n: number) => "\r".repeat(n)],
])("the work grows no faster than the input: %s", { tags: ["full"] }, (_, text) => {
  for (const pieceLength of [1, 7, 1 << 20]) {
    const [small, large] = [work(text(4_000), pieceLength), work(text(16_000), pieceLength)];
    expect(large).toBeLessThan(4.1 * small + 100);
    expect(large).toBeLessThan(16_000 * 12);
  }
});

test.each([
  ["entries", (n: number) => `1 ${Array.from({ length: n / 8 }, (_, j) => `${j}:1`).join(" ")}`],
  [
    "entries in falling order",
    (n: number) => `1 ${Array.from({ length: n / 10 }, (_, j) => `${9_999_999 - j}:1`).join(" ")}`,
  ],
  ["rows", (n: number) => "1 1:2\n".repeat(n / 6)],
  ["labels", (n: number) => "1\n".repeat(n / 2)],
  ["one long label", (n: number) => "x".repeat(n)],
  ["a long index", (n: number) => `1 ${"9".repeat(n)}:1`],
  ["a long value", (n: number) => `1 1:${"9".repeat(n)}`],
  ["a long fraction", (n: number) => `1 1:0.${"0".repeat(n)}`],
  [
    "many long decimals",
    (n: number) => `1 ${Array.from({ length: n / 24 }, (_, j) => `${j}:0.12345678901234567`).join(" ")}`,
  ],
  ["comments", (n: number) => "#".repeat(n)],
  ["a long comment", (n: number) => `1 1:2 # ${"no end ".repeat(n / 7)}`],
  ["blanks", (n: number) => " ".repeat(n)],
  ["line ends", (n: number) => "\r\n".repeat(n / 2)],
  ["colons", (n: number) => `1 ${":".repeat(n)}`],
])("the work on LIBSVM text grows no faster than the input: %s", { tags: ["full"] }, (_, text) => {
  for (const pieceLength of [1, 7, 1 << 20]) {
    const [small, large] = [libsvmWork(text(4_000), pieceLength), libsvmWork(text(16_000), pieceLength)];
    expect(large).toBeLessThan(4.5 * small + 100);
    expect(large).toBeLessThan(16_000 * 12);
  }
});
