/**
 * A 64-bit hash of numbers, bit for bit, so that a checkpoint is not resumed on other data. Not cryptographic.
 *
 * Two lanes of FNV-1a over 32-bit words, the second with another offset and a rotation.
 */
import type { Weights } from "./objective.js";
import { isDense } from "./weights.js";

/** 16 hexadecimal digits that depend on every entry of the weights and on their pattern. */
export function hashOfWeights(...parts: readonly Weights[]): string {
  const lanes: Lanes = { a: 0x811c9dc5, b: 0x9747b28c };
  for (const weights of parts) {
    mix(lanes, Int32Array.of(weights.rows));
    if (isDense(weights)) {
      mix(lanes, wordsOf(weights.data));
    } else {
      mix(lanes, weights.rowPointers);
      mix(lanes, weights.columnIndices);
      mix(lanes, wordsOf(weights.values));
    }
  }
  return hex(lanes.a) + hex(lanes.b);
}

interface Lanes {
  a: number;
  b: number;
}

function wordsOf(numbers: Float64Array): Int32Array {
  return new Int32Array(numbers.buffer, numbers.byteOffset, 2 * numbers.length);
}

function mix(lanes: Lanes, words: Int32Array): void {
  let { a, b } = lanes;
  for (let i = 0; i < words.length; i++) {
    a = Math.imul(a ^ words[i], 0x01000193);
    a ^= a >>> 15;
    b = Math.imul(((b << 13) | (b >>> 19)) ^ words[i], 0x5bd1e995);
  }
  lanes.a = a;
  lanes.b = b;
}

function hex(word: number): string {
  return (word >>> 0).toString(16).padStart(8, "0");
}
