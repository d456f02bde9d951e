/**
 * Reads the index of a git work tree (gitformat-index, versions 2 to 4). The index lists tracked files and their blob
 * ids.
 */

import { createHash } from 'node:crypto';

const HEADER_BYTES = 12;
/** Length in bytes of the stat fields before an entry's object id. */
const STAT_BYTES = 40;
const MTIME_AT = 8;
const MODE_AT = 24;
const SIZE_AT = 36;
const SYMLINK_MODE = 0o120000;
const FILE_TYPE = 0o170000;
const FILE_MODE = 0o100000;
const EXTENDED_FLAG = 0x4000;

/** A tracked file in the state in which git last compared it with its blob. */
export interface GitFile {
  /** Blob id in hexadecimal. */
  readonly id: string;
  /** File size in bytes, modulo 2^32. */
  readonly sizeBytes: number;
  /** Modification time in whole seconds since 1970, modulo 2^32. */
  readonly mtimeSeconds: number;
}

/**
 * Parses an index and returns the tracked files by path. Returns undefined if the index is truncated, split or sparse,
 * contains submodules, or has an invalid checksum.
 */
export function readGitIndex(bytes: Buffer): ReadonlyMap<string, GitFile> | undefined {
  const idBytes = checksumBytes(bytes);
  if (idBytes === undefined || bytes.toString('latin1', 0, 4) !== 'DIRC') return undefined;
  const version = bytes.readUInt32BE(4);
  if (version < 2 || version > 4) return undefined;
  const files = new Map<string, GitFile>();
  try {
    let at = HEADER_BYTES;
    let name = Buffer.alloc(0);
    for (let left = bytes.readUInt32BE(8); left > 0; left--) {
      const entry = readEntry(bytes, { at, version, idBytes, before: name });
      ({ name } = entry);
      at = entry.end;
      if (!entry.isFile) return undefined;
      files.set(name.toString(), entry.file);
    }
    return hasOnlyOptional(bytes, at, bytes.length - idBytes) ? files : undefined;
  } catch (error) {
    // A RangeError means that a length field points beyond the end of the index.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

interface EntryAt {
  readonly at: number;
  readonly version: number;
  readonly idBytes: number;
  /** Name of the previous entry, because version 4 stores only the difference from it. */
  readonly before: Buffer;
}

function readEntry(bytes: Buffer, { at, version, idBytes, before }: EntryAt) {
  const type = bytes.readUInt32BE(at + MODE_AT) & FILE_TYPE;
  const flagsAt = at + STAT_BYTES + idBytes;
  const isExtended = (bytes.readUInt16BE(flagsAt) & EXTENDED_FLAG) !== 0;
  let nameAt = flagsAt + (isExtended ? 4 : 2);
  let kept = 0;
  if (version === 4) {
    const dropped = readVarint(bytes, nameAt);
    nameAt = dropped.end;
    kept = before.length - dropped.value;
  }
  const nameEnd = bytes.indexOf(0, nameAt);
  if (nameEnd < 0 || kept < 0) throw new RangeError('the index ends in the middle of a name');
  // Versions 2 and 3 pad each entry with zeros to a multiple of eight bytes.
  const padded = at + (Math.floor((nameEnd - at) / 8) + 1) * 8;
  return {
    name: Buffer.concat([before.subarray(0, kept), bytes.subarray(nameAt, nameEnd)]),
    file: {
      id: bytes.toString('hex', at + STAT_BYTES, flagsAt),
      sizeBytes: bytes.readUInt32BE(at + SIZE_AT),
      mtimeSeconds: bytes.readUInt32BE(at + MTIME_AT),
    },
    isFile: type === FILE_MODE || type === SYMLINK_MODE,
    end: version === 4 ? nameEnd + 1 : padded,
  };
}

function readVarint(bytes: Buffer, from: number): { readonly value: number; readonly end: number } {
  let at = from;
  let byte = bytes.readUInt8(at++);
  let value = byte & 0x7f;
  while (byte & 0x80) {
    byte = bytes.readUInt8(at++);
    value = (value + 1) * 128 + (byte & 0x7f);
  }
  return { value, end: at };
}

/**
 * Returns whether all extensions in the index are optional. The name of an optional extension begins with a capital
 * letter, and the extension does not change the entries.
 */
function hasOnlyOptional(bytes: Buffer, from: number, end: number): boolean {
  let at = from;
  while (at < end) {
    if (!/^[A-Z]/.test(bytes.toString('latin1', at, at + 1))) return false;
    at += 8 + bytes.readUInt32BE(at + 4);
  }
  return at === end;
}

/**
 * Returns the length of the object ids in bytes. The checksum at the end of the index uses the same hash function, so
 * it has the same length. Returns undefined if the checksum is wrong.
 */
function checksumBytes(bytes: Buffer): number | undefined {
  for (const [algorithm, length] of [
    ['sha1', 20],
    ['sha256', 32],
  ] as const) {
    const end = bytes.length - length;
    if (end < HEADER_BYTES) continue;
    const digest = createHash(algorithm).update(bytes.subarray(0, end)).digest();
    if (digest.equals(bytes.subarray(end))) return length;
  }
  return undefined;
}
