/** The name of this installation in the claims of its jobs. */

import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Home } from '../src/config/home.ts';
import { writeAtomically } from '../src/config/write-atomically.ts';

/** Who claims a bucket: this installation, made once, durably (it is in every claim), and kept beside its store. */
export async function hostIdOf({ dataDir }: Pick<Home, 'dataDir'>): Promise<string> {
  const file = join(dataDir, 'host-id');
  if (!existsSync(file)) await writeAtomically(file, `${randomUUID()}\n`);
  const id = readFileSync(file, 'utf8').trim();
  if (id === '') throw new Error(`read ${file}: it is empty; remove it to have a new one made`);
  return id;
}
