/**
 * How much data this device is asked to take. Browsers tell the memory roughly or not at all, when 4 GB are assumed; a
 * tab is not given more than 8 GB of it. A file may have a thirty-second of that, unpacked an eighth.
 */
const gigabyte = 2 ** 30;

function deviceBytes(): number {
  const told: unknown = "deviceMemory" in navigator ? navigator.deviceMemory : undefined;
  return Math.min(8, typeof told === "number" && told > 0 ? told : 4) * gigabyte;
}

/** Bytes of a file, as it lies on the disk. */
const mostFileBytes = (): number => deviceBytes() / 32;

/** Bytes of a file once it is unpacked. */
export const mostExpandedBytes = (): number => deviceBytes() / 8;

const megabytes = (bytes: number): string =>
  bytes < 1e6 ? `${Math.ceil(bytes / 1000)} kB` : `${Math.round(bytes / 2 ** 20)} MB`;

/** Why files are not taken; undefined if they are. */
export function checkedFiles(files: readonly File[]): string | undefined {
  const empty = files.find(({ size }) => size === 0);
  if (empty !== undefined) return `${empty.name} is empty.`;
  const size = files.reduce((sum, file) => sum + file.size, 0);
  if (size <= mostFileBytes()) return undefined;
  const what = files.length === 1 ? `${files[0].name} has` : `The ${files.length} files have`;
  return `${what} ${megabytes(size)}; this device's memory allows files of up to ${megabytes(mostFileBytes())}. Take fewer rows, or the command line.`;
}

export const fileLimitWords = (): string =>
  `Up to ${megabytes(mostFileBytes())} on this device. It is read here and never sent anywhere.`;
