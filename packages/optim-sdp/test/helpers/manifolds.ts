/** Pairs of manifolds that no line separates, with the manifold of each point. */
import { fillNormal, RandomGenerator } from "@curvature/linalg";

export interface Manifolds {
  readonly points: readonly (readonly number[])[];
  readonly labels: readonly number[];
}

function withNoise(points: readonly number[][], deviation: number, seed: number): number[][] {
  const noise = new Float64Array(2 * points.length);
  fillNormal(new RandomGenerator(seed), noise);
  return points.map((point, i) => point.map((x, c) => x + deviation * noise[2 * i + c]));
}

const halves = (m: number): number[] => Array.from({ length: 2 * m }, (_, i) => Number(i >= m));

export function twoRings(m: number, deviation: number, seed: number): Manifolds {
  const points = Array.from({ length: 2 * m }, (_, i) => {
    const angle = (2 * Math.PI * i) / m;
    const radius = i < m ? 1 : 0.5;
    return [radius * Math.cos(angle), radius * Math.sin(angle)];
  });
  return { points: withNoise(points, deviation, seed), labels: halves(m) };
}

export function twoMoons(m: number, deviation: number, seed: number): Manifolds {
  const points = Array.from({ length: 2 * m }, (_, i) => {
    const t = (Math.PI * (i % m)) / (m - 1);
    return i < m ? [Math.cos(t), Math.sin(t)] : [1 - Math.cos(t), 0.5 - Math.sin(t)];
  });
  return { points: withNoise(points, deviation, seed), labels: halves(m) };
}

/** Two spirals, nearly evenly spaced: t grows with the root of the length. */
export function twoSpirals(m: number): Manifolds {
  const points = Array.from({ length: 2 * m }, (_, i) => {
    const share = (i % m) / (m - 1);
    const t = Math.PI * Math.sqrt(1 + 15 * share);
    const sign = i < m ? 1 : -1;
    return [sign * t * Math.cos(t), sign * t * Math.sin(t)];
  });
  return { points, labels: halves(m) };
}

export function gaussian(n: number, seed: number): Manifolds {
  const points = Array.from({ length: n }, () => [0, 0]);
  return { points: withNoise(points, 1, seed), labels: points.map(() => 0) };
}
