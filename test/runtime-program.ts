/** What every engine must answer alike: `runtimes.test.ts` runs it as it stands, and bundled. */
import { readPoints } from "@curvature/datasets";
import { loadDigits } from "@curvature/datasets/digits";
import { enableSimd, simdRefusal } from "@curvature/linalg/simd";
import { startThreads } from "@curvature/linalg/threads";
import { embed } from "@curvature/optim-spectral";

async function gzipped(text: string): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** How many threads have begun after some seconds, and why there are no more. */
async function threadsBegun(): Promise<readonly [number, readonly string[]]> {
  const threads = startThreads(2, 1000);
  for (let wait = 0; wait < 1000 && threads.ready === 0 && threads.warnings.length === 0; wait++)
    await new Promise((resolve) => setTimeout(resolve, threads.count === 1 ? 0 : 10));
  threads.close();
  return [threads.ready, threads.warnings];
}

const hex = (bytes: ArrayBuffer): string =>
  Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");

/** @param module - where nothing can be compiled at run time */
export async function answers(module?: WebAssembly.Module) {
  const simd = enableSimd({ module });
  const { points: digits } = await loadDigits();
  const table = Array.from({ length: 20_000 }, (_, i) => `${((i * 7919) % 10_007) / 7},${i % 977}`).join(
    "\n",
  );
  const bytes = await gzipped(`a,b\n${table}\n`);
  const { points } = await readPoints(bytes, { name: "a.csv.gz" });
  const damaged = await readPoints(bytes.subarray(0, -5), { name: "a.csv.gz" }).then(
    () => "taken",
    (error: { readonly code?: string }) => error.code,
  );
  const drawn = Array.from({ length: 820 }, (_, n) => [n % 4, (n * 7919) % 1000, (n * 104_729) % 997]);
  const { embedding } = await embed(drawn, { gradient: "exact", maxEvaluations: 20, threads: 2 });
  return {
    same: {
      digits: hex(await crypto.subtle.digest("SHA-256", Float64Array.from(digits.data))),
      table: [points.rows, points.columns],
      damaged,
      map: hex(await crypto.subtle.digest("SHA-256", Float64Array.from(embedding.data))),
    },
    simd,
    refusal: simdRefusal(),
    threads: await threadsBegun(),
  };
}
