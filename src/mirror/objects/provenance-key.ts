/**
 * Stores the secret key with which a job proves its uploads. The key is stored next to the state file, so it survives
 * when the state is rebuilt. It is never sent anywhere or written into a message.
 */

import { createSecretKey, randomBytes } from 'node:crypto';
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

/**
 * Returns the job's key. Creates it durably if it does not exist. Throws MirrorError `StateUnusable` for an invalid key
 * file.
 */
export function provenanceKey(stateDir: string, now: number): ProvenanceKey {
  const path = join(stateDir, KEY_FILE);
  return readKey(path) ?? createKey(path, now);
}

/**
 * Returns the job's key; undefined if it does not exist. Throws MirrorError `StateUnusable` for an invalid key file.
 */
export function readProvenanceKey(stateDir: string): ProvenanceKey | undefined {
  return readKey(join(stateDir, KEY_FILE));
}

function readKey(path: string): ProvenanceKey | undefined {
  try {
    const foreign = ownedByOther(path, { statSync });
    if (foreign !== undefined)
      throw new MirrorError('StateUnusable', `cannot read ${path}: ${foreign}`);
    const { key, since } = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
    const secret = typeof key === 'string' ? Buffer.from(key, 'base64url') : Buffer.alloc(0);
    if (secret.length === KEY_BYTES && typeof since === 'number')
      return { secret: createSecretKey(secret), since };
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    if (!(error instanceof SyntaxError) && !(error instanceof TypeError)) throw error;
  }
  throw new MirrorError(
    'StateUnusable',
    `cannot read ${path}: it does not contain a valid key of this job; restore it with: holdfast admin restore-state; or delete it: the job then ` +
      'creates a new key, and treats the versions that it uploaded before as those of another tool',
  );
}

function createKey(path: string, since: number): ProvenanceKey {
  const secret = randomBytes(KEY_BYTES);
  const temporary = `${path}.coming`;
  writeFileSync(temporary, `${JSON.stringify({ key: secret.toString('base64url'), since })}\n`, {
    mode: 0o600,
    flush: true,
  });
  renameSync(temporary, path);
  syncFolder(join(path, '..'));
  return { secret: createSecretKey(secret), since };
}

/** Syncs a folder to disk, because only then is a new filename in it durable. */
function syncFolder(folder: string): void {
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
