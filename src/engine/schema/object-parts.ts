/** Reads the parts of a multipart object. */

import type { Database, Statement } from 'better-sqlite3';

import { defined } from '../../base/defined.ts';
import type { ObjectPart, ObjectParts } from '../../object-store/object-attributes.ts';
import { StorageError } from '../../object-store/storage-error.ts';
import { parsePartChecksum } from './checksum-text.ts';
import type { VersionRow } from './rows.ts';

interface PartOfObject {
  readonly firstByte: number;
  readonly sizeBytes: number;
  readonly checksum: string | null;
}

interface ListedPartRow extends Omit<PartOfObject, 'firstByte'> {
  readonly partNumber: number;
}

export class PartFinder {
  readonly #find: Statement<[number, number], PartOfObject>;
  readonly #count: Statement<[number], number>;
  readonly #page: Statement<[number, number, number], ListedPartRow>;

  constructor(database: Database) {
    this.#find = database.prepare(
      `SELECT first_byte AS firstByte, size_bytes AS sizeBytes, checksum FROM manifest_part
       WHERE manifest_id = ? AND part_number = ?`,
    );
    this.#count = database
      .prepare<[number], number>('SELECT count(*) FROM manifest_part WHERE manifest_id = ?')
      .pluck();
    // Parts with higher numbers are at later positions, so both orders are the same.
    this.#page = database.prepare(
      `SELECT part_number AS partNumber, size_bytes AS sizeBytes, checksum FROM manifest_part
       WHERE manifest_id = ? AND part_number > ? ORDER BY first_byte, part_number LIMIT ?`,
    );
  }

  /**
   * Returns one part of an object. An object that was put whole consists of part 1. Throws `InvalidPartNumber` if the
   * part does not exist.
   */
  select(row: VersionRow, partNumber: number): SelectedPart {
    const { manifestId, sizeBytes, checksum } = row;
    if (manifestId === null) {
      if (partNumber !== 1) throw invalidPartNumber(partNumber, 1);
      return { range: rangeOf({ firstByte: 0, sizeBytes }, row), checksum };
    }
    const part = this.#find.get(manifestId, partNumber);
    const partsCount = this.#countOf(manifestId);
    if (!part) throw invalidPartNumber(partNumber, partsCount);
    return { range: rangeOf(part, row), partsCount, checksum: part.checksum };
  }

  /** Returns a page of parts; undefined for an object that was put whole. */
  page(row: VersionRow, { marker, limit }: PageOfParts): ObjectParts | undefined {
    if (row.manifestId === null) return undefined;
    const totalCount = this.#countOf(row.manifestId);
    const found = this.#page.all(row.manifestId, marker, limit + 1);
    const algorithm = parsePartChecksum(row.checksum)?.algorithm;
    const parts = found.slice(0, limit).map((part): ObjectPart => {
      const checksum = parsePartChecksum(part.checksum);
      // Omit a checksum of another algorithm. A copy can have another algorithm than the parts whose bytes it shares.
      return defined({
        ...part,
        checksum: checksum?.algorithm === algorithm ? checksum : undefined,
      });
    });
    const last = found.length > limit ? parts.at(-1)?.partNumber : undefined;
    return defined({ totalCount, parts, nextPartNumberMarker: last });
  }

  #countOf(manifestId: number): number {
    return this.#count.get(manifestId) ?? 0;
  }
}

export interface PageOfParts {
  /** The page begins after the part with this number. */
  readonly marker: number;
  readonly limit: number;
}

export interface SelectedPart {
  /**
   * The bytes of the part in the object. Undefined for an empty object, which is returned whole. For an empty part,
   * `last` is less than `first`.
   */
  readonly range: { readonly first: number; readonly last: number } | undefined;
  /** The number of parts; undefined for an object that was put whole. */
  readonly partsCount?: number;
  readonly checksum: string | null;
}

function rangeOf({ firstByte, sizeBytes }: Omit<PartOfObject, 'checksum'>, whole: VersionRow) {
  if (whole.sizeBytes === 0) return undefined;
  return { first: firstByte, last: firstByte + sizeBytes - 1 };
}

function invalidPartNumber(asked: number, count: number): StorageError {
  return new StorageError(
    'InvalidPartNumber',
    `read part ${asked}: the object has ${count}, but not this one`,
    { details: { PartNumberRequested: asked, ActualPartCount: count } },
  );
}
