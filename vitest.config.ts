import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { programFile, programModule } from "./thread-programs.config.ts";

/** Long runs against recorded ones: on the built packages, where the compiler inlines across modules. */
const reference = ["packages/*/test/**/reference-*.test.ts"];

/** Milliseconds that only what hangs takes, on a machine however slow and busy. */
const hung = 900_000;

export default defineConfig(({ mode }) => ({
  test: {
    // Most of the long files wait for processes of their own; fewer workers would leave cores idle.
    maxWorkers: 2 * availableParallelism(),
    coverage: { provider: "v8", include: ["packages/*/src/**", "apps/cli/src/**"] },
    tags: [
      { name: "full", description: "Takes long: `npm run test:full`, not `npm test`." },
      // Skipped but by their commands, with `--mode hours` and `--mode timing`.
      {
        name: "hours",
        description: "Takes hours: `npm run cluster-faults`.",
        skip: mode !== "hours",
        timeout: 4 * hung,
      },
      {
        name: "timing",
        description: "Fails on a busy machine: `npm run page-times`.",
        skip: mode !== "timing",
      },
    ],
    projects: [
      {
        // The packages' sources (the paths of tsconfig.json), so that no test of theirs needs a build first.
        resolve: { tsconfigPaths: true },
        plugins: [
          {
            name: "thread-programs",
            load: (id) => (programFile.test(id) ? programModule(id) : undefined),
            // Vitest would keep the program from the last time until its own file changes, which its imports do and it does not.
            configureVitest: ({ defineCacheKeyGenerator }) =>
              defineCacheKeyGenerator(({ id }) => (programFile.test(id) ? false : undefined)),
          },
        ],
        test: {
          name: "sources",
          setupFiles: ["test/without-garbage.ts"],
          include: ["packages/*/test/**/*.test.ts"],
          exclude: reference,
          testTimeout: hung,
          hookTimeout: hung,
          // A process for each file would load the packages again each time, which takes longer than most files' tests.
          isolate: false,
          // Its gradients are modules that only a bundler finds.
          server: { deps: { inline: [/@tensorflow/] } },
        },
      },
      {
        test: {
          name: "built",
          setupFiles: ["test/with-simd.ts", "test/without-garbage.ts"],
          include: [...reference, "apps/*/test/**/*.test.ts", "test/**/*.test.ts"],
          testTimeout: hung,
          hookTimeout: hung,
          server: { deps: { external: [/\/dist\//] } },
        },
      },
    ],
  },
}));
