/**
 * Detects that store.sqlite was replaced with an older copy of itself or with the database of another store (security
 * E.5). Each time the store is opened, a new random ID is stored in the database and in a file beside it. The file also
 * stores the next sequence number.
 */

import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';

import type { Database } from 'better-sqlite3';

import { type Layout, writeFileDurably } from '../disk/layout.ts';
import { OpenStoreError } from '../disk/open-error.ts';

const ID_BYTES = 16;

/** The content of the file beside the database. */
interface Opening {
  readonly id: string;
  /** The next unused sequence number. Lower numbers have been used or will not be used any more. */
  readonly nextSequence: number;
}

interface StoredOpening {
  readonly opening: string | null;
  readonly openingBefore: string | null;
}

/**
 * Throws `OpenStoreError` with code `ExchangedMetadata` if the store was last opened with another database or with a
 * newer state of this one. Changes nothing.
 */
export function checkOpening(database: Database, layout: Layout): void {
  const beside = readOpening(layout);
  if (!beside) return;
  const { opening, openingBefore } = storedOpening(database);
  const isSame = beside.id === opening || beside.id === openingBefore;
  if (isSame && beside.nextSequence <= nextSequence(database)) return;
  throw new OpenStoreError(
    'ExchangedMetadata',
    `open store ${layout.root}: store.sqlite is not the database that was last used here; it is ${isSame ? 'an older copy' : 'an older copy, or the database of another store'}; ` +
      'put the right one back, or continue with this one: holdfast admin store repair --accept-metadata',
  );
}

/** Stores a new ID in the database and in the file beside it, so that the two belong together. */
export function beginOpening(database: Database, layout: Layout): void {
  const id = randomBytes(ID_BYTES).toString('hex');
  const before = readOpening(layout)?.id ?? storedOpening(database).opening;
  // Write the database first. It also stores the previous ID, so it still matches the file if a crash prevents the next
  // step.
  database.prepare('UPDATE upkeep SET opening = ?, opening_before = ?').run(id, before);
  writeOpening(layout, { id, nextSequence: nextSequence(database) });
}

/**
 * Stores the next sequence number in the file. Must be called regularly and before the store closes, so that an older
 * copy of the database is recognized.
 */
export function rememberSequence(database: Database, layout: Layout): void {
  const { opening } = storedOpening(database);
  if (opening !== null) writeOpening(layout, { id: opening, nextSequence: nextSequence(database) });
}

const NO_OPENING: StoredOpening = { opening: null, openingBefore: null };

function storedOpening(database: Database): StoredOpening {
  const has = database.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'upkeep'`).get();
  if (!has) return NO_OPENING;
  const row = database
    .prepare<[], StoredOpening>('SELECT opening, opening_before AS openingBefore FROM upkeep')
    .get();
  return row ?? NO_OPENING;
}

function nextSequence(database: Database): number {
  return Number(database.prepare('SELECT next_sequence FROM store').pluck().get());
}

/** Returns the content of the file beside the database, or undefined if the file does not exist. */
export function readOpening({ opening }: Layout): Opening | undefined {
  if (!existsSync(opening)) return undefined;
  const [id = '', sequence = ''] = readFileSync(opening, 'utf8').trim().split(' ');
  return { id, nextSequence: Number(sequence) || 0 };
}

function writeOpening({ opening }: Layout, { id, nextSequence }: Opening): void {
  writeFileDurably(opening, `${id} ${nextSequence}\n`);
}
