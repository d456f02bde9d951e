/** Reads the host ID. It identifies this installation in the ownership markers of its jobs. */

import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Home } from '../../src/config/home.ts';
import { writeAtomically } from '../../src/config/write-atomically.ts';

/** Returns the host ID of the data folder. Creates it durably if it does not exist. Throws if the file is empty. */
export async function hostIdOf({ dataDir }: Pick<Home, 'dataDir'>): Promise<string> {
  const file = join(dataDir, 'host-id');
  if (!existsSync(file)) await writeAtomically(file, `${randomUUID()}\n`);
  const id = readFileSync(file, 'utf8').trim();
  if (id === '') {
    throw new Error(`cannot read the host ID: ${file} is empty; delete it to create a new host ID`);
  }
  return id;
}
