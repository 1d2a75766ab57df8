/** The files of a drop, with those in its folders. */
export async function droppedFiles(transfer: DataTransfer): Promise<File[]> {
  // Both lists are empty once the event is over.
  const entries = Array.from(transfer.items, (item) => item.webkitGetAsEntry());
  const files = Array.from(transfer.files);
  if (entries.every((entry) => entry === null || entry.isFile)) return files;
  const found: File[] = [];
  for (const entry of entries) if (entry !== null) await collect(entry, found);
  return found;
}

async function collect(entry: FileSystemEntry, found: File[]): Promise<void> {
  if (isFile(entry)) found.push(await new Promise<File>((resolve, reject) => entry.file(resolve, reject)));
  else if (isFolder(entry)) {
    const reader = entry.createReader();
    const next = (): Promise<FileSystemEntry[]> =>
      new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    // A folder is read in parts, until one is empty.
    for (let part = await next(); part.length > 0; part = await next())
      for (const each of part) await collect(each, found);
  }
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;
const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;
