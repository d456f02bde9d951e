/** Prepares the state folder of a job, and discards state that belongs to another folder or destination. */

import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { errorCode } from '../../src/base/errors.ts';
import type { JobConfig, TargetConfig } from '../../src/config/config.ts';
import { isTargetOf, partsOfName } from '../../src/config/job-name.ts';
import { KEY_FILE } from '../../src/mirror/objects/provenance-key.ts';
import { writeAtomically } from '../../src/config/write-atomically.ts';

/** The file that records which folder and destination the state belongs to. */
const PLACE_FILE = 'place.json';

export function jobStateDir(stateDir: string, name: string): string {
  return join(stateDir, 'jobs', name);
}

/**
 * Returns the job's state folder. A removed job leaves its state there, so that it can be added again. If a job with
 * the same name has another folder or destination, the old state is deleted, and the first sync round compares the
 * folder with the bucket. The provenance key does not depend on the destination and is kept.
 */
export async function prepareJobState(
  stateDir: string,
  { name, folder, bucket, prefix }: JobConfig,
  target: TargetConfig | undefined,
): Promise<string> {
  const dir = jobStateDir(stateDir, name);
  const file = join(dir, PLACE_FILE);
  const place = `${JSON.stringify({ folder, bucket, prefix, endpoint: target?.endpoint })}\n`;
  await adoptState(stateDir, name, place);
  if ((await textOf(file)) === place) return dir;
  await mkdir(dir, { recursive: true, mode: 0o700 });
  for (const name of await readdir(dir))
    if (name !== KEY_FILE) await rm(join(dir, name), { recursive: true, force: true });
  await writeAtomically(file, place);
  return dir;
}

/**
 * Reuses the state folder of a job whose target in `also` was renamed. It is the state folder of another target of the
 * same job that records the same destination. Two jobs never have the same destination, so no other job uses that
 * folder.
 */
async function adoptState(stateDir: string, name: string, place: string): Promise<void> {
  const own = partsOfName(name)?.job;
  const dir = jobStateDir(stateDir, name);
  if (own === undefined || (await textOf(join(dir, PLACE_FILE))) !== undefined) return;
  for (const other of await namesIn(dirname(dir))) {
    const from = join(dirname(dir), other);
    if (!isTargetOf(own, other) || (await textOf(join(from, PLACE_FILE))) !== place) continue;
    await rm(dir, { recursive: true, force: true });
    return rename(from, dir);
  }
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}

async function textOf(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
