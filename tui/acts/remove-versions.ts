/** Permanently removes several versions of one object after a single confirmation. */

import type { Ui } from '../ui/ui.ts';
import type { Question } from '../commands/command.ts';
import { asked } from '../data/place.ts';
import type { BucketPlace } from '../data/place.ts';
import { bytesText, countText } from '../../src/text/amounts.ts';
import { needsBypass, whyNotDeleted } from '../text/locks.ts';
import { PAGE_ROWS } from './below.ts';
import { showFailures } from './many.ts';
import type { Failure } from './many.ts';
import { nameToType, shownName } from './names.ts';
import { MOST_LOCKS_READ, readLocks } from './read-locks.ts';
import type { VersionToRemove } from './versions.ts';

/** The selected versions. Locked versions are listed in the question and skipped. */
export interface Removals {
  readonly place: BucketPlace;
  readonly versions: readonly VersionToRemove[];
  readonly bypass: boolean;
}

/** Checks which versions can be removed. Throws if none can be removed. */
export async function planRemovals(
  ui: Ui,
  versions: readonly VersionToRemove[],
): Promise<{ readonly removals: Removals; readonly question: Question }> {
  const [first] = versions;
  if (!first || versions.length > MOST_LOCKS_READ)
    throw new Error(`mark at most ${MOST_LOCKS_READ} versions`);
  const place = { target: first.target, bucket: first.bucket };
  const now = ui.clock.now();
  const stored = versions.filter(({ isMarker }) => !isMarker);
  const known = stored.length === 0 ? [] : await readLocks(ui, place, stored);
  const locks = new Map(stored.map((version, index) => [version, known[index] ?? {}]));
  const lockOf = (version: VersionToRemove) => locks.get(version) ?? {};
  const removed = versions.filter((each) => whyNotDeleted(lockOf(each), now) === undefined);
  const refused = versions.length - removed.length;
  if (removed.length === 0) throw new Error('delete versions: all of them are locked');
  const bypassed = removed.filter((each) => needsBypass(lockOf(each), now)).length;
  const markers = removed.filter(({ isMarker }) => isMarker).length;
  const bytes = removed.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const what = countText(removed.length - markers, 'version');
  const question = {
    title: `Delete ${what} of ${shownName(first.key, ui.look)} permanently?`,
    facts: [
      `${what}, ${bytesText(bytes)}${markers > 0 ? `, and ${countText(markers, 'delete marker')}` : ''}`,
      ...(refused > 0
        ? [`${countText(refused, 'version')} cannot be deleted: COMPLIANCE or a legal hold.`]
        : []),
      ...(bypassed > 0 ? [`GOVERNANCE is bypassed for ${countText(bypassed, 'version')}.`] : []),
      ...(removed.some(({ isLatest }) => isLatest)
        ? ['The current version is among them: the newest one that remains becomes current.']
        : []),
      'Deleted versions cannot be restored.',
    ],
    type: nameToType(first.key, first.bucket),
  };
  return { removals: { place, versions: removed, bypass: bypassed > 0 }, question };
}

export async function removeVersions(ui: Ui, { place, versions, bypass }: Removals): Promise<void> {
  const failures: Failure[] = [];
  let deleted = 0;
  await ui.work('deleting', async (work) => {
    for (let start = 0; start < versions.length; start += PAGE_ROWS) {
      work.abort.signal.throwIfAborted();
      const page = versions.slice(start, start + PAGE_ROWS);
      const objects = page.map(({ key, versionId }) => ({ key, versionId }));
      const bypassed = bypass ? { bypassGovernance: true } : {};
      const answer = await ui.call('objects.deleteMany', {
        ...asked(place),
        objects,
        ...bypassed,
      });
      deleted += answer.deleted;
      failures.push(
        ...answer.failed.map(({ key, message, code }) => ({ name: key, reason: message || code })),
      );
    }
  });
  showFailures(ui, 'deleting', failures);
  if (deleted > 0) ui.notify(`deleted ${countText(deleted, 'version')}`);
}
