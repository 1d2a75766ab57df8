/**
 * Which answers are to the same question. The question of (i, j, l, k) is the two pairs {i, j} and {l, k}, whichever
 * is said to be nearer. Answers to one question belong together: a part that is held out must not know them, a sample
 * draws them together.
 */
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

export function questionsAsked(quadruplets: Int32Array): QuestionsAsked {
  const N = quadruplets.length / 4;
  let size = 16;
  while (size < 2 * N) size *= 2;
  const slots = new Int32Array(size).fill(-1); // the first answer of the question found there
  const questionOf = new Int32Array(N);
  const answered = new Uint8Array(N); // of each question, the answers so far: 1, 2, or both
  const one = new Int32Array(4);
  const other = new Int32Array(4);
  let count = 0;
  let duplicates = 0;
  let contradictions = 0;
  for (let q = 0; q < N; q++) {
    const answer = 1 + writeQuestion(quadruplets, q, one);
    let slot = hash(one) & (size - 1);
    while (slots[slot] >= 0) {
      writeQuestion(quadruplets, slots[slot], other);
      if (isSame(one, other)) break;
      slot = (slot + 1) & (size - 1);
    }
    if (slots[slot] < 0) {
      slots[slot] = q;
      questionOf[q] = count++;
    } else {
      questionOf[q] = questionOf[slots[slot]];
    }
    const before = answered[questionOf[q]];
    const after = before | answer;
    if (after === before) duplicates++;
    else if (before !== 0) contradictions++;
    answered[questionOf[q]] = after;
  }
  const isContradicted = answered.subarray(0, count).map((answers) => (answers === 3 ? 1 : 0));
  return { count, questionOf, duplicates, contradictions, isContradicted };
}

/** The question with smaller indices first, in the pairs and of the pairs. @returns which of the two is nearer: 0 or 1 */
function writeQuestion(quadruplets: Int32Array, q: number, out: Int32Array): 0 | 1 {
  const i = Math.min(quadruplets[4 * q], quadruplets[4 * q + 1]);
  const j = Math.max(quadruplets[4 * q], quadruplets[4 * q + 1]);
  const l = Math.min(quadruplets[4 * q + 2], quadruplets[4 * q + 3]);
  const k = Math.max(quadruplets[4 * q + 2], quadruplets[4 * q + 3]);
  const inOrder = i < l || (i === l && j < k);
  out[0] = inOrder ? i : l;
  out[1] = inOrder ? j : k;
  out[2] = inOrder ? l : i;
  out[3] = inOrder ? k : j;
  return inOrder ? 0 : 1;
}

const isSame = (a: Int32Array, b: Int32Array): boolean =>
  a[0] === b[0] && a[1] === b[1] && a[2] === b[2] && a[3] === b[3];

/** Each word mixed in by MurmurHash3's multiplications and shifts (Appleby, public domain). */
function hash(words: Int32Array): number {
  let h = 0;
  for (let k = 0; k < 4; k++) {
    h = Math.imul(h ^ words[k], 0x85ebca6b);
    h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
    h ^= h >>> 16;
  }
  return h >>> 0;
}
