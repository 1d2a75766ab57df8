/** For `node --experimental-transform-types --import ./scripts/run-sources.mjs`: imports of the house mean its sources, as in tsconfig.json. */
import { existsSync, readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { fileURLToPath } from "node:url";

const root = new URL("../", import.meta.url);
const { paths } = JSON.parse(readFileSync(new URL("tsconfig.json", root), "utf8")).compilerOptions;

registerHooks({
  resolve(specifier, context, next) {
    const path = paths[specifier]?.[0];
    if (path !== undefined) return next(new URL(path, root).href, context);
    if (/^(\.|file:).*\.js$/.test(specifier)) {
      const source = new URL(specifier.replace(/\.js$/, ".ts"), context.parentURL);
      if (!source.pathname.includes("/node_modules/") && existsSync(fileURLToPath(source)))
        return next(source.href, context);
    }
    return next(specifier, context);
  },
});
