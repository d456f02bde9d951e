/** Decodes records of an SQLite database file. A record contains the values of a table row or of an index entry. */

export type RecordValue = number | bigint | string | Buffer | null;

/** The value sizes in bytes of SQLite's serial types 0 (NULL) and 1 to 6 (big-endian integers). */
const INTEGER_BYTES = [0, 1, 2, 3, 4, 6, 8];
const TEXT = new TextDecoder('utf-8', { fatal: true });

/** Returns the values of a record. Returns undefined if the bytes are not a complete record. */
export function decodeRecord(bytes: Buffer): readonly RecordValue[] | undefined {
  const header = readVarint(bytes, 0);
  if (!header || header.value > bytes.byteLength || header.value < header.end) return undefined;
  const bodyStart = Number(header.value);
  const values: RecordValue[] = [];
  let at = bodyStart;
  for (let offset = header.end; offset < bodyStart;) {
    const type = readVarint(bytes, offset);
    if (!type) return undefined;
    offset = type.end;
    const size = sizeOf(Number(type.value));
    if (offset > bodyStart || size === undefined || at + size > bytes.byteLength) return undefined;
    const value = valueOf(Number(type.value), bytes.subarray(at, at + size));
    if (value === undefined) return undefined;
    values.push(value);
    at += size;
  }
  return at === bytes.byteLength ? values : undefined;
}

function sizeOf(type: number): number | undefined {
  if (type >= 12) return Math.floor((type - 12) / 2);
  if (type === 7) return 8;
  if (type === 8 || type === 9) return 0;
  return INTEGER_BYTES[type];
}

function valueOf(type: number, bytes: Buffer): RecordValue | undefined {
  if (type === 0) return null;
  if (type === 7) return bytes.readDoubleBE(0);
  if (type === 8 || type === 9) return type - 8;
  if (type < 7) return integerOf(bytes);
  return type % 2 === 0 ? Buffer.from(bytes) : textOf(bytes);
}

function integerOf(bytes: Buffer): number | bigint {
  return bytes.byteLength === 8
    ? plain(bytes.readBigInt64BE(0))
    : bytes.readIntBE(0, bytes.byteLength);
}

function textOf(bytes: Buffer): string | undefined {
  try {
    return TEXT.decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

/**
 * Reads a big-endian number of up to nine bytes. The first eight bytes contribute seven bits each, and the ninth eight
 * bits. Returns undefined if the number is incomplete.
 */
export function readVarint(
  bytes: Buffer,
  offset: number,
): { readonly value: bigint; readonly end: number } | undefined {
  let value = 0n;
  for (let index = 0; index < 9; index++) {
    const byte = bytes[offset + index];
    if (byte === undefined) return undefined;
    const isLast = index === 8;
    value = (value << (isLast ? 8n : 7n)) | BigInt(isLast ? byte : byte & 0x7f);
    if (isLast || byte < 0x80) return { value: BigInt.asIntN(64, value), end: offset + index + 1 };
  }
  return undefined;
}

export function plain(value: bigint): number | bigint {
  return Number.isSafeInteger(Number(value)) ? Number(value) : value;
}
