/**
 * Notices when store.sqlite was exchanged for an older copy of itself, or for that of another store (security
 * E.5): each opening leaves the same random id in the database and in a file beside it, and the file remembers how
 * far the sequences had come.
 */

import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';

import type { Database } from 'better-sqlite3';

import { type Layout, writeFileDurably } from '../disk/layout.ts';
import { OpenStoreError } from '../disk/open-error.ts';

const ID_BYTES = 16;

/** What the file holds. */
interface Opening {
  readonly id: string;
  /** No lower one is left to give out. */
  readonly nextSequence: number;
}

interface StoredOpening {
  readonly opening: string | null;
  readonly openingBefore: string | null;
}

/** Throws `OpenStoreError` with code `ExchangedMetadata`. Changes nothing. */
export function checkOpening(database: Database, layout: Layout): void {
  const beside = readOpening(layout);
  if (!beside) return;
  const { opening, openingBefore } = storedOpening(database);
  const isSame = beside.id === opening || beside.id === openingBefore;
  if (isSame && beside.nextSequence <= nextSequence(database)) return;
  throw new OpenStoreError(
    'ExchangedMetadata',
    `open store ${layout.root}: store.sqlite is not the one that was last in use here, but ${isSame ? 'an older copy of it' : 'an older copy, or that of another store'}; ` +
      'put the right one back, or continue with this one: holdfast store repair --accept-metadata',
  );
}

/** From now on this database belongs to this folder. */
export function beginOpening(database: Database, layout: Layout): void {
  const id = randomBytes(ID_BYTES).toString('hex');
  const before = readOpening(layout)?.id ?? storedOpening(database).opening;
  // First the database, which remembers what the file says until the file is written.
  database.prepare('UPDATE upkeep SET opening = ?, opening_before = ?').run(id, before);
  writeOpening(layout, { id, nextSequence: nextSequence(database) });
}

/** To be called now and then, and at the end: copies that are older than this are recognised. */
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

/** A file that cannot be read is as good as none: it was never more than a hint. */
export function readOpening({ opening }: Layout): Opening | undefined {
  if (!existsSync(opening)) return undefined;
  const [id = '', sequence = ''] = readFileSync(opening, 'utf8').trim().split(' ');
  return { id, nextSequence: Number(sequence) || 0 };
}

function writeOpening({ opening }: Layout, { id, nextSequence }: Opening): void {
  writeFileDurably(opening, `${id} ${nextSequence}\n`);
}
