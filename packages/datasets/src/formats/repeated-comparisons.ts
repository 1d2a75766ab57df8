/**
 * How often comparisons repeat or contradict each other, by one hash table over the questions. The question of
 * (i, j, l, k) is the two pairs {i, j} and {l, k}, whichever is said to be nearer; its answer is which one is.
 */
export interface Repetitions {
  /** Comparisons that say again what an earlier one said. */
  readonly duplicates: number;
  /** Questions that were answered both ways. */
  readonly contradictions: number;
}

const ONE_WAY = 1;
const OTHER_WAY = 2;
const BOTH_WAYS = ONE_WAY | OTHER_WAY;

export function countRepetitions(quadruplets: Int32Array): Repetitions {
  const count = quadruplets.length / 4;
  let size = 16;
  while (size < 2 * count) size *= 2;
  const slots = new Int32Array(size); // 1 + the first comparison with this question
  const answers = new Uint8Array(count); // of each first comparison's question, the answers so far
  const question = new Int32Array(4);
  const other = new Int32Array(4);
  let duplicates = 0;
  let contradictions = 0;
  for (let q = 0; q < count; q++) {
    const answer = questionOf(quadruplets, q, question);
    let slot = hash(question) & (size - 1);
    while (slots[slot] > 0) {
      questionOf(quadruplets, slots[slot] - 1, other);
      if (isSame(question, other)) break;
      slot = (slot + 1) & (size - 1);
    }
    if (slots[slot] === 0) slots[slot] = q + 1;
    const first = slots[slot] - 1;
    const before = answers[first];
    answers[first] |= answer;
    if (before === answers[first]) duplicates++;
    else if (answers[first] === BOTH_WAYS) contradictions++;
  }
  return { duplicates, contradictions };
}

/** The question with smaller indices first, in the pairs and of the pairs; @returns which of the two is nearer. */
function questionOf(quadruplets: Int32Array, q: number, out: Int32Array): number {
  const i = Math.min(quadruplets[4 * q], quadruplets[4 * q + 1]);
  const j = Math.max(quadruplets[4 * q], quadruplets[4 * q + 1]);
  const l = Math.min(quadruplets[4 * q + 2], quadruplets[4 * q + 3]);
  const k = Math.max(quadruplets[4 * q + 2], quadruplets[4 * q + 3]);
  const inOrder = i < l || (i === l && j < k);
  out[0] = inOrder ? i : l;
  out[1] = inOrder ? j : k;
  out[2] = inOrder ? l : i;
  out[3] = inOrder ? k : j;
  return inOrder ? ONE_WAY : OTHER_WAY;
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
