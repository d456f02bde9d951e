/**
 * Reads the file of an SQLite database page by page, without SQLite, because SQLite stops at the first damaged page.
 * The format is documented at https://www.sqlite.org/fileformat2.html. All values of a page are validated, and invalid
 * ones are skipped.
 */

import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

import { decodeRecord, plain, readVarint, type RecordValue } from './record.ts';

/** The page size of Holdfast's databases. Used if the header cannot be read. */
const DEFAULT_PAGE_BYTES = 4096;
const HEADER_BYTES = 100;
const MAGIC = 'SQLite format 3\0';
/** The offset at which no database page can be, because SQLite uses the bytes there for locks. */
const PENDING_BYTE = 2 ** 30;
/**
 * The maximum size of a record that is read. Records that Holdfast writes are much smaller, because a body in the
 * database has at most 64 KiB.
 */
const MAX_RECORD_BYTES = 2 ** 24;

const LEAF = { table: 13, index: 10 } as const;
const INTERIOR = { table: 5, index: 2 } as const;
const MAP_ROOT = 1;
const MAP_NODE = 5;

export type TreeKind = keyof typeof LEAF;

export interface StoredRow {
  /** The rowid; undefined for a row of an index or of a table without rowids. */
  readonly rowid: number | bigint | undefined;
  readonly values: readonly RecordValue[];
}

/** The rows on one page of a B-tree, and the page's children. */
export interface TreePage {
  readonly rows: readonly StoredRow[];
  /** The page numbers of the child pages. */
  readonly children: readonly number[];
}

/** An entry of SQLite's pointer map: the type of a page and its parent page. */
interface MapEntry {
  readonly is: number;
  readonly parent: number;
}

export class DatabasePages {
  readonly #file: number;
  readonly #pageBytes: number;
  readonly #usableBytes: number;
  readonly #hasMap: boolean;
  readonly count: number;
  /** The header field `user_version`; undefined if the header cannot be read. */
  readonly userVersion: number | undefined;

  constructor(path: string) {
    this.#file = openSync(path, 'r');
    const header = this.#read(0, HEADER_BYTES);
    const isWhole = header.subarray(0, MAGIC.length).toString('latin1') === MAGIC;
    const stated = isWhole ? header.readUInt16BE(16) : DEFAULT_PAGE_BYTES;
    this.#pageBytes = stated === 1 ? 65_536 : stated;
    this.#usableBytes = this.#pageBytes - (isWhole ? (header[20] ?? 0) : 0);
    this.#hasMap = isWhole ? header.readUInt32BE(52) !== 0 : true;
    this.userVersion = isWhole ? header.readUInt32BE(60) : undefined;
    this.count = Math.floor(fstatSync(this.#file).size / this.#pageBytes);
  }

  close(): void {
    closeSync(this.#file);
  }

  /**
   * Returns the content of a page, or undefined if the page does not belong to a B-tree of this kind. Skips rows that
   * cannot be read completely.
   */
  treePage(number: number, kind: TreeKind): TreePage | undefined {
    const page = this.#page(number);
    if (!page) return undefined;
    const at = number === 1 ? HEADER_BYTES : 0;
    const isLeaf = page[at] === LEAF[kind];
    if (!isLeaf && page[at] !== INTERIOR[kind]) return undefined;
    const cells = this.#cellOffsets(page, at, isLeaf ? 8 : 12);
    if (!cells) return undefined;
    const children = isLeaf ? [] : cells.map((cell) => page.readUInt32BE(cell));
    if (!isLeaf) children.push(page.readUInt32BE(at + 8));
    const holdsRows = isLeaf || kind === 'index';
    const rows = holdsRows
      ? cells.flatMap((cell) => this.#row(page, cell + (isLeaf ? 0 : 4), kind) ?? [])
      : [];
    return { rows, children: children.filter((child) => this.#isPage(child)) };
  }

  /**
   * Returns the root of the B-tree that contains a page, according to the pointer map of auto-vacuum. Returns undefined
   * if the page is not in a B-tree.
   */
  rootOf(number: number): number | undefined {
    let page = number;
    for (let depth = 0; depth < 32; depth++) {
      const entry = this.#mapEntry(page);
      if (entry?.is === MAP_ROOT) return page;
      if (entry?.is !== MAP_NODE || !this.#isPage(entry.parent)) return undefined;
      page = entry.parent;
    }
    return undefined;
  }

  #cellOffsets(page: Buffer, at: number, headerBytes: number): readonly number[] | undefined {
    const count = page.readUInt16BE(at + 3);
    const first = at + headerBytes;
    const end = first + 2 * count;
    if (end > this.#usableBytes) return undefined;
    const offsets = Array.from({ length: count }, (_, index) =>
      page.readUInt16BE(first + 2 * index),
    );
    // Check that 4 bytes are readable, because a cell of an interior page begins with a page number.
    return offsets.every((offset) => offset >= end && offset + 4 <= this.#usableBytes)
      ? offsets
      : undefined;
  }

  #row(page: Buffer, offset: number, kind: TreeKind): StoredRow | undefined {
    const size = readVarint(page, offset);
    const rowid = size && kind === 'table' ? readVarint(page, size.end) : undefined;
    if (!size || (kind === 'table' && !rowid)) return undefined;
    const bytes = this.#payload(page, (rowid ?? size).end, { size: Number(size.value), kind });
    const values = bytes && decodeRecord(bytes);
    return values && { rowid: rowid && plain(rowid.value), values };
  }

  #payload(
    page: Buffer,
    start: number,
    { size, kind }: { readonly size: number; readonly kind: TreeKind },
  ): Buffer | undefined {
    if (size > MAX_RECORD_BYTES) return undefined;
    const local = this.#localBytes(size, kind);
    if (start + local + (local < size ? 4 : 0) > this.#usableBytes) return undefined;
    const here = page.subarray(start, start + local);
    if (local === size) return here;
    return this.#withOverflow(here, page.readUInt32BE(start + local), size);
  }

  /** Returns how many bytes of a record are on the page itself; the remaining bytes are on overflow pages. */
  #localBytes(size: number, kind: TreeKind): number {
    const usable = this.#usableBytes;
    const most = kind === 'table' ? usable - 35 : Math.floor(((usable - 12) * 64) / 255) - 23;
    if (size <= most) return size;
    const least = Math.floor(((usable - 12) * 32) / 255) - 23;
    const wanted = least + ((size - least) % (usable - 4));
    return wanted <= most ? wanted : least;
  }

  #withOverflow(here: Buffer, first: number, size: number): Buffer | undefined {
    const pieces = [here];
    let missing = size - here.byteLength;
    let next = first;
    while (missing > 0) {
      const page = this.#isPage(next) ? this.#page(next) : undefined;
      if (!page) return undefined;
      const piece = page.subarray(4, Math.min(this.#usableBytes, 4 + missing));
      pieces.push(piece);
      missing -= piece.byteLength;
      next = page.readUInt32BE(0);
    }
    // The chain of overflow pages is complete only if the last page has no successor.
    return next === 0 ? Buffer.concat(pieces) : undefined;
  }

  #mapEntry(page: number): MapEntry | undefined {
    if (!this.#hasMap || page < 2) return undefined;
    const covered = Math.floor(this.#usableBytes / 5) + 1;
    let map = Math.floor((page - 2) / covered) * covered + 2;
    if (map === PENDING_BYTE / this.#pageBytes + 1) map += 1;
    const bytes = page > map ? this.#page(map) : undefined;
    const at = 5 * (page - map - 1);
    return bytes && { is: bytes[at] ?? 0, parent: bytes.readUInt32BE(at + 1) };
  }

  #isPage(number: number): boolean {
    return number >= 1 && number <= this.count;
  }

  #page(number: number): Buffer | undefined {
    const bytes = this.#read((number - 1) * this.#pageBytes, this.#pageBytes);
    return bytes.byteLength === this.#pageBytes ? bytes : undefined;
  }

  /** Reads bytes of the file. Returns zeros for a sector that the disk cannot read. */
  #read(position: number, length: number): Buffer {
    const bytes = Buffer.alloc(length);
    try {
      readSync(this.#file, bytes, 0, length, position);
    } catch (error) {
      if (!isUnreadableSector(error)) throw error;
    }
    return bytes;
  }
}

function isUnreadableSector(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EIO';
}
