/** The formats of a home's databases: those of a newer Holdfast are known before anything is opened, or put in their place. */

import { existsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename, join } from 'node:path';

import { CLUSTERS_FORMAT } from '../src/cluster/engine/cluster-file.ts';
import type { Home } from '../src/config/home.ts';
import { ControlError } from '../src/control/control-error.ts';
import { STORE_FORMAT } from '../src/engine/schema/schema.ts';
import { IDENTITY_FORMAT } from '../src/identity/schema.ts';
import { STATE_FORMAT } from '../src/mirror/state/state-schema.ts';
import { MONITORING_FORMAT } from '../src/monitoring/schema.ts';
import { isDatabase, stateFiles } from './state-files.ts';

const NEWEST: Readonly<Record<string, number>> = {
  'store.sqlite': STORE_FORMAT,
  'identity.sqlite': IDENTITY_FORMAT,
  'monitoring.sqlite': MONITORING_FORMAT,
  'clusters.sqlite': CLUSTERS_FORMAT,
  'state.sqlite': STATE_FORMAT,
};

/** Each file of SQLite begins with it (its "Database File Format", 1.3); `user_version` is big-endian. */
const MAGIC = 'SQLite format 3\0';
const USER_VERSION_AT = 60;
const HEADER_BYTES = 64;

/** What a daemon cannot be without; a job's state stops that job alone, which says so. */
const NEEDED = /^data\//;

/**
 * Throws ControlError where a newer Holdfast has written here: before the first database is opened, since those that are older
 * would be brought up to date.
 */
export async function refuseNewer(home: Home): Promise<void> {
  const newer = (await newerDatabases(home)).filter(({ name }) => NEEDED.test(name));
  if (newer.length === 0) return;
  const reasons = newer.map(({ path, reason }) => `${path} ${reason}`);
  throw new ControlError('Failed', `start daemon: ${reasons.join('; ')}`, {
    hint: 'use the newer Holdfast; or restore the state and the store that you saved before it: nothing was changed',
  });
}

/** Of those that are there, the ones that this Holdfast cannot open, and why. */
export async function newerDatabases(home: Home) {
  const store = 'store/store.sqlite';
  const all = [
    { name: `data/${store}`, path: join(home.dataDir, store) },
    ...stateFiles(home).filter(({ name }) => isDatabase(name)),
  ];
  const found = [];
  for (const { name, path } of all.filter((each) => existsSync(each.path))) {
    const reason = await newerFormat(path);
    if (reason !== undefined) found.push({ name, path, reason });
  }
  return found;
}

/** What is wrong with a database for this Holdfast; undefined where it can open it. Nothing of the file is changed. */
export async function newerFormat(path: string): Promise<string | undefined> {
  const newest = NEWEST[basename(path)];
  if (newest === undefined) return undefined;
  const format = await formatOf(path);
  if (format <= newest) return undefined;
  return `has format ${format}, and this Holdfast reads up to ${newest}`;
}

/** From the file alone: SQLite would make files beside it. What is none of its files, as an empty or a damaged one, has none: 0. */
async function formatOf(path: string): Promise<number> {
  const file = await open(path);
  try {
    const header = Buffer.alloc(HEADER_BYTES);
    await file.read(header, 0, HEADER_BYTES, 0);
    return header.toString('latin1').startsWith(MAGIC) ? header.readUInt32BE(USER_VERSION_AT) : 0;
  } finally {
    await file.close();
  }
}
