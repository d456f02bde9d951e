/** Messages about damaged versions: what is damaged, why, and what the user can do. */

import { pathOfKey } from '../model/local-path.ts';
import { RETRY } from '../model/retry-policy.ts';
import type { DamagedVersion } from './damaged-versions.ts';
import type { StateFile } from './state.ts';
import type { Problem } from '../model/types.ts';

export function* damageProblems({ damaged }: StateFile, limit?: number): Generator<Problem> {
  for (const version of damaged.problems(limit)) yield damageProblem(version);
}

export function damageProblem({ key, versionId, reason, state }: DamagedVersion): Problem {
  const version = versionId === '' ? '' : `, version ${versionId}`;
  const what = state === 'earlier' ? 'an earlier version in the bucket' : 'its object';
  const message = `${what} is damaged (${pathOfKey(key)}${version}): ${reason}${NEXT[state]}`;
  return { path: pathOfKey(key), code: 'damaged', message };
}

const FROM_COPY = 'put the files of the store back from a backup of it';

const NEXT: Readonly<Record<DamagedVersion['state'], string>> = {
  found: '',
  sent: '; the file is intact and is sent again as a new version',
  lost: `; the folder does not have the file that was stored: put a copy of it into the folder, or ${FROM_COPY}`,
  earlier: `; its content is not current: ${FROM_COPY}, or remove the version once you do not need it`,
  exhausted: `; it was sent again ${RETRY.damagedVersion.attempts} times and came back damaged: check the disk or the service, then run the job`,
  replaced: '; the same content was sent again as a later version',
};
