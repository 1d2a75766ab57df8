/**
 * `npm run tarballs`: builds the packages and writes them as npm would publish them, one .tgz each, for `npm install` in
 * another folder.
 *
 * Usage: npm run tarballs   (they are in out/tarballs)
 */
import { rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { pack, publishablePackages } from "./packed.ts";

const folder = join(dirname(dirname(fileURLToPath(import.meta.url))), "out/tarballs");
rmSync(folder, { recursive: true, force: true }); // npm would install two versions of a package that lie side by side
for (const { directory } of publishablePackages()) process.stdout.write(`${pack(directory, folder)}\n`);
