import { fillNormal, RandomGenerator } from "@curvature/linalg";

/** Numbers of N(0, scale²), the same at every call. */
export function normals(length: number, scale: number): Float64Array {
  const out = new Float64Array(length);
  fillNormal(new RandomGenerator(0), out);
  return out.map((x) => scale * x);
}
