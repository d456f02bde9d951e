/**
 * Detects databases that a newer Holdfast has written. This happens before any database is opened or restored.
 */

import { existsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename, join } from 'node:path';

import { CLUSTERS_FORMAT } from '../../src/cluster/engine/cluster-file.ts';
import type { Home } from '../../src/config/home.ts';
import { ControlError } from '../../src/control/control-error.ts';
import { STORE_FORMAT } from '../../src/engine/schema/schema.ts';
import { IDENTITY_FORMAT } from '../../src/identity/schema.ts';
import { STATE_FORMAT } from '../../src/mirror/state/state-schema.ts';
import { MONITORING_FORMAT } from '../../src/monitoring/schema.ts';
import { isDatabase, stateFiles } from './state-files.ts';

const NEWEST: Readonly<Record<string, number>> = {
  'store.sqlite': STORE_FORMAT,
  'identity.sqlite': IDENTITY_FORMAT,
  'monitoring.sqlite': MONITORING_FORMAT,
  'clusters.sqlite': CLUSTERS_FORMAT,
  'state.sqlite': STATE_FORMAT,
};

/** The first bytes of a database file (SQLite, "Database File Format", 1.3). `user_version` is big-endian. */
const MAGIC = 'SQLite format 3\0';
const USER_VERSION_AT = 60;
const HEADER_BYTES = 64;

/** Databases that the daemon needs to start. If a job's state is newer, only that job cannot start. */
const NEEDED = /^data\//;

/**
 * Throws ControlError `Failed` if a newer Holdfast has written a database of the home folder. It must be
 * called before the first database is opened, because opening an older database migrates it.
 */
export async function refuseNewer(home: Home): Promise<void> {
  const newer = (await newerDatabases(home)).filter(({ name }) => NEEDED.test(name));
  if (newer.length === 0) return;
  const reasons = newer.map(({ path, reason }) => `${path} ${reason}`);
  throw new ControlError('Failed', `cannot start the daemon: ${reasons.join('; ')}`, {
    hint: 'nothing was changed; use the newer Holdfast, or restore backups of the state and of the store from before the upgrade',
  });
}

/** Returns the existing databases that this version of Holdfast cannot open, each with the reason. */
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

/** Returns why this Holdfast cannot open a database, or undefined if it can. Does not change the file. */
export async function newerFormat(path: string): Promise<string | undefined> {
  const newest = NEWEST[basename(path)];
  if (newest === undefined) return undefined;
  const format = await formatOf(path);
  if (format <= newest) return undefined;
  return `has format ${format}, and this Holdfast reads up to ${newest}`;
}

/**
 * Reads the format from the file header, because opening the file with SQLite would create other files.
 * Returns 0 for any other file.
 */
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
