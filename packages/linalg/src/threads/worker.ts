/** What `program.ts` becomes. */
import { type PrincipalTask, servePrincipal } from "./serve-principal.js";
import type { ThreadKernels } from "./worker-pool.js";

/** Given to the script by whoever starts it. */
declare const data: PrincipalTask & ThreadKernels;

servePrincipal(data);
