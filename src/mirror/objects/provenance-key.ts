/**
 * The key of a job's proofs, in a file beside its state: a state that is rebuilt keeps it. It is never sent anywhere, and no
 * message names it.
 */

import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

import { ownedByOther } from '../../base/controlled-by-others.ts';
import { errorCode } from '../../base/errors.ts';
import { MirrorError } from '../model/mirror-error.ts';
import type { ProvenanceKey } from './provenance.ts';

export const KEY_FILE = 'provenance.key';
const KEY_BYTES = 32;

/** Creates it, durably, where there is none. Throws MirrorError `StateUnusable` for a file that holds no key. */
export function provenanceKey(stateDir: string, now: number): ProvenanceKey {
  const path = join(stateDir, KEY_FILE);
  return readKey(path) ?? createKey(path, now);
}

/** Undefined where there is none. Throws MirrorError `StateUnusable` for a file that holds no key. */
export function readProvenanceKey(stateDir: string): ProvenanceKey | undefined {
  return readKey(join(stateDir, KEY_FILE));
}

function readKey(path: string): ProvenanceKey | undefined {
  try {
    const foreign = ownedByOther(path, { statSync });
    if (foreign !== undefined) throw new MirrorError('StateUnusable', `open ${path}: ${foreign}`);
    const { key, since } = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
    const secret = typeof key === 'string' ? Buffer.from(key, 'base64url') : Buffer.alloc(0);
    if (secret.length === KEY_BYTES && typeof since === 'number') return { secret, since };
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    if (!(error instanceof SyntaxError) && !(error instanceof TypeError)) throw error;
  }
  throw new MirrorError(
    'StateUnusable',
    `open ${path}: it does not hold the key of this job; bring it back with: holdfast restore-state; or delete it: a new key ` +
      'is created, and the job takes the versions that it uploaded before for those of another tool',
  );
}

function createKey(path: string, since: number): ProvenanceKey {
  const secret = randomBytes(KEY_BYTES);
  const coming = `${path}.coming`;
  writeFileSync(coming, `${JSON.stringify({ key: secret.toString('base64url'), since })}\n`, {
    mode: 0o600,
    flush: true,
  });
  renameSync(coming, path);
  syncFolder(join(path, '..'));
  return { secret, since };
}

/** A name is durable once its folder is. */
function syncFolder(folder: string): void {
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
