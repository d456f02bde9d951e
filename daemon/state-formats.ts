/** The formats of a home's databases: those of a newer Holdfast are known before anything is put in their place. */

import { open } from 'node:fs/promises';
import { basename } from 'node:path';

import { CLUSTERS_FORMAT } from '../src/cluster/engine/cluster-file.ts';
import { IDENTITY_FORMAT } from '../src/identity/schema.ts';
import { STATE_FORMAT } from '../src/mirror/state/state-schema.ts';
import { MONITORING_FORMAT } from '../src/monitoring/schema.ts';

const NEWEST: Readonly<Record<string, number>> = {
  'identity.sqlite': IDENTITY_FORMAT,
  'monitoring.sqlite': MONITORING_FORMAT,
  'clusters.sqlite': CLUSTERS_FORMAT,
  'state.sqlite': STATE_FORMAT,
};

/** In the header of each file of SQLite (its "Database File Format", 1.3): `user_version`, big-endian. */
const USER_VERSION_AT = 60;
const USER_VERSION_BYTES = 4;

/** What is wrong with a database for this Holdfast; undefined where it can open it. Nothing of the file is changed. */
export async function newerFormat(path: string): Promise<string | undefined> {
  const newest = NEWEST[basename(path)];
  if (newest === undefined) return undefined;
  const format = await formatOf(path);
  if (format <= newest) return undefined;
  return `has format ${format}, and this Holdfast reads up to ${newest}`;
}

/** From the file alone: SQLite would make files beside it. One that is too short, as an empty one, has none: 0. */
async function formatOf(path: string): Promise<number> {
  const file = await open(path);
  try {
    const header = Buffer.alloc(USER_VERSION_BYTES);
    await file.read(header, 0, USER_VERSION_BYTES, USER_VERSION_AT);
    return header.readUInt32BE(0);
  } finally {
    await file.close();
  }
}
