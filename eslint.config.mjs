import tseslint from "typescript-eslint";

/** Only the rules that need types; Biome does everything else. */
export default tseslint.config(
  { ignores: ["**/dist/**", "coverage/**", ".toolchain/**"] },
  {
    files: [
      "packages/*/src/**/*.ts",
      "apps/*/src/**/*.{ts,tsx}",
      "packages/*/test/**/*.ts",
      "apps/*/test/**/*.ts",
      "test/**/*.ts",
    ],
    languageOptions: { parser: tseslint.parser, parserOptions: { projectService: true } },
    plugins: { "@typescript-eslint": tseslint.plugin },
    rules: {
      "@typescript-eslint/await-thenable": "error",
      "@typescript-eslint/no-floating-promises": "error",
      "@typescript-eslint/no-misused-promises": "error",
      "@typescript-eslint/no-unnecessary-type-assertion": "error",
      "@typescript-eslint/only-throw-error": "error",
      "@typescript-eslint/switch-exhaustiveness-check": "error",
    },
  },
);
