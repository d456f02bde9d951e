/** Creates the messages about damaged versions: what is damaged, why, and what the user can do. */

import { pathOfKey } from '../model/local-path.ts';
import { RETRY } from '../model/retry-policy.ts';
import type { DamagedVersion } from './damaged-versions.ts';
import type { StateFile } from './state-file.ts';
import type { Problem } from '../model/types.ts';

export function* damageProblems({ damaged }: StateFile, limit?: number): Generator<Problem> {
  for (const version of damaged.problems(limit)) yield damageProblem(version);
}

export function damageProblem({ key, versionId, reason, state }: DamagedVersion): Problem {
  const version = versionId === '' ? '' : `, version ${versionId}`;
  const what =
    state === 'earlier' ? 'an earlier version in the bucket' : 'the object in the bucket';
  const message = `${what} is damaged (${pathOfKey(key)}${version}): ${reason}${NEXT[state]}`;
  return { path: pathOfKey(key), code: 'damaged', message };
}

const FROM_COPY = 'restore the files of the store from a backup';

const NEXT: Readonly<Record<DamagedVersion['state'], string>> = {
  found: '',
  sent: '; the file is intact and is uploaded again as a new version',
  lost: `; the folder no longer has the content that was stored: put a copy of it into the folder, or ${FROM_COPY}`,
  earlier: `; its content is not that of the current file: ${FROM_COPY}, or delete the version if you do not need it`,
  exhausted: `; it was uploaded again ${RETRY.damagedVersion.attempts} times and was damaged each time: check the disk or the service, then run: holdfast job run`,
  replaced: '; the same content was uploaded again as a later version',
};
