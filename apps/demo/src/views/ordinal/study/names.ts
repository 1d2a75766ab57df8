/** Names as they are pasted or stand in a file: one a line; one in quotes may hold line breaks, and quotes doubled. */
export function namesIn(text: string): string[] {
  const names: string[] = [];
  const form = /[ \t]*"((?:[^"]|"")*)"[ \t]*(?=\r?\n|\r|$)|([^\r\n]*)/y;
  for (let at = text.startsWith("\uFEFF") ? 1 : 0; at < text.length; ) {
    form.lastIndex = at;
    const [all, quoted, plain = ""] = form.exec(text) ?? ["", undefined, ""];
    const name = (quoted?.replaceAll('""', '"') ?? plain).trim();
    if (name !== "") names.push(name);
    at += all.length;
    at += text.startsWith("\r\n", at) ? 2 : 1;
  }
  return names;
}
