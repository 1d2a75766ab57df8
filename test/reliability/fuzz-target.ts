/** An input that a stranger could have written, and what may become of it: a result that passes a check, or a CurvatureError. */
import { CurvatureError, RandomGenerator } from "@curvature/linalg";
import { mutatedBytes } from "./mutations.ts";

/** One input: what it is (for the message) and how it is read. */
export interface FuzzInput {
  readonly bytes: Uint8Array | undefined;
  readonly data: unknown;
  read(): Promise<"accepted" | "refused">;
}

export interface Reader {
  readonly name: string;
  make(random: RandomGenerator): FuzzInput;
  /** What an input may take, where that is more than of others. */
  readonly most?: { readonly seconds: number; readonly bytes: number };
  /** Lines on what it counted, for one that counts: it is then fed to the end, however much it finds. */
  summary?(): readonly string[];
}

/** The generator of one input. */
export const generatorOf = (seed: number, index: number): RandomGenerator =>
  new RandomGenerator(seed * 2 ** 32 + index);

export const refused = "refused";
const accepted = "accepted";

/** Runs a reader: a result that passes `check`, or a CurvatureError. */
export async function outcome<T>(
  read: () => T | Promise<T>,
  check: (result: T) => unknown,
): Promise<"accepted" | "refused"> {
  let result: T;
  try {
    result = await read();
  } catch (error) {
    if (error instanceof CurvatureError) return refused;
    throw error;
  }
  await check(result);
  return accepted;
}

export function parser<T>(
  name: string,
  samples: readonly Uint8Array[],
  read: (bytes: Uint8Array, random: RandomGenerator) => T | Promise<T>,
  check: (result: T) => unknown,
  mutated = mutatedBytes,
): Reader {
  return {
    name,
    make: (random) => {
      const bytes = mutated(random, samples);
      return { bytes, data: undefined, read: () => outcome(() => read(bytes, random), check) };
    },
  };
}

export function ensure(condition: boolean, what: string): void {
  if (!condition) throw new Error(`a broken result: ${what}`);
}
