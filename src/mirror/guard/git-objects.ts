/** Determines which objects a git repository contains, both loose and in packs (gitformat-pack, index version 2). */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { errorCode } from '../../base/errors.ts';

/**
 * First bytes of a pack's index file: the magic number `\377tOc` and version 2.
 */
const PACK_INDEX = Buffer.from('ff744f6300000002', 'hex');
const FANOUT_AT = 8;
const IDS_AT = FANOUT_AT + 256 * 4;

/** Returns those ids (in hexadecimal) whose objects exist. Does not search alternates and promisor objects. */
export function gitObjects(gitDir: string, ids: Iterable<string>): ReadonlySet<string> {
  const objects = join(gitDir, 'objects');
  const missing = new Set(ids);
  const found = new Set<string>();
  for (const id of missing)
    if (existsSync(join(objects, id.slice(0, 2), id.slice(2)))) found.add(id);
  for (const name of packIndexes(join(objects, 'pack'))) {
    const index = readFileSync(join(objects, 'pack', name));
    if (!index.subarray(0, PACK_INDEX.length).equals(PACK_INDEX)) continue;
    for (const id of missing) if (!found.has(id) && isInPack(index, id)) found.add(id);
  }
  return found;
}

function packIndexes(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith('.idx'));
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}

function isInPack(index: Buffer, hex: string): boolean {
  const id = Buffer.from(hex, 'hex');
  const first = id.readUInt8(0);
  const upTo = (byte: number) => (byte < 0 ? 0 : index.readUInt32BE(FANOUT_AT + byte * 4));
  let low = upTo(first - 1);
  let high = upTo(first);
  while (low < high) {
    const middle = (low + high) >>> 1;
    const at = IDS_AT + middle * id.length;
    const order = index.compare(id, 0, id.length, at, at + id.length);
    if (order === 0) return true;
    if (order < 0) low = middle + 1;
    else high = middle;
  }
  return false;
}
