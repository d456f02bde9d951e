/**
 * Finds versions that the job should have locked but has not, except current versions of existing local files. These
 * are superseded versions, and versions of files that the folder no longer contains.
 */

import { defined } from '../base/defined.ts';
import { pathOfKey } from '../mirror/model/local-path.ts';
import { failureKind } from '../mirror/model/failure-kind.ts';
import { supersededVersion } from '../mirror/state/lock-table.ts';
import { readVersion, type VersionName } from '../mirror/objects/destination.ts';
import type { VerifyOptions, VerifyFinding } from './finding.ts';

const PAGE = 500;

/**
 * Yields the unlocked versions. `isReported` returns whether the current version of a key is already a finding. Rejects
 * with the store's errors.
 */
export async function* unlockedElsewhere(
  options: Pick<VerifyOptions, 'destination' | 'locks' | 'lockClock' | 'signal'>,
  isReported: (key: string) => boolean,
): AsyncGenerator<VerifyFinding, void> {
  const { locks, lockClock } = options;
  for (let after: string | undefined = ''; after !== undefined;) {
    const rows = locks.unlockedAfter(after, lockClock.now(), PAGE);
    for (const row of rows) {
      const version = supersededVersion(row) ?? { key: row.key };
      const isOpen = 'versionId' in version || !isReported(row.key);
      if (isOpen && (await isUnlocked(version, options))) yield notLocked(version);
    }
    after = rows.at(-1)?.key;
  }
}

async function isUnlocked(
  version: VersionName,
  { destination, lockClock, signal }: Pick<VerifyOptions, 'destination' | 'lockClock' | 'signal'>,
): Promise<boolean> {
  try {
    const found = await readVersion(destination, version, signal);
    return found !== 'absent' && (found.retention?.retainUntil ?? 0) <= lockClock.now();
  } catch (error) {
    if (failureKind(error) !== 'refused') throw error;
    return true;
  }
}

function notLocked({ key, versionId }: VersionName): VerifyFinding {
  const which = versionId === undefined ? 'its current version' : 'one of its superseded versions';
  const message = `${which} is not locked; the job will retry`;
  const path = pathOfKey(key);
  return { is: 'finding', path, code: 'not-locked', message, ...defined({ versionId }) };
}
