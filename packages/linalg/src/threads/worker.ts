/** What `program.ts` becomes. */
import { type PrincipalTask, servePrincipal } from "./serve-principal.js";

/** Given to the script by whoever starts it. */
declare const data: PrincipalTask;

servePrincipal(data);
