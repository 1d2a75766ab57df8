import { defineConfig } from "vitest/config";

/** Tests read the packages' sources (the paths of tsconfig.json), so that none needs a build first. */
export default defineConfig({
  resolve: { tsconfigPaths: true },
  test: {
    include: ["packages/*/test/**/*.test.ts", "apps/*/test/**/*.test.ts", "test/**/*.test.ts"],
    testTimeout: 30_000,
    coverage: { provider: "v8", include: ["packages/*/src/**", "apps/cli/src/**"] },
    typecheck: { enabled: true, include: ["packages/*/test/**/*.test-d.ts"], tsconfig: "tsconfig.json" },
  },
});
