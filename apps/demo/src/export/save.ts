/** Hands a file to the visitor, as a download. */
export function saveFile(name: string, content: BlobPart | readonly BlobPart[], type: string): void {
  const parts = isList(content) ? [...content] : [content];
  const url = URL.createObjectURL(new Blob(parts, { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = fileName(name);
  link.click();
  // The download begins after this task; the address must live until then.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

const isList = (content: BlobPart | readonly BlobPart[]): content is readonly BlobPart[] =>
  Array.isArray(content);

/** Without what file systems do not take. */
const safe = (name: string): string => name.replace(/[^\p{L}\p{N}._ -]+/gu, "_");
const fileName = (name: string): string => safe(name).slice(0, 120) || "curvature";

/** A file's name without its ending, such that it may begin the name of another: downloads keep it as it is. */
export const baseName = (name: string): string =>
  safe(name.replace(/(\.[a-z0-9]+)?(\.gz)?$/i, "")).slice(0, 80);
