/** The program of an HTML map: `page.ts` with all that it imports, as one script; the build puts it here. */
export const program: string = "";

/** The Base64 of its SHA-256, as a content policy has it. */
export const programHash: string = "";
