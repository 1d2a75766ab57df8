/**
 * The dense inner loops of the supernodal factorisation. Every entry is one sum over k in increasing order,
 * subtracted once: the tiles change the speed, not the bits.
 */

/**
 * T_ij −= ⟨row i, row j⟩ of the source panel S (w columns), for its rows i = from … height − 1 and j = from … to − 1,
 * j ≤ i, added into the panel whose rows are found through `place`.
 *
 * @param panels - all panels; S begins at `source`
 * @param rows - S's row list begins at `rowStart`
 * @param place - of a row of the target: where it begins in `panels`
 * @param firstColumn - of the target
 */
export function updatePanel(
  panels: Float64Array,
  source: number,
  width: number,
  rows: Int32Array,
  rowStart: number,
  from: number,
  to: number,
  height: number,
  place: Int32Array,
  firstColumn: number,
): void {
  let i = from;
  for (; i + 3 < height; i += 4) {
    const a0 = source + i * width;
    const a1 = a0 + width;
    const a2 = a1 + width;
    const a3 = a2 + width;
    const t0 = place[rows[rowStart + i]] - firstColumn;
    const t1 = place[rows[rowStart + i + 1]] - firstColumn;
    const t2 = place[rows[rowStart + i + 2]] - firstColumn;
    const t3 = place[rows[rowStart + i + 3]] - firstColumn;
    const end = Math.min(to, i + 4);
    let j = from;
    for (; j + 1 < end; j += 2) {
      const b0 = source + j * width;
      const b1 = b0 + width;
      let s00 = 0;
      let s01 = 0;
      let s10 = 0;
      let s11 = 0;
      let s20 = 0;
      let s21 = 0;
      let s30 = 0;
      let s31 = 0;
      for (let k = 0; k < width; k++) {
        const y0 = panels[b0 + k];
        const y1 = panels[b1 + k];
        const x0 = panels[a0 + k];
        s00 += x0 * y0;
        s01 += x0 * y1;
        const x1 = panels[a1 + k];
        s10 += x1 * y0;
        s11 += x1 * y1;
        const x2 = panels[a2 + k];
        s20 += x2 * y0;
        s21 += x2 * y1;
        const x3 = panels[a3 + k];
        s30 += x3 * y0;
        s31 += x3 * y1;
      }
      const c0 = rows[rowStart + j];
      const c1 = rows[rowStart + j + 1];
      panels[t0 + c0] -= s00;
      panels[t0 + c1] -= s01;
      panels[t1 + c0] -= s10;
      panels[t1 + c1] -= s11;
      panels[t2 + c0] -= s20;
      panels[t2 + c1] -= s21;
      panels[t3 + c0] -= s30;
      panels[t3 + c1] -= s31;
    }
    if (j < end) {
      const b0 = source + j * width;
      let s0 = 0;
      let s1 = 0;
      let s2 = 0;
      let s3 = 0;
      for (let k = 0; k < width; k++) {
        const y = panels[b0 + k];
        s0 += panels[a0 + k] * y;
        s1 += panels[a1 + k] * y;
        s2 += panels[a2 + k] * y;
        s3 += panels[a3 + k] * y;
      }
      const c = rows[rowStart + j];
      panels[t0 + c] -= s0;
      panels[t1 + c] -= s1;
      panels[t2 + c] -= s2;
      panels[t3 + c] -= s3;
    }
  }
  for (; i < height; i++) {
    const a = source + i * width;
    const t = place[rows[rowStart + i]] - firstColumn;
    const end = Math.min(to, i + 1);
    for (let j = from; j < end; j++) {
      const b = source + j * width;
      let s = 0;
      for (let k = 0; k < width; k++) s += panels[a + k] * panels[b + k];
      panels[t + rows[rowStart + j]] -= s;
    }
  }
}

/**
 * The dense Cholesky factorisation of one panel, in place: its triangle L Lᵀ, its other rows times L⁻ᵀ.
 *
 * @param least - of each column the value that its pivot must exceed
 * @returns −1, or the column (from 0) whose pivot does not; the pivot is then in its place
 */
export function factorPanel(
  panels: Float64Array,
  start: number,
  width: number,
  height: number,
  least: Float64Array,
  firstColumn: number,
): number {
  const end = start + height * width;
  for (let j = 0; j < width; j++) {
    const b = start + j * width;
    let pivot = panels[b + j];
    for (let k = 0; k < j; k++) pivot -= panels[b + k] * panels[b + k];
    panels[b + j] = pivot;
    if (!(pivot > least[firstColumn + j])) return j;
    const l = Math.sqrt(pivot);
    panels[b + j] = l;
    let a = b + width;
    for (; a + 3 * width < end; a += 4 * width) {
      const a1 = a + width;
      const a2 = a1 + width;
      const a3 = a2 + width;
      let s0 = panels[a + j];
      let s1 = panels[a1 + j];
      let s2 = panels[a2 + j];
      let s3 = panels[a3 + j];
      for (let k = 0; k < j; k++) {
        const y = panels[b + k];
        s0 -= panels[a + k] * y;
        s1 -= panels[a1 + k] * y;
        s2 -= panels[a2 + k] * y;
        s3 -= panels[a3 + k] * y;
      }
      panels[a + j] = s0 / l;
      panels[a1 + j] = s1 / l;
      panels[a2 + j] = s2 / l;
      panels[a3 + j] = s3 / l;
    }
    for (; a < end; a += width) {
      let s = panels[a + j];
      for (let k = 0; k < j; k++) s -= panels[a + k] * panels[b + k];
      panels[a + j] = s / l;
    }
  }
  return -1;
}
