/**
 * The solves with a supernodal factor, for one right-hand side and for two together, which cost little more than
 * one since the panels must come from memory only once.
 *
 *   forward   L Y = P B:    a panel's own rows, then its products taken from the rows below
 *   backward  Lᵀ Z = Y:     the products with the rows below, then the panel's own rows, last to first
 *
 * Right-hand sides lie in `work` in the order of L, two of them interleaved.
 */
import type { Supernodes } from "./supernodes.js";

/** `work` ← (L Lᵀ)⁻¹ `work`, of one right-hand side. */
export function solveSingle(layout: Supernodes, panels: Float64Array, work: Float64Array): void {
  for (let s = 0; s < layout.count; s++) forward(layout, panels, s, work);
  for (let s = layout.count - 1; s >= 0; s--) backward(layout, panels, s, work);
}

/** `work` ← (L Lᵀ)⁻¹ `work`, of two right-hand sides side by side. */
export function solvePair(layout: Supernodes, panels: Float64Array, work: Float64Array): void {
  for (let s = 0; s < layout.count; s++) forwardPair(layout, panels, s, work);
  for (let s = layout.count - 1; s >= 0; s--) backwardPair(layout, panels, s, work);
}

function forward(layout: Supernodes, panels: Float64Array, s: number, y: Float64Array): void {
  const { rows } = layout;
  const first = layout.first[s];
  const width = layout.first[s + 1] - first;
  const height = layout.height[s];
  const rowStart = layout.rowStart[s];
  let p = layout.panelStart[s];
  for (let i = 0; i < width; i++, p += width) {
    let sum = y[first + i];
    for (let k = 0; k < i; k++) sum -= panels[p + k] * y[first + k];
    y[first + i] = sum / panels[p + i];
  }
  let i = width;
  for (; i + 3 < height; i += 4, p += 4 * width) {
    const p1 = p + width;
    const p2 = p1 + width;
    const p3 = p2 + width;
    let sum0 = 0;
    let sum1 = 0;
    let sum2 = 0;
    let sum3 = 0;
    for (let k = 0; k < width; k++) {
      const z = y[first + k];
      sum0 += panels[p + k] * z;
      sum1 += panels[p1 + k] * z;
      sum2 += panels[p2 + k] * z;
      sum3 += panels[p3 + k] * z;
    }
    y[rows[rowStart + i]] -= sum0;
    y[rows[rowStart + i + 1]] -= sum1;
    y[rows[rowStart + i + 2]] -= sum2;
    y[rows[rowStart + i + 3]] -= sum3;
  }
  for (; i < height; i++, p += width) {
    let sum = 0;
    for (let k = 0; k < width; k++) sum += panels[p + k] * y[first + k];
    y[rows[rowStart + i]] -= sum;
  }
}

function backward(layout: Supernodes, panels: Float64Array, s: number, y: Float64Array): void {
  const { rows } = layout;
  const first = layout.first[s];
  const width = layout.first[s + 1] - first;
  const height = layout.height[s];
  const rowStart = layout.rowStart[s];
  const start = layout.panelStart[s];
  let p = start + width * width;
  let i = width;
  for (; i + 1 < height; i += 2, p += 2 * width) {
    const q = p + width;
    const z0 = y[rows[rowStart + i]];
    const z1 = y[rows[rowStart + i + 1]];
    for (let k = 0; k < width; k++) y[first + k] -= panels[p + k] * z0 + panels[q + k] * z1;
  }
  for (; i < height; i++, p += width) {
    const z = y[rows[rowStart + i]];
    for (let k = 0; k < width; k++) y[first + k] -= panels[p + k] * z;
  }
  for (let i = width - 1; i >= 0; i--) {
    p = start + i * width;
    const z = y[first + i] / panels[p + i];
    y[first + i] = z;
    for (let k = 0; k < i; k++) y[first + k] -= panels[p + k] * z;
  }
}

function forwardPair(layout: Supernodes, panels: Float64Array, s: number, y: Float64Array): void {
  const { rows } = layout;
  const first = layout.first[s];
  const width = layout.first[s + 1] - first;
  const height = layout.height[s];
  const rowStart = layout.rowStart[s];
  const own = 2 * first;
  let p = layout.panelStart[s];
  for (let i = 0; i < width; i++, p += width) {
    let sum0 = y[own + 2 * i];
    let sum1 = y[own + 2 * i + 1];
    for (let k = 0; k < i; k++) {
      const l = panels[p + k];
      sum0 -= l * y[own + 2 * k];
      sum1 -= l * y[own + 2 * k + 1];
    }
    const l = panels[p + i];
    y[own + 2 * i] = sum0 / l;
    y[own + 2 * i + 1] = sum1 / l;
  }
  let i = width;
  for (; i + 1 < height; i += 2, p += 2 * width) {
    const q = p + width;
    let sum00 = 0;
    let sum01 = 0;
    let sum10 = 0;
    let sum11 = 0;
    for (let k = 0; k < width; k++) {
      const z0 = y[own + 2 * k];
      const z1 = y[own + 2 * k + 1];
      const l0 = panels[p + k];
      const l1 = panels[q + k];
      sum00 += l0 * z0;
      sum01 += l0 * z1;
      sum10 += l1 * z0;
      sum11 += l1 * z1;
    }
    const row0 = 2 * rows[rowStart + i];
    const row1 = 2 * rows[rowStart + i + 1];
    y[row0] -= sum00;
    y[row0 + 1] -= sum01;
    y[row1] -= sum10;
    y[row1 + 1] -= sum11;
  }
  for (; i < height; i++, p += width) {
    let sum0 = 0;
    let sum1 = 0;
    for (let k = 0; k < width; k++) {
      const l = panels[p + k];
      sum0 += l * y[own + 2 * k];
      sum1 += l * y[own + 2 * k + 1];
    }
    const row = 2 * rows[rowStart + i];
    y[row] -= sum0;
    y[row + 1] -= sum1;
  }
}

function backwardPair(layout: Supernodes, panels: Float64Array, s: number, y: Float64Array): void {
  const { rows } = layout;
  const first = layout.first[s];
  const width = layout.first[s + 1] - first;
  const height = layout.height[s];
  const rowStart = layout.rowStart[s];
  const start = layout.panelStart[s];
  const own = 2 * first;
  let p = start + width * width;
  let i = width;
  for (; i + 1 < height; i += 2, p += 2 * width) {
    const q = p + width;
    const row0 = 2 * rows[rowStart + i];
    const row1 = 2 * rows[rowStart + i + 1];
    const z00 = y[row0];
    const z01 = y[row0 + 1];
    const z10 = y[row1];
    const z11 = y[row1 + 1];
    for (let k = 0; k < width; k++) {
      const l0 = panels[p + k];
      const l1 = panels[q + k];
      y[own + 2 * k] -= l0 * z00 + l1 * z10;
      y[own + 2 * k + 1] -= l0 * z01 + l1 * z11;
    }
  }
  for (; i < height; i++, p += width) {
    const row = 2 * rows[rowStart + i];
    const z0 = y[row];
    const z1 = y[row + 1];
    for (let k = 0; k < width; k++) {
      const l = panels[p + k];
      y[own + 2 * k] -= l * z0;
      y[own + 2 * k + 1] -= l * z1;
    }
  }
  for (let i = width - 1; i >= 0; i--) {
    p = start + i * width;
    const l = panels[p + i];
    const z0 = y[own + 2 * i] / l;
    const z1 = y[own + 2 * i + 1] / l;
    y[own + 2 * i] = z0;
    y[own + 2 * i + 1] = z1;
    for (let k = 0; k < i; k++) {
      const l = panels[p + k];
      y[own + 2 * k] -= l * z0;
      y[own + 2 * k + 1] -= l * z1;
    }
  }
}
