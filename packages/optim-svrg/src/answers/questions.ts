/**
 * Which answers are to the same question. The question of (i, j, l, k) is the two pairs {i, j} and {l, k}, whichever
 * is said to be nearer. Answers to one question belong together: a part that is held out must not know them, a sample
 * draws them together.
 */

/** The pairs of objects that answers name, numbered from 0 in the order in which they come first. */
export interface PairsNamed {
  readonly count: number;
  /** The numbers of {i, j} and {l, k} of every answer, one after the other; length 2N. */
  readonly pairOf: Int32Array;
}

/** By a hash table in flat arrays, since a Map of millions takes ten times the memory. Time and memory O(N). */
export function pairsNamed(quadruplets: Int32Array): PairsNamed {
  const pairs = quadruplets.length / 2;
  let size = 16;
  while (size < 1.5 * pairs) size *= 2;
  const slots = new Int32Array(size).fill(-1); // the first occurrence of the pair found there
  const pairOf = new Int32Array(pairs);
  let count = 0;
  for (let at = 0; at < pairs; at++) {
    const low = Math.min(quadruplets[2 * at], quadruplets[2 * at + 1]);
    const high = Math.max(quadruplets[2 * at], quadruplets[2 * at + 1]);
    let slot = mixed(low, high) & (size - 1);
    let first = slots[slot];
    while (
      first >= 0 &&
      (Math.min(quadruplets[2 * first], quadruplets[2 * first + 1]) !== low ||
        Math.max(quadruplets[2 * first], quadruplets[2 * first + 1]) !== high)
    ) {
      slot = (slot + 1) & (size - 1);
      first = slots[slot];
    }
    if (first < 0) {
      slots[slot] = at;
      pairOf[at] = count++;
    } else {
      pairOf[at] = pairOf[first];
    }
  }
  return { count, pairOf };
}

/** Two words as one, mixed by MurmurHash3's multiplications and shifts (Appleby, public domain). */
function mixed(a: number, b: number): number {
  let h = Math.imul(Math.imul(a, 0x85ebca6b) ^ b, 0xc2b2ae35);
  h = Math.imul(h ^ (h >>> 15), 0x85ebca6b);
  return (h ^ (h >>> 16)) >>> 0;
}

export interface QuestionsAsked {
  readonly count: number;
  /** The question of every answer, numbered from 0 by its first answer. */
  readonly questionOf: Int32Array;
  /** Answers that say again what an earlier one said. */
  readonly duplicates: number;
  /** Questions that were answered both ways. */
  readonly contradictions: number;
  /** 1 for each of them, by question. */
  readonly isContradicted: Uint8Array;
}

export function questionsAsked({ pairOf }: PairsNamed): QuestionsAsked {
  const N = pairOf.length / 2;
  let size = 16;
  while (size < 2 * N) size *= 2;
  const slots = new Int32Array(size).fill(-1); // the first answer of the question found there
  const questionOf = new Int32Array(N);
  const answered = new Uint8Array(N); // of each question, the answers so far: 1, 2, or both
  let count = 0;
  let duplicates = 0;
  let contradictions = 0;
  for (let q = 0; q < N; q++) {
    const near = pairOf[2 * q];
    const far = pairOf[2 * q + 1];
    const low = Math.min(near, far);
    const high = Math.max(near, far);
    let slot = mixed(low, high) & (size - 1);
    let first = slots[slot];
    while (
      first >= 0 &&
      (Math.min(pairOf[2 * first], pairOf[2 * first + 1]) !== low ||
        Math.max(pairOf[2 * first], pairOf[2 * first + 1]) !== high)
    ) {
      slot = (slot + 1) & (size - 1);
      first = slots[slot];
    }
    if (first < 0) slots[slot] = q;
    const question = first < 0 ? count++ : questionOf[first];
    questionOf[q] = question;
    const before = answered[question];
    const after = before | (near < far ? 1 : 2);
    if (after === before) duplicates++;
    else if (before !== 0) contradictions++;
    answered[question] = after;
  }
  const isContradicted = answered.subarray(0, count).map((answers) => (answers === 3 ? 1 : 0));
  return { count, questionOf, duplicates, contradictions, isContradicted };
}
