/**
 * The members of a zip archive, as APPNOTE 6.3.10 lays it out, by its central directory: stored and deflated ones, without
 * zip64, encryption, folders and names that come twice.
 *
 *   local header    "PK\3\4", …, 26: lengths of name and extra field (2 each), name, extra field, data
 *   directory       "PK\1\2", …, 8: flags (2), method (2), 16: CRC-32, sizes compressed and expanded (4 each), 28: lengths of
 *                   name, extra field and comment (2 each), 42: where the local header is (4), 46: name, extra field, comment
 *   end             "PK\5\6", …, 10: members (2), size and place of the directory (4 each), 20: length of the comment (2)
 */
import { CurvatureError, shown } from "@curvature/linalg";
import { collected } from "./bytes.js";
import { expanded } from "./gzip.js";

const endBytes = 22;
const STORED = 0;
const DEFLATED = 8;
const ENCRYPTED = 0x41;
const IN_ZIP64 = 0xffffffff;

export interface ZipMember {
  readonly name: string;
  readonly isDeflated: boolean;
  /** CRC-32 and length of what it holds, as the directory has them. */
  readonly check: Uint8Array<ArrayBuffer>;
  readonly size: number;
  readonly data: Uint8Array<ArrayBuffer>;
}

function zipError(what: string, cause?: unknown): CurvatureError {
  return new CurvatureError("ERR_PARSE", `The zip archive ${what}. Write it again, and fetch it whole.`, {
    path: "zip",
    cause,
  });
}

/** @throws CurvatureError ERR_PARSE for damaged archives, and for members that are not read */
export function zipMembers(bytes: Uint8Array<ArrayBuffer>): ZipMember[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let end = bytes.length - endBytes;
  const isEnd = (): boolean =>
    view.getUint32(end, true) === 0x06054b50 &&
    end + endBytes + view.getUint16(end + 20, true) === bytes.length;
  const first = Math.max(0, end - 0xffff);
  while (end >= first && !isEnd()) end--;
  if (end < first) throw zipError("is cut off: its directory is missing");
  const count = view.getUint16(end + 10, true);
  const length = view.getUint32(end + 12, true);
  let at = view.getUint32(end + 16, true);
  if (at === IN_ZIP64) throw zipError("is larger than 4 GiB (zip64), which is not read");
  if (at + length !== end) throw zipError("has no directory where its end says");
  const names = new Set<string>();
  const members: ZipMember[] = [];
  let dataEnd = 0;
  for (let k = 0; k < count; k++) {
    if (at + 46 > end || view.getUint32(at, true) !== 0x02014b50) throw zipError("has a damaged directory");
    const nameLength = view.getUint16(at + 28, true);
    const name = new TextDecoder().decode(bytes.subarray(at + 46, Math.min(end, at + 46 + nameLength)));
    const fail = (what: string): CurvatureError => zipError(`${what} ${shown(name)}`);
    const method = view.getUint16(at + 10, true);
    const packed = view.getUint32(at + 20, true);
    const size = view.getUint32(at + 24, true);
    const header = view.getUint32(at + 42, true);
    if (names.has(name)) throw fail("has two members of the name");
    if (/[/\\]|^\.\./.test(name)) throw fail("has a folder in its member");
    if ((view.getUint16(at + 8, true) & ENCRYPTED) !== 0) throw fail("has the encrypted member");
    if (method !== STORED && method !== DEFLATED)
      throw fail(`has, compressed by method ${method}, the member`);
    if (packed === IN_ZIP64 || size === IN_ZIP64) throw fail("has a member of more than 4 GiB (zip64):");
    // members in the order of the directory, none over another
    if (header < dataEnd || header + 30 > bytes.length || view.getUint32(header, true) !== 0x04034b50)
      throw fail("has no header for its member");
    const start = header + 30 + view.getUint16(header + 26, true) + view.getUint16(header + 28, true);
    dataEnd = start + packed;
    if (dataEnd > end - length || (method === STORED && packed !== size))
      throw fail("has wrong sizes for its member");
    names.add(name);
    members.push({
      name,
      isDeflated: method === DEFLATED,
      check: Uint8Array.from([...bytes.subarray(at + 16, at + 20), ...bytes.subarray(at + 24, at + 28)]),
      size,
      data: bytes.subarray(start, dataEnd),
    });
    at += 46 + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  if (at !== end) throw zipError("has a damaged directory");
  return members;
}

/**
 * What a member holds. DEFLATE data become a file of gzip by a header in front, and the directory's CRC-32 and length behind.
 *
 * @throws CurvatureError ERR_PARSE for damaged data, other sizes than the directory's, and bombs as gzip has them
 */
export async function memberBytes(member: ZipMember, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const { name, isDeflated, check, size, data } = member;
  if (size > maxBytes) throw zipError(`holds more than ${maxBytes} bytes (maxBytes) in ${shown(name)}`);
  if (!isDeflated) return data;
  async function* file(): AsyncGenerator<Uint8Array> {
    yield Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255);
    yield data;
    yield check;
  }
  try {
    return await collected(expanded(file(), size));
  } catch (cause) {
    if (!(cause instanceof CurvatureError) || cause.code !== "ERR_PARSE") throw cause;
    throw zipError(`cannot be expanded at its member ${shown(name)}, or expands to more than it says`, cause);
  }
}
